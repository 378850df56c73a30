// RUN: ad-check %s --all | FileCheck %s
// RUN: ad-check %s --all --second-order --width=2 | FileCheck %s
// CHECK-NOT: FAIL
// CHECK: 6 of 6 functions passed
// CHECK-NEXT: PASS

// Each of these has a result that is not finite, or reads outside of its
// memory, for other inputs than those asked for.
func.func @domain(%x: f64 {autodiff.domain = [-3.0, -1]}) -> f64 {
  %0 = arith.negf %x : f64
  %1 = math.log %0 : f64
  return %1 : f64
}
func.func @values(%i: index {autodiff.value = 40},
                  %m: memref<?xf64> {autodiff.sizes = [41]},
                  %x: f64 {autodiff.value = -2.5}) -> f64 {
  %0 = memref.load %m[%i] : memref<?xf64>
  %1 = arith.negf %x : f64
  %2 = math.log %1 : f64
  %3 = arith.mulf %0, %2 : f64
  return %3 : f64
}
func.func @range(%indices: memref<9xindex> {autodiff.range = [1000, 1001]},
                 %m: memref<?xf64> {autodiff.sizes = [2]}) -> f64 {
  %c8 = arith.constant 8 : index
  %c1000 = arith.constant 1000 : index
  %0 = memref.load %indices[%c8] : memref<9xindex>
  %1 = arith.subi %0, %c1000 : index
  %2 = memref.load %m[%1] : memref<?xf64>
  %3 = arith.mulf %2, %2 : f64
  return %3 : f64
}
func.func @contents(%indices: memref<3xi32> {autodiff.value = [7, 0, 5]},
                    %m: memref<8xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = memref.load %indices[%c0] : memref<3xi32>
  %1 = arith.index_cast %0 : i32 to index
  %2 = memref.load %m[%1] : memref<8xf64>
  %3 = memref.load %indices[%c2] : memref<3xi32>
  %4 = arith.index_cast %3 : i32 to index
  %5 = memref.load %m[%4] : memref<8xf64>
  %6 = arith.mulf %2, %5 : f64
  return %6 : f64
}
// m[1] = sin(m[1]); m[0] = m[1], through two names for one memory.
func.func @alias(%m: memref<?xf64>, %n: memref<?xf64> {autodiff.alias = 0}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[%c1] : memref<?xf64>
  %1 = math.sin %0 : f64
  memref.store %1, %n[%c1] : memref<?xf64>
  %2 = memref.load %m[%c1] : memref<?xf64>
  memref.store %2, %n[%c0] : memref<?xf64>
  return
}
// Near a kink the differences must not step over it.
func.func @kink(%x: f64 {autodiff.value = 0.001}) -> f64 {
  %0 = math.absf %x : f64
  return %0 : f64
}
func.func private @not_checked(%x: f64) -> f64 {
  %0 = math.log %x : f64
  return %0 : f64
}
func.func @skipped(%x: f64) -> f64 attributes {autodiff.skip_check} {
  %0 = math.log %x : f64
  return %0 : f64
}
