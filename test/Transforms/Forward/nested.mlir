// RUN: ad-opt %s --ad-differentiate | FileCheck %s
// RUN: ad-opt %s --ad-differentiate --ad-lower-to-llvm | %run_main | FileCheck %s --check-prefix=VALUE

// Requests inside of what is differentiated are lowered first: derivatives of
// every order against closed forms.

// CHECK-NOT: autodiff.

// x^5 by multiplications in a loop, through memory.
func.func @f(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f64
  %m = memref.alloca() : memref<f64>
  memref.store %one, %m[] : memref<f64>
  scf.for %i = %c0 to %c5 step %c1 {
    %0 = memref.load %m[] : memref<f64>
    %1 = arith.mulf %0, %x : f64
    memref.store %1, %m[] : memref<f64>
  }
  %2 = memref.load %m[] : memref<f64>
  return %2 : f64
}
func.func @first(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %0 = autodiff.fwddiff @f(dup(%x, %one)) returns (active_noneed)
      : (f64, f64) -> f64
  return %0 : f64
}
func.func @second(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %0 = autodiff.fwddiff @first(dup(%x, %one)) returns (active_noneed)
      : (f64, f64) -> f64
  return %0 : f64
}
// Through a function that only calls.
func.func @indirect(%x: f64) -> f64 {
  %0 = call @second(%x) : (f64) -> f64
  return %0 : f64
}
func.func @third(%x: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %0 = autodiff.fwddiff @indirect(dup(%x, %one)) returns (active_noneed)
      : (f64, f64) -> f64
  return %0 : f64
}

// x^3 y^2; the mixed derivative is 6 x^2 y.
func.func @g(%x: f64, %y: f64) -> f64 {
  %0 = arith.mulf %x, %x : f64
  %1 = arith.mulf %0, %x : f64
  %2 = arith.mulf %y, %y : f64
  %3 = arith.mulf %1, %2 : f64
  return %3 : f64
}
func.func @g_x(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %0 = autodiff.fwddiff @g(dup(%x, %one), const %y) returns (active_noneed)
      : (f64, f64, f64) -> f64
  return %0 : f64
}
func.func @g_xy(%x: f64, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %0 = autodiff.fwddiff @g_x(const %x, dup(%y, %one)) returns (active_noneed)
      : (f64, f64, f64) -> f64
  return %0 : f64
}
// The tangent of a gradient is a row of the Hessian.
func.func @gradient(%x: f64, %y: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %0:2 = autodiff.autodiff @g(active %x, active %y)
      returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  return %0#0, %0#1 : f64, f64
}
// The gradient of a tangent, too.
func.func @gradient_of_tangent(%x: f64, %y: f64) -> (f64, f64) {
  %one = arith.constant 1.0 : f64
  %0:2 = autodiff.autodiff @g_x(active %x, active %y)
      returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  return %0#0, %0#1 : f64, f64
}

func.func @main() {
  %x = arith.constant 2.0 : f64
  %y = arith.constant 3.0 : f64
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %d0 = call @f(%x) : (f64) -> f64
  %d1 = call @first(%x) : (f64) -> f64
  %d2 = call @second(%x) : (f64) -> f64
  %d3 = call @third(%x) : (f64) -> f64
  %d4 = autodiff.fwddiff @third(dup(%x, %one)) returns (active_noneed)
      : (f64, f64) -> f64
  // 2^5, 5 2^4, 20 2^3, 60 2^2, 120 2
  // VALUE: 32, 80, 160, 240, 240
  call @print5(%d0, %d1, %d2, %d3, %d4)
      : (f64, f64, f64, f64, f64) -> ()

  %xy = call @g_xy(%x, %y) : (f64, f64) -> f64
  %h:2 = autodiff.fwddiff @gradient(dup(%x, %one), dup(%y, %zero))
      returns (active_noneed, active_noneed)
      : (f64, f64, f64, f64) -> (f64, f64)
  %k:2 = call @gradient_of_tangent(%x, %y) : (f64, f64) -> (f64, f64)
  // 6 2^2 3; 6 2 3^2 and the mixed one again
  // VALUE-NEXT: 72, 108, 72, 108, 72
  call @print5(%xy, %h#0, %h#1, %k#0, %k#1)
      : (f64, f64, f64, f64, f64) -> ()
  return
}
func.func private @printF64(f64)
func.func private @printComma()
func.func private @printNewline()
func.func private @print5(%a: f64, %b: f64, %c: f64, %d: f64, %e: f64) {
  call @printF64(%a) : (f64) -> ()
  call @printComma() : () -> ()
  call @printF64(%b) : (f64) -> ()
  call @printComma() : () -> ()
  call @printF64(%c) : (f64) -> ()
  call @printComma() : () -> ()
  call @printF64(%d) : (f64) -> ()
  call @printComma() : () -> ()
  call @printF64(%e) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}
