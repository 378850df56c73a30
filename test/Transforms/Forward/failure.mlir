// RUN: not ad-opt %s --ad-differentiate --mlir-print-ir-after-failure 2>&1 | FileCheck %s

// A failure leaves the module as it was, whatever has been done by then.

// CHECK:     error: no derivative rule for 'complex.create'
// CHECK:     IR Dump After
// CHECK-NOT: .forward
// CHECK:     func.func @good
// CHECK-NOT: .forward
// CHECK:     func.func @request
// CHECK:       autodiff.fwddiff @good
// CHECK:       autodiff.fwddiff @bad
// CHECK-NOT: .forward
func.func @good(%x: f64) -> f64 {
  %0 = arith.mulf %x, %x : f64
  return %0 : f64
}
func.func @bad(%x: f64) -> f64 {
  %0 = complex.create %x, %x : complex<f64>
  %1 = complex.re %0 : complex<f64>
  return %1 : f64
}
func.func @request(%x: f64) -> (f64, f64) {
  %0 = autodiff.fwddiff @good(dup(%x, %x)) returns (active_noneed)
      : (f64, f64) -> f64
  %1 = autodiff.fwddiff @bad(dup(%x, %x)) returns (active_noneed)
      : (f64, f64) -> f64
  return %0, %1 : f64, f64
}
