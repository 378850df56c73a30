// Tensors go in and out by value.
// RUN: ad-check %s --all | FileCheck %s
// RUN: ad-check %s --all --second-order | FileCheck %s
// CHECK-NOT: FAIL
// CHECK: 2 of 2 functions passed
// CHECK-NEXT: PASS
func.func @tensor(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = math.sin %x : tensor<4xf64>
  return %0 : tensor<4xf64>
}
func.func @dynamic_tensor(%x: tensor<?x2xf64>) -> tensor<?x2xf64> {
  %0 = arith.mulf %x, %x : tensor<?x2xf64>
  return %0 : tensor<?x2xf64>
}
