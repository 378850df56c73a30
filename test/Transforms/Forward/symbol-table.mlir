// RUN: ad-opt %s --pass-pipeline='builtin.module(gpu.module(ad-differentiate))' | FileCheck %s
// RUN: not ad-opt %s --pass-pipeline='builtin.module(func.func(ad-differentiate))' 2>&1 | FileCheck %s --check-prefix=ERROR

// The pass runs on any symbol table, and on nothing else.

// ERROR: unable to schedule pass

// CHECK:      gpu.module @kernels
// CHECK:        func.func private @f.forward(
// CHECK:        func.func @request(
// CHECK-NEXT:     call @f.forward(
gpu.module @kernels {
  func.func @f(%x: f64) -> f64 {
    %0 = arith.mulf %x, %x : f64
    return %0 : f64
  }
  func.func @request(%x: f64) -> f64 {
    %0 = autodiff.fwddiff @f(dup(%x, %x)) returns (active_noneed)
        : (f64, f64) -> f64
    return %0 : f64
  }
}
