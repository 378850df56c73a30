// RUN: ad-opt %s --ad-differentiate | FileCheck %s

// Everything about one derivative is in its key: requests with the same key
// call the same function, whatever results they leave out.

func.func @f(%x: f64, %y: f64) -> (f64, f64) {
  %0 = arith.mulf %x, %y : f64
  %1 = math.sin %x : f64
  return %0, %1 : f64, f64
}

// A name that is taken stays what it is.
// CHECK-LABEL: func.func @f.forward() -> i32
func.func @f.forward() -> i32 {
  %c = arith.constant 7 : i32
  return %c : i32
}

// Order of arguments and results: each primal followed by its tangent.
// CHECK-LABEL: func.func @order(
// CHECK-SAME:    %[[X:.*]]: f64, %[[DX:.*]]: f64, %[[Y:.*]]: f64, %[[DY:.*]]: f64)
// CHECK-NEXT:    %[[R:.*]]:4 = call @[[BOTH:f.forward[_0-9]+]](%[[X]], %[[DX]], %[[Y]], %[[DY]])
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1, %[[R]]#2, %[[R]]#3
func.func @order(%x: f64, %dx: f64, %y: f64, %dy: f64)
    -> (f64, f64, f64, f64) {
  %0:4 = autodiff.fwddiff @f(dup(%x, %dx), dup(%y, %dy))
      returns (active, active)
      : (f64, f64, f64, f64) -> (f64, f64, f64, f64)
  return %0#0, %0#1, %0#2, %0#3 : f64, f64, f64, f64
}

// CHECK-LABEL: func.func @noneed(
// CHECK:         %[[R:.*]]:4 = call @[[BOTH]](
// CHECK-NEXT:    return %[[R]]#1, %[[R]]#3
func.func @noneed(%x: f64, %dx: f64) -> (f64, f64) {
  %0:2 = autodiff.fwddiff @f(dup_noneed(%x, %dx), dup(%x, %dx))
      returns (active_noneed, active_noneed)
      : (f64, f64, f64, f64) -> (f64, f64)
  return %0#0, %0#1 : f64, f64
}

// A constant result, a constant argument: another function.
// CHECK-LABEL: func.func @partly(
// CHECK:         %[[R:.*]]:3 = call @[[PARTLY:f.forward[_0-9]+]](%{{.*}}, %{{.*}}, %{{.*}}) : (f64, f64, f64) -> (f64, f64, f64)
// CHECK-NEXT:    return %[[R]]#1
func.func @partly(%x: f64, %dx: f64) -> f64 {
  %0 = autodiff.fwddiff @f(dup(%x, %dx), const %x)
      returns (active_noneed, const_noneed) : (f64, f64, f64) -> f64
  return %0 : f64
}

// Options are part of the key.
// CHECK-LABEL: func.func @wide(
// CHECK-NOT:     @[[PARTLY]](
// CHECK:         call @f.forward{{[_0-9]+}}(%{{.*}}) : (f64, vector<2xf64>, f64) -> (f64, vector<2xf64>, f64)
func.func @wide(%x: f64, %dx: vector<2xf64>) -> vector<2xf64> {
  %0 = autodiff.fwddiff @f(dup(%x, %dx), const %x)
      returns (active_noneed, const_noneed) {width = 2}
      : (f64, vector<2xf64>, f64) -> vector<2xf64>
  return %0 : vector<2xf64>
}
// CHECK-LABEL: func.func @strong(
// CHECK-NOT:     @[[PARTLY]](
// CHECK:         call @f.forward
func.func @strong(%x: f64, %dx: f64) -> f64 {
  %0 = autodiff.fwddiff @f(dup(%x, %dx), const %x)
      returns (active_noneed, const_noneed) {strong_zero}
      : (f64, f64, f64) -> f64
  return %0 : f64
}

// A request may stand in a function of another dialect.
// CHECK-LABEL: llvm.func @in_llvm(
// CHECK:         func.call @[[PARTLY]](
llvm.func @in_llvm(%x: f64, %dx: f64) -> f64 {
  %0 = autodiff.fwddiff @f(dup(%x, %dx), const %x)
      returns (active_noneed, const_noneed) : (f64, f64, f64) -> f64
  llvm.return %0 : f64
}

// A request may stand in a region.
// CHECK-LABEL: func.func @in_region(
// CHECK:         scf.if
// CHECK:           call @[[PARTLY]](
func.func @in_region(%x: f64, %c: i1) -> f64 {
  %0 = scf.if %c -> f64 {
    %1 = autodiff.fwddiff @f(dup(%x, %x), const %x)
        returns (active_noneed, const_noneed) : (f64, f64, f64) -> f64
    scf.yield %1 : f64
  } else {
    scf.yield %x : f64
  }
  return %0 : f64
}
// CHECK-NOT: autodiff.
