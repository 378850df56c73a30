// RUN: ad-opt %s --ad-print-memory --split-input-file --allow-unregistered-dialect -o /dev/null | FileCheck %s

// Arguments of one element type may overlap, others not.

// CHECK-LABEL: memory of @arguments
// CHECK: class %arg0 %arg1: argument
// CHECK: class %arg2: argument
// CHECK: class %arg3: argument
func.func @arguments(%a: memref<?xf64>, %b: memref<4xf64>, %n: memref<?xindex>,
                     %c: memref<?xf64> {autodiff.noalias}) {
  return
}

// -----

// Vectors and complex numbers of floats are floats in memory; bytes are
// anything.

// CHECK-LABEL: memory of @element_types
// CHECK: class %arg0 %arg1 %arg2: argument
// CHECK: class %arg3: argument
func.func @element_types(%a: memref<?xf64>, %b: memref<?xvector<2xf64>>,
                         %c: memref<?xcomplex<f64>>, %d: memref<?xf32>) {
  return
}

// CHECK-LABEL: memory of @bytes
// CHECK: class %arg0 %arg1 %arg2: argument
func.func @bytes(%a: memref<?xf64>, %b: memref<?xi8>, %c: memref<?xf32>) {
  return
}

// -----

// CHECK-LABEL: memory of @views
// CHECK: class %arg0 %subview %cast %base_buffer %transpose %reinterpret_cast: argument
func.func @views(%a: memref<8x8xf64>, %i: index) {
  %0 = memref.subview %a[%i, 0] [4, 4] [1, 1]
      : memref<8x8xf64> to memref<4x4xf64, strided<[8, 1], offset: ?>>
  %1 = memref.cast %a : memref<8x8xf64> to memref<?x8xf64>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a
      : memref<8x8xf64> -> memref<f64>, index, index, index, index, index
  %2 = memref.transpose %1 (i, j) -> (j, i)
      : memref<?x8xf64> to memref<8x?xf64, strided<[1, 8]>>
  %3 = memref.reinterpret_cast %base to offset: [0], sizes: [64], strides: [1]
      : memref<f64> to memref<64xf64, strided<[1]>>
  return
}

// -----

// CHECK-LABEL: memory of @select
// CHECK: class %alloc %alloc_0 %0: allocation chosen
// CHECK: class %alloc_1: allocation
func.func @select(%c: i1) {
  %a = memref.alloc() : memref<f64>
  %b = memref.alloc() : memref<f64>
  %d = memref.alloc() : memref<f64>
  %0 = arith.select %c, %a, %b : memref<f64>
  return
}

// -----

// CHECK-LABEL: memory of @region_flow
// CHECK: class %arg0 %arg1 %0 %arg5: argument chosen
// CHECK: class %alloc %1#1 %alloc_0: allocation chosen
func.func @region_flow(%a: memref<f64> {llvm.noalias}, %b: memref<f64>
                       {llvm.noalias}, %n: index, %c: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%m = %a) -> memref<f64> {
    scf.yield %b : memref<f64>
  }
  %m = memref.alloc() : memref<f64>
  %1:2 = scf.if %c -> (f64, memref<f64>) {
    %x = memref.load %0[] : memref<f64>
    scf.yield %x, %m : f64, memref<f64>
  } else {
    %x = arith.constant 0.0 : f64
    %m2 = memref.alloc() : memref<f64>
    scf.yield %x, %m2 : f64, memref<f64>
  }
  return
}

// -----

memref.global "private" @table : memref<4xf64> = dense<1.0>
memref.global "private" constant @fixed : memref<4xf64> = dense<1.0>
memref.global "private" @other : memref<4xf64> = dense<1.0>
memref.global "private" @counts : memref<4xi64> = dense<1>

// Two globals do not overlap; an argument may be a global that is not constant.

// CHECK-LABEL: memory of @globals
// CHECK: class %0 %3: @table mutable
// CHECK: class %1: @fixed
// CHECK: class %2: @other mutable
func.func @globals() {
  %0 = memref.get_global @table : memref<4xf64>
  %1 = memref.get_global @fixed : memref<4xf64>
  %2 = memref.get_global @other : memref<4xf64>
  %3 = memref.get_global @table : memref<4xf64>
  return
}

// CHECK-LABEL: memory of @globals_and_argument
// CHECK: class %arg0 %0 %2: argument @table @other mutable
// CHECK: class %1: @fixed
// CHECK: class %3: @counts mutable
func.func @globals_and_argument(%a: memref<?xf64>) {
  %0 = memref.get_global @table : memref<4xf64>
  %1 = memref.get_global @fixed : memref<4xf64>
  %2 = memref.get_global @other : memref<4xf64>
  %3 = memref.get_global @counts : memref<4xi64>
  return
}

// -----

// A reference whose address is taken, or that is kept in memory from outside,
// may come back from anywhere.

// CHECK-LABEL: memory of @escape
// CHECK: class %arg0 %alloc %alloc_0 %0: argument allocation unknown
// CHECK: class %arg1: argument
// CHECK: class %alloc_1: allocation
func.func @escape(%a: memref<f64>, %cell: memref<memref<f64>> {autodiff.noalias}) {
  %m = memref.alloc() : memref<f64>
  %address = memref.alloc() : memref<f64>
  %own = memref.alloc() : memref<f64>
  memref.store %m, %cell[] : memref<memref<f64>>
  %0 = memref.extract_aligned_pointer_as_index %address : memref<f64> -> index
  %1 = memref.load %cell[] : memref<memref<f64>>
  return
}

