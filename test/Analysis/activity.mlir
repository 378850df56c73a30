// RUN: ad-opt %s --ad-print-activity --split-input-file --allow-unregistered-dialect -o /dev/null | FileCheck %s

// CHECK-LABEL: activity of @values(active, const) returns (active)
// CHECK: %arg0: active
// CHECK: %arg1: constant
// CHECK: %cst: useful
// CHECK: %0: active
// CHECK: %1: varied
// CHECK: %2: useful
// CHECK: %3: constant
// CHECK: %4: active
func.func @values(%x: f64, %y: f64) -> f64 {
  %c = arith.constant 1.0 : f64
  %0 = arith.mulf %x, %c : f64
  %1 = arith.mulf %0, %x : f64
  %2 = arith.mulf %c, %c : f64
  %3 = arith.mulf %y, %y : f64
  %4 = arith.addf %0, %2 : f64
  return %4 : f64
}
func.func @values_request(%x: f64, %s: f64) {
  %0:2 = autodiff.autodiff @values(active %x, const %x) returns (active(%s))
      : (f64, f64, f64) -> (f64, f64)
  return
}

// -----

// Every request is answered, the same one once.

// CHECK: activity of @f(active, active) returns (active)
// CHECK: activity of @f(dup, const) returns (const)
// CHECK-NOT: activity of @f
// CHECK: activity of @g(active, active) returns (active)
func.func @f(%x: f64, %y: f64) -> f64 {
  %0 = arith.mulf %x, %y : f64
  return %0 : f64
}
func.func @g(%x: f64, %s: f64) -> f64 {
  %0:3 = autodiff.autodiff @f(active %x, active %x) returns (active(%s))
      : (f64, f64, f64) -> (f64, f64, f64)
  %1:3 = autodiff.autodiff @f(active %x, active %s) returns (active(%s))
      : (f64, f64, f64) -> (f64, f64, f64)
  %2 = autodiff.fwddiff @f(dup(%x, %s), const %x) returns (const)
      : (f64, f64, f64) -> f64
  return %0 : f64
}

// -----

// Discontinuous functions and stop_gradient end it.

// CHECK-LABEL: activity of @inactive_operations
// CHECK: %arg0: varied
// CHECK: %0: useful
// CHECK: %1: useful
// CHECK: %2: useful
func.func @inactive_operations(%x: f64) -> f64 {
  %0 = math.floor %x : f64
  %1 = autodiff.stop_gradient %x : f64
  %2 = arith.addf %0, %1 : f64
  return %2 : f64
}

// -----

// Through memory of one's own.

// CHECK-LABEL: activity of @memory
// CHECK: %alloc: active
// CHECK: %alloc_0: varied
// CHECK: %alloc_1: useful
// CHECK: %0: active
// CHECK: %1: useful
func.func @memory(%x: f64, %c: f64) -> f64 {
  %m = memref.alloc() : memref<f64>
  %unread = memref.alloc() : memref<f64>
  %unwritten = memref.alloc() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  memref.copy %m, %unread : memref<f64> to memref<f64>
  %0 = memref.load %m[] : memref<f64>
  %1 = memref.load %unwritten[] : memref<f64>
  %2 = arith.addf %0, %1 : f64
  return %2 : f64
}

// -----

// Through regions; conditions and bounds do not carry derivatives.

// CHECK-LABEL: activity of @regions
// CHECK: %arg0: active
// CHECK: %0#0: active
// CHECK: %0#1: varied
// CHECK: %arg4: active
// CHECK: %arg5: varied
// CHECK: %1: active
// CHECK: %2#0: varied
// CHECK: %2#1: active
func.func @regions(%x: f64, %n: index, %c: i1) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = arith.constant 0.0 : f64
  %0:2 = scf.for %i = %zero to %n step %one
      iter_args(%a = %init, %b = %init) -> (f64, f64) {
    %1 = arith.addf %a, %x : f64
    scf.yield %1, %x : f64, f64
  }
  %1 = scf.if %c -> f64 {
    scf.yield %0#0 : f64
  } else {
    scf.yield %init : f64
  }
  %2:2 = scf.while (%w = %1) : (f64) -> (f64, f64) {
    scf.condition(%c) %w, %w : f64, f64
  } do {
  ^bb0(%v: f64, %u: f64):
    scf.yield %v : f64
  }
  return %2#1 : f64
}

