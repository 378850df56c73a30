// RUN: ad-check %s --all --mode=forward | FileCheck %s
// RUN: ad-check %s @atomic_old --second-order | FileCheck %s --check-prefix=REVERSE
// CHECK-NOT: FAIL
// CHECK: 2 of 2 functions passed
// CHECK-NEXT: PASS
// REVERSE: PASS @atomic_old

// A sum that many add to.
func.func @atomic_sum(%m: memref<?xf64> {autodiff.sizes = [7]},
                      %sum: memref<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %m[%i] : memref<?xf64>
    %1 = arith.mulf %0, %0 : f64
    %2 = memref.atomic_rmw addf %1, %sum[] : (f64, memref<f64>) -> f64
  }
  return
}

func.func @atomic_old(%m: memref<3xf64>, %x: f64) -> f64 {
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f64
  %0 = arith.mulf %x, %x : f64
  %1 = memref.atomic_rmw addf %0, %m[%c1] : (f64, memref<3xf64>) -> f64
  %2 = math.sin %1 : f64
  %3 = memref.atomic_rmw addf %two, %m[%c1] : (f64, memref<3xf64>) -> f64
  %4 = arith.mulf %2, %3 : f64
  return %4 : f64
}
