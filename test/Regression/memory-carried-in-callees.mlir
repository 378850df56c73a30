// RUN: ad-check %s --all --order=before
// RUN: ad-check %s --all --order=after
// RUN: ad-check %s @tape_of_the_tape --second-order

// Loops and branches of callees that carry the memory they are given.

func.func private @swap_steps(%m: memref<?xf64>, %w: memref<?xf64>, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %r:3 = scf.for %t = %c0 to %c3 step %c1 iter_args(%a = %m, %b = %w, %s = %x)
      -> (memref<?xf64>, memref<?xf64>, f64) {
    %u = scf.for %i = %c0 to %n step %c1 iter_args(%q = %s) -> f64 {
      %v = memref.load %a[%i] : memref<?xf64>
      %p = arith.mulf %v, %q : f64
      %e = math.sin %p : f64
      memref.store %e, %b[%i] : memref<?xf64>
      %z = arith.addf %e, %q : f64
      scf.yield %z : f64
    }
    scf.yield %b, %a, %u : memref<?xf64>, memref<?xf64>, f64
  }
  return %r#2 : f64
}

func.func @call_of_swap(%x: f64, %m: memref<?xf64> {autodiff.sizes = [3]},
                        %w: memref<?xf64> {autodiff.sizes = [3]}) -> f64 {
  %a = func.call @swap_steps(%m, %w, %x) : (memref<?xf64>, memref<?xf64>, f64) -> f64
  %b = func.call @swap_steps(%w, %m, %a) : (memref<?xf64>, memref<?xf64>, f64) -> f64
  %r = arith.mulf %a, %b : f64
  return %r : f64
}

func.func private @between(%m: memref<?xf64>, %w: memref<?xf64>, %x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  %a = func.call @swap_steps(%m, %w, %y) : (memref<?xf64>, memref<?xf64>, f64) -> f64
  %s = math.sin %a : f64
  return %s : f64
}

func.func @call_of_a_caller_in_a_loop(%x: f64, %m: memref<?xf64> {autodiff.sizes = [2]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %w = memref.alloc(%n) : memref<?xf64>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %x) -> f64 {
    %a = func.call @between(%m, %w, %s) : (memref<?xf64>, memref<?xf64>, f64) -> f64
    scf.yield %a : f64
  }
  memref.dealloc %w : memref<?xf64>
  return %r : f64
}

func.func private @larger(%m: memref<?xf64>, %w: memref<?xf64>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %a = memref.load %m[%c0] : memref<?xf64>
  %b = memref.load %w[%c0] : memref<?xf64>
  %c = arith.cmpf ogt, %a, %b : f64
  %r = scf.if %c -> memref<?xf64> {
    scf.yield %m : memref<?xf64>
  } else {
    scf.yield %w : memref<?xf64>
  }
  return %r : memref<?xf64>
}

func.func @callee_returns_one_of_its_arguments(
    %x: f64, %m: memref<?xf64> {autodiff.sizes = [2]}, %w: memref<?xf64> {autodiff.sizes = [2]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = func.call @larger(%m, %w) : (memref<?xf64>, memref<?xf64>) -> memref<?xf64>
  %a = memref.load %l[%c0] : memref<?xf64>
  %p = arith.mulf %a, %x : f64
  memref.store %p, %l[%c1] : memref<?xf64>
  %k = func.call @larger(%w, %m) : (memref<?xf64>, memref<?xf64>) -> memref<?xf64>
  %b = memref.load %k[%c1] : memref<?xf64>
  %r = arith.mulf %b, %b : f64
  return %r : f64
}

func.func private @fresh(%x: f64) -> memref<2xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xf64>
  %s = math.sin %x : f64
  memref.store %x, %m[%c0] : memref<2xf64>
  memref.store %s, %m[%c1] : memref<2xf64>
  return %m : memref<2xf64>
}

func.func @callee_allocates_for_the_caller(%x: f64, %n: index {autodiff.value = 3}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f64 {
    %m = func.call @fresh(%s) : (f64) -> memref<2xf64>
    %a = memref.load %m[%c0] : memref<2xf64>
    %b = memref.load %m[%c1] : memref<2xf64>
    %p = arith.mulf %a, %b : f64
    memref.dealloc %m : memref<2xf64>
    scf.yield %p : f64
  }
  return %r : f64
}

// In second order the augmented primal of this callee returns a tape, which is
// memory that carries derivatives.
func.func private @loop(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> f64 {
    %e = math.sin %s : f64
    %p = arith.mulf %e, %s : f64
    scf.yield %p : f64
  }
  return %r : f64
}

func.func @tape_of_the_tape(%x: f64, %n: index {autodiff.value = 3}) -> f64 {
  %a = func.call @loop(%x, %n) : (f64, index) -> f64
  %p = arith.mulf %a, %x : f64
  %b = func.call @loop(%p, %n) : (f64, index) -> f64
  return %b : f64
}
