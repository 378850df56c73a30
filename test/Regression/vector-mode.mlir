// RUN: ad-check %s --all --width=3

func.func @scalars(%x: f64, %y: f64) -> (f64, f64) {
  %s = math.sin %x : f64
  %p = math.powf %y, %s : f64
  %a = math.absf %x : f64
  %m = arith.maximumf %p, %a : f64
  %q = arith.divf %m, %y : f64
  return %q, %p : f64, f64
}

func.func @memory_and_loop(%m: memref<?xf64> {autodiff.sizes = [4]}, %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %t = memref.alloc(%n) : memref<?xf64>
  memref.copy %m, %t : memref<?xf64> to memref<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %v = memref.load %t[%i] : memref<?xf64>
    %p = arith.mulf %v, %a : f64
    %s = math.sin %p : f64
    memref.store %s, %m[%i] : memref<?xf64>
    scf.yield %s : f64
  }
  memref.dealloc %t : memref<?xf64>
  return %r : f64
}

func.func @vectors(%x: vector<2xf64>, %y: vector<2xf64>) -> vector<2xf64> {
  %c = arith.cmpf olt, %x, %y : vector<2xf64>
  %a = arith.select %c, %x, %y : vector<2xi1>, vector<2xf64>
  %p = arith.mulf %a, %x : vector<2xf64>
  %s = math.tanh %p : vector<2xf64>
  return %s : vector<2xf64>
}

func.func @single_precision(%x: f32, %c: i1 {autodiff.value = 0}) -> f32 {
  %e = math.exp %x : f32
  %s = arith.select %c, %x, %e : f32
  %d = arith.extf %s : f32 to f64
  %q = arith.mulf %d, %d : f64
  %t = arith.truncf %q : f64 to f32
  return %t : f32
}

func.func private @callee(%x: f64, %m: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xf64>
  %p = arith.mulf %v, %x : f64
  memref.store %p, %m[%c0] : memref<?xf64>
  return %v : f64
}
func.func @calls_and_while(%x: f64, %m: memref<?xf64> {autodiff.sizes = [2], autodiff.domain = [1.1, 1.4]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.while (%a = %x, %i = %c0) : (f64, index) -> (f64, index) {
    %c = arith.cmpi ult, %i, %c4 : index
    scf.condition(%c) %a, %i : f64, index
  } do {
  ^bb0(%b: f64, %i: index):
    %v = func.call @callee(%b, %m) : (f64, memref<?xf64>) -> f64
    %s = math.sin %v : f64
    %j = arith.addi %i, %c1 : index
    scf.yield %s, %j : f64, index
  }
  return %r#0 : f64
}
