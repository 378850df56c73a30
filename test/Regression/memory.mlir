// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before

func.func @overwritten_in_place(%m: memref<?xf64> {autodiff.sizes = [5]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xf64>
    %s = math.sin %v : f64
    %p = arith.mulf %s, %v : f64
    memref.store %p, %m[%i] : memref<?xf64>
  }
  return
}

// Every value is needed after it was overwritten three times.
func.func @chain_of_overwrites(%m: memref<f64>) -> f64 {
  %a = memref.load %m[] : memref<f64>
  %b = math.sin %a : f64
  memref.store %b, %m[] : memref<f64>
  %c = memref.load %m[] : memref<f64>
  %d = arith.mulf %c, %c : f64
  memref.store %d, %m[] : memref<f64>
  %e = memref.load %m[] : memref<f64>
  %f = math.exp %e : f64
  memref.store %f, %m[] : memref<f64>
  %g = arith.mulf %a, %e : f64
  return %g : f64
}

func.func @prefix_sums_of_products(%m: memref<?xf64> {autodiff.sizes = [6]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.for %i = %c1 to %n step %c1 {
    %j = arith.subi %i, %c1 : index
    %a = memref.load %m[%j] : memref<?xf64>
    %b = memref.load %m[%i] : memref<?xf64>
    %p = arith.mulf %a, %b : f64
    %s = arith.addf %p, %a : f64
    memref.store %s, %m[%i] : memref<?xf64>
  }
  return
}

// A constant is stored over what was active.
func.func @overwritten_by_a_constant(%m: memref<?xf64> {autodiff.sizes = [4]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %a = memref.load %m[%c0] : memref<?xf64>
  memref.store %two, %m[%c0] : memref<?xf64>
  %p = arith.mulf %a, %a : f64
  memref.store %p, %m[%c1] : memref<?xf64>
  return
}

func.func @stored_twice_read_between(%x: f64, %y: f64) -> f64 {
  %m = memref.alloca() : memref<2xf64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %m[%c0] : memref<2xf64>
  %a = memref.load %m[%c0] : memref<2xf64>
  %b = arith.mulf %a, %y : f64
  memref.store %b, %m[%c0] : memref<2xf64>
  memref.store %b, %m[%c1] : memref<2xf64>
  %c = memref.load %m[%c0] : memref<2xf64>
  %d = arith.mulf %c, %a : f64
  memref.store %d, %m[%c0] : memref<2xf64>
  %e = memref.load %m[%c0] : memref<2xf64>
  %f = memref.load %m[%c1] : memref<2xf64>
  %g = arith.mulf %e, %f : f64
  return %g : f64
}

func.func @scratch_allocated_in_the_loop(%m: memref<?xf64> {autodiff.sizes = [4]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %m, %c0 : memref<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %size = arith.addi %i, %c1 : index
    %t = memref.alloc(%size) : memref<?xf64>
    scf.for %j = %c0 to %size step %c1 {
      %v = memref.load %m[%j] : memref<?xf64>
      %w = math.sin %v : f64
      memref.store %w, %t[%j] : memref<?xf64>
    }
    %sum = scf.for %j = %c0 to %size step %c1 iter_args(%u = %s) -> f64 {
      %v = memref.load %t[%j] : memref<?xf64>
      %p = arith.mulf %v, %v : f64
      %q = arith.addf %p, %u : f64
      scf.yield %q : f64
    }
    memref.dealloc %t : memref<?xf64>
    scf.yield %sum : f64
  }
  return %r : f64
}

func.func @stack_memory_in_the_loop(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %x) -> f64 {
    %t = memref.alloca() : memref<2xf64>
    memref.store %s, %t[%c0] : memref<2xf64>
    memref.store %x, %t[%c1] : memref<2xf64>
    %a = memref.load %t[%c0] : memref<2xf64>
    %b = memref.load %t[%c1] : memref<2xf64>
    %p = arith.mulf %a, %b : f64
    %q = math.sin %p : f64
    scf.yield %q : f64
  }
  return %r : f64
}

func.func @allocated_in_a_branch(%x: f64 {autodiff.domain = [0.5, 1.5]}) -> f64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %c = arith.cmpf ogt, %x, %zero : f64
  %r = scf.if %c -> f64 {
    %t = memref.alloc() : memref<1xf64>
    %s = math.exp %x : f64
    memref.store %s, %t[%c0] : memref<1xf64>
    %a = memref.load %t[%c0] : memref<1xf64>
    %p = arith.mulf %a, %a : f64
    memref.dealloc %t : memref<1xf64>
    scf.yield %p : f64
  } else {
    scf.yield %x : f64
  }
  return %r : f64
}

