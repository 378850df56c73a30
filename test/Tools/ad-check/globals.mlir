// Every call finds the globals as they are at first: y = x * (state + x), and
// the state changes.
// RUN: ad-check %s --at=2 --print-gradient | FileCheck %s
// CHECK: primal in forward mode same bits ok
// CHECK: primal in reverse mode same bits ok
// CHECK: gradient of arg 0: 11
// CHECK: PASS
memref.global "private" @state : memref<2xf64> = dense<[1.0, 7.0]>
func.func @f(%x: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %g = memref.get_global @state : memref<2xf64>
  %0 = memref.load %g[%c1] : memref<2xf64>
  %1 = arith.addf %0, %x : f64
  memref.store %1, %g[%c1] : memref<2xf64>
  %2 = memref.load %g[%c1] : memref<2xf64>
  %3 = arith.mulf %x, %2 : f64
  return %3 : f64
}
