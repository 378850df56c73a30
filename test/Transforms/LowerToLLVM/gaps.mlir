// What no chain of upstream conversions lowers by itself.
// RUN: ad-opt %s --ad-lower-to-llvm | FileCheck %s
// RUN: ad-opt %s --ad-lower-to-llvm | mlir-translate --mlir-to-llvmir -o %t

// CHECK-LABEL: llvm.func @sincos
// CHECK: llvm.intr.sin
// CHECK: llvm.intr.cos
func.func @sincos(%x: vector<2x3xf64>) -> (vector<2x3xf64>, vector<2x3xf64>) {
  %0, %1 = math.sincos %x : vector<2x3xf64>
  return %0, %1 : vector<2x3xf64>, vector<2x3xf64>
}

// CHECK-LABEL: llvm.func @vector_powers
// CHECK-COUNT-4: llvm.call @__mlir_math_fpowi_f64_i32
func.func @vector_powers(%x: vector<4xf64>, %n: vector<4xi32>)
    -> vector<4xf64> {
  %0 = math.fpowi %x, %n : vector<4xf64>, vector<4xi32>
  return %0 : vector<4xf64>
}

// CHECK-LABEL: llvm.func @classes
// CHECK: llvm.fcmp "uno"
// CHECK: llvm.intr.fabs
// CHECK: llvm.fcmp "oeq"
// CHECK: llvm.fcmp "olt"
// CHECK: llvm.fcmp "oge"
func.func @classes(%x: f32) -> (i1, i1, i1) {
  %0 = math.isnan %x : f32
  %1 = math.isinf %x : f32
  %2 = math.isnormal %x : f32
  return %0, %1, %2 : i1, i1, i1
}

// Two functions in a row: the value in between is rounded to the type.
// CHECK-LABEL: llvm.func @half
// CHECK: llvm.fpext
// CHECK: llvm.intr.exp
// CHECK: llvm.fptrunc %{{[0-9]+}} : f32 to f16
// CHECK: llvm.fpext
// CHECK: llvm.intr.sin
// CHECK-NOT: contract
func.func @half(%x: f16) -> f16 {
  %0 = math.exp %x : f16
  %1 = math.sin %0 : f16
  return %1 : f16
}

// bf16 needs no function of the C runtime.
// CHECK-LABEL: llvm.func @brain
// CHECK-NOT: llvm.fptrunc
// CHECK: llvm.lshr
// CHECK: llvm.return
func.func @brain(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.mulf %x, %y : bf16
  %1 = math.exp %0 : bf16
  return %1 : bf16
}

// CHECK-LABEL: llvm.func @strided_copy
// CHECK-NOT: memrefCopy
// CHECK: llvm.cond_br
func.func @strided_copy(%m: memref<?x?xf64, strided<[?, 2]>>,
                        %n: memref<?x?xf64>) {
  memref.copy %m, %n : memref<?x?xf64, strided<[?, 2]>> to memref<?x?xf64>
  return
}

// CHECK-LABEL: llvm.func @tensor
// CHECK: llvm.intr.sin
func.func @tensor(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = math.sin %x : tensor<4xf64>
  return %0 : tensor<4xf64>
}

// Functions without side effect are intrinsics where there is one.
// CHECK-LABEL: llvm.func @functions
// CHECK: llvm.intr.tanh
// CHECK: llvm.call @erf
// The value is first compared with the lower bound.
// CHECK: llvm.fcmp "ugt" %arg0, %arg1
// CHECK: llvm.fcmp "ult" {{.*}}, %arg2
func.func @functions(%x: f64, %low: f64, %high: f64) -> (f64, f64, f64) {
  %0 = math.tanh %x : f64
  %1 = math.erf %x : f64
  %2 = math.clampf %x to [%low, %high] : f64
  return %0, %1, %2 : f64, f64, f64
}

// CHECK-LABEL: llvm.func @attributes
// CHECK-NOT: autodiff
// CHECK: llvm.return
func.func @attributes(%x: f64 {autodiff.domain = [0.0, 1.0]}) -> f64
    attributes {autodiff.inactive} {
  return %x : f64
}