// One buffer holds two things, one after the other.
func.func @buffer_used_twice(%x: memref<?xf64> {autodiff.sizes = [3]},
                             %y: memref<?xf64> {autodiff.sizes = [3]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.alloc() : memref<3xf64>
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %e = math.exp %v : f64
    memref.store %e, %t[%i] : memref<3xf64>
  }
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> f64 {
    %v = memref.load %t[%i] : memref<3xf64>
    %p = arith.mulf %v, %v : f64
    %q = arith.addf %p, %s : f64
    scf.yield %q : f64
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %v = memref.load %y[%i] : memref<?xf64>
    %e = math.sin %v : f64
    memref.store %e, %t[%i] : memref<3xf64>
  }
  %r2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %r) -> f64 {
    %v = memref.load %t[%i] : memref<3xf64>
    %p = arith.mulf %v, %s : f64
    scf.yield %p : f64
  }
  memref.dealloc %t : memref<3xf64>
  return %r2 : f64
}

func.func @copies(%x: memref<?xf64> {autodiff.sizes = [5]},
                  %y: memref<?xf64> {autodiff.sizes = [5]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %t = memref.alloc(%n) : memref<?xf64>
  memref.copy %x, %t : memref<?xf64> to memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %t[%i] : memref<?xf64>
    %b = memref.load %y[%i] : memref<?xf64>
    %p = arith.mulf %a, %b : f64
    memref.store %p, %t[%i] : memref<?xf64>
  }
  memref.copy %t, %y : memref<?xf64> to memref<?xf64>
  memref.dealloc %t : memref<?xf64>
  return
}

func.func @gather_and_scatter(%x: memref<?xf64> {autodiff.sizes = [5]},
                              %y: memref<?xf64> {autodiff.sizes = [5]},
                              %idx: memref<?xindex> {autodiff.sizes = [7], autodiff.range = [0, 4]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %idx, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %j = memref.load %idx[%i] : memref<?xindex>
    %a = memref.load %x[%j] : memref<?xf64>
    %b = memref.load %y[%j] : memref<?xf64>
    %p = arith.mulf %a, %b : f64
    %s = math.sin %p : f64
    memref.store %s, %y[%j] : memref<?xf64>
  }
  return
}

// The indices change after they were used.
func.func @indices_overwritten(%x: memref<?xf64> {autodiff.sizes = [5]},
                               %idx: memref<?xi32> {autodiff.sizes = [5], autodiff.range = [0, 3]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %n = memref.dim %idx, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %idx[%i] : memref<?xi32>
    %j = arith.index_cast %k : i32 to index
    %a = memref.load %x[%j] : memref<?xf64>
    %b = memref.load %x[%i] : memref<?xf64>
    %p = arith.mulf %a, %b : f64
    memref.store %p, %x[%j] : memref<?xf64>
    %k1 = arith.addi %k, %one : i32
    memref.store %k1, %idx[%i] : memref<?xi32>
  }
  return
}

func.func @histogram(%x: memref<?xf64> {autodiff.sizes = [6], autodiff.domain = [0.05, 3.95]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %h = memref.alloca() : memref<4xf64>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %h[%i] : memref<4xf64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf64>
    %b = arith.fptosi %v : f64 to i64
    %k = arith.index_cast %b : i64 to index
    %old = memref.load %h[%k] : memref<4xf64>
    %w = arith.mulf %v, %v : f64
    %new = arith.addf %old, %w : f64
    memref.store %new, %h[%k] : memref<4xf64>
  }
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %one) -> f64 {
    %v = memref.load %h[%i] : memref<4xf64>
    %v1 = arith.addf %v, %one : f64
    %p = arith.mulf %v1, %s : f64
    scf.yield %p : f64
  }
  return %r : f64
}

// x and y are the same memory.
func.func @aliasing_arguments(%x: memref<?xf64> {autodiff.sizes = [4]},
                              %y: memref<?xf64> {autodiff.alias = 0}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.load %x[%c0] : memref<?xf64>
  %s = math.sin %a : f64
  memref.store %s, %y[%c0] : memref<?xf64>
  %b = memref.load %x[%c0] : memref<?xf64>
  %c = memref.load %y[%c1] : memref<?xf64>
  %p = arith.mulf %b, %c : f64
  memref.store %p, %x[%c1] : memref<?xf64>
  %d = memref.load %y[%c1] : memref<?xf64>
  %q = arith.mulf %d, %a : f64
  return %q : f64
}
