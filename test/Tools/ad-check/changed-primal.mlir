// A rule that returns another primal result, or leaves other memory, than the
// function itself.
// RUN: sh -c 'ad-check %s @result --mode=forward > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=RESULT
// RUN: sh -c 'ad-check %s @memory --mode=forward > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=MEMORY

// RESULT: primal in forward mode 1 numbers differ, first in result 0{{ +}}FAIL
func.func @result(%x: f64) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active], tangent = @result_tangent>]} {
  %0 = arith.addf %x, %x : f64
  return %0 : f64
}
func.func private @result_tangent(%x: f64, %dx: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %0 = arith.addf %x, %one : f64
  %1 = arith.addf %dx, %dx : f64
  return %0, %1 : f64, f64
}

// MEMORY: primal in forward mode 1 numbers differ, first in memory of argument 0{{ *}}FAIL
func.func @memory(%m: memref<3xf64>) attributes {autodiff.rules = [
    #autodiff.rule<args = [dup], tangent = @memory_tangent>]} {
  return
}
func.func private @memory_tangent(%m: memref<3xf64>, %dm: memref<3xf64>) {
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  memref.store %zero, %m[%c1] : memref<3xf64>
  return
}
