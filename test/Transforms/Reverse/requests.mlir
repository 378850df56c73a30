// RUN: ad-opt %s --ad-differentiate | FileCheck %s

func.func @f(%x: f64, %y: f64) -> f64 {
  %p = arith.mulf %x, %y : f64
  return %p : f64
}

// The same derivative is made once, whatever results are asked for; other
// activities, another width and other options are other derivatives.
// CHECK-LABEL: func.func @requests
// CHECK: call @f.reverse(
// CHECK: call @f.reverse(
// CHECK: call @f.reverse_0(
// CHECK: call @f.reverse_1(
// CHECK: call @f.reverse_2(
// CHECK-NOT: autodiff.autodiff
func.func @requests(%x: f64, %w: vector<2xf64>) {
  %0:3 = autodiff.autodiff @f(active %x, active %x) returns (active(%x)) : (f64, f64, f64) -> (f64, f64, f64)
  %1:2 = autodiff.autodiff @f(active %x, active %x) returns (active_noneed(%x)) : (f64, f64, f64) -> (f64, f64)
  %2:2 = autodiff.autodiff @f(active %x, const %x) returns (active(%x)) : (f64, f64, f64) -> (f64, f64)
  %3:3 = autodiff.autodiff @f(active %x, active %x) returns (active(%w)) {width = 2 : i64}
      : (f64, f64, vector<2xf64>) -> (f64, vector<2xf64>, vector<2xf64>)
  %4:3 = autodiff.autodiff @f(active %x, active %x) returns (active(%x)) {strong_zero} : (f64, f64, f64) -> (f64, f64, f64)
  return
}

// Strict floating point: flags come from the primal or the request.
func.func @flags(%x: f64, %y: f64) -> f64 {
  %p = arith.mulf %x, %y fastmath<contract> : f64
  %q = arith.mulf %p, %y : f64
  return %q : f64
}
// CHECK-LABEL: func.func private @flags.reverse_
// CHECK: arith.mulf %{{.*}} fastmath<ninf>
// CHECK: arith.mulf %{{.*}} fastmath<ninf,contract>
// CHECK-LABEL: func.func private @flags.reverse(
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
// CHECK-NEXT: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f64
func.func @with_flags(%x: f64) {
  %0:2 = autodiff.autodiff @flags(active %x, const %x) returns (active(%x)) : (f64, f64, f64) -> (f64, f64)
  %1:2 = autodiff.autodiff @flags(active %x, const %x) returns (active(%x)) {fastmath = #arith.fastmath<ninf>} : (f64, f64, f64) -> (f64, f64)
  return
}
