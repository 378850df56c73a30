// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before

func.func @softmax(%m: memref<?xf64> {autodiff.sizes = [5]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %m, %c0 : memref<?xf64>
  %first = memref.load %m[%c0] : memref<?xf64>
  %max = scf.for %i = %c1 to %n step %c1 iter_args(%a = %first) -> f64 {
    %v = memref.load %m[%i] : memref<?xf64>
    %w = arith.maximumf %a, %v : f64
    scf.yield %w : f64
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %v = memref.load %m[%i] : memref<?xf64>
    %d = arith.subf %v, %max : f64
    %e = math.exp %d : f64
    memref.store %e, %m[%i] : memref<?xf64>
    %t = arith.addf %s, %e : f64
    scf.yield %t : f64
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xf64>
    %q = arith.divf %v, %sum : f64
    memref.store %q, %m[%i] : memref<?xf64>
  }
  return
}

func.func @matrix_product(%a: memref<?x?xf64> {autodiff.sizes = [3, 2]},
                          %b: memref<?x?xf64> {autodiff.sizes = [2, 4]},
                          %c: memref<?x?xf64> {autodiff.sizes = [3, 4]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf64>
  %k = memref.dim %a, %c1 : memref<?x?xf64>
  %n = memref.dim %b, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %k step %c1 {
        %x = memref.load %a[%i, %l] : memref<?x?xf64>
        %y = memref.load %b[%l, %j] : memref<?x?xf64>
        %z = memref.load %c[%i, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %s = arith.addf %z, %p : f64
        memref.store %s, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// A is made positive definite first; L replaces its lower triangle.
func.func @cholesky_in_place(%a: memref<4x4xf64> {autodiff.domain = [0.1, 0.5]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %four = arith.constant 4.0 : f64
  %one = arith.constant 1.0 : f64
  scf.for %i = %c0 to %c4 step %c1 {
    %d = memref.load %a[%i, %i] : memref<4x4xf64>
    %e = arith.addf %d, %four : f64
    memref.store %e, %a[%i, %i] : memref<4x4xf64>
  }
  scf.for %j = %c0 to %c4 step %c1 {
    scf.for %k = %c0 to %j step %c1 {
      scf.for %i = %j to %c4 step %c1 {
        %x = memref.load %a[%i, %k] : memref<4x4xf64>
        %y = memref.load %a[%j, %k] : memref<4x4xf64>
        %z = memref.load %a[%i, %j] : memref<4x4xf64>
        %p = arith.mulf %x, %y : f64
        %s = arith.subf %z, %p : f64
        memref.store %s, %a[%i, %j] : memref<4x4xf64>
      }
    }
    %d = memref.load %a[%j, %j] : memref<4x4xf64>
    %r = math.sqrt %d : f64
    memref.store %r, %a[%j, %j] : memref<4x4xf64>
    %j1 = arith.addi %j, %c1 : index
    scf.for %i = %j1 to %c4 step %c1 {
      %z = memref.load %a[%i, %j] : memref<4x4xf64>
      %q = arith.divf %z, %r : f64
      memref.store %q, %a[%i, %j] : memref<4x4xf64>
    }
  }
  %det = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %one) -> f64 {
    %d = memref.load %a[%i, %i] : memref<4x4xf64>
    %q = arith.mulf %d, %p : f64
    scf.yield %q : f64
  }
  return %det : f64
}

func.func @triangular_solve(%l: memref<?x?xf64> {autodiff.sizes = [4, 4], autodiff.domain = [0.5, 1.5]},
                            %b: memref<?xf64> {autodiff.sizes = [4]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %b, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %start = memref.load %b[%i] : memref<?xf64>
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%a = %start) -> f64 {
      %x = memref.load %l[%i, %j] : memref<?x?xf64>
      %y = memref.load %b[%j] : memref<?xf64>
      %p = arith.mulf %x, %y : f64
      %q = arith.subf %a, %p : f64
      scf.yield %q : f64
    }
    %d = memref.load %l[%i, %i] : memref<?x?xf64>
    %r = arith.divf %s, %d : f64
    memref.store %r, %b[%i] : memref<?xf64>
  }
  return
}

func.func @lu_in_place(%a: memref<4x4xf64> {autodiff.domain = [0.1, 1.0]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %three = arith.constant 3.0 : f64
  scf.for %i = %c0 to %c4 step %c1 {
    %d = memref.load %a[%i, %i] : memref<4x4xf64>
    %e = arith.addf %d, %three : f64
    memref.store %e, %a[%i, %i] : memref<4x4xf64>
  }
  scf.for %k = %c0 to %c4 step %c1 {
    %pivot = memref.load %a[%k, %k] : memref<4x4xf64>
    %k1 = arith.addi %k, %c1 : index
    scf.for %i = %k1 to %c4 step %c1 {
      %x = memref.load %a[%i, %k] : memref<4x4xf64>
      %f = arith.divf %x, %pivot : f64
      memref.store %f, %a[%i, %k] : memref<4x4xf64>
      scf.for %j = %k1 to %c4 step %c1 {
        %y = memref.load %a[%k, %j] : memref<4x4xf64>
        %z = memref.load %a[%i, %j] : memref<4x4xf64>
        %p = arith.mulf %f, %y : f64
        %s = arith.subf %z, %p : f64
        memref.store %s, %a[%i, %j] : memref<4x4xf64>
      }
    }
  }
  return
}

// One butterfly stage of a real transform, in place, with strides.
func.func @butterflies(%m: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %r = scf.while (%h = %c1) : (index) -> index {
    %c = arith.cmpi ult, %h, %c8 : index
    scf.condition(%c) %h : index
  } do {
  ^bb0(%h: index):
    %step = arith.muli %h, %c2 : index
    scf.for %i = %c0 to %c8 step %step {
      scf.for %j = %c0 to %h step %c1 {
        %p = arith.addi %i, %j : index
        %q = arith.addi %p, %h : index
        %a = memref.load %m[%p] : memref<8xf64>
        %b = memref.load %m[%q] : memref<8xf64>
        %s = arith.addf %a, %b : f64
        %d = arith.subf %a, %b : f64
        %e = math.sin %d : f64
        memref.store %s, %m[%p] : memref<8xf64>
        memref.store %e, %m[%q] : memref<8xf64>
      }
    }
    scf.yield %step : index
  }
  return
}

func.func @horner(%coefficients: memref<?xf64> {autodiff.sizes = [6]}, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %coefficients, %c0 : memref<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
    %c = memref.load %coefficients[%i] : memref<?xf64>
    %s = math.fma %a, %x, %c : f64
    scf.yield %s : f64
  }
  return %r : f64
}

// Some factors are zero: the product is, its derivative is not.
func.func @product_with_zeros(%m: memref<4xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f64
  %v = memref.load %m[%c2] : memref<4xf64>
  %z = arith.subf %v, %v : f64
  memref.store %z, %m[%c2] : memref<4xf64>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %one) -> f64 {
    %f = memref.load %m[%i] : memref<4xf64>
    %p = arith.mulf %a, %f : f64
    scf.yield %p : f64
  }
  return %r : f64
}

// Compensated summation: reassociation would destroy it.
func.func @kahan(%m: memref<?xf64> {autodiff.sizes = [6]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %m, %c0 : memref<?xf64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %c = %zero) -> (f64, f64) {
    %v = memref.load %m[%i] : memref<?xf64>
    %w = arith.mulf %v, %v : f64
    %y = arith.subf %w, %c : f64
    %t = arith.addf %s, %y : f64
    %d = arith.subf %t, %s : f64
    %e = arith.subf %d, %y : f64
    scf.yield %t, %e : f64, f64
  }
  return %r#0 : f64
}

func.func @max_pooling(%m: memref<?xf64> {autodiff.sizes = [8]},
                       %p: memref<?xf64> {autodiff.sizes = [4]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %p, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c2 : index
    %k = arith.addi %j, %c1 : index
    %a = memref.load %m[%j] : memref<?xf64>
    %b = memref.load %m[%k] : memref<?xf64>
    %c = arith.maximumf %a, %b : f64
    %d = memref.load %p[%i] : memref<?xf64>
    %e = arith.mulf %c, %d : f64
    memref.store %e, %p[%i] : memref<?xf64>
  }
  return
}

func.func @lstm_cell(%w: memref<4x3xf64>, %x: f64, %h0: f64, %s0: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f64
  %g = memref.alloca() : memref<4xf64>
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%h = %h0, %s = %s0) -> (f64, f64) {
    scf.for %k = %c0 to %c4 step %c1 {
      %a = memref.load %w[%k, %c0] : memref<4x3xf64>
      %b = memref.load %w[%k, %c1] : memref<4x3xf64>
      %c = memref.load %w[%k, %c2] : memref<4x3xf64>
      %ax = arith.mulf %a, %x : f64
      %bh = arith.mulf %b, %h : f64
      %u = arith.addf %ax, %bh : f64
      %v = arith.addf %u, %c : f64
      memref.store %v, %g[%k] : memref<4xf64>
    }
    %gi = memref.load %g[%c0] : memref<4xf64>
    %gf = memref.load %g[%c1] : memref<4xf64>
    %go = memref.load %g[%c2] : memref<4xf64>
    %gc = memref.load %g[%c3] : memref<4xf64>
    %ni = arith.negf %gi : f64
    %ei = math.exp %ni : f64
    %di = arith.addf %ei, %one : f64
    %i = arith.divf %one, %di : f64
    %nf = arith.negf %gf : f64
    %ef = math.exp %nf : f64
    %df = arith.addf %ef, %one : f64
    %f = arith.divf %one, %df : f64
    %no = arith.negf %go : f64
    %eo = math.exp %no : f64
    %do = arith.addf %eo, %one : f64
    %o = arith.divf %one, %do : f64
    %n = math.tanh %gc : f64
    %fs = arith.mulf %f, %s : f64
    %in = arith.mulf %i, %n : f64
    %s1 = arith.addf %fs, %in : f64
    %ts = math.tanh %s1 : f64
    %h1 = arith.mulf %o, %ts : f64
    scf.yield %h1, %s1 : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

func.func @heat_stencil(%u: memref<?xf64> {autodiff.sizes = [7]}, %k: f64 {autodiff.domain = [0.1, 0.3]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2.0 : f64
  %n = memref.dim %u, %c0 : memref<?xf64>
  %n1 = arith.subi %n, %c1 : index
  %t = memref.alloc(%n) : memref<?xf64>
  scf.for %step = %c0 to %c4 step %c1 {
    memref.copy %u, %t : memref<?xf64> to memref<?xf64>
    scf.for %i = %c1 to %n1 step %c1 {
      %l = arith.subi %i, %c1 : index
      %r = arith.addi %i, %c1 : index
      %a = memref.load %t[%l] : memref<?xf64>
      %b = memref.load %t[%i] : memref<?xf64>
      %c = memref.load %t[%r] : memref<?xf64>
      %b2 = arith.mulf %b, %two : f64
      %d = arith.subf %a, %b2 : f64
      %e = arith.addf %d, %c : f64
      %s = math.sin %e : f64
      %f = arith.mulf %k, %s : f64
      %g = arith.addf %b, %f : f64
      memref.store %g, %u[%i] : memref<?xf64>
    }
  }
  memref.dealloc %t : memref<?xf64>
  return
}

func.func @euler_steps(%x: f64, %y: f64, %h: f64 {autodiff.domain = [0.01, 0.1]}) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %r:2 = scf.for %i = %c0 to %c20 step %c1 iter_args(%a = %x, %b = %y) -> (f64, f64) {
    %ab = arith.mulf %a, %b : f64
    %s = math.sin %b : f64
    %da = arith.subf %a, %ab : f64
    %db = arith.subf %ab, %s : f64
    %ha = arith.mulf %h, %da : f64
    %hb = arith.mulf %h, %db : f64
    %a1 = arith.addf %a, %ha : f64
    %b1 = arith.addf %b, %hb : f64
    scf.yield %a1, %b1 : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

// z <- z^2 + c until it escapes or 30 steps are done.
func.func @escape_time(%cx: f64 {autodiff.domain = [0.4, 0.5]}, %cy: f64 {autodiff.domain = [0.5, 0.6]}) -> f64 {
  %zero = arith.constant 0.0 : f64
  %four = arith.constant 4.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %r:3 = scf.while (%x = %zero, %y = %zero, %i = %c0) : (f64, f64, index) -> (f64, f64, index) {
    %xx = arith.mulf %x, %x : f64
    %yy = arith.mulf %y, %y : f64
    %rr = arith.addf %xx, %yy : f64
    %in = arith.cmpf olt, %rr, %four : f64
    %few = arith.cmpi ult, %i, %c30 : index
    %c = arith.andi %in, %few : i1
    scf.condition(%c) %x, %y, %i : f64, f64, index
  } do {
  ^bb0(%x: f64, %y: f64, %i: index):
    %xx = arith.mulf %x, %x : f64
    %yy = arith.mulf %y, %y : f64
    %xy = arith.mulf %x, %y : f64
    %d = arith.subf %xx, %yy : f64
    %x1 = arith.addf %d, %cx : f64
    %xy2 = arith.addf %xy, %xy : f64
    %y1 = arith.addf %xy2, %cy : f64
    %j = arith.addi %i, %c1 : index
    scf.yield %x1, %y1, %j : f64, f64, index
  }
  %xx = arith.mulf %r#0, %r#0 : f64
  %p = arith.mulf %xx, %r#1 : f64
  return %p : f64
}

// Which elements count is decided by a sieve in integer memory.
func.func @sieve_selects(%m: memref<12xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %one = arith.constant 1.0 : f64
  %true = arith.constant true
  %false = arith.constant false
  %composite = memref.alloca() : memref<12xi1>
  scf.for %i = %c0 to %c12 step %c1 {
    memref.store %false, %composite[%i] : memref<12xi1>
  }
  %r = scf.for %i = %c2 to %c12 step %c1 iter_args(%a = %one) -> f64 {
    %c = memref.load %composite[%i] : memref<12xi1>
    %q = scf.if %c -> f64 {
      scf.yield %a : f64
    } else {
      %first = arith.addi %i, %i : index
      scf.for %j = %first to %c12 step %i {
        memref.store %true, %composite[%j] : memref<12xi1>
      }
      %v = memref.load %m[%i] : memref<12xf64>
      %p = arith.mulf %a, %v : f64
      scf.yield %p : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}
