// RUN: ad-check %s --all --mode=forward --width=3 | FileCheck %s
// CHECK-NOT: FAIL
// CHECK: 11 of 11 functions passed
// CHECK-NEXT: PASS

// Carried values change places, and one of them is no number.
func.func @swapped(%x: f64, %y: f64, %n: index {autodiff.value = 5}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %i = %c0 to %n step %c1
      iter_args(%a = %x, %k = %c0, %b = %y) -> (f64, index, f64) {
    %1 = math.sin %a : f64
    %2 = arith.mulf %1, %b : f64
    %3 = arith.addi %k, %i : index
    scf.yield %b, %3, %2 : f64, index, f64
  }
  %4 = arith.index_cast %0#1 : index to i64
  %5 = arith.sitofp %4 : i64 to f64
  %6 = arith.mulf %0#0, %5 : f64
  %7 = arith.addf %6, %0#2 : f64
  return %7 : f64
}

// The carried value starts without a tangent and gets one on the way.
func.func @starts_constant(%x: f64, %n: index {autodiff.value = 4}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one) -> f64 {
    %1 = arith.mulf %a, %x : f64
    scf.yield %1 : f64
  }
  return %0 : f64
}

// What a loop carries comes out without a tangent in one of its iterations.
func.func @becomes_constant(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2.0 : f64
  %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> f64 {
    %1 = arith.cmpi eq, %i, %c1 : index
    %2 = scf.if %1 -> f64 {
      scf.yield %two : f64
    } else {
      %3 = arith.mulf %a, %x : f64
      scf.yield %3 : f64
    }
    scf.yield %2 : f64
  }
  return %0 : f64
}

func.func @no_iteration(%x: f64, %n: index {autodiff.value = 0}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %1 = arith.mulf %a, %a : f64
    scf.yield %1 : f64
  }
  %2 = arith.mulf %0, %x : f64
  return %2 : f64
}

// Newton's method for the square root, until it stands still.
func.func @newton(%x: f64 {autodiff.domain = [2.0, 5.0]}) -> f64 {
  %half = arith.constant 0.5 : f64
  %tolerance = arith.constant 1.0e-14 : f64
  %one = arith.constant 1.0 : f64
  %0:2 = scf.while (%r = %x, %last = %one) : (f64, f64) -> (f64, f64) {
    %1 = arith.subf %r, %last : f64
    %2 = math.absf %1 : f64
    %3 = arith.cmpf ogt, %2, %tolerance : f64
    scf.condition(%3) %r, %last : f64, f64
  } do {
  ^bb0(%r: f64, %last: f64):
    %1 = arith.divf %x, %r : f64
    %2 = arith.addf %r, %1 : f64
    %3 = arith.mulf %2, %half : f64
    scf.yield %3, %r : f64, f64
  }
  return %0#0 : f64
}

// The two halves of the loop carry different things.
func.func @uneven_while(%x: f64 {autodiff.domain = [1.1, 1.5]}) -> (f64, f64) {
  %limit = arith.constant 20.0 : f64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %0:3 = scf.while (%k = %c0, %a = %x) : (i64, f64) -> (f64, i64, f64) {
    %1 = arith.mulf %a, %a : f64
    %2 = arith.cmpf olt, %1, %limit : f64
    scf.condition(%2) %1, %k, %a : f64, i64, f64
  } do {
  ^bb0(%square: f64, %k: i64, %a: f64):
    %1 = math.exp %a : f64
    %2 = arith.mulf %square, %x : f64
    %3 = arith.divf %2, %1 : f64
    %4 = arith.addf %3, %square : f64
    %5 = arith.addi %k, %c1 : i64
    scf.yield %5, %4 : i64, f64
  }
  %1 = arith.sitofp %0#1 : i64 to f64
  %2 = arith.mulf %1, %0#2 : f64
  return %0#0, %2 : f64, f64
}

func.func @branches(%x: f64, %k: index {autodiff.value = 2}) -> f64 {
  %0:2 = scf.index_switch %k -> f64, index
  case 1 {
    scf.yield %x, %k : f64, index
  }
  case 2 {
    %1 = math.sin %x : f64
    scf.yield %1, %k : f64, index
  }
  default {
    %one = arith.constant 1.0 : f64
    scf.yield %one, %k : f64, index
  }
  %2 = scf.execute_region -> f64 {
    %3 = arith.mulf %0#0, %x : f64
    scf.yield %3 : f64
  }
  return %2 : f64
}

// A branch without results, and one without an else.
func.func @effects_in_branch(%m: memref<?xf64> {autodiff.sizes = [3]},
                             %c: i1 {autodiff.value = 1}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.if %c {
    %0 = memref.load %m[%c0] : memref<?xf64>
    %1 = arith.mulf %0, %0 : f64
    memref.store %1, %m[%c1] : memref<?xf64>
  }
  return
}

func.func @nested(%m: memref<3x4xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %zero) -> f64 {
    %end = arith.addi %i, %c1 : index
    %1 = scf.for %j = %c0 to %end step %c1 iter_args(%b = %a) -> f64 {
      %2 = memref.load %m[%i, %j] : memref<3x4xf64>
      %3 = arith.cmpi eq, %i, %j : index
      %4 = scf.if %3 -> f64 {
        %5 = math.exp %2 : f64
        scf.yield %5 : f64
      } else {
        %5 = arith.mulf %2, %b : f64
        scf.yield %5 : f64
      }
      memref.store %4, %m[%i, %j] : memref<3x4xf64>
      %6 = arith.mulf %4, %x : f64
      scf.yield %6 : f64
    }
    scf.yield %1 : f64
  }
  return %0 : f64
}

// References change places in a loop.
func.func @double_buffer(%m: memref<4xf64>, %n: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0:2 = scf.for %k = %c0 to %c3 step %c1 iter_args(%from = %m, %to = %n)
      -> (memref<4xf64>, memref<4xf64>) {
    scf.for %i = %c0 to %c3 step %c1 {
      %j = arith.addi %i, %c1 : index
      %1 = memref.load %from[%i] : memref<4xf64>
      %2 = memref.load %from[%j] : memref<4xf64>
      %3 = arith.mulf %1, %2 : f64
      %4 = math.sin %3 : f64
      memref.store %4, %to[%i] : memref<4xf64>
    }
    scf.yield %to, %from : memref<4xf64>, memref<4xf64>
  }
  return
}

// Iterations that do not depend on each other.
func.func @parallel(%m: memref<?xf64> {autodiff.sizes = [6]}, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %m[%i] : memref<?xf64>
    %1 = arith.mulf %0, %x : f64
    %2 = math.sin %1 : f64
    memref.store %2, %m[%i] : memref<?xf64>
  }
  return
}
