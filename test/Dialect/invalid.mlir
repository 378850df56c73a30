// RUN: ad-opt %s -split-input-file -verify-diagnostics

func.func @r(%x: f64) {
  // expected-error @+1 {{expects the name of a function, but @nowhere is not one}}
  autodiff.autodiff @nowhere(const %x) : (f64) -> ()
  return
}

// -----

func.func private @f(f64, index) -> f64
func.func @r(%x: f64) {
  // expected-error @+1 {{expects an activity for each of the 2 arguments of @f, got 1}}
  %0 = autodiff.autodiff @f(const %x) returns (const) : (f64) -> f64
  return
}

// -----

func.func private @f(f64) -> f64
func.func @r(%x: f64) {
  // expected-error @+1 {{expects an activity for each of the 1 results of @f, got 0}}
  autodiff.autodiff @f(const %x) : (f64) -> ()
  return
}

// -----

func.func private @f(f64) -> f64
func.func @r(%x: f64) {
  // expected-error @+1 {{expects a width of at least 1, got 0}}
  %0 = autodiff.autodiff @f(const %x) returns (const) {width = 0 : i64} : (f64) -> f64
  return
}

// -----

func.func private @f(index)
func.func @r(%n: index) {
  // expected-error @+1 {{argument #0 of type 'index' cannot be 'active': the type carries no derivative, expected 'const'}}
  %0 = autodiff.autodiff @f(active %n) : (index) -> index
  return
}

// -----

func.func private @f(memref<?xf64>)
func.func @r(%m: memref<?xf64>) {
  // expected-error @+1 {{memory is differentiated through a shadow, expected 'dup', 'dup_noneed' or 'const'}}
  %0 = autodiff.autodiff @f(active %m) : (memref<?xf64>) -> memref<?xf64>
  return
}

// -----

func.func private @f(f64)
func.func @r(%x: f64) {
  // expected-error @+1 {{the gradient of a value is returned, expected 'active' or 'const'}}
  autodiff.autodiff @f(dup(%x, %x)) : (f64, f64) -> ()
  return
}

// -----

func.func private @f(f64)
func.func @r(%x: f64) {
  // expected-error @+1 {{forward mode takes a tangent, expected 'dup'}}
  autodiff.fwddiff @f(active %x) : (f64) -> ()
  return
}

// -----

func.func private @f(f64)
func.func @r(%x: f64) {
  // expected-error @+1 {{this activity is for results}}
  autodiff.fwddiff @f(active_noneed %x) : (f64) -> ()
  return
}

// -----

func.func private @f(f64) -> f64
func.func @r(%x: f64) {
  // expected-error @+1 {{result #0 of type 'f64' cannot be 'dup': expected 'active', 'const', 'active_noneed' or 'const_noneed'}}
  %0 = autodiff.fwddiff @f(const %x) returns (dup) : (f64) -> f64
  return
}

// -----

func.func private @f(f64) -> index
func.func @r(%x: f64) {
  // expected-error @+1 {{result #0 of type 'index' cannot be 'active': the type carries no derivative}}
  %0 = autodiff.fwddiff @f(const %x) returns (active) : (f64) -> index
  return
}

// -----

func.func private @f(f64) -> memref<?xf64>
func.func @r(%x: f64, %m: memref<?xf64>) {
  // expected-error @+1 {{a returned reference takes no seed}}
  %0 = autodiff.autodiff @f(const %x) returns (active(%m)) : (f64, memref<?xf64>) -> memref<?xf64>
  return
}

// -----

func.func private @f(f64) -> f64
func.func @r(%x: f32) {
  // expected-error @+1 {{expects operand #0 to be argument #0 of type 'f64', got 'f32'}}
  %0 = autodiff.autodiff @f(const %x) returns (const) : (f32) -> f64
  return
}

// -----

func.func private @f(memref<?xf64>)
func.func @r(%m: memref<?xf64>, %d: memref<?xf32>) {
  // expected-error @+1 {{expects operand #1 to be the shadow of argument #0 of type 'memref<?xf64>', got 'memref<?xf32>'}}
  autodiff.autodiff @f(dup(%m, %d)) : (memref<?xf64>, memref<?xf32>) -> ()
  return
}

