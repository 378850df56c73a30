// RUN: ad-check %s --all --mode=forward --width=2 | FileCheck %s
// CHECK-NOT: FAIL
// CHECK: 7 of 7 functions passed
// CHECK-NEXT: PASS

// Results that are active and others that are not, in any order.
func.func private @several(%x: f64, %k: i64, %y: f64) -> (i64, f64, f64, f64) {
  %0 = arith.mulf %x, %y : f64
  %1 = arith.addi %k, %k : i64
  %2 = arith.sitofp %1 : i64 to f64
  %3 = math.sin %x : f64
  return %1, %0, %2, %3 : i64, f64, f64, f64
}
func.func @calls_several(%x: f64, %k: i64 {autodiff.value = 3}) -> f64 {
  %c = arith.constant 1.5 : f64
  %0:4 = call @several(%x, %k, %c) : (f64, i64, f64) -> (i64, f64, f64, f64)
  %1:4 = call @several(%c, %0#0, %0#1) : (f64, i64, f64) -> (i64, f64, f64, f64)
  %2 = arith.mulf %1#1, %0#2 : f64
  %3 = arith.mulf %2, %0#3 : f64
  %4 = arith.addf %3, %1#3 : f64
  return %4 : f64
}

// Works on memory of its caller.
func.func private @scale(%m: memref<?xf64>, %x: f64, %first: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.for %i = %first to %n step %c1 {
    %0 = memref.load %m[%i] : memref<?xf64>
    %1 = arith.mulf %0, %x : f64
    memref.store %1, %m[%i] : memref<?xf64>
  }
  return
}
func.func @calls_scale(%m: memref<?xf64> {autodiff.sizes = [4]}, %x: f64) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = memref.load %m[%c0] : memref<?xf64>
  call @scale(%m, %0, %c2) : (memref<?xf64>, f64, index) -> ()
  call @scale(%m, %x, %c0) : (memref<?xf64>, f64, index) -> ()
  return
}

// Returns memory.
func.func private @table(%x: f64) -> memref<3xf64> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<3xf64>
  %0 = math.exp %x : f64
  memref.store %x, %m[%c0] : memref<3xf64>
  memref.store %0, %m[%c2] : memref<3xf64>
  return %m : memref<3xf64>
}
func.func @calls_table(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = call @table(%x) : (f64) -> memref<3xf64>
  %0 = memref.load %m[%c0] : memref<3xf64>
  %1 = memref.load %m[%c2] : memref<3xf64>
  %2 = arith.mulf %0, %1 : f64
  memref.dealloc %m : memref<3xf64>
  return %2 : f64
}

// x^n with n multiplications.
func.func private @power(%x: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = arith.cmpi eq, %n, %c0 : i64
  %1 = scf.if %0 -> f64 {
    %one = arith.constant 1.0 : f64
    scf.yield %one : f64
  } else {
    %2 = arith.subi %n, %c1 : i64
    %3 = func.call @power(%x, %2) : (f64, i64) -> f64
    %4 = arith.mulf %3, %x : f64
    scf.yield %4 : f64
  }
  return %1 : f64
}
func.func @calls_power(%x: f64, %n: i64 {autodiff.value = 6}) -> f64 {
  %0 = call @power(%x, %n) : (f64, i64) -> f64
  return %0 : f64
}

// Two functions that call each other, the active argument changing places:
// the activities are found anew for each.
func.func private @even(%x: f64, %c: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = arith.cmpi eq, %n, %c0 : i64
  %1 = scf.if %0 -> f64 {
    scf.yield %x : f64
  } else {
    %2 = arith.subi %n, %c1 : i64
    %3 = math.sin %x : f64
    %4 = func.call @odd(%c, %3, %2) : (f64, f64, i64) -> f64
    scf.yield %4 : f64
  }
  return %1 : f64
}
func.func private @odd(%x: f64, %c: f64, %n: i64) -> f64 {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0 = arith.cmpi eq, %n, %c0 : i64
  %1 = scf.if %0 -> f64 {
    scf.yield %c : f64
  } else {
    %2 = arith.subi %n, %c1 : i64
    %3 = math.exp %c : f64
    %4 = arith.mulf %3, %x : f64
    %5 = func.call @even(%4, %x, %2) : (f64, f64, i64) -> f64
    scf.yield %5 : f64
  }
  return %1 : f64
}
func.func @calls_even(%x: f64, %n: i64 {autodiff.value = 5}) -> f64 {
  %c = arith.constant 0.5 : f64
  %0 = call @even(%x, %c, %n) : (f64, f64, i64) -> f64
  return %0 : f64
}

// Recursion over memory: a sum by halves, each part squared in place.
func.func private @halves(%m: memref<8xf64>, %from: index, %to: index) -> f64 {
  %c1 = arith.constant 1 : index
  %length = arith.subi %to, %from : index
  %0 = arith.cmpi eq, %length, %c1 : index
  %1 = scf.if %0 -> f64 {
    %2 = memref.load %m[%from] : memref<8xf64>
    %3 = arith.mulf %2, %2 : f64
    memref.store %3, %m[%from] : memref<8xf64>
    scf.yield %2 : f64
  } else {
    %sum = arith.addi %from, %to : index
    %middle = arith.shrui %sum, %c1 : index
    %2 = func.call @halves(%m, %from, %middle)
        : (memref<8xf64>, index, index) -> f64
    %3 = func.call @halves(%m, %middle, %to)
        : (memref<8xf64>, index, index) -> f64
    %4 = arith.mulf %2, %3 : f64
    %5 = math.sin %4 : f64
    scf.yield %5 : f64
  }
  return %1 : f64
}
func.func @calls_halves(%m: memref<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %0 = call @halves(%m, %c0, %c8) : (memref<8xf64>, index, index) -> f64
  return %0 : f64
}

// Calls in the regions of a loop, with a result that a later iteration needs.
func.func private @step(%x: f64, %y: f64) -> (f64, f64) {
  %0 = math.sin %y : f64
  %1 = arith.mulf %x, %0 : f64
  return %y, %1 : f64, f64
}
func.func @calls_step(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f64
  %0:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %one, %b = %x)
      -> (f64, f64) {
    %1:2 = func.call @step(%a, %b) : (f64, f64) -> (f64, f64)
    scf.yield %1#0, %1#1 : f64, f64
  }
  return %0#1 : f64
}
