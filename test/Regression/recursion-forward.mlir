// RUN: ad-check %s --all --mode=forward

// x^n by squaring.
func.func private @power(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f64
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    scf.yield %one : f64
  } else {
    %h = arith.divui %n, %c2 : index
    %s = func.call @power(%x, %h) : (f64, index) -> f64
    %q = arith.mulf %s, %s : f64
    %odd = arith.remui %n, %c2 : index
    %isOdd = arith.cmpi eq, %odd, %c1 : index
    %t = scf.if %isOdd -> f64 {
      %p = arith.mulf %q, %x : f64
      scf.yield %p : f64
    } else {
      scf.yield %q : f64
    }
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @power_by_squaring(%x: f64) -> f64 {
  %n = arith.constant 11 : index
  %r = call @power(%x, %n) : (f64, index) -> f64
  return %r : f64
}

// Two functions that call each other, the argument of one constant in the other.
func.func private @even(%x: f64, %y: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    %p = arith.mulf %x, %y : f64
    scf.yield %p : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %s = math.sin %x : f64
    %t = func.call @odd(%s, %m) : (f64, index) -> f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func private @odd(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> f64 {
    scf.yield %x : f64
  } else {
    %m = arith.subi %n, %c1 : index
    %e = math.exp %x : f64
    %t = func.call @even(%e, %two, %m) : (f64, f64, index) -> f64
    scf.yield %t : f64
  }
  return %r : f64
}
func.func @mutual(%x: f64) -> f64 {
  %n = arith.constant 4 : index
  %r = call @even(%x, %x, %n) : (f64, f64, index) -> f64
  return %r : f64
}
