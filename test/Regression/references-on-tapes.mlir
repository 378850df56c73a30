// RUN: ad-opt %s --ad-differentiate --verify-diagnostics -o /dev/null

// A derivative keeps on a tape which shadow was chosen; differentiating that
// derivative in reverse mode is refused, and says so.

func.func @choose(%x: f64, %a: memref<3xf64> {autodiff.noalias},
                  %b: memref<3xf64> {autodiff.noalias}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %init = arith.constant 0.7 : f64
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %init) -> (f64) {
    %less = arith.cmpf olt, %s, %x : f64
    // expected-error @below {{reverse mode cannot follow references that come out of 'autodiff.tape_read'}}
    // expected-note @below {{let the program choose between values, not between references to memory}}
    %m = arith.select %less, %a, %b : memref<3xf64>
    %0 = memref.load %m[%i] : memref<3xf64>
    %1 = math.sin %0 : f64
    scf.yield %1 : f64
  }
  return %r : f64
}

func.func @gradient(%x: f64, %a: memref<3xf64>, %da: memref<3xf64>,
                    %b: memref<3xf64>, %db: memref<3xf64>, %s: f64) -> f64 {
  %0:2 = autodiff.autodiff @choose(active %x, dup(%a, %da), dup(%b, %db))
      returns (active(%s))
      : (f64, memref<3xf64>, memref<3xf64>, memref<3xf64>, memref<3xf64>, f64)
      -> (f64, f64)
  return %0#1 : f64
}

func.func @gradient_of_gradient(
    %x: f64, %a: memref<3xf64>, %a2: memref<3xf64>, %da: memref<3xf64>,
    %da2: memref<3xf64>, %b: memref<3xf64>, %b2: memref<3xf64>,
    %db: memref<3xf64>, %db2: memref<3xf64>, %s: f64) -> f64 {
  %0:2 = autodiff.autodiff @gradient(active %x, dup(%a, %a2), dup(%da, %da2),
      dup(%b, %b2), dup(%db, %db2), const %s) returns (active(%s))
      : (f64, memref<3xf64>, memref<3xf64>, memref<3xf64>, memref<3xf64>,
         memref<3xf64>, memref<3xf64>, memref<3xf64>, memref<3xf64>, f64, f64)
      -> (f64, f64)
  return %0#1 : f64
}
