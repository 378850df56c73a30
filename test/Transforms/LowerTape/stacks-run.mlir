// RUN: ad-opt %s --ad-lower-to-llvm | %run_main | FileCheck %s

// Stacks grow past their first capacity, come back in reverse order, and shrink
// and grow again. The sums are exact in f64.

func.func private @printF64(f64)
func.func private @printNewline()

func.func @push(%s: !autodiff.stack<f64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i64
    %v = arith.sitofp %k : i64 to f64
    autodiff.stack_push %v, %s : !autodiff.stack<f64>
  }
  return
}

// sum of (value * how many were popped before it)
func.func @pop(%s: !autodiff.stack<f64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
    %v = autodiff.stack_pop %s : !autodiff.stack<f64>
    %k = arith.index_cast %i : index to i64
    %w = arith.sitofp %k : i64 to f64
    %p = arith.mulf %v, %w : f64
    %q = arith.addf %a, %p : f64
    scf.yield %q : f64
  }
  return %r : f64
}

func.func @main() {
  %c100 = arith.constant 100 : index
  %c1000 = arith.constant 1000 : index
  %s = autodiff.stack_create : !autodiff.stack<f64>
  call @push(%s, %c1000) : (!autodiff.stack<f64>, index) -> ()
  %a = call @pop(%s, %c1000) : (!autodiff.stack<f64>, index) -> f64
  // sum of i (999 - i)
  // CHECK: 1.66167e+08
  call @printF64(%a) : (f64) -> ()
  call @printNewline() : () -> ()
  call @push(%s, %c100) : (!autodiff.stack<f64>, index) -> ()
  %b = call @pop(%s, %c100) : (!autodiff.stack<f64>, index) -> f64
  // sum of i (99 - i)
  // CHECK: 161700
  call @printF64(%b) : (f64) -> ()
  call @printNewline() : () -> ()
  autodiff.stack_free %s : !autodiff.stack<f64>
  return
}
