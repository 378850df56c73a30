// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before

func.func @single_precision(%x: f32, %m: memref<?xf32> {autodiff.sizes = [4]}) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
    %v = memref.load %m[%i] : memref<?xf32>
    %p = arith.mulf %v, %a : f32
    %s = math.sin %p : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// Sums in double, products in single precision.
func.func @mixed_precision(%m: memref<?xf32> {autodiff.sizes = [5]}, %w: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %m, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> f64 {
    %v = memref.load %m[%i] : memref<?xf32>
    %p = arith.mulf %v, %v : f32
    %e = arith.extf %p : f32 to f64
    %q = arith.mulf %e, %w : f64
    %s = arith.addf %q, %a : f64
    scf.yield %s : f64
  }
  %t = arith.truncf %r : f64 to f32
  %u = math.sin %t : f32
  %y = arith.extf %u : f32 to f64
  return %y : f64
}

func.func @half_precision(%x: f16, %y: f16) -> f16 {
  %p = arith.mulf %x, %y : f16
  %s = math.sin %p : f16
  %q = arith.addf %s, %x : f16
  return %q : f16
}

func.func @brain_float(%x: bf16, %y: bf16) -> bf16 {
  %p = arith.mulf %x, %y : bf16
  %q = arith.addf %p, %x : bf16
  return %q : bf16
}

func.func @vectors(%x: vector<4xf64>, %y: vector<4xf64>, %m: memref<?xvector<4xf64>> {autodiff.sizes = [3]}) -> vector<4xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xvector<4xf64>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> vector<4xf64> {
    %v = memref.load %m[%i] : memref<?xvector<4xf64>>
    %p = arith.mulf %v, %a : vector<4xf64>
    %s = math.sin %p : vector<4xf64>
    %q = arith.divf %s, %y : vector<4xf64>
    memref.store %q, %m[%i] : memref<?xvector<4xf64>>
    scf.yield %q : vector<4xf64>
  }
  return %r : vector<4xf64>
}

func.func @vector_select(%x: vector<3xf64>, %y: vector<3xf64>) -> vector<3xf64> {
  %c = arith.cmpf olt, %x, %y : vector<3xf64>
  %a = arith.select %c, %x, %y : vector<3xi1>, vector<3xf64>
  %b = arith.maximumf %x, %y : vector<3xf64>
  %p = arith.mulf %a, %b : vector<3xf64>
  return %p : vector<3xf64>
}

func.func @tensors(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %p = arith.mulf %x, %y : tensor<4xf64>
  %s = math.sin %p : tensor<4xf64>
  %q = arith.addf %s, %x : tensor<4xf64>
  return %q : tensor<4xf64>
}

// Integers decide and count, and carry nothing.
func.func @integers_beside(%x: f64 {autodiff.domain = [0.3, 0.35]}, %k: i32 {autodiff.value = 2}, %n: i64 {autodiff.value = 3}) -> (f64, i32, i64) {
  %f = arith.sitofp %k : i32 to f64
  %p = arith.mulf %x, %f : f64
  %q = math.fpowi %p, %k : f64, i32
  %r = arith.fptosi %q : f64 to i32
  %s = math.floor %q : f64
  %d = arith.subf %q, %s : f64
  %e = arith.mulf %d, %x : f64
  %t = arith.addi %n, %n : i64
  return %e, %r, %t : f64, i32, i64
}

func.func @index_arithmetic(%m: memref<?x?xf64> {autodiff.sizes = [3, 3]}, %i: index {autodiff.value = 1}) -> f64 {
  %c2 = arith.constant 2 : index
  %j = arith.muli %i, %c2 : index
  %k = arith.subi %j, %i : index
  %a = memref.load %m[%j, %k] : memref<?x?xf64>
  %b = memref.load %m[%k, %j] : memref<?x?xf64>
  %p = arith.mulf %a, %b : f64
  memref.store %p, %m[%k, %k] : memref<?x?xf64>
  %c = memref.load %m[%i, %i] : memref<?x?xf64>
  %q = arith.mulf %c, %a : f64
  return %q : f64
}