// -----

func.func private @f(f64) -> f64
func.func @r(%x: f64) {
  // expected-error @+1 {{expects operand #1 to be the tangent of argument #0 of type 'vector<4xf64>', got 'f64'}}
  %0:2 = autodiff.fwddiff @f(dup(%x, %x)) returns (active) {width = 4 : i64} : (f64, f64) -> (f64, vector<4xf64>)
  return
}

// -----

func.func private @f(f64) -> f64
func.func @r(%x: f64) {
  // expected-error @+1 {{expects the seed of result #0 of type 'f64' as operand #1, but there are only 1 operands}}
  %0:2 = "autodiff.autodiff"(%x) <{arg_activity = [#autodiff.activity<active>], callee = @f, result_activity = [#autodiff.activity<active>]}> : (f64) -> (f64, f64)
  return
}

// -----

func.func private @f(f64) -> f64
func.func @r(%x: f64) {
  // expected-error @+1 {{expects 2 operands for these activities, got 3}}
  %0:2 = "autodiff.autodiff"(%x, %x, %x) <{arg_activity = [#autodiff.activity<active>], callee = @f, result_activity = [#autodiff.activity<active>]}> : (f64, f64, f64) -> (f64, f64)
  return
}

// -----

func.func private @f(f64) -> f64
func.func @r(%x: f64) {
  // expected-error @+1 {{expects the gradient of argument #0 of type 'f64' as result #1, but there are only 1 results}}
  %0 = autodiff.autodiff @f(active %x) returns (active(%x)) : (f64, f64) -> f64
  return
}

// -----

func.func private @f(f64) -> f64
func.func @r(%x: f64) {
  // expected-error @+1 {{expects 1 results for these activities, got 2}}
  %0:2 = autodiff.autodiff @f(const %x) returns (const) : (f64) -> (f64, f64)
  return
}

// -----

func.func private @f(complex<f64>) -> f64
func.func @r(%z: complex<f64>) {
  // expected-error @+1 {{complex numbers have no vector mode}}
  %0 = autodiff.fwddiff @f(dup(%z, %z)) returns (const) {width = 2 : i64} : (complex<f64>, complex<f64>) -> f64
  return
}

// -----

func.func @r(%x: f64) {
  // expected-error @+1 {{expected an activity, got 'lively'}}
  autodiff.autodiff @f(lively %x) : (f64) -> ()
  return
}

// -----

func.func @r(%m: memref<?xf64>) {
  // expected-error @+1 {{takes a value, got the reference 'memref<?xf64>'; stop the gradient of what is loaded from it}}
  %0 = autodiff.stop_gradient %m : memref<?xf64>
  return
}

// -----

func.func @t(%n: index) {
  // expected-error @+1 {{expects 2 sizes for a tape of rank 2, got 1}}
  %t = autodiff.tape_create(%n) : !autodiff.tape<2 x f64>
  return
}

// -----

func.func @t(%n: index, %t: !autodiff.tape<1 x f64>) {
  // expected-error @+1 {{expects 1 indices for a tape of rank 1, got 2}}
  %v = autodiff.tape_read %t[%n, %n] : !autodiff.tape<1 x f64>
  return
}

// -----

func.func @t(%t: !autodiff.tape<1 x f64>, %v: f64) {
  // expected-error @+1 {{expects 1 indices for a tape of rank 1, got 0}}
  autodiff.tape_write %v, %t[] : !autodiff.tape<1 x f64>
  return
}

// -----

// expected-error @+1 {{unknown attribute 'autodiff.inactiv'}}
func.func private @f(f64) attributes {autodiff.inactiv}

// -----

// expected-error @+1 {{'autodiff.inactive' takes no value, got 1}}
func.func private @f(f64) attributes {autodiff.inactive = 1}

// -----

func.func @f() {
  // expected-error @+1 {{'autodiff.inactive' belongs on a function}}
  %c = arith.constant {autodiff.inactive} 1 : index
  return
}

// -----

// expected-error @+1 {{'autodiff.rules' expects an array of #autodiff.rule, got [1]}}
func.func private @f(f64) attributes {autodiff.rules = [1]}

// -----

// expected-error @+1 {{rule #0 expects an activity for each of the 1 arguments, got 2}}
func.func private @f(f64) attributes {autodiff.rules = [#autodiff.rule<args = [active, const]>]}

// -----

// expected-error @+1 {{rule #0 expects 'const' or 'active' for argument #0 of type 'f64', got 'dup'}}
func.func private @f(f64) attributes {autodiff.rules = [#autodiff.rule<args = [dup]>]}

// -----

// expected-error @+1 {{rule #0 expects 'const' for argument #0 of type 'i32', which carries no derivative}}
func.func private @f(i32) attributes {autodiff.rules = [#autodiff.rule<args = [active]>]}

// -----

// expected-error @+1 {{rule #0 expects the name of a function as 'tangent', but @g is not one}}
func.func private @f(f64) attributes {autodiff.rules = [#autodiff.rule<args = [active], tangent = @g>]}

// -----

// expected-error @+1 {{rule #0 expects 'tangent' @g to be of type '(f64, f64) -> (f64, f64)', got '(f64) -> f64'}}
func.func private @f(f64) -> f64 attributes {autodiff.rules = [#autodiff.rule<args = [active], tangent = @g>]}
func.func private @g(f64) -> f64

// -----

// expected-error @+1 {{rule #0 expects 'adjoint' @g to be of type '(f64, f64) -> f64', got '(f64) -> f64'}}
func.func private @f(f64) -> f64 attributes {autodiff.rules = [#autodiff.rule<args = [active], adjoint = @g>]}
func.func private @g(f64) -> f64

// -----

// expected-error @+1 {{rule #0 expects 'augmented' @g to take the arguments of the function and to return its results, then the tape; got '(f64) -> index'}}
func.func private @f(f64) -> f64 attributes {autodiff.rules = [#autodiff.rule<args = [active], augmented = @g, adjoint = @g>]}
func.func private @g(f64) -> index

// -----

// expected-error @+1 {{rule #0 has 'augmented' without 'adjoint'}}
func.func private @f(f64) -> f64 attributes {autodiff.rules = [#autodiff.rule<args = [active], augmented = @g>]}
func.func private @g(f64) -> f64

// -----

// expected-error @+1 {{rule #1 has the activities of an earlier one}}
func.func private @f(f64) attributes {autodiff.rules = [#autodiff.rule<args = [const]>, #autodiff.rule<args = [const]>]}

// -----

// expected-error @+1 {{'autodiff.domain' of argument #0 expects [low, high], got [1.000000e+00]}}
func.func private @f(f64 {autodiff.domain = [1.0]})

// -----

// expected-error @+1 {{'autodiff.nowhere' of argument #0 is unknown}}
func.func private @f(f64 {autodiff.nowhere})

// -----

// expected-error @+1 {{'autodiff.noalias' of argument #0 takes no value}}
func.func private @f(memref<?xf64> {autodiff.noalias = 1})

// -----

// expected-error @+1 {{'autodiff.value' of argument #0 expects a number or an array of numbers, got "one"}}
func.func private @f(f64 {autodiff.value = "one"})

// -----

// expected-error @+1 {{'autodiff.range' of argument #0 expects [low, high] of integers, got [0.000000e+00, 1.000000e+00]}}
func.func private @f(i32 {autodiff.range = [0.0, 1.0]})

// -----

// expected-error @+1 {{'autodiff.sizes' of argument #0 expects an array of integers, got 3 : i64}}
func.func private @f(memref<?xf64> {autodiff.sizes = 3})

// -----

// expected-error @+1 {{'autodiff.alias' of argument #1 expects the number of an argument, got @f}}
func.func private @f(memref<?xf64>, memref<?xf64> {autodiff.alias = @f})
