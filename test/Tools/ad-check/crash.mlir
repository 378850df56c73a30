// Checked code that crashes, does not come back or has no derivative here does
// not take the tool with it.
// RUN: sh -c 'ad-check %s @out_of_bounds > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=CRASH
// RUN: sh -c 'ad-check %s @endless --timeout=1 > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=TIME
// RUN: sh -c 'ad-check %s @bad_adjoint --mode=reverse > %t 2>&1; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=ADJOINT
// RUN: sh -c 'ad-check %s @not_finite > %t 2>&1; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=FINITE
// RUN: sh -c 'ad-check %s @at_the_kink --mode=forward > %t 2>&1; test $? -eq 1'
// RUN: sh -c 'ad-check %s @infinite_slope > %t 2>&1; test $? -eq 1'

// CRASH: error: crash in the primal
func.func @out_of_bounds(%m: memref<4xf64>,
                         %i: index {autodiff.value = 1000000000000}) -> f64 {
  %0 = memref.load %m[%i] : memref<4xf64>
  return %0 : f64
}
// TIME: error: out of time in the primal
func.func @endless(%x: f64, %m: memref<1xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  scf.while : () -> () {
    memref.store %x, %m[%c0] : memref<1xf64>
    %0 = memref.load %m[%c0] : memref<1xf64>
    %1 = arith.cmpf ole, %0, %x : f64
    scf.condition(%1)
  } do {
    scf.yield
  }
  return %x : f64
}
// ADJOINT: error: crash in the derivative
func.func @bad_adjoint(%x: f64, %m: memref<4xf64>) -> f64 attributes {
    autodiff.rules = [#autodiff.rule<args = [active, dup], adjoint = @crash>]} {
  return %x : f64
}
func.func private @crash(%x: f64, %m: memref<4xf64>, %dm: memref<4xf64>,
                         %seed: f64) -> f64 {
  %far = arith.constant 1000000000000 : index
  %0 = memref.load %m[%far] : memref<4xf64>
  return %0 : f64
}
// FINITE: primal {{.*}}not finite; choose inputs {{.*}}FAIL
func.func @not_finite(%x: f64 {autodiff.domain = [-2.0, -1.0]}) -> f64 {
  %0 = math.log %x : f64
  return %0 : f64
}
func.func @at_the_kink(%x: f64 {autodiff.value = 0.0}) -> f64 {
  %zero = arith.constant 0.0 : f64
  %0 = arith.cmpf oge, %x, %zero : f64
  %1 = arith.select %0, %x, %zero : f64
  return %1 : f64
}
func.func @infinite_slope(%x: f64 {autodiff.value = 0.0}) -> f64 {
  %0 = math.sqrt %x : f64
  return %0 : f64
}
