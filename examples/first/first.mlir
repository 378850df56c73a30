func.func @f(%x: f64) -> f64 {
  %s = math.sin %x : f64
  %y = arith.mulf %s, %x : f64
  return %y : f64
}

func.func @gradient(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %dx = autodiff.autodiff @f(active %x) returns (active_noneed(%one))
      : (f64, f64) -> f64
  return %dx : f64
}
