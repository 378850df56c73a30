// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt %s --ad-differentiate --ad-lower-to-llvm | %run_main | FileCheck %s --check-prefix=VALUE

// The tangent of a mutable global is kept in a global of its own, which is zero
// when a derivative starts; a constant has none.

// CHECK-NOT:   @weights_shadow
// CHECK:       memref.global "private" @[[SHADOW:state_shadow_[_0-9]*]] : memref<2xf64>
// CHECK-NOT:   @weights_shadow
// CHECK:       func.func private @square.forward()
// CHECK:         memref.get_global @state :
// CHECK-NEXT:    memref.get_global @[[SHADOW]] :
memref.global "private" @state : memref<2xf64> = dense<[3.0, 5.0]>
memref.global "private" constant @weights : memref<2xf64> = dense<[2.0, 7.0]>
memref.global "private" @state_shadow : memref<1xi32>

func.func private @put(%x: f64) {
  %c0 = arith.constant 0 : index
  %s = memref.get_global @state : memref<2xf64>
  memref.store %x, %s[%c0] : memref<2xf64>
  return
}
// Takes nothing active, but changes a global that is.
func.func private @square() {
  %c0 = arith.constant 0 : index
  %s = memref.get_global @state : memref<2xf64>
  %0 = memref.load %s[%c0] : memref<2xf64>
  %1 = arith.mulf %0, %0 : f64
  memref.store %1, %s[%c0] : memref<2xf64>
  return
}
// weights[1] * x^4 * state[1]
func.func @f(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  call @put(%x) : (f64) -> ()
  call @square() : () -> ()
  call @square() : () -> ()
  %s = memref.get_global @state : memref<2xf64>
  %w = memref.get_global @weights : memref<2xf64>
  %0 = memref.load %s[%c0] : memref<2xf64>
  %1 = memref.load %s[%c1] : memref<2xf64>
  %2 = memref.load %w[%c1] : memref<2xf64>
  %3 = arith.mulf %0, %1 : f64
  %4 = arith.mulf %2, %3 : f64
  return %4 : f64
}

func.func @main() {
  %x = arith.constant 2.0 : f64
  %dx = arith.constant 1.0 : f64
  // 7 * 5 * 2^4, 7 * 5 * 4 * 2^3
  // VALUE: 560, 1120
  %y, %dy = autodiff.fwddiff @f(dup(%x, %dx)) returns (active)
      : (f64, f64) -> (f64, f64)
  call @print2(%y, %dy) : (f64, f64) -> ()
  // What the first call left in the shadow does not count in the second.
  %zero = arith.constant 0.0 : f64
  // VALUE-NEXT: 560, 0
  %z, %dz = autodiff.fwddiff @f(dup(%x, %zero)) returns (active)
      : (f64, f64) -> (f64, f64)
  call @print2(%z, %dz) : (f64, f64) -> ()
  // The second derivative has shadows of its own: 2 7 5 4 3 2^2.
  // VALUE-NEXT: 2240, 3360
  %dy2, %ddy = autodiff.fwddiff @tangent(dup(%x, %dx)) returns (active)
      : (f64, f64) -> (f64, f64)
  call @print2(%dy2, %ddy) : (f64, f64) -> ()
  // VALUE-NEXT: 1120, 2240
  %directions = arith.constant dense<[1.0, 2.0, 0.0]> : vector<3xf64>
  %dw = autodiff.fwddiff @f(dup(%x, %directions)) returns (active_noneed)
      {width = 3} : (f64, vector<3xf64>) -> vector<3xf64>
  %dw0 = vector.extract %dw[0] : f64 from vector<3xf64>
  %dw1 = vector.extract %dw[1] : f64 from vector<3xf64>
  call @print2(%dw0, %dw1) : (f64, f64) -> ()
  return
}
func.func @tangent(%x: f64) -> f64 {
  %dx = arith.constant 2.0 : f64
  %0 = autodiff.fwddiff @f(dup(%x, %dx)) returns (active_noneed)
      : (f64, f64) -> f64
  return %0 : f64
}
func.func private @printF64(f64)
func.func private @printComma()
func.func private @printNewline()
func.func private @print2(%a: f64, %b: f64) {
  call @printF64(%a) : (f64) -> ()
  call @printComma() : () -> ()
  call @printF64(%b) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}