// -----

// What a parallel loop reduces.

// CHECK-LABEL: activity of @reduction
// CHECK: %arg0: active
// CHECK: %arg1: active
// CHECK: %0: active
// CHECK: %1: active
// CHECK: %2: active
func.func @reduction(%x: f64, %y: f64, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%x) -> f64 {
    %1 = arith.mulf %y, %y : f64
    scf.reduce(%1 : f64) {
    ^bb0(%a: f64, %b: f64):
      %2 = arith.addf %a, %b : f64
      scf.reduce.return %2 : f64
    }
  }
  return %0 : f64
}

// -----

// Through the memory of calls, and by-reference results come with contents.

func.func @square(%from: memref<f64>, %to: memref<f64>) {
  %0 = memref.load %from[] : memref<f64>
  %1 = arith.mulf %0, %0 : f64
  memref.store %1, %to[] : memref<f64>
  return
}

func.func @box(%x: f64) -> memref<f64> {
  %m = memref.alloc() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  return %m : memref<f64>
}

func.func private @log(f64) -> f64 attributes {autodiff.inactive}

// CHECK-LABEL: activity of @calls
// CHECK: %alloc: active
// CHECK: %0: active
// CHECK: %1: active
// CHECK: %2: active
// CHECK: %3: useful
// CHECK: %4: active
func.func @calls(%a: memref<f64>) -> f64 {
  %m = memref.alloc() : memref<f64>
  call @square(%a, %m) : (memref<f64>, memref<f64>) -> ()
  %0 = memref.load %m[] : memref<f64>
  %1 = call @box(%0) : (f64) -> memref<f64>
  %2 = memref.load %1[] : memref<f64>
  %3 = call @log(%2) : (f64) -> f64
  %4 = arith.addf %2, %3 : f64
  return %4 : f64
}

// -----

// Globals connect functions: they are active unless constant.

memref.global "private" @state : memref<f64> = dense<1.0>
memref.global "private" constant @weight : memref<f64> = dense<1.0>

// CHECK-LABEL: activity of @globals
// CHECK: %arg0: active
// CHECK: %0: active
// CHECK: %1: useful
// CHECK: %2: active
// CHECK: %3: useful
func.func @globals(%x: f64) -> f64 {
  %0 = memref.get_global @state : memref<f64>
  %1 = memref.get_global @weight : memref<f64>
  %2 = memref.load %0[] : memref<f64>
  %3 = memref.load %1[] : memref<f64>
  memref.store %x, %0[] : memref<f64>
  %4 = arith.mulf %2, %3 : f64
  return %4 : f64
}

// -----

// References in memory: what they refer to, and what they are kept in.

// CHECK-LABEL: activity of @references
// CHECK: %alloc: active
// CHECK: %alloc_0: active
// CHECK: %0: active
// CHECK: %1: active
// CHECK: %2: active
// CHECK: %3: active
func.func @references(%x: f64) -> f64 {
  %m = memref.alloc() : memref<f64>
  %cell = memref.alloc() : memref<memref<f64>>
  %tape = autodiff.tape_create() : !autodiff.tape<0 x memref<f64>>
  memref.store %m, %cell[] : memref<memref<f64>>
  memref.store %x, %m[] : memref<f64>
  %0 = memref.load %cell[] : memref<memref<f64>>
  autodiff.tape_write %0, %tape[] : !autodiff.tape<0 x memref<f64>>
  %1 = autodiff.tape_read %tape[] : !autodiff.tape<0 x memref<f64>>
  %2 = memref.load %1[] : memref<f64>
  return %2 : f64
}

// References in memory to what carries no derivative.

// CHECK-LABEL: activity of @inactive_references
// CHECK: %alloc: useful
// CHECK: %alloc_0: useful
// CHECK: %2: active
func.func @inactive_references(%x: f64) -> f64 {
  %c = arith.constant 1.0 : f64
  %m = memref.alloc() : memref<f64>
  %cell = memref.alloc() : memref<memref<f64>>
  memref.store %m, %cell[] : memref<memref<f64>>
  memref.store %c, %m[] : memref<f64>
  %0 = memref.load %cell[] : memref<memref<f64>>
  %1 = memref.load %0[] : memref<f64>
  %2 = arith.mulf %x, %1 : f64
  return %2 : f64
}

