// RUN: ad-check %s --all --second-order

func.func @smooth(%x: f64, %y: f64) -> f64 {
  %s = math.sin %x : f64
  %e = math.exp %y : f64
  %p = arith.mulf %s, %e : f64
  %q = arith.divf %p, %x : f64
  return %q : f64
}

func.func @loop_with_tape(%x: f64, %n: index {autodiff.value = 4}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> f64 {
      %p = arith.mulf %b, %x : f64
      %s = math.sin %p : f64
      scf.yield %s : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}

func.func @while_with_stack(%x: f64) -> f64 {
  %lim = arith.constant 5.0 : f64
  %one = arith.constant 1.0 : f64
  %r = scf.while (%a = %x) : (f64) -> f64 {
    %c = arith.cmpf olt, %a, %lim : f64
    scf.condition(%c) %a : f64
  } do {
  ^bb0(%b: f64):
    %s = math.sin %b : f64
    %t = arith.mulf %s, %x : f64
    %u = arith.mulf %t, %t : f64
    %v = arith.addf %u, %b : f64
    %w = arith.addf %v, %one : f64
    scf.yield %w : f64
  }
  return %r : f64
}

func.func @memory_in_place(%m: memref<?xf64> {autodiff.sizes = [3]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %m, %c0 : memref<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one) -> f64 {
    %v = memref.load %m[%i] : memref<?xf64>
    %s = math.sin %v : f64
    %p = arith.mulf %s, %a : f64
    memref.store %p, %m[%c0] : memref<?xf64>
    scf.yield %p : f64
  }
  return %r : f64
}

func.func @local_memory_and_branch(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<3xf64>
  scf.for %i = %c0 to %c3 step %c1 {
    %isTwo = arith.cmpi eq, %i, %c2 : index
    %v = scf.if %isTwo -> f64 {
      %e = math.exp %x : f64
      scf.yield %e : f64
    } else {
      %s = arith.mulf %x, %y : f64
      scf.yield %s : f64
    }
    memref.store %v, %t[%i] : memref<3xf64>
  }
  %a = memref.load %t[%c1] : memref<3xf64>
  %b = memref.load %t[%c2] : memref<3xf64>
  memref.dealloc %t : memref<3xf64>
  %p = arith.mulf %a, %b : f64
  return %p : f64
}

func.func private @callee(%x: f64, %m: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xf64>
  %p = arith.mulf %v, %x : f64
  %s = math.sin %p : f64
  memref.store %s, %m[%c0] : memref<?xf64>
  %q = arith.mulf %s, %v : f64
  return %q : f64
}
func.func @calls(%x: f64, %m: memref<?xf64> {autodiff.sizes = [2]}) -> f64 {
  %a = call @callee(%x, %m) : (f64, memref<?xf64>) -> f64
  %b = call @callee(%a, %m) : (f64, memref<?xf64>) -> f64
  return %b : f64
}
