// RUN: ad-opt %s --ad-differentiate --canonicalize --cse | FileCheck %s

// The adjoint of what a loop captures is carried beside that of its own value;
// the tape is one buffer, indexed by iteration.
// CHECK-LABEL: func.func private @counted.reverse
// CHECK-SAME: (%[[X:.*]]: f64, %[[N:.*]]: index, %[[SEED:.*]]: f64) -> (f64, f64)
// CHECK: %[[TAPE:.*]] = autodiff.tape_create(%{{.*}}) : !autodiff.tape<1 x f64>
// CHECK: %[[Y:.*]] = scf.for %[[I:.*]] = {{.*}} iter_args(%[[A:.*]] = %[[X]])
// CHECK: autodiff.tape_write %[[A]], %[[TAPE]][%[[I]]]
// CHECK: %[[ADJ:.*]]:2 = scf.for {{.*}} iter_args(%[[DA:.*]] = %[[SEED]], %[[DX:.*]] = %{{.*}}) -> (f64, f64)
// CHECK: %[[NEXT:.*]] = arith.mulf %[[DA]], %[[X]]
// CHECK: %[[KEPT:.*]] = autodiff.tape_read %[[TAPE]]
// CHECK: %[[TERM:.*]] = arith.mulf %[[DA]], %[[KEPT]]
// CHECK: %[[SUM:.*]] = arith.addf %[[DX]], %[[TERM]]
// CHECK: scf.yield %[[NEXT]], %[[SUM]]
// CHECK: %[[GRADIENT:.*]] = arith.addf %[[ADJ]]#1, %[[ADJ]]#0
// CHECK: autodiff.tape_free %[[TAPE]]
// CHECK: return %[[Y]], %[[GRADIENT]]
func.func @counted(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %p = arith.mulf %a, %x : f64
    scf.yield %p : f64
  }
  return %r : f64
}

// Both branches yield the adjoints of what one of them captures (the branch of
// the forward sweep has been merged with that of the reverse sweep).
// CHECK-LABEL: func.func private @branch.reverse
// CHECK: %[[R:.*]]:3 = scf.if %{{.*}} -> (f64, f64, f64)
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[Z:.*]], %[[Z]], %[[Z]]
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
func.func @branch(%x: f64, %y: f64, %c: i1) -> f64 {
  %r = scf.if %c -> f64 {
    %p = arith.mulf %x, %y : f64
    scf.yield %p : f64
  } else {
    %z = arith.constant 0.0 : f64
    scf.yield %z : f64
  }
  return %r : f64
}

// The number of iterations is counted in the forward sweep; the reverse sweep is
// a counted loop over one more.
// CHECK-LABEL: func.func private @uncounted.reverse
// CHECK: %[[STACK:.*]] = autodiff.stack_create : !autodiff.stack<f64>
// CHECK: %[[R:.*]]:2 = scf.while (%{{.*}} = %c0{{.*}}, %{{.*}} = %{{.*}}) : (index, f64) -> (index, f64)
// CHECK: autodiff.stack_push %{{.*}}, %[[STACK]]
// CHECK: %[[EXECUTIONS:.*]] = arith.addi %[[R]]#0, %c1
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[EXECUTIONS]]
// CHECK: scf.if
// CHECK: autodiff.stack_pop %[[STACK]]
func.func @uncounted(%x: f64, %lim: f64) -> f64 {
  %r = scf.while (%a = %x) : (f64) -> f64 {
    %c = arith.cmpf olt, %a, %lim : f64
    scf.condition(%c) %a : f64
  } do {
  ^bb0(%b: f64):
    %p = arith.mulf %b, %b : f64
    scf.yield %p : f64
  }
  return %r : f64
}

func.func @requests(%x: f64, %n: index, %c: i1) {
  %0:2 = autodiff.autodiff @counted(active %x, const %n) returns (active(%x)) : (f64, index, f64) -> (f64, f64)
  %1:3 = autodiff.autodiff @branch(active %x, active %x, const %c) returns (active(%x)) : (f64, f64, i1, f64) -> (f64, f64, f64)
  %2:2 = autodiff.autodiff @uncounted(active %x, const %x) returns (active(%x)) : (f64, f64, f64) -> (f64, f64)
  return
}
