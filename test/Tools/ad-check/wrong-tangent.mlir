// The tangent is wrong by a part in a million and the adjoint is right: only
// the strict dot product tells them apart.
// RUN: sh -c 'ad-check %s > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t
// A user may ask for a looser comparison with differences, not of modes.
// RUN: sh -c 'ad-check %s --tolerance=1e-2 > %t; test $? -eq 1'

// CHECK: dot product 0 {{.*}} FAIL
// CHECK: FAIL
func.func @square(%x: f64) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active], tangent = @tangent, adjoint = @adjoint>]} {
  %0 = arith.mulf %x, %x : f64
  return %0 : f64
}
func.func private @tangent(%x: f64, %dx: f64) -> (f64, f64) {
  %factor = arith.constant 2.000001 : f64
  %0 = arith.mulf %x, %x : f64
  %1 = arith.mulf %x, %dx : f64
  %2 = arith.mulf %factor, %1 : f64
  return %0, %2 : f64, f64
}
func.func private @adjoint(%x: f64, %seed: f64) -> f64 {
  %factor = arith.constant 2.0 : f64
  %1 = arith.mulf %x, %seed : f64
  %2 = arith.mulf %factor, %1 : f64
  return %2 : f64
}
// A function that is not reached does not loosen the comparison.
func.func private @unrelated(%x: bf16) -> bf16 {
  return %x : bf16
}