// -----

// Operations that are not understood pass everything on, and tapes too.

// CHECK-LABEL: activity of @unknown
// CHECK: %0: active
// CHECK: %1: active
// CHECK: %arg1: active
// CHECK: %4: active
// CHECK: %2: active
// CHECK: %3: active
func.func @unknown(%x: f64) -> f64 {
  %0 = "test.value"(%x) : (f64) -> f64
  %1 = "test.region"(%0) ({
  ^bb0(%2: f64):
    %3 = arith.mulf %2, %2 : f64
    "test.yield"(%3) : (f64) -> ()
  }) : (f64) -> f64
  %tape = autodiff.tape_create() : !autodiff.tape<0 x f64>
  autodiff.tape_write %1, %tape[] : !autodiff.tape<0 x f64>
  %4 = autodiff.tape_read %tape[] : !autodiff.tape<0 x f64>
  return %4 : f64
}

// -----

// Memory of a constant argument may be used as a buffer, as long as nothing
// that carries a derivative is read back.

// CHECK-LABEL: activity of @constant_argument(const, dup) returns (active)
// CHECK: %arg0: varied
// CHECK: %arg1: active
func.func @constant_argument(%a: memref<f64>, %b: memref<f64>) -> f64 {
  %0 = memref.load %b[] : memref<f64>
  memref.store %0, %a[] : memref<f64>
  return %0 : f64
}
func.func @constant_request(%a: memref<f64>, %s: f64) {
  %0 = autodiff.autodiff @constant_argument(const %a, dup(%a, %a))
      returns (active(%s)) : (memref<f64>, memref<f64>, memref<f64>, f64) -> f64
  return
}

// -----

// Bits of a floating-point number, through integers and their memory: the
// casts are active, so that an engine refuses them.

// CHECK-LABEL: activity of @bits(active, const) returns (active)
// CHECK: %arg0: active
// CHECK: %3: active
func.func @bits(%x: f64, %n: i64) -> f64 {
  %m = memref.alloc() : memref<i64>
  %0 = arith.bitcast %x : f64 to i64
  %1 = arith.addi %0, %n : i64
  memref.store %1, %m[] : memref<i64>
  %2 = memref.load %m[] : memref<i64>
  %3 = arith.bitcast %2 : i64 to f64
  return %3 : f64
}

// Integers that are computed from a number are not its bits.

// CHECK-LABEL: activity of @integers
// CHECK: %arg0: varied
// CHECK: %1: useful
func.func @integers(%x: f64) -> f64 {
  %0 = arith.fptosi %x : f64 to i64
  %1 = arith.sitofp %0 : i64 to f64
  return %1 : f64
}
func.func @integers_request(%x: f64, %s: f64) {
  %0:2 = autodiff.autodiff @integers(active %x) returns (active(%s))
      : (f64, f64) -> (f64, f64)
  return
}

// -----

// Memory that carries derivatives may be shown to an inactive function.

func.func private @show(memref<*xf64>) attributes {autodiff.inactive}

// CHECK-LABEL: activity of @shown
// CHECK: %alloc: active
// CHECK: %0: active
func.func @shown(%x: f64) -> f64 {
  %m = memref.alloc() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  %any = memref.cast %m : memref<f64> to memref<*xf64>
  call @show(%any) : (memref<*xf64>) -> ()
  %0 = memref.load %m[] : memref<f64>
  return %0 : f64
}

// -----

// Memory that is returned as active has a shadow, even if nothing that carries
// a derivative is in it.

// CHECK-LABEL: activity of @returned_memory
// CHECK: %cst: useful
// CHECK: %alloc: active
func.func @returned_memory(%x: f64) -> memref<f64> {
  %c = arith.constant 1.0 : f64
  %m = memref.alloc() : memref<f64>
  memref.store %c, %m[] : memref<f64>
  return %m : memref<f64>
}
