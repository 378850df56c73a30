// RUN: ad-opt %s --ad-differentiate --split-input-file --verify-diagnostics

// Rules that cannot be used, and functions that are not as inactive as they say.

func.func private @a(f64, f64) -> f64
// expected-note @+1 {{the rule is given here}}
func.func private @r(f64) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active], adjoint = @a>]}
func.func @f(%x: f64) -> f64 {
  // expected-error @+1 {{has no 'tangent', which forward mode calls}}
  %0 = call @r(%x) : (f64) -> f64
  return %0 : f64
}
func.func @request(%x: f64) -> f64 {
  %0 = autodiff.fwddiff @f(dup(%x, %x)) returns (active_noneed)
      : (f64, f64) -> f64
  return %0 : f64
}

// -----

func.func private @t(f64, f64) -> (f64, f64)
// expected-note @+1 {{the rule is given here}}
func.func private @r(f64) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active], tangent = @t>]}
func.func @f(%x: f64) -> f64 {
  // expected-error @+1 {{the derivative rule of 'r' has width 1, but the derivative is asked for with width 2}}
  %0 = call @r(%x) : (f64) -> f64
  return %0 : f64
}
func.func @request(%x: f64, %dx: vector<2xf64>) -> vector<2xf64> {
  %0 = autodiff.fwddiff @f(dup(%x, %dx)) returns (active_noneed) {width = 2}
      : (f64, vector<2xf64>) -> vector<2xf64>
  return %0 : vector<2xf64>
}

// -----

func.func private @t(f64, f64, memref<f64>) -> (f64, f64)
// expected-note @+1 {{give it autodiff.rules}}
func.func private @r(f64, memref<f64>) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active, const], tangent = @t>]}
func.func @f(%x: f64, %m: memref<f64>) -> f64 {
  // expected-error @+1 {{cannot differentiate 'r', which has no body and no derivative rule for these activities}}
  %0 = call @r(%x, %m) : (f64, memref<f64>) -> f64
  return %0 : f64
}
func.func @request(%x: f64, %m: memref<f64>) -> f64 {
  %0 = autodiff.fwddiff @f(dup(%x, %x), dup(%m, %m)) returns (active_noneed)
      : (f64, f64, memref<f64>, memref<f64>) -> f64
  return %0 : f64
}

// -----

// An inactive function has no effect on what carries derivatives.

// expected-note @+1 {{remove the mark, or give it autodiff.rules}}
func.func private @clears(%k: i64, %m: memref<f64>)
    attributes {autodiff.inactive} {
  %zero = arith.constant 0.0 : f64
  memref.store %zero, %m[] : memref<f64>
  return
}
func.func @f(%x: f64, %k: i64) -> f64 {
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  // expected-error @+1 {{'clears' is marked autodiff.inactive, but may write to memory that carries derivatives}}
  call @clears(%k, %m) : (i64, memref<f64>) -> ()
  %0 = memref.load %m[] : memref<f64>
  return %0 : f64
}
func.func @request(%x: f64, %k: i64) -> f64 {
  %0 = autodiff.fwddiff @f(dup(%x, %x), const %k) returns (active_noneed)
      : (f64, f64, i64) -> f64
  return %0 : f64
}

// -----

// expected-note @+1 {{remove the mark, or give it autodiff.rules}}
func.func private @clears(%m: memref<f64>) attributes {autodiff.inactive} {
  %zero = arith.constant 0.0 : f64
  memref.store %zero, %m[] : memref<f64>
  return
}
func.func @f(%x: f64) -> f64 {
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  // expected-error @+1 {{'clears' is marked autodiff.inactive, but may write to memory that carries derivatives}}
  call @clears(%m) : (memref<f64>) -> ()
  %0 = memref.load %m[] : memref<f64>
  return %0 : f64
}
func.func @request(%x: f64) -> f64 {
  %0 = autodiff.autodiff @f(active %x) returns (active_noneed(%x))
      : (f64, f64) -> f64
  return %0 : f64
}

// -----

// One that reads may be called, one that writes elsewhere, and one without a
// body is trusted.
func.func private @sum(%m: memref<2xf64>, %n: memref<1xf64>)
    attributes {autodiff.inactive} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[%c0] : memref<2xf64>
  %1 = memref.load %m[%c1] : memref<2xf64>
  %2 = arith.addf %0, %1 : f64
  memref.store %2, %n[%c0] : memref<1xf64>
  return
}
func.func private @print(memref<2xf64>) attributes {autodiff.inactive}
func.func @f(%m: memref<2xf64>, %n: memref<1xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  call @sum(%m, %n) : (memref<2xf64>, memref<1xf64>) -> ()
  call @print(%m) : (memref<2xf64>) -> ()
  %0 = memref.load %m[%c0] : memref<2xf64>
  %1 = memref.load %n[%c0] : memref<1xf64>
  %2 = arith.mulf %0, %1 : f64
  return %2 : f64
}
func.func @request(%m: memref<2xf64>, %dm: memref<2xf64>, %n: memref<1xf64>)
    -> f64 {
  %0 = autodiff.fwddiff @f(dup(%m, %dm), const %n) returns (active_noneed)
      : (memref<2xf64>, memref<2xf64>, memref<1xf64>) -> f64
  return %0 : f64
}
