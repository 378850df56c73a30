// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before

func.func @buffers_change_places(%m: memref<4xf64>, %n: index {autodiff.value = 5}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a0 = memref.alloc() : memref<4xf64>
  %b0 = memref.alloc() : memref<4xf64>
  memref.copy %m, %a0 : memref<4xf64> to memref<4xf64>
  %r:2 = scf.for %t = %c0 to %n step %c1
      iter_args(%a = %a0, %b = %b0) -> (memref<4xf64>, memref<4xf64>) {
    scf.for %i = %c0 to %c4 step %c1 {
      %v = memref.load %a[%i] : memref<4xf64>
      %s = math.sin %v : f64
      %p = arith.mulf %s, %v : f64
      memref.store %p, %b[%i] : memref<4xf64>
    }
    scf.yield %b, %a : memref<4xf64>, memref<4xf64>
  }
  %x = memref.load %r#0[%c1] : memref<4xf64>
  memref.dealloc %a0 : memref<4xf64>
  memref.dealloc %b0 : memref<4xf64>
  return %x : f64
}

// The same with buffers of the caller.
func.func @arguments_change_places(%m: memref<?xf64> {autodiff.sizes = [3]},
                                   %w: memref<?xf64> {autodiff.sizes = [3]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %r:2 = scf.for %t = %c0 to %c3 step %c1
      iter_args(%a = %m, %b = %w) -> (memref<?xf64>, memref<?xf64>) {
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<?xf64>
      %u = memref.load %b[%i] : memref<?xf64>
      %p = arith.mulf %u, %v : f64
      %s = math.sin %p : f64
      memref.store %s, %b[%i] : memref<?xf64>
    }
    scf.yield %b, %a : memref<?xf64>, memref<?xf64>
  }
  return
}

func.func @branch_chooses_memory(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloca() : memref<2xf64>
  %b = memref.alloca() : memref<2xf64>
  memref.store %x, %a[%c0] : memref<2xf64>
  memref.store %y, %b[%c0] : memref<2xf64>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %x) -> f64 {
    %odd = arith.remui %i, %c2 : index
    %isOdd = arith.cmpi eq, %odd, %c1 : index
    %m = scf.if %isOdd -> memref<2xf64> {
      %e = math.exp %s : f64
      memref.store %e, %a[%c0] : memref<2xf64>
      scf.yield %a : memref<2xf64>
    } else {
      scf.yield %b : memref<2xf64>
    }
    %v = memref.load %m[%c0] : memref<2xf64>
    %p = arith.mulf %v, %s : f64
    %q = math.sin %p : f64
    memref.store %q, %m[%c0] : memref<2xf64>
    scf.yield %q : f64
  }
  %u = memref.load %b[%c0] : memref<2xf64>
  %z = arith.mulf %u, %r : f64
  return %z : f64
}

func.func @while_carries_memory(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lim = arith.constant 4.0 : f64
  %one = arith.constant 1.0 : f64
  %a = memref.alloc() : memref<1xf64>
  %b = memref.alloc() : memref<1xf64>
  memref.store %x, %a[%c0] : memref<1xf64>
  %r:2 = scf.while (%m = %a, %n = %b) : (memref<1xf64>, memref<1xf64>) -> (memref<1xf64>, memref<1xf64>) {
    %v = memref.load %m[%c0] : memref<1xf64>
    %c = arith.cmpf olt, %v, %lim : f64
    scf.condition(%c) %n, %m : memref<1xf64>, memref<1xf64>
  } do {
  ^bb0(%to: memref<1xf64>, %from: memref<1xf64>):
    %v = memref.load %from[%c0] : memref<1xf64>
    %s = math.sin %v : f64
    %q = arith.mulf %s, %s : f64
    %w = arith.addf %q, %v : f64
    %w1 = arith.addf %w, %one : f64
    memref.store %w1, %to[%c0] : memref<1xf64>
    scf.yield %to, %from : memref<1xf64>, memref<1xf64>
  }
  %y = memref.load %r#1[%c0] : memref<1xf64>
  %z = arith.mulf %y, %x : f64
  memref.dealloc %a : memref<1xf64>
  memref.dealloc %b : memref<1xf64>
  return %z : f64
}

// Views of carried memory, and an offset that is carried, too.
func.func @view_of_carried_memory(%m: memref<6xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<6xf64>
  memref.copy %m, %t : memref<6xf64> to memref<6xf64>
  %u = memref.alloc() : memref<6xf64>
  memref.copy %m, %u : memref<6xf64> to memref<6xf64>
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %t, %b = %u, %o = %c1)
      -> (memref<6xf64>, memref<6xf64>, index) {
    %s = memref.subview %a[%o] [2] [1] : memref<6xf64> to memref<2xf64, strided<[1], offset: ?>>
    %v = memref.load %s[%c0] : memref<2xf64, strided<[1], offset: ?>>
    %w = memref.load %b[%c1] : memref<6xf64>
    %p = arith.mulf %v, %w : f64
    memref.store %p, %s[%c1] : memref<2xf64, strided<[1], offset: ?>>
    %o2 = arith.muli %o, %c2 : index
    %o3 = arith.remui %o2, %c3 : index
    scf.yield %b, %a, %o3 : memref<6xf64>, memref<6xf64>, index
  }
  %x = memref.load %t[%c2] : memref<6xf64>
  %y = memref.load %r#0[%c3] : memref<6xf64>
  %z = arith.mulf %x, %y : f64
  memref.dealloc %t : memref<6xf64>
  memref.dealloc %u : memref<6xf64>
  return %z : f64
}

// Each iteration allocates what the next one reads.
func.func @allocated_in_the_iteration_before(%m: memref<3xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %first = memref.alloc() : memref<3xf64>
  memref.copy %m, %first : memref<3xf64> to memref<3xf64>
  %last = scf.for %t = %c0 to %c4 step %c1 iter_args(%a = %first) -> memref<3xf64> {
    %b = memref.alloc() : memref<3xf64>
    scf.for %i = %c0 to %c3 step %c1 {
      %v = memref.load %a[%i] : memref<3xf64>
      %s = math.sin %v : f64
      memref.store %s, %b[%i] : memref<3xf64>
    }
    memref.dealloc %a : memref<3xf64>
    scf.yield %b : memref<3xf64>
  }
  %x = memref.load %last[%c1] : memref<3xf64>
  memref.dealloc %last : memref<3xf64>
  return %x : f64
}
