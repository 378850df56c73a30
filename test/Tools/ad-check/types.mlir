// Every type that can be passed.
// RUN: ad-check %s --all --width=3 | FileCheck %s
// RUN: ad-check %s --all --order=after | FileCheck %s
// CHECK-NOT: FAIL
// CHECK: 12 of 12 functions passed
// CHECK-NEXT: PASS

func.func @f32(%x: f32, %y: f32) -> f32 {
  %0 = math.exp %x : f32
  %1 = arith.divf %0, %y : f32
  return %1 : f32
}
func.func @f16(%x: f16, %y: f16) -> f16 {
  %0 = math.exp %x : f16
  %1 = arith.divf %0, %y : f16
  return %1 : f16
}
func.func @bf16(%x: bf16, %y: bf16) -> bf16 {
  %0 = math.exp %x : bf16
  %1 = arith.divf %0, %y : bf16
  return %1 : bf16
}
func.func @mixed(%x: f32, %y: f64) -> (bf16, f32) {
  %constant = arith.constant 0.1 : f32
  %0 = arith.extf %x : f32 to f64
  %1 = arith.mulf %0, %y : f64
  %2 = arith.truncf %1 : f64 to f32
  %3 = arith.addf %2, %constant : f32
  %4 = arith.truncf %1 : f64 to bf16
  return %4, %3 : bf16, f32
}
func.func @vector(%x: vector<3xf64>, %y: vector<2x3xf32>)
    -> (vector<3xf64>, vector<2x3xf32>) {
  %0 = math.sin %x : vector<3xf64>
  %1 = arith.mulf %y, %y : vector<2x3xf32>
  return %0, %1 : vector<3xf64>, vector<2x3xf32>
}
func.func @memory(%m: memref<?x3xf64>, %i: index) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %m[%i, %c0] : memref<?x3xf64>
  %1 = math.sin %0 : f64
  memref.store %1, %m[%c0, %c0] : memref<?x3xf64>
  return
}
func.func @memory_of_vectors(%m: memref<?xvector<3xf32>>) -> vector<3xf32> {
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[%c1] : memref<?xvector<3xf32>>
  %1 = arith.mulf %0, %0 : vector<3xf32>
  memref.store %1, %m[%c1] : memref<?xvector<3xf32>>
  return %1 : vector<3xf32>
}
func.func @strided(%m: memref<?x?xf64, strided<[?, 2], offset: ?>>) -> f64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = memref.load %m[%c1, %c2] : memref<?x?xf64, strided<[?, 2], offset: ?>>
  %1 = math.sin %0 : f64
  memref.store %1, %m[%c2, %c1] : memref<?x?xf64, strided<[?, 2], offset: ?>>
  return %1 : f64
}
func.func @returned_memory(%x: f64) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc(%c2) : memref<?xf64>
  %0 = math.sin %x : f64
  memref.store %x, %m[%c0] : memref<?xf64>
  memref.store %0, %m[%c1] : memref<?xf64>
  return %m : memref<?xf64>
}
func.func @integers(%x: f64, %i: i32, %m: memref<?xi8>, %b: i1)
    -> (f64, i32, i1) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %m[%c0] : memref<?xi8>
  %1 = arith.extsi %0 : i8 to i32
  %2 = arith.addi %1, %i : i32
  memref.store %0, %m[%c0] : memref<?xi8>
  %3 = arith.mulf %x, %x : f64
  return %3, %2, %b : f64, i32, i1
}
func.func @index_vector(%x: f64, %i: vector<2xindex>, %b: vector<3xi1>)
    -> (f64, vector<2xindex>, vector<3xi1>) {
  %0 = math.cos %x : f64
  return %0, %i, %b : f64, vector<2xindex>, vector<3xi1>
}
func.func @no_elements(%x: f64, %m: memref<?xf64> {autodiff.sizes = [0]})
    -> f64 {
  %0 = math.cos %x : f64
  return %0 : f64
}
