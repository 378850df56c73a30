// RUN: ad-check %s --all --mode=forward --width=3 | FileCheck %s
// CHECK-NOT: FAIL
// CHECK: 8 of 8 functions passed
// CHECK-NEXT: PASS

// Overwritten in place, again and again.
func.func @in_place(%m: memref<5xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %k = %c0 to %c5 step %c1 {
    scf.for %i = %c1 to %c5 step %c1 {
      %h = arith.subi %i, %c1 : index
      %0 = memref.load %m[%h] : memref<5xf64>
      %1 = memref.load %m[%i] : memref<5xf64>
      %2 = arith.mulf %0, %1 : f64
      %3 = math.sin %2 : f64
      memref.store %3, %m[%i] : memref<5xf64>
    }
  }
  return
}

// A constant overwrites: the tangent ends there.
func.func @overwritten_by_constant(%m: memref<2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  memref.store %two, %m[%c0] : memref<2xf64>
  %0 = memref.load %m[%c0] : memref<2xf64>
  %1 = memref.load %m[%c1] : memref<2xf64>
  %2 = arith.mulf %0, %1 : f64
  return %2 : f64
}

func.func @scratch(%x: f64, %n: index {autodiff.value = 6}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %m = memref.alloc(%n) : memref<?xf64>
  memref.store %x, %m[%c0] : memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %h = arith.subi %i, %c1 : index
    %0 = memref.load %m[%h] : memref<?xf64>
    %1 = arith.mulf %0, %x : f64
    %2 = math.cos %1 : f64
    memref.store %2, %m[%i] : memref<?xf64>
  }
  %3 = memref.load %m[%last] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  return %3 : f64
}

func.func @views(%m: memref<24xf64>, %n: memref<4x6xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %square = memref.expand_shape %m [[0, 1]] output_shape [4, 6]
      : memref<24xf64> into memref<4x6xf64>
  %part = memref.subview %square[1, 2] [2, 2] [2, 1]
      : memref<4x6xf64> to memref<2x2xf64, strided<[12, 1], offset: 8>>
  %turned = memref.transpose %part (i, j) -> (j, i)
      : memref<2x2xf64, strided<[12, 1], offset: 8>>
        to memref<2x2xf64, strided<[1, 12], offset: 8>>
  %row = memref.reinterpret_cast %n to offset: [6], sizes: [3], strides: [1]
      : memref<4x6xf64> to memref<3xf64, strided<[1], offset: 6>>
  %any = memref.cast %row : memref<3xf64, strided<[1], offset: 6>>
      to memref<?xf64, strided<[?], offset: ?>>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %0 = memref.load %turned[%i, %j]
          : memref<2x2xf64, strided<[1, 12], offset: 8>>
      %1 = memref.load %any[%j] : memref<?xf64, strided<[?], offset: ?>>
      %2 = arith.mulf %0, %1 : f64
      %3 = math.sin %2 : f64
      memref.store %3, %any[%i] : memref<?xf64, strided<[?], offset: ?>>
      memref.store %2, %turned[%j, %i]
          : memref<2x2xf64, strided<[1, 12], offset: 8>>
    }
  }
  return
}

func.func @copies(%m: memref<4xf64>, %n: memref<4xf64>) {
  %c1 = arith.constant 1 : index
  %buffer = memref.alloca() : memref<4xf64>
  memref.copy %m, %buffer : memref<4xf64> to memref<4xf64>
  %0 = memref.load %buffer[%c1] : memref<4xf64>
  %1 = arith.mulf %0, %0 : f64
  memref.store %1, %buffer[%c1] : memref<4xf64>
  memref.copy %n, %m : memref<4xf64> to memref<4xf64>
  memref.copy %buffer, %n : memref<4xf64> to memref<4xf64>
  return
}

func.func @chosen(%m: memref<3xf64>, %n: memref<3xf64>,
                  %c: i1 {autodiff.value = 0}) {
  %c1 = arith.constant 1 : index
  %p = arith.select %c, %m, %n : memref<3xf64>
  %0 = memref.load %p[%c1] : memref<3xf64>
  %1 = memref.load %m[%c1] : memref<3xf64>
  %2 = arith.mulf %0, %1 : f64
  memref.store %2, %p[%c1] : memref<3xf64>
  return
}

// A table of references.
func.func @references(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %table = memref.alloca() : memref<2xmemref<f64>>
  %a = memref.alloca() : memref<f64>
  %b = memref.alloca() : memref<f64>
  memref.store %a, %table[%c0] : memref<2xmemref<f64>>
  memref.store %b, %table[%c1] : memref<2xmemref<f64>>
  memref.store %x, %a[] : memref<f64>
  memref.store %y, %b[] : memref<f64>
  %p = memref.load %table[%c0] : memref<2xmemref<f64>>
  %q = memref.load %table[%c1] : memref<2xmemref<f64>>
  %0 = memref.load %p[] : memref<f64>
  %1 = memref.load %q[] : memref<f64>
  %2 = math.sin %0 : f64
  %3 = arith.mulf %2, %1 : f64
  memref.store %3, %p[] : memref<f64>
  %4 = memref.load %a[] : memref<f64>
  %5 = arith.mulf %4, %1 : f64
  return %5 : f64
}

// Names for memory that say something about it.
func.func @annotated(%m: memref<4xf64>, %n: memref<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %aligned = memref.assume_alignment %m, 8 : memref<4xf64>
  %there = memref.memory_space_cast %n : memref<4xf64> to memref<4xf64, 1>
  %0 = memref.load %aligned[%c0] : memref<4xf64>
  %1 = memref.load %there[%c1] : memref<4xf64, 1>
  %2 = arith.mulf %0, %1 : f64
  memref.store %2, %aligned[%c1] : memref<4xf64>
  memref.store %0, %there[%c0] : memref<4xf64, 1>
  %3 = memref.load %m[%c1] : memref<4xf64>
  %4 = memref.load %n[%c0] : memref<4xf64>
  %5 = arith.mulf %3, %4 : f64
  return %5 : f64
}
