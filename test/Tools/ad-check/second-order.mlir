// RUN: ad-check %s --all --second-order | FileCheck %s
// CHECK: @product(
// CHECK: gradient: dot product 0 {{.*}} ok
// CHECK: tangent: dot product 0 {{.*}} ok
// CHECK: Hessian is symmetric {{.*}} ok
// CHECK: Hessian by both nestings {{.*}} ok
// CHECK: PASS @product
// CHECK: PASS @in_place
func.func @product(%x: f64, %m: memref<3xf64>, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[%c0] : memref<3xf64>
  %1 = memref.load %m[%c1] : memref<3xf64>
  %2 = math.sin %0 : f64
  %3 = arith.mulf %2, %1 : f64
  %4 = arith.mulf %3, %x : f64
  %5 = math.exp %y : f64
  %6 = arith.mulf %4, %5 : f64
  return %6 : f64
}
func.func @in_place(%m: memref<?xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %m[%i] : memref<?xf64>
    %1 = arith.mulf %0, %0 : f64
    %2 = arith.mulf %1, %x : f64
    memref.store %2, %m[%i] : memref<?xf64>
  }
  return
}
