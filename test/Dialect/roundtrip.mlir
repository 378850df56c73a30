// RUN: ad-opt %s | FileCheck %s
// RUN: ad-opt %s --mlir-print-op-generic | ad-opt | FileCheck %s
// RUN: ad-opt %s --emit-bytecode | ad-opt | FileCheck %s

func.func private @f(f64, memref<?xf64>, index) -> (f64, f64)

// CHECK-LABEL: @requests
func.func @requests(%x: f64, %m: memref<?xf64>, %dm: memref<?xf64>, %n: index,
                    %wm: memref<?xvector<2xf64>>, %w: vector<2xf64>) {
  // CHECK: autodiff.autodiff @f(active %{{.*}}, dup(%{{.*}}, %{{.*}}), const %{{.*}}) returns (active(%{{.*}}), const) : (f64, memref<?xf64>, memref<?xf64>, index, f64) -> (f64, f64, f64)
  %0:3 = autodiff.autodiff @f(active %x, dup(%m, %dm), const %n) returns (active(%x), const)
      : (f64, memref<?xf64>, memref<?xf64>, index, f64) -> (f64, f64, f64)
  // CHECK: autodiff.autodiff @f(const %{{.*}}, dup_noneed(%{{.*}}, %{{.*}}), const %{{.*}}) returns (active_noneed(%{{.*}}), const_noneed) {width = 2 : i64}
  autodiff.autodiff @f(const %x, dup_noneed(%m, %wm), const %n)
      returns (active_noneed(%w), const_noneed) {width = 2 : i64}
      : (f64, memref<?xf64>, memref<?xvector<2xf64>>, index, vector<2xf64>) -> ()
  // CHECK: autodiff.fwddiff @f(dup(%{{.*}}, %{{.*}}), const %{{.*}}, const %{{.*}}) returns (active, active_noneed) {fastmath = #arith.fastmath<contract>, strong_zero}
  %1:3 = autodiff.fwddiff @f(dup(%x, %x), const %m, const %n) returns (active, active_noneed)
      {strong_zero, fastmath = #arith.fastmath<contract>}
      : (f64, f64, memref<?xf64>, index) -> (f64, f64, f64)
  // CHECK: autodiff.stop_gradient %{{.*}} : f64
  %2 = autodiff.stop_gradient %x : f64
  return
}

// CHECK-LABEL: @tapes
func.func @tapes(%n: index, %v: f64, %b: i1) -> f64 {
  // CHECK: %[[T:.*]] = autodiff.tape_create(%{{.*}}, %{{.*}}) : !autodiff.tape<2 x f64>
  %t = autodiff.tape_create(%n, %n) : !autodiff.tape<2 x f64>
  // CHECK: autodiff.tape_create zeroed() : !autodiff.tape<0 x f64>
  %z = autodiff.tape_create zeroed() : !autodiff.tape<0 x f64>
  // CHECK: autodiff.tape_write %{{.*}}, %[[T]][%{{.*}}, %{{.*}}] : !autodiff.tape<2 x f64>
  autodiff.tape_write %v, %t[%n, %n] : !autodiff.tape<2 x f64>
  // CHECK: autodiff.tape_read %[[T]][%{{.*}}, %{{.*}}] : !autodiff.tape<2 x f64>
  %r = autodiff.tape_read %t[%n, %n] : !autodiff.tape<2 x f64>
  // CHECK: autodiff.tape_free %[[T]] : !autodiff.tape<2 x f64>
  autodiff.tape_free %t : !autodiff.tape<2 x f64>
  autodiff.tape_free %z : !autodiff.tape<0 x f64>
  // CHECK: %[[S:.*]] = autodiff.stack_create : !autodiff.stack<i1>
  %s = autodiff.stack_create : !autodiff.stack<i1>
  // CHECK: autodiff.stack_push %{{.*}}, %[[S]] : !autodiff.stack<i1>
  autodiff.stack_push %b, %s : !autodiff.stack<i1>
  // CHECK: autodiff.stack_pop %[[S]] : !autodiff.stack<i1>
  %p = autodiff.stack_pop %s : !autodiff.stack<i1>
  // CHECK: autodiff.stack_free %[[S]] : !autodiff.stack<i1>
  autodiff.stack_free %s : !autodiff.stack<i1>
  return %r : f64
}

// CHECK: @rule(memref<?xf64> {autodiff.noalias}, f64) -> f64
// CHECK-SAME: autodiff.rules = [#autodiff.rule<args = [dup, const], tangent = @rule_t, augmented = @rule_g, adjoint = @rule_a>, #autodiff.rule<args = [const, active], adjoint = @rule_b>]
func.func private @rule(memref<?xf64> {autodiff.noalias}, f64) -> f64 attributes {autodiff.rules = [
  #autodiff.rule<args = [dup, const], tangent = @rule_t, augmented = @rule_g, adjoint = @rule_a>,
  #autodiff.rule<args = [const, active], adjoint = @rule_b>]}
func.func private @rule_t(memref<?xf64>, memref<?xf64>, f64) -> (f64, f64)
func.func private @rule_g(memref<?xf64>, f64) -> (f64, index, f64)
func.func private @rule_a(memref<?xf64>, memref<?xf64>, f64, index, f64, f64)
func.func private @rule_b(memref<?xf64>, f64, f64) -> f64
// CHECK: @quiet(f64) attributes {autodiff.inactive}
func.func private @quiet(f64) attributes {autodiff.inactive}
