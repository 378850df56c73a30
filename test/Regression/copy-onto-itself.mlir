// RUN: ad-check %s --all

// Two arguments are the same memory, so that a copy leaves it as it is; its
// adjoint must not clear the shadow.

func.func private @copies(%a: memref<3xf64>, %b: memref<3xf64>) {
  memref.copy %a, %b : memref<3xf64> to memref<3xf64>
  return
}

func.func @copy_onto_itself(%a: memref<3xf64>) -> f64 {
  %one = arith.constant 1 : index
  call @copies(%a, %a) : (memref<3xf64>, memref<3xf64>) -> ()
  %0 = memref.load %a[%one] : memref<3xf64>
  %1 = math.sin %0 : f64
  return %1 : f64
}
