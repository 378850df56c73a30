// RUN: ad-opt %s --ad-lower-tape | FileCheck %s

// CHECK-LABEL: func.func @indexed
// CHECK-SAME: %[[N:.*]]: index, %[[V:.*]]: f64
// CHECK: %[[M:.*]] = memref.alloc(%[[N]], %[[N]]) : memref<?x?xf64>
// CHECK: memref.store %[[V]], %[[M]][%[[N]], %[[N]]]
// CHECK: memref.load %[[M]][%[[N]], %[[N]]]
// CHECK: memref.dealloc %[[M]]
func.func @indexed(%n: index, %v: f64) -> f64 {
  %t = autodiff.tape_create(%n, %n) : !autodiff.tape<2 x f64>
  autodiff.tape_write %v, %t[%n, %n] : !autodiff.tape<2 x f64>
  %r = autodiff.tape_read %t[%n, %n] : !autodiff.tape<2 x f64>
  autodiff.tape_free %t : !autodiff.tape<2 x f64>
  return %r : f64
}

// Small tapes that stay in their function live on the stack.
// CHECK-LABEL: func.func @small
// CHECK: memref.alloca() : memref<f32>
// CHECK: memref.alloca(%{{.*}}) : memref<?xi1>
// CHECK-NOT: dealloc
// CHECK: return
func.func @small(%b: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %s = autodiff.tape_create() : !autodiff.tape<0 x f32>
  autodiff.tape_write %v, %s[] : !autodiff.tape<0 x f32>
  %t = autodiff.tape_create(%c4) : !autodiff.tape<1 x i1>
  autodiff.tape_write %b, %t[%c0] : !autodiff.tape<1 x i1>
  autodiff.tape_free %s : !autodiff.tape<0 x f32>
  autodiff.tape_free %t : !autodiff.tape<1 x i1>
  return
}

// CHECK-LABEL: func.func @zeroed
// CHECK: memref.alloc
// CHECK: scf.for
// CHECK: memref.store %cst
func.func @zeroed(%n: index) -> !autodiff.tape<1 x f64> {
  %t = autodiff.tape_create zeroed(%n) : !autodiff.tape<1 x f64>
  return %t : !autodiff.tape<1 x f64>
}

// Types of functions, loops and tapes in tapes are converted, too.
// CHECK-LABEL: func.func private @take(memref<?xf64>, memref<memref<?xindex>>)
func.func private @take(!autodiff.tape<1 x f64>, !autodiff.stack<index>)
// CHECK-LABEL: func.func @through_loops
// CHECK: memref.alloc() : memref<memref<?xindex>>
// CHECK: scf.for {{.*}} -> (memref<?xf64>)
// CHECK: memref.alloc({{.*}}) : memref<?xmemref<?xf64>>
func.func @through_loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = autodiff.tape_create(%n) : !autodiff.tape<1 x f64>
  %s = autodiff.stack_create : !autodiff.stack<index>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> !autodiff.tape<1 x f64> {
    autodiff.stack_push %i, %s : !autodiff.stack<index>
    scf.yield %a : !autodiff.tape<1 x f64>
  }
  %tt = autodiff.tape_create(%n) : !autodiff.tape<1 x !autodiff.tape<1 x f64>>
  autodiff.tape_write %r, %tt[%c0] : !autodiff.tape<1 x !autodiff.tape<1 x f64>>
  call @take(%r, %s) : (!autodiff.tape<1 x f64>, !autodiff.stack<index>) -> ()
  autodiff.stack_free %s : !autodiff.stack<index>
  return
}
