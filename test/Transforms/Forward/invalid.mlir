// RUN: ad-opt %s --ad-differentiate --split-input-file --verify-diagnostics

// What forward mode does not differentiate it says, at the place.

func.func @f(%m: memref<?xf64>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  // expected-error @+2 {{no derivative rule for 'memref.realloc' in forward mode}}
  // expected-note @+1 {{implement DifferentiableOpInterface for it}}
  %0 = memref.realloc %m(%n) : memref<?xf64> to memref<?xf64>
  %1 = memref.load %0[%c0] : memref<?xf64>
  return %1 : f64
}
func.func @request(%m: memref<?xf64>, %n: index) -> f64 {
  %0 = autodiff.fwddiff @f(dup(%m, %m), const %n) returns (active_noneed)
      : (memref<?xf64>, memref<?xf64>, index) -> f64
  return %0 : f64
}

// -----

func.func @f(%x: f64, %g: (f64) -> f64) -> f64 {
  // expected-error @+2 {{no derivative rule for 'func.call_indirect'}}
  // expected-note @+1 {{implement DifferentiableOpInterface for it}}
  %0 = func.call_indirect %g(%x) : (f64) -> f64
  return %0 : f64
}
func.func @request(%x: f64, %g: (f64) -> f64) -> f64 {
  %0 = autodiff.fwddiff @f(dup(%x, %x), const %g) returns (active_noneed)
      : (f64, f64, (f64) -> f64) -> f64
  return %0 : f64
}

// -----

func.func @f(%m: memref<f64>, %x: f64) {
  // expected-error @+2 {{only the atomic addition 'addf' of active values has a derivative, not 'maximumf'}}
  // expected-note @+1 {{load, compute and store where no other thread does}}
  %0 = memref.atomic_rmw maximumf %x, %m[] : (f64, memref<f64>) -> f64
  return
}
func.func @request(%m: memref<f64>, %x: f64) {
  autodiff.fwddiff @f(dup(%m, %m), dup(%x, %x))
      : (memref<f64>, memref<f64>, f64, f64) -> ()
  return
}

// -----

func.func @f(%m: memref<f64>, %x: f64) {
  // expected-error @+2 {{'memref.atomic_rmw' has no vector mode (width 2)}}
  // expected-note @+1 {{use width 1}}
  %0 = memref.atomic_rmw addf %x, %m[] : (f64, memref<f64>) -> f64
  return
}
func.func @request(%m: memref<f64>, %dm: memref<vector<2xf64>>, %x: f64) {
  autodiff.fwddiff @f(dup(%m, %dm), const %x) {width = 2}
      : (memref<f64>, memref<vector<2xf64>>, f64) -> ()
  return
}

// -----

func.func @f(%m: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %m, %c0 : memref<?xf64>
  // expected-error @+2 {{no derivative rule for 'scf.parallel' in forward mode}}
  // expected-note @+1 {{lower it to scf.for, scf.if or scf.while}}
  %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f64 {
    %1 = memref.load %m[%i] : memref<?xf64>
    scf.reduce(%1 : f64) {
    ^bb0(%a: f64, %b: f64):
      %2 = arith.addf %a, %b : f64
      scf.reduce.return %2 : f64
    }
  }
  return %0 : f64
}
func.func @request(%m: memref<?xf64>) -> f64 {
  %0 = autodiff.fwddiff @f(dup(%m, %m)) returns (active_noneed)
      : (memref<?xf64>, memref<?xf64>) -> f64
  return %0 : f64
}

// -----

// Memory that is read through the shadow of something else.
memref.global "private" constant @g : memref<f64> = dense<1.0>
func.func @f(%c: i1, %m: memref<f64>) -> f64 {
  %g = memref.get_global @g : memref<f64>
  // expected-error @+2 {{selects between active memory and memory that carries no derivative}}
  // expected-note @+1 {{pass both as 'dup'}}
  %0 = arith.select %c, %m, %g : memref<f64>
  %1 = memref.load %0[] : memref<f64>
  return %1 : f64
}
func.func @request(%c: i1, %m: memref<f64>) -> f64 {
  %0 = autodiff.fwddiff @f(const %c, dup(%m, %m)) returns (active_noneed)
      : (i1, memref<f64>, memref<f64>) -> f64
  return %0 : f64
}

// -----

memref.global "private" constant @g : memref<f64> = dense<1.0>
func.func @f(%c: i1, %m: memref<f64>) -> f64 {
  // expected-error @+2 {{a tangent of type 'memref<f64>' is needed for a value that carries no derivative}}
  // expected-note @+1 {{pass the memory as 'dup'}}
  %g = memref.get_global @g : memref<f64>
  %0 = scf.if %c -> memref<f64> {
    scf.yield %m : memref<f64>
  } else {
    scf.yield %g : memref<f64>
  }
  %1 = memref.load %0[] : memref<f64>
  return %1 : f64
}
func.func @request(%c: i1, %m: memref<f64>) -> f64 {
  %0 = autodiff.fwddiff @f(const %c, dup(%m, %m)) returns (active_noneed)
      : (i1, memref<f64>, memref<f64>) -> f64
  return %0 : f64
}

// -----

// In forward mode references may be kept in memory, in reverse mode not.
func.func @f(%x: f64) -> f64 {
  %table = memref.alloca() : memref<memref<f64>>
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  memref.store %m, %table[] : memref<memref<f64>>
  // expected-error @+2 {{reverse mode cannot follow references that are kept in memory}}
  // expected-note @+1 {{use forward mode}}
  %0 = memref.load %table[] : memref<memref<f64>>
  %1 = memref.load %0[] : memref<f64>
  return %1 : f64
}
func.func @request(%x: f64) -> (f64, f64) {
  %0 = autodiff.fwddiff @f(dup(%x, %x)) returns (active_noneed)
      : (f64, f64) -> f64
  %1 = autodiff.autodiff @f(active %x) returns (active_noneed(%x))
      : (f64, f64) -> f64
  return %0, %1 : f64, f64
}

// -----

// Two functions that ask for derivatives of each other.
func.func @f(%x: f64) -> f64 {
  %0 = autodiff.fwddiff @g(dup(%x, %x)) returns (active_noneed)
      : (f64, f64) -> f64
  return %0 : f64
}
func.func @g(%x: f64) -> f64 {
  // expected-error @+1 {{the derivative of 'f' is asked for in the function itself}}
  %0 = autodiff.fwddiff @f(dup(%x, %x)) returns (active_noneed)
      : (f64, f64) -> f64
  return %0 : f64
}

// -----

// The same, through a call.
func.func @f(%x: f64) -> f64 {
  %0 = call @g(%x) : (f64) -> f64
  return %0 : f64
}
func.func @g(%x: f64) -> f64 {
  %0 = autodiff.fwddiff @h(dup(%x, %x)) returns (active_noneed)
      : (f64, f64) -> f64
  return %0 : f64
}
func.func @h(%x: f64) -> f64 {
  // expected-error @+1 {{the derivative of 'f' is asked for in the function itself}}
  %0 = call @f(%x) : (f64) -> f64
  return %0 : f64
}

// -----

// A function of another symbol table.
func.func private @f(%x: f64) -> f64
module @inner {
  func.func @f(%x: f64) -> f64 {
    return %x : f64
  }
  func.func @request(%x: f64) -> f64 {
    // expected-error @+2 {{differentiates @f, which is no func.func of this module}}
    // expected-note @+1 {{only func.func can be differentiated}}
    %0 = autodiff.fwddiff @f(dup(%x, %x)) returns (active_noneed)
        : (f64, f64) -> f64
    return %0 : f64
  }
}