// -----

// References in memory of one's own are followed.

func.func private @look(memref<memref<f64>>) attributes {autodiff.inactive}

// CHECK-LABEL: memory of @followed
// CHECK: class %arg0: argument
// CHECK: class %alloc %alloc_0 %0: allocation unknown chosen
// CHECK: class %alloc_1 %2: allocation unknown chosen
// CHECK: class %alloc_2: allocation
// CHECK: class %1: allocation
func.func @followed(%a: memref<f64>) {
  %m = memref.alloc() : memref<f64>
  %n = memref.alloc() : memref<f64>
  %t = memref.alloc() : memref<f64>
  %cell = memref.alloc() : memref<2xmemref<f64>>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  memref.store %m, %cell[%zero] : memref<2xmemref<f64>>
  memref.store %n, %cell[%one] : memref<2xmemref<f64>>
  %0 = memref.load %cell[%zero] : memref<2xmemref<f64>>
  %tape = autodiff.tape_create() : !autodiff.tape<0 x memref<f64>>
  autodiff.tape_write %t, %tape[] : !autodiff.tape<0 x memref<f64>>
  %1 = autodiff.tape_read %tape[] : !autodiff.tape<0 x memref<f64>>
  return
}

// Unless others see that memory, at one level or the next.

// CHECK-LABEL: memory of @shown
// CHECK: class %arg0 %alloc %0: argument allocation unknown
// CHECK-LABEL: memory of @nested
// CHECK: class %arg0 %alloc %1: argument allocation unknown
func.func @shown(%a: memref<f64>) {
  %m = memref.alloc() : memref<f64>
  %cell = memref.alloc() : memref<memref<f64>>
  memref.store %m, %cell[] : memref<memref<f64>>
  call @look(%cell) : (memref<memref<f64>>) -> ()
  %0 = memref.load %cell[] : memref<memref<f64>>
  return
}

func.func @nested(%a: memref<f64>) {
  %m = memref.alloc() : memref<f64>
  %cell = memref.alloc() : memref<memref<f64>>
  %cells = memref.alloc() : memref<memref<memref<f64>>>
  memref.store %cell, %cells[] : memref<memref<memref<f64>>>
  memref.store %m, %cell[] : memref<memref<f64>>
  %0 = memref.load %cells[] : memref<memref<memref<f64>>>
  call @look(%0) : (memref<memref<f64>>) -> ()
  %1 = memref.load %0[] : memref<memref<f64>>
  return
}

// -----

// CHECK-LABEL: memory of @unknown_operation
// CHECK: class %arg0 %alloc %0: argument allocation unknown
// CHECK: 'op': test.make reads, may change
// CHECK: 'op': test.make writes
// CHECK: 'op': test.make frees
// CHECK: class %alloc_0: allocation
func.func @unknown_operation(%a: memref<f64>) {
  %m = memref.alloc() : memref<f64>
  %own = memref.alloc() : memref<f64>
  %0 = "test.make"(%m) : (memref<f64>) -> memref<f64> loc("op")
  return
}

// -----

// What leaves a region in a way that is not understood.

// CHECK-LABEL: memory of @unknown_region
// CHECK: class %alloc %0: allocation unknown
func.func @unknown_region() {
  %m = memref.alloc() : memref<f64>
  %0 = "test.region"() ({
    "test.yield"(%m) : (memref<f64>) -> ()
  }) : () -> memref<f64>
  return
}

// -----

// CHECK-LABEL: memory of @blocks
// CHECK: class %0 %alloc %alloc_0: allocation chosen
func.func @blocks(%c: i1) {
  %m = memref.alloc() : memref<f64>
  %n = memref.alloc() : memref<f64>
  cf.cond_br %c, ^bb1(%m : memref<f64>), ^bb1(%n : memref<f64>)
^bb1(%0: memref<f64>):
  return
}

// -----

// CHECK-LABEL: memory of @reallocated
// CHECK: class %arg0 %0: argument allocation chosen
// CHECK: memref.realloc frees %arg0
func.func @reallocated(%a: memref<?xf64>, %n: index) {
  %0 = memref.realloc %a(%n) : memref<?xf64> to memref<?xf64>
  return
}

// -----

// An argument that is constant by activity does not overlap with one that is
// not; one that is constant by type may overlap with another.

// CHECK-LABEL: memory of @constants(const, const, dup, const, const)
// CHECK: class %arg0 %arg1: argument
// CHECK: class %arg2: argument
// CHECK: class %arg3 %arg4: argument
func.func @constants(%a: memref<f64>, %b: memref<f64>, %c: memref<f64>,
                     %m: memref<index>, %n: memref<index>) {
  return
}
// CHECK-LABEL: memory of @constants_request
func.func @constants_request(%a: memref<f64>, %n: memref<index>) {
  autodiff.autodiff @constants(const %a, const %a, dup(%a, %a), const %n,
      const %n)
      : (memref<f64>, memref<f64>, memref<f64>, memref<f64>, memref<index>,
         memref<index>) -> ()
  return
}

// -----

// A reference that is never used where it is poison comes from nowhere.

// CHECK-LABEL: memory of @poison
// CHECK: class %0 %alloc %1: allocation chosen
func.func @poison(%c: i1) {
  %0 = scf.if %c -> memref<f64> {
    %m = memref.alloc() : memref<f64>
    scf.yield %m : memref<f64>
  } else {
    %p = ub.poison : memref<f64>
    scf.yield %p : memref<f64>
  }
  return
}
