// Names that mean something to the C runtime, or to the tool itself.
// RUN: ad-check %s --all | FileCheck %s
// CHECK-NOT: FAIL
// CHECK: 8 of 8 functions passed
// CHECK-NEXT: PASS

func.func @main(%x: f64) -> f64 {
  %0 = math.sin %x : f64
  return %0 : f64
}
func.func @sin(%x: f64) -> f64 {
  %0 = math.sin %x : f64
  return %0 : f64
}
func.func @erf(%x: f64) -> f64 {
  %0 = math.erf %x : f64
  return %0 : f64
}
func.func @malloc(%x: f64) -> f64 {
  %0 = math.sin %x : f64
  return %0 : f64
}
func.func @free(%x: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf64>
  memref.store %x, %m[%c1] : memref<4xf64>
  %0 = memref.load %m[%c1] : memref<4xf64>
  memref.dealloc %m : memref<4xf64>
  %1 = func.call @sin(%0) : (f64) -> f64
  return %1 : f64
}
func.func @__ad_check_primal_1(%x: f64) -> f64 {
  %0 = math.sin %x : f64
  return %0 : f64
}
func.func @with_c_interface(%x: f64) -> f64 attributes {
    llvm.emit_c_interface} {
  %0 = math.sin %x : f64
  return %0 : f64
}
func.func @"%s of \"names\""(%x: f64) -> f64 {
  %0 = math.sin %x : f64
  return %0 : f64
}
