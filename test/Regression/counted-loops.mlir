// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before

// The factors of a product are needed, the product itself is carried.
func.func @carried_product(%x: f64, %n: index {autodiff.value = 6}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one) -> f64 {
    %s = math.sin %a : f64
    %p = arith.mulf %s, %x : f64
    %q = arith.addf %p, %a : f64
    scf.yield %q : f64
  }
  return %r : f64
}

func.func @zero_trips(%x: f64, %n: index {autodiff.value = 0}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %p = arith.mulf %a, %a : f64
    scf.yield %p : f64
  }
  %y = arith.mulf %r, %x : f64
  return %y : f64
}

func.func @upper_below_lower(%x: f64, %n: index {autodiff.value = 2}) -> f64 {
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c5 to %n step %c1 iter_args(%a = %x) -> f64 {
    %p = math.exp %a : f64
    scf.yield %p : f64
  }
  return %r : f64
}

func.func @step_does_not_divide(%x: f64, %lb: index {autodiff.value = 1},
                                %ub: index {autodiff.value = 12},
                                %step: index {autodiff.value = 4}) -> f64 {
  %r = scf.for %i = %lb to %ub step %step iter_args(%a = %x) -> f64 {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p = arith.mulf %a, %f : f64
    %s = math.sin %p : f64
    scf.yield %s : f64
  }
  return %r : f64
}

func.func @negative_bounds_in_i32(%x: f64, %lb: i32 {autodiff.value = -7},
                                  %ub: i32 {autodiff.value = 4},
                                  %step: i32 {autodiff.value = 3}) -> f64 {
  %r = scf.for %i = %lb to %ub step %step iter_args(%a = %x) -> f64 : i32 {
    %f = arith.sitofp %i : i32 to f64
    %p = arith.mulf %a, %f : f64
    %s = math.cos %p : f64
    scf.yield %s : f64
  }
  return %r : f64
}

func.func @narrow_bounds(%x: f64) -> f64 {
  %lb = arith.constant -60 : i8
  %ub = arith.constant 60 : i8
  %step = arith.constant 25 : i8
  %r = scf.for %i = %lb to %ub step %step iter_args(%a = %x) -> f64 : i8 {
    %f = arith.sitofp %i : i8 to f64
    %c = arith.constant 0.01 : f64
    %g = arith.mulf %f, %c : f64
    %p = arith.mulf %a, %g : f64
    %s = math.sin %p : f64
    %t = arith.addf %s, %a : f64
    scf.yield %t : f64
  }
  return %r : f64
}

// Upper minus lower does not fit i8: bounds are arguments, since upstream's
// canonicalization would fold the loop of constants away.
func.func @bounds_far_apart_in_i8(%x: f64, %lb: i8 {autodiff.value = -100},
                                  %ub: i8 {autodiff.value = 100}) -> f64 {
  %step = arith.constant 25 : i8
  %r = scf.for %i = %lb to %ub step %step iter_args(%a = %x) -> f64 : i8 {
    %f = arith.sitofp %i : i8 to f64
    %c = arith.constant 0.01 : f64
    %g = arith.mulf %f, %c : f64
    %p = arith.mulf %a, %g : f64
    %s = math.sin %p : f64
    %t = arith.addf %s, %a : f64
    scf.yield %t : f64
  }
  return %r : f64
}

func.func @unsigned_bounds(%x: f64) -> f64 {
  %lb = arith.constant 120 : i8
  %ub = arith.constant -126 : i8
  %step = arith.constant 3 : i8
  %r = scf.for unsigned %i = %lb to %ub step %step iter_args(%a = %x) -> f64 : i8 {
    %f = arith.uitofp %i : i8 to f64
    %c = arith.constant 0.01 : f64
    %g = arith.mulf %f, %c : f64
    %p = arith.mulf %a, %g : f64
    %s = math.sin %p : f64
    scf.yield %s : f64
  }
  return %r : f64
}

func.func @swapped_every_time(%x: f64, %y: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %r:2 = scf.for %i = %c0 to %c7 step %c1 iter_args(%a = %x, %b = %y) -> (f64, f64) {
    %p = arith.mulf %a, %b : f64
    %s = math.sin %p : f64
    scf.yield %b, %s : f64, f64
  }
  return %r#0, %r#1 : f64, f64
}

func.func @rotated_and_passed_through(%x: f64, %y: f64, %z: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:4 = scf.for %i = %c0 to %c5 step %c1
      iter_args(%a = %x, %b = %y, %c = %z, %d = %x) -> (f64, f64, f64, f64) {
    %p = arith.divf %a, %d : f64
    %s = math.tanh %p : f64
    scf.yield %b, %c, %s, %d : f64, f64, f64, f64
  }
  %q = arith.mulf %r#0, %r#2 : f64
  return %q : f64
}

func.func @unused_results_and_arguments(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:3 = scf.for %i = %c0 to %c4 step %c1
      iter_args(%a = %x, %b = %y, %c = %x) -> (f64, f64, f64) {
    %p = arith.mulf %a, %x : f64
    %q = math.exp %y : f64
    scf.yield %p, %q, %y : f64, f64, f64
  }
  return %r#0 : f64
}

func.func @yields_what_is_outside(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %u = math.sin %x : f64
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %y, %b = %y) -> (f64, f64) {
    %q = arith.mulf %a, %b : f64
    scf.yield %u, %q : f64, f64
  }
  %z = arith.addf %r#0, %r#1 : f64
  return %z : f64
}

// The first iteration yields a constant: later ones do not depend on it.
func.func @forgets_its_start(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %two = arith.constant 2.0 : f64
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (f64, f64) {
    %q = arith.mulf %a, %b : f64
    scf.yield %two, %q : f64, f64
  }
  return %r#1 : f64
}

func.func @the_same_value_returned_twice(%x: f64) -> (f64, f64, f64) {
  %s = math.sin %x : f64
  return %s, %s, %x : f64, f64, f64
}

func.func @same_operand_twice(%x: f64) -> f64 {
  %a = arith.mulf %x, %x : f64
  %b = arith.divf %a, %a : f64
  %c = math.powf %x, %x : f64
  %d = arith.subf %c, %c : f64
  %e = math.fma %x, %x, %x : f64
  %f = arith.addf %b, %d : f64
  %g = arith.addf %f, %e : f64
  return %g : f64
}

func.func @nothing_active(%x: f64, %y: f64) -> (f64, f64) {
  %c = arith.constant 3.0 : f64
  %d = math.sin %c : f64
  return %d, %y : f64, f64
}
