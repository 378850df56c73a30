// RUN: ad-opt %s --ad-differentiate -split-input-file -verify-diagnostics

func.func @no_rule(%x: f64) -> f64 {
  %c = arith.constant 1.0 : f64
  // expected-error @+2 {{no derivative rule for 'complex.create' in reverse mode}}
  // expected-note @+1 {{implement DifferentiableOpInterface for it}}
  %z = complex.create %x, %c : complex<f64>
  %r = complex.re %z : complex<f64>
  return %r : f64
}
func.func @request(%x: f64) -> f64 {
  %dx = autodiff.autodiff @no_rule(active %x) returns (active_noneed(%x)) : (f64, f64) -> f64
  return %dx : f64
}

// -----

func.func @no_rule(%x: f64) -> f64 {
  // expected-error @+2 {{no derivative rule for 'vector.broadcast' in forward mode}}
  // expected-note @+1 {{implement DifferentiableOpInterface for it}}
  %v = vector.broadcast %x : f64 to vector<2xf64>
  %p = arith.mulf %v, %v : vector<2xf64>
  %r = vector.extract %p[0] : f64 from vector<2xf64>
  return %r : f64
}
func.func @request(%x: f64) -> f64 {
  %dx = autodiff.fwddiff @no_rule(dup(%x, %x)) returns (active_noneed) : (f64, f64) -> f64
  return %dx : f64
}

// -----

// expected-note @+1 {{give it autodiff.rules, or mark it autodiff.inactive}}
func.func private @somewhere_else(f64) -> f64
func.func @calls_it(%x: f64) -> f64 {
  // expected-error @+1 {{cannot differentiate}}
  %r = call @somewhere_else(%x) : (f64) -> f64
  return %r : f64
}
func.func @request(%x: f64) -> f64 {
  %dx = autodiff.autodiff @calls_it(active %x) returns (active_noneed(%x)) : (f64, f64) -> f64
  return %dx : f64
}

// -----

// expected-note @+1 {{give it autodiff.rules, or mark it autodiff.inactive}}
func.func private @somewhere_else(f64) -> f64
func.func @request(%x: f64) -> f64 {
  // expected-error @+1 {{cannot differentiate 'somewhere_else', which has no body and no derivative rule}}
  %dx = autodiff.fwddiff @somewhere_else(dup(%x, %x)) returns (active_noneed) : (f64, f64) -> f64
  return %dx : f64
}

// -----

// expected-note @+1 {{turn the recursion into a loop}}
func.func private @factorial(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %c -> f64 {
    scf.yield %x : f64
  } else {
    %m = arith.subi %n, %c1 : index
    // expected-error @+1 {{cannot differentiate 'factorial' in reverse mode, which calls itself}}
    %p = func.call @factorial(%x, %m) : (f64, index) -> f64
    %q = arith.mulf %p, %x : f64
    scf.yield %q : f64
  }
  return %r : f64
}
func.func @request(%x: f64, %n: index) -> f64 {
  %dx = autodiff.autodiff @factorial(active %x, const %n) returns (active_noneed(%x)) : (f64, index, f64) -> f64
  return %dx : f64
}

// -----

func.func @bits(%x: f64) -> f64 {
  %b = arith.bitcast %x : f64 to i64
  // expected-error @+2 {{'arith.bitcast' of an active value is not differentiated}}
  // expected-note @+1 {{the bits of a float may be taken apart}}
  %y = arith.bitcast %b : i64 to f64
  %r = arith.mulf %x, %y : f64
  return %r : f64
}
func.func @request(%x: f64) -> f64 {
  %dx = autodiff.autodiff @bits(active %x) returns (active_noneed(%x)) : (f64, f64) -> f64
  return %dx : f64
}

// -----

// expected-error @+2 {{unstructured control flow}}
// expected-note @+1 {{lift it first with --lift-cf-to-scf}}
func.func @unstructured(%x: f64, %c: i1) -> f64 {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : f64
^b:
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @request(%x: f64, %c: i1) -> f64 {
  %dx = autodiff.autodiff @unstructured(active %x, const %c) returns (active_noneed(%x)) : (f64, i1, f64) -> f64
  return %dx : f64
}

// -----

func.func @parallel(%m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  // expected-error @+2 {{no derivative rule for 'scf.parallel' in reverse mode}}
  // expected-note @+1 {{lower it to scf.for, scf.if or scf.while}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %m[%i] : memref<?xf64>
    %s = math.sin %v : f64
    memref.store %s, %m[%i] : memref<?xf64>
  }
  return
}
func.func @request(%m: memref<?xf64>, %dm: memref<?xf64>) {
  autodiff.autodiff @parallel(dup(%m, %dm)) : (memref<?xf64>, memref<?xf64>) -> ()
  return
}

// -----

func.func @asks_for_itself(%x: f64) -> f64 {
  // expected-error @+1 {{the derivative of 'asks_for_itself' is asked for in the function itself}}
  %dx = autodiff.autodiff @asks_for_itself(active %x) returns (active_noneed(%x)) : (f64, f64) -> f64
  return %dx : f64
}

// -----

// expected-note @+1 {{remove the mark}}
func.func @inactive(%x: f64) -> f64 attributes {autodiff.inactive} {
  return %x : f64
}
func.func @request(%x: f64) -> f64 {
  // expected-error @+1 {{differentiates @inactive, which is marked autodiff.inactive}}
  %dx = autodiff.autodiff @inactive(active %x) returns (active_noneed(%x)) : (f64, f64) -> f64
  return %dx : f64
}

// -----

llvm.func @not_func(%x: f64) -> f64 {
  llvm.return %x : f64
}
func.func @request(%x: f64) -> f64 {
  // expected-error @+2 {{differentiates @not_func, which is no func.func of this module}}
  // expected-note @+1 {{only func.func can be differentiated}}
  %dx = autodiff.autodiff @not_func(active %x) returns (active_noneed(%x)) : (f64, f64) -> f64
  return %dx : f64
}
