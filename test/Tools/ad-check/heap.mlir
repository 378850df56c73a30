// What a derivative does to the heap, by rules that do it wrong. The adjoints
// return the right gradient, on a heap that forgives.
// RUN: sh -c 'ad-check %s @leak --mode=reverse > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=LEAK
// RUN: sh -c 'ad-check %s @past_the_end --mode=reverse > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=PAST
// RUN: sh -c 'ad-check %s @freed_twice --mode=reverse > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=TWICE
// RUN: sh -c 'ad-check %s @not_zeroed --mode=reverse > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=ZERO
// RUN: sh -c 'ad-check %s @argument_freed --mode=reverse > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=ARGUMENT
// RUN: ad-check %s @primal_leaks --second-order | FileCheck %s
// CHECK: PASS

// LEAK: heap in reverse mode 1 blocks are not freed
// LEAK: reverse arg 0 {{.*}} ok
func.func @leak(%x: f64, %i: index) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active, const], adjoint = @leak_adjoint>]} {
  return %x : f64
}
func.func private @leak_adjoint(%x: f64, %i: index, %seed: f64) -> f64 {
  %m = memref.alloc(%i) : memref<?xf64>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %last = arith.subi %c3, %i : index
  memref.store %seed, %m[%c0] : memref<?xf64>
  %0 = memref.load %m[%last] : memref<?xf64>
  return %0 : f64
}

// PAST: heap in reverse mode writes past the end of its memory
func.func @past_the_end(%x: f64, %i: index) -> f64 attributes {
    autodiff.rules = [#autodiff.rule<args = [active, const],
                                     adjoint = @past_the_end_adjoint>]} {
  return %x : f64
}
func.func private @past_the_end_adjoint(%x: f64, %i: index, %seed: f64)
    -> f64 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %first = arith.subi %c3, %i : index
  %m = memref.alloc(%i) : memref<?xf64>
  memref.store %seed, %m[%c0] : memref<?xf64>
  memref.store %x, %m[%i] : memref<?xf64>
  %0 = memref.load %m[%first] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  return %0 : f64
}

// TWICE: heap in reverse mode frees memory twice
func.func @freed_twice(%x: f64, %i: index) -> f64 attributes {
    autodiff.rules = [#autodiff.rule<args = [active, const],
                                     adjoint = @freed_twice_adjoint>]} {
  return %x : f64
}
func.func private @freed_twice_adjoint(%x: f64, %i: index, %seed: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%i) : memref<?xf64>
  memref.store %seed, %m[%c0] : memref<?xf64>
  %c3 = arith.constant 3 : index
  %last = arith.subi %c3, %i : index
  %0 = memref.load %m[%last] : memref<?xf64>
  %n = arith.subi %i, %c1 : index
  scf.for %k = %c0 to %n step %c1 {
    memref.dealloc %m : memref<?xf64>
  }
  return %0 : f64
}

// ZERO: reverse arg 0 {{-?}}nan {{.*}} FAIL
func.func @not_zeroed(%x: f64, %i: index) -> f64 attributes {autodiff.rules = [
    #autodiff.rule<args = [active, const], adjoint = @not_zeroed_adjoint>]} {
  return %x : f64
}
func.func private @not_zeroed_adjoint(%x: f64, %i: index, %seed: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %other = arith.subi %c3, %i : index
  %m = memref.alloc(%i) : memref<?xf64>
  memref.store %seed, %m[%c1] : memref<?xf64>
  %0 = memref.load %m[%other] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  %1 = arith.addf %seed, %0 : f64
  return %1 : f64
}

// ARGUMENT: error: the primal frees memory that it did not allocate
func.func @argument_freed(%x: f64, %m: memref<4xf64>) -> f64 {
  memref.dealloc %m : memref<4xf64>
  return %x : f64
}

// What the primal does not free, a derivative need not free either.
func.func @primal_leaks(%x: f64, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %last = arith.subi %c3, %i : index
  %m = memref.alloc(%i) : memref<?xf64>
  %0 = math.sin %x : f64
  memref.store %0, %m[%c0] : memref<?xf64>
  %1 = memref.load %m[%last] : memref<?xf64>
  return %1 : f64
}
