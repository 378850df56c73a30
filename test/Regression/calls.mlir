// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before

func.func private @square_sine(%x: f64, %y: f64) -> (f64, f64) {
  %s = math.sin %x : f64
  %p = arith.mulf %s, %y : f64
  %q = arith.mulf %p, %p : f64
  return %q, %p : f64, f64
}

// The same callee with other activities, and with a result that is not used.
func.func @other_activities(%x: f64, %y: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %a:2 = call @square_sine(%x, %y) : (f64, f64) -> (f64, f64)
  %b:2 = call @square_sine(%two, %a#0) : (f64, f64) -> (f64, f64)
  %c:2 = call @square_sine(%b#1, %two) : (f64, f64) -> (f64, f64)
  %d = arith.mulf %c#0, %a#1 : f64
  return %d : f64
}

func.func private @inner(%x: f64) -> f64 {
  %s = math.exp %x : f64
  %p = arith.mulf %s, %x : f64
  return %p : f64
}
func.func private @middle(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %t = math.sin %a : f64
    %v = func.call @inner(%t) : (f64) -> f64
    scf.yield %v : f64
  }
  return %r : f64
}
// A chain of calls in a loop: the tape of the callee is a value per iteration.
func.func @chain_in_a_loop(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> f64 {
    %n = arith.addi %i, %c1 : index
    %v = func.call @middle(%a, %n) : (f64, index) -> f64
    scf.yield %v : f64
  }
  return %r : f64
}

func.func private @in_place(%m: memref<?xf64>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xf64>
    %w = memref.load %m[%k] : memref<?xf64>
    %p = arith.mulf %v, %w : f64
    %s = math.sin %p : f64
    memref.store %s, %m[%i] : memref<?xf64>
  }
  return
}
func.func @in_place_three_times(%m: memref<?xf64> {autodiff.sizes = [4]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  call @in_place(%m, %c0) : (memref<?xf64>, index) -> ()
  %a = memref.load %m[%c2] : memref<?xf64>
  call @in_place(%m, %c2) : (memref<?xf64>, index) -> ()
  call @in_place(%m, %c0) : (memref<?xf64>, index) -> ()
  %b = memref.load %m[%c2] : memref<?xf64>
  %p = arith.mulf %a, %b : f64
  return %p : f64
}

func.func private @reads_only(%m: memref<?xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
    %v = memref.load %m[%i] : memref<?xf64>
    %p = arith.mulf %v, %x : f64
    %s = math.sin %p : f64
    %t = arith.addf %s, %a : f64
    scf.yield %t : f64
  }
  return %r : f64
}
// What the callee reads is preserved after the first call, not after the second.
func.func @preserved_and_not(%m: memref<?xf64> {autodiff.sizes = [3]}, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<3xf64>
  %d = memref.cast %t : memref<3xf64> to memref<?xf64>
  memref.copy %m, %d : memref<?xf64> to memref<?xf64>
  %a = call @reads_only(%m, %x) : (memref<?xf64>, f64) -> f64
  %b = call @reads_only(%d, %a) : (memref<?xf64>, f64) -> f64
  memref.store %b, %t[%c0] : memref<3xf64>
  %c = call @reads_only(%d, %x) : (memref<?xf64>, f64) -> f64
  memref.dealloc %t : memref<3xf64>
  %e = arith.mulf %c, %b : f64
  return %e : f64
}

func.func private @until(%x: f64, %lim: f64) -> f64 {
  %r = scf.while (%a = %x) : (f64) -> f64 {
    %c = arith.cmpf olt, %a, %lim : f64
    scf.condition(%c) %a : f64
  } do {
  ^bb0(%b: f64):
    %third = arith.constant 0.3 : f64
    %one = arith.constant 1.0 : f64
    %e = math.sin %b : f64
    %f = arith.mulf %e, %third : f64
    %g = arith.addf %f, %b : f64
    %p = arith.addf %g, %one : f64
    scf.yield %p : f64
  }
  return %r : f64
}
func.func @callee_with_while(%x: f64 {autodiff.domain = [0.1, 0.2]}, %y: f64) -> f64 {
  %lim = arith.constant 6.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> f64 {
    %u = func.call @until(%a, %lim) : (f64, f64) -> f64
    %s = math.sin %u : f64
    %p = arith.mulf %s, %y : f64
    scf.yield %p : f64
  }
  return %r : f64
}

// The call is in a branch: its tape exists only where it ran.
func.func @call_in_a_branch(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x) -> f64 {
    %odd = arith.remui %i, %c2 : index
    %isOdd = arith.cmpi eq, %odd, %c1 : index
    %q = scf.if %isOdd -> f64 {
      %v = func.call @middle(%a, %i) : (f64, index) -> f64
      scf.yield %v : f64
    } else {
      %s = math.cos %a : f64
      scf.yield %s : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}

func.func private @returns_argument(%x: f64, %y: f64) -> (f64, f64, f64) {
  return %y, %x, %x : f64, f64, f64
}
func.func @callee_returns_its_arguments(%x: f64, %y: f64) -> f64 {
  %a:3 = call @returns_argument(%x, %y) : (f64, f64) -> (f64, f64, f64)
  %p = arith.mulf %a#0, %a#1 : f64
  %q = arith.mulf %p, %a#2 : f64
  return %q : f64
}

func.func private @local_memory(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p = arith.mulf %f, %x : f64
    %s = math.sin %p : f64
    memref.store %s, %t[%i] : memref<?xf64>
  }
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
    %v = memref.load %t[%i] : memref<?xf64>
    %p = arith.mulf %v, %v : f64
    %s = arith.addf %p, %a : f64
    scf.yield %s : f64
  }
  memref.dealloc %t : memref<?xf64>
  return %r : f64
}
func.func @callee_with_local_memory(%x: f64) -> f64 {
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %a = call @local_memory(%x, %c5) : (f64, index) -> f64
  %b = call @local_memory(%a, %c3) : (f64, index) -> f64
  return %b : f64
}
