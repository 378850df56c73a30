// RUN: ad-check %s --all

// f(x, y) = x y^2, known only by its rules.
func.func private @f(%x: f64, %y: f64) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active, active], tangent = @f_tangent, augmented = @f_augmented, adjoint = @f_adjoint>]} {
  %a = arith.mulf %x, %y : f64
  %b = arith.mulf %a, %y : f64
  return %b : f64
}
func.func private @f_tangent(%x: f64, %dx: f64, %y: f64, %dy: f64) -> (f64, f64) {
  %two = arith.constant 2.0 : f64
  %xy = arith.mulf %x, %y : f64
  %r = arith.mulf %xy, %y : f64
  %yy = arith.mulf %y, %y : f64
  %a = arith.mulf %yy, %dx : f64
  %t = arith.mulf %two, %xy : f64
  %b = arith.mulf %t, %dy : f64
  %d = arith.addf %a, %b : f64
  return %r, %d : f64, f64
}
func.func private @f_augmented(%x: f64, %y: f64) -> (f64, f64) {
  %xy = arith.mulf %x, %y : f64
  %r = arith.mulf %xy, %y : f64
  return %r, %xy : f64, f64
}
func.func private @f_adjoint(%x: f64, %y: f64, %xy: f64, %seed: f64) -> (f64, f64) {
  %two = arith.constant 2.0 : f64
  %yy = arith.mulf %y, %y : f64
  %a = arith.mulf %yy, %seed : f64
  %t = arith.mulf %two, %xy : f64
  %b = arith.mulf %t, %seed : f64
  return %a, %b : f64, f64
}
func.func @rule_with_tape_in_a_loop(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> f64 {
    %s = math.sin %a : f64
    %v = func.call @f(%s, %y) : (f64, f64) -> f64
    scf.yield %v : f64
  }
  return %r : f64
}
// The rule differentiates more than is asked for.
func.func @rule_with_constant_argument(%x: f64) -> f64 {
  %two = arith.constant 2.0 : f64
  %a = call @f(%two, %x) : (f64, f64) -> f64
  %b = call @f(%a, %two) : (f64, f64) -> f64
  return %b : f64
}

// scale(m): m[i] = 3 m[i], with memory, without an augmented primal.
func.func private @scale(%m: memref<?xf64>) attributes {autodiff.rules = [
    #autodiff.rule<args = [dup], tangent = @scale_tangent, adjoint = @scale_adjoint>]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3.0 : f64
  %n = memref.dim %m, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xf64>
    %p = arith.mulf %v, %three : f64
    memref.store %p, %m[%i] : memref<?xf64>
  }
  return
}
func.func private @scale_tangent(%m: memref<?xf64>, %dm: memref<?xf64>) {
  call @scale(%m) : (memref<?xf64>) -> ()
  call @scale(%dm) : (memref<?xf64>) -> ()
  return
}
func.func private @scale_adjoint(%m: memref<?xf64>, %dm: memref<?xf64>) {
  call @scale(%dm) : (memref<?xf64>) -> ()
  return
}
func.func @rule_on_memory(%m: memref<?xf64> {autodiff.sizes = [3]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%c0] : memref<?xf64>
  %s = math.sin %a : f64
  memref.store %s, %m[%c1] : memref<?xf64>
  call @scale(%m) : (memref<?xf64>) -> ()
  %b = memref.load %m[%c1] : memref<?xf64>
  %p = arith.mulf %a, %b : f64
  return %p : f64
}

// Differentiated directly, not through a caller.
func.func @rule_of_the_function_itself(%x: f64) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active], tangent = @sine_tangent, adjoint = @sine_adjoint>]} {
  %s = math.sin %x : f64
  return %s : f64
}
func.func private @sine_tangent(%x: f64, %dx: f64) -> (f64, f64) {
  %s = math.sin %x : f64
  %c = math.cos %x : f64
  %d = arith.mulf %c, %dx : f64
  return %s, %d : f64, f64
}
func.func private @sine_adjoint(%x: f64, %seed: f64) -> f64 {
  %c = math.cos %x : f64
  %d = arith.mulf %c, %seed : f64
  return %d : f64
}

func.func private @trace(f64) attributes {autodiff.inactive, llvm.emit_c_interface}
func.func private @noise(%x: f64) -> f64 attributes {autodiff.inactive} {
  %c = arith.constant 4.0 : f64
  %b = arith.fptosi %x : f64 to i64
  %f = arith.sitofp %b : i64 to f64
  %s = arith.addf %f, %c : f64
  return %s : f64
}
func.func @inactive_function(%x: f64 {autodiff.domain = [0.2, 0.8]}) -> f64 {
  %n = call @noise(%x) : (f64) -> f64
  %p = arith.mulf %n, %x : f64
  return %p : f64
}
