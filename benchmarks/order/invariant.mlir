// Every iteration of the outer loop uses the same O(n) computation: a sum over
// functions of a and b, which do not change in the loop.
func.func private @series(%a: f64, %b: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %p = arith.mulf %a, %f : f64
    %q = math.sin %p : f64
    %r = arith.mulf %q, %b : f64
    %t = arith.addf %s, %r : f64
    scf.yield %t : f64
  }
  return %sum : f64
}
func.func @objective(%a: f64, %b: f64, %n: index) -> f64 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%total = %zero) -> f64 {
    %sum = func.call @series(%a, %b, %n) : (f64, f64, index) -> f64
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f64
    %q = arith.mulf %sum, %f : f64
    %d = arith.subf %q, %b : f64
    %s = arith.mulf %d, %d : f64
    %next = arith.addf %total, %s : f64
    scf.yield %next : f64
  }
  return %r : f64
}
func.func @gradient(%a: f64, %b: f64, %n: index) -> f64 attributes {llvm.emit_c_interface} {
  %one = arith.constant 1.0 : f64
  %da, %db = autodiff.autodiff @objective(active %a, active %b, const %n) returns (active_noneed(%one))
      : (f64, f64, index, f64) -> (f64, f64)
  %r = arith.addf %da, %db : f64
  return %r : f64
}
