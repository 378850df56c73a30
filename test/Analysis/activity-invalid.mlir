// RUN: ad-opt %s --ad-print-activity --split-input-file --verify-diagnostics -o /dev/null

// A value that carries a derivative is read back from memory of a constant
// argument.

func.func @stored(
    // expected-note @below {{pass the argument as 'dup', with a zeroed shadow}}
    %a: memref<f64>, %x: f64) -> f64 {
  // expected-error @below {{stores a value that carries a derivative in the memory of the 'const' argument #0, from where it is used}}
  memref.store %x, %a[] : memref<f64>
  %0 = memref.load %a[] : memref<f64>
  return %0 : f64
}
func.func @request(%a: memref<f64>, %x: f64, %s: f64) {
  %0:2 = autodiff.autodiff @stored(const %a, active %x) returns (active(%s))
      : (memref<f64>, f64, f64) -> (f64, f64)
  return
}

// -----

// Through a view and a call.

func.func @set(%a: memref<f64>, %x: f64) {
  memref.store %x, %a[] : memref<f64>
  return
}

func.func @stored_by_call(
    // expected-note @below {{pass the argument as 'dup', with a zeroed shadow}}
    %a: memref<4xf64>, %x: f64) -> f64 {
  %zero = arith.constant 0 : index
  %view = memref.subview %a[0] [1] [1] : memref<4xf64> to memref<f64>
  // expected-error @below {{stores a value that carries a derivative in the memory of the 'const' argument #0}}
  call @set(%view, %x) : (memref<f64>, f64) -> ()
  %0 = memref.load %a[%zero] : memref<4xf64>
  return %0 : f64
}
func.func @request(%a: memref<4xf64>, %x: f64, %s: f64) {
  %0:2 = autodiff.autodiff @stored_by_call(const %a, active %x)
      returns (active(%s)) : (memref<4xf64>, f64, f64) -> (f64, f64)
  return
}

// -----

// Memory of a constant argument is chosen in place of active memory.

func.func @selected(
    // expected-note @below {{pass the argument as 'dup', with a zeroed shadow}}
    %a: memref<f64>, %b: memref<f64>, %c: i1) -> f64 {
  // expected-error @below {{memory of the 'const' argument #0 mixes with memory that carries derivatives}}
  %0 = arith.select %c, %a, %b : memref<f64>
  %1 = memref.load %0[] : memref<f64>
  return %1 : f64
}
func.func @request(%a: memref<f64>, %c: i1, %s: f64) {
  %0 = autodiff.autodiff @selected(const %a, dup(%a, %a), const %c)
      returns (active(%s))
      : (memref<f64>, memref<f64>, memref<f64>, i1, f64) -> f64
  return
}

// -----

func.func @looped(
    // expected-note @below {{pass the argument as 'dup', with a zeroed shadow}}
    %a: memref<f64>, %b: memref<f64>, %n: index) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @below {{memory of the 'const' argument #0 mixes with memory that carries derivatives}}
  %0 = scf.for %i = %zero to %n step %one iter_args(%m = %b) -> memref<f64> {
    scf.yield %a : memref<f64>
  }
  %1 = memref.load %0[] : memref<f64>
  return %1 : f64
}
func.func @request(%a: memref<f64>, %n: index, %s: f64) {
  %0 = autodiff.autodiff @looped(const %a, dup(%a, %a), const %n)
      returns (active(%s))
      : (memref<f64>, memref<f64>, memref<f64>, index, f64) -> f64
  return
}

// -----

// Bytes have no shadow.

func.func @bytes(%x: f64) -> f64 {
  %zero = arith.constant 0 : index
  %m = memref.alloc() : memref<8xi8>
  // expected-error @below {{memory that carries derivatives is reached through 'memref<8xi8>', which carries none}}
  // expected-note @below {{give the memory a floating-point element type}}
  %view = memref.view %m[%zero][] : memref<8xi8> to memref<f64>
  memref.store %x, %view[] : memref<f64>
  %0 = memref.load %view[] : memref<f64>
  return %0 : f64
}

// -----

// The shadow of a reference in memory is in the shadow of that memory.

func.func @loaded(%cell: memref<memref<f64>>) -> f64 {
  // expected-error @below {{loads a reference to memory that may carry derivatives from memory that carries none}}
  // expected-note @below {{pass the memory of references as 'dup'}}
  %0 = memref.load %cell[] : memref<memref<f64>>
  %1 = memref.load %0[] : memref<f64>
  return %1 : f64
}
func.func @request(%a: memref<memref<f64>>, %s: f64) {
  %0 = autodiff.autodiff @loaded(const %a)
      returns (active(%s)) : (memref<memref<f64>>, f64) -> f64
  return
}

// -----

func.func @bytes_of_floats(%m: memref<1xf64>, %x: memref<?xi8>, %c: i1) -> i8 {
  %zero = arith.constant 0 : index
  %any = memref.cast %m : memref<1xf64> to memref<*xf64>
  %to = memref.alloc() : memref<1xf64>
  %to_any = memref.cast %to : memref<1xf64> to memref<*xf64>
  // expected-error @below {{memory that carries derivatives is accessed as 'memref<*xf64>', which carries none}}
  // expected-note @below {{access it as its floating-point type}}
  memref.copy %any, %to_any : memref<*xf64> to memref<*xf64>
  %0 = memref.load %x[%zero] : memref<?xi8>
  return %0 : i8
}

// -----

func.func private @unknown(memref<f64>)

func.func @escaped(
    // expected-note @below {{or pass the argument as 'dup', with a zeroed shadow}}
    %a: memref<f64>) -> f64 {
  // expected-error @below {{lets memory of the 'const' argument #0 escape to where derivatives may be stored in it}}
  // expected-note @below {{if the callee keeps no reference to it, mark the callee 'autodiff.inactive' or its argument 'llvm.nocapture'}}
  call @unknown(%a) : (memref<f64>) -> ()
  %0 = memref.load %a[] : memref<f64>
  return %0 : f64
}
func.func @request(%a: memref<f64>, %s: f64) {
  %0 = autodiff.autodiff @escaped(const %a)
      returns (active(%s)) : (memref<f64>, f64) -> f64
  return
}
