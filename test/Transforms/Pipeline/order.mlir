// RUN: ad-opt %s "--ad-pipeline=stop-before-lowering" | FileCheck %s --check-prefix=AFTER
// RUN: ad-opt %s "--ad-pipeline=order=before stop-before-lowering" | FileCheck %s --check-prefix=BEFORE
// RUN: ad-opt %s --ad-pipeline | FileCheck %s --check-prefix=LOWERED
// RUN: ad-opt %s --ad-pipeline=lower-to-llvm | FileCheck %s --check-prefix=LLVM

// exp(x) does not change in the loop. Hoisted before differentiation, its adjoint
// is computed once; after, in every iteration.

// AFTER-LABEL: func.func @gradient
// AFTER: math.exp
// AFTER: scf.for
// AFTER: scf.for
// AFTER-NOT: math.exp
// AFTER: scf.yield
// AFTER: }
// AFTER: arith.mulf
// AFTER: return

// BEFORE-LABEL: func.func @gradient
// BEFORE: autodiff.tape_create
// BEFORE: scf.for
// BEFORE: autodiff.tape_write

// LOWERED-LABEL: func.func @gradient
// LOWERED-NOT: autodiff.tape
// LOWERED-NOT: autodiff.autodiff

// LLVM-LABEL: llvm.func @gradient
// LLVM-NOT: func.func
// LLVM-NOT: autodiff.tape

func.func @f(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %e = math.exp %x : f64
    %p = arith.mulf %a, %e : f64
    scf.yield %p : f64
  }
  return %r : f64
}
func.func @gradient(%x: f64, %n: index) -> f64 {
  %one = arith.constant 1.0 : f64
  %d = autodiff.autodiff @f(active %x, const %n) returns (active_noneed(%one)) : (f64, index, f64) -> f64
  return %d : f64
}

// Functions with rules stay calls.
// AFTER-LABEL: func.func @calls_rule
// AFTER: call @rule_adjoint
func.func private @rule(%x: f64) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active], adjoint = @rule_adjoint>]} {
  return %x : f64
}
func.func private @rule_adjoint(f64, f64) -> f64
func.func private @caller(%x: f64) -> f64 {
  %r = call @rule(%x) : (f64) -> f64
  return %r : f64
}
func.func @calls_rule(%x: f64) -> f64 {
  %d = autodiff.autodiff @caller(active %x) returns (active_noneed(%x)) : (f64, f64) -> f64
  return %d : f64
}
