// A user's rule whose adjoint is wrong: the mismatch shows in every row that
// the adjoint takes part in, and in the exit code.
// RUN: sh -c 'ad-check %s @caller > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t
// RUN: ad-check %s @caller --mode=forward | FileCheck %s --check-prefix=FORWARD
// RUN: sh -c 'ad-check %s --all > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=ALL

// CHECK: primal in reverse mode {{.*}} ok
// CHECK: dot product 0 {{.*}} FAIL
// CHECK: forward arg 0 {{.*}} ok
// CHECK: reverse arg 0 {{.*}} FAIL
// CHECK: FAIL @caller
// CHECK-NEXT: FAIL

// FORWARD-NOT: reverse
// FORWARD: forward arg 0 {{.*}} ok
// FORWARD-NOT: FAIL
// FORWARD: PASS

// ALL-DAG: FAIL @square
// ALL-DAG: FAIL @caller
// ALL: 1 of 3 functions passed
// ALL-NEXT: FAIL
func.func @square(%x: f64) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active], tangent = @square_tangent,
                   adjoint = @square_adjoint>]} {
  %0 = arith.mulf %x, %x : f64
  return %0 : f64
}
func.func private @square_tangent(%x: f64, %dx: f64) -> (f64, f64) {
  %two = arith.constant 2.0 : f64
  %0 = arith.mulf %x, %x : f64
  %1 = arith.mulf %x, %dx : f64
  %2 = arith.mulf %two, %1 : f64
  return %0, %2 : f64, f64
}
func.func private @square_adjoint(%x: f64, %seed: f64) -> f64 {
  %three = arith.constant 3.0 : f64
  %1 = arith.mulf %x, %seed : f64
  %2 = arith.mulf %three, %1 : f64
  return %2 : f64
}
func.func @caller(%x: f64) -> f64 {
  %0 = func.call @square(%x) : (f64) -> f64
  %1 = math.sin %0 : f64
  return %1 : f64
}
func.func @unrelated(%x: f64) -> f64 {
  %1 = math.sin %x : f64
  return %1 : f64
}
