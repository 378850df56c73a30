// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before

func.func @newton_square_root(%x: f64 {autodiff.domain = [1.0, 4.0]}) -> f64 {
  %half = arith.constant 0.5 : f64
  %eps = arith.constant 1.0e-14 : f64
  %r = scf.while (%a = %x) : (f64) -> f64 {
    %q = arith.mulf %a, %a : f64
    %d = arith.subf %q, %x : f64
    %e = math.absf %d : f64
    %c = arith.cmpf ogt, %e, %eps : f64
    scf.condition(%c) %a : f64
  } do {
  ^bb0(%b: f64):
    %q = arith.divf %x, %b : f64
    %s = arith.addf %q, %b : f64
    %h = arith.mulf %s, %half : f64
    scf.yield %h : f64
  }
  return %r : f64
}

// The first region computes what the second gets and what leaves.
func.func @work_before_the_condition(%x: f64, %y: f64) -> (f64, f64) {
  %lim = arith.constant 20.0 : f64
  %r:2 = scf.while (%a = %x, %b = %y) : (f64, f64) -> (f64, f64) {
    %e = math.exp %b : f64
    %s = arith.addf %a, %e : f64
    %p = arith.mulf %s, %y : f64
    %c = arith.cmpf olt, %s, %lim : f64
    scf.condition(%c) %s, %p : f64, f64
  } do {
  ^bb0(%s: f64, %p: f64):
    %t = math.sin %p : f64
    %t2 = arith.mulf %t, %t : f64
    %u = arith.addf %s, %t2 : f64
    scf.yield %u, %t : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

func.func @no_iterations(%x: f64) -> f64 {
  %false = arith.constant false
  %r = scf.while (%a = %x) : (f64) -> f64 {
    %s = math.sin %a : f64
    scf.condition(%false) %s : f64
  } do {
  ^bb0(%b: f64):
    %q = arith.mulf %b, %b : f64
    scf.yield %q : f64
  }
  return %r : f64
}

// Other values leave than enter; types and order differ.
func.func @other_values_leave(%x: f64, %n: index {autodiff.value = 4}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %c0, %a = %x) : (index, f64) -> (f64, index, f64) {
    %c = arith.cmpi ult, %i, %n : index
    %s = math.sin %a : f64
    scf.condition(%c) %s, %i, %a : f64, index, f64
  } do {
  ^bb0(%s: f64, %j: index, %b: f64):
    %p = arith.mulf %s, %b : f64
    %q = arith.addf %p, %x : f64
    %k = arith.addi %j, %c1 : index
    scf.yield %k, %q : index, f64
  }
  %z = arith.mulf %r#0, %r#2 : f64
  return %z : f64
}

func.func @while_in_for_in_while(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %lim = arith.constant 3.0 : f64
  %one = arith.constant 1.0 : f64
  %tenth = arith.constant 0.1 : f64
  %r = scf.while (%a = %x) : (f64) -> f64 {
    %c = arith.cmpf olt, %a, %lim : f64
    scf.condition(%c) %a : f64
  } do {
  ^bb0(%b: f64):
    %f = scf.for %i = %c0 to %c2 step %c1 iter_args(%d = %b) -> f64 {
      %w = scf.while (%e = %d) : (f64) -> f64 {
        %g = arith.mulf %e, %e : f64
        %c = arith.cmpf olt, %g, %one : f64
        scf.condition(%c) %g : f64
      } do {
      ^bb0(%h: f64):
        %s = math.sqrt %h : f64
        %t = arith.addf %s, %tenth : f64
        scf.yield %t : f64
      }
      %u = arith.mulf %w, %x : f64
      %v = arith.addf %u, %tenth : f64
      %z = arith.maximumf %v, %b : f64
      %y = arith.addf %z, %tenth : f64
      scf.yield %y : f64
    }
    scf.yield %f : f64
  }
  return %r : f64
}

// Memory changes in both regions.
func.func @memory_in_both_regions(%m: memref<?xf64> {autodiff.sizes = [3]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %v = memref.load %m[%c0] : memref<?xf64>
    %s = math.sin %v : f64
    memref.store %s, %m[%c1] : memref<?xf64>
    %c = arith.cmpi ult, %i, %c4 : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%j: index):
    %v = memref.load %m[%c1] : memref<?xf64>
    %w = memref.load %m[%c2] : memref<?xf64>
    %p = arith.mulf %v, %w : f64
    %e = math.exp %p : f64
    memref.store %e, %m[%c0] : memref<?xf64>
    memref.store %p, %m[%c2] : memref<?xf64>
    %k = arith.addi %j, %c1 : index
    scf.yield %k : index
  }
  %z = memref.load %m[%c1] : memref<?xf64>
  return %z : f64
}

// Kepler's equation E - e sin E = M.
func.func @kepler(%mean: f64 {autodiff.domain = [0.5, 2.5]},
                  %ecc: f64 {autodiff.domain = [0.1, 0.6]}) -> f64 {
  %one = arith.constant 1.0 : f64
  %eps = arith.constant 1.0e-15 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %r:2 = scf.while (%e = %mean, %i = %c0) : (f64, index) -> (f64, index) {
    %s = math.sin %e : f64
    %es = arith.mulf %ecc, %s : f64
    %l = arith.subf %e, %es : f64
    %f = arith.subf %l, %mean : f64
    %a = math.absf %f : f64
    %far = arith.cmpf ogt, %a, %eps : f64
    %few = arith.cmpi ult, %i, %c20 : index
    %c = arith.andi %far, %few : i1
    scf.condition(%c) %e, %i : f64, index
  } do {
  ^bb0(%e: f64, %i: index):
    %s = math.sin %e : f64
    %c = math.cos %e : f64
    %es = arith.mulf %ecc, %s : f64
    %l = arith.subf %e, %es : f64
    %f = arith.subf %l, %mean : f64
    %ec = arith.mulf %ecc, %c : f64
    %df = arith.subf %one, %ec : f64
    %step = arith.divf %f, %df : f64
    %next = arith.subf %e, %step : f64
    %j = arith.addi %i, %c1 : index
    scf.yield %next, %j : f64, index
  }
  return %r#0 : f64
}
