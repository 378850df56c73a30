// RUN: ad-opt %s --ad-print-plan -o /dev/null | FileCheck %s

// Each needed value is kept in the cheapest way that is safe.

func.func @kept(%x: f64, %m: memref<?xf64> {autodiff.noalias},
                %w: memref<?xf64> {autodiff.noalias}, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %outside = math.sin %x : f64
  // CHECK-DAG: plan.mlir":[[@LINE+1]]:{{.*}}: argument #1 : f64 is taped, one slot per iteration of 1 loop(s)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    // Nothing writes to m.
    // CHECK-DAG: plan.mlir":[[@LINE+1]]:{{.*}}: memref.load : f64 is recomputed
    %read = memref.load %m[%i] : memref<?xf64>
    // CHECK-DAG: plan.mlir":[[@LINE+1]]:{{.*}}: memref.load : f64 is taped, one slot per iteration of 1 loop(s)
    %overwritten = memref.load %w[%i] : memref<?xf64>
    // Cheap, and its operands are there.
    // CHECK-DAG: plan.mlir":[[@LINE+1]]:{{.*}}: arith.mulf : f64 is recomputed
    %cheap = arith.mulf %read, %two : f64
    // CHECK-DAG: plan.mlir":[[@LINE+1]]:{{.*}}: math.exp : f64 is taped
    %dear = math.exp %cheap : f64
    %sine = math.sin %cheap : f64
    %both = arith.addf %dear, %sine : f64
    %p = arith.mulf %both, %overwritten : f64
    %q = arith.mulf %p, %a : f64
    %s = arith.mulf %q, %outside : f64
    memref.store %s, %w[%i] : memref<?xf64>
    scf.yield %s : f64
  }
  // CHECK-DAG: math.sin : f64 is in scope
  return %r : f64
}

// Linear code needs nothing.
// CHECK-LABEL: plan of @linear
// CHECK-NOT: f64
// CHECK-LABEL: plan of @uncounted
func.func @linear(%x: f64, %y: f64) -> f64 {
  %a = arith.addf %x, %y : f64
  %b = arith.negf %a : f64
  %c = arith.subf %b, %x : f64
  return %c : f64
}

// CHECK-DAG: argument #1 : f64 is taped, on a stack
// CHECK-DAG: scf.while : index is in scope
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

// Memory that the function frees is kept until the reverse sweep has read it.
// CHECK-LABEL: plan of @freed_memory
// CHECK: memref.dealloc is delayed until after the reverse sweep
func.func @freed_memory(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %t[%i] : memref<?xf64>
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %v = memref.load %t[%i] : memref<?xf64>
    %p = arith.mulf %v, %v : f64
    %s = arith.addf %a, %p : f64
    scf.yield %s : f64
  }
  memref.dealloc %t : memref<?xf64>
  return %r : f64
}

func.func @requests(%x: f64, %n: index, %m: memref<?xf64>, %dm: memref<?xf64>) {
  %0 = autodiff.autodiff @kept(active %x, dup(%m, %dm), dup(%m, %dm), const %n) returns (active_noneed(%x))
      : (f64, memref<?xf64>, memref<?xf64>, memref<?xf64>, memref<?xf64>, index, f64) -> f64
  %1:2 = autodiff.autodiff @linear(active %x, active %x) returns (active_noneed(%x)) : (f64, f64, f64) -> (f64, f64)
  %2 = autodiff.autodiff @uncounted(active %x, const %x) returns (active_noneed(%x)) : (f64, f64, f64) -> f64
  %3 = autodiff.autodiff @freed_memory(active %x, const %n) returns (active_noneed(%x)) : (f64, index, f64) -> f64
  return
}

// exp(cos(a)) does not change in the inner loop: it is not kept per iteration of
// it, but recomputed from a, which the outer loop keeps.
// CHECK-LABEL: plan of @invariant
// CHECK: plan.mlir":[[@LINE+8]]:{{.*}}: argument #1 : f64 is taped, one slot per iteration of 1 loop(s)
// CHECK: plan.mlir":[[@LINE+8]]:{{.*}}: argument #1 : f64 is taped, one slot per iteration of 2 loop(s)
// CHECK: math.exp : f64 is recomputed
// CHECK: math.cos : f64 is recomputed
func.func @invariant(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> f64 {
      %t = math.cos %a : f64
      %e = math.exp %t : f64
      %p = arith.mulf %b, %e : f64
      scf.yield %p : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}
func.func @request_invariant(%x: f64, %n: index) {
  %0 = autodiff.autodiff @invariant(active %x, const %n) returns (active_noneed(%x)) : (f64, index, f64) -> f64
  return
}
