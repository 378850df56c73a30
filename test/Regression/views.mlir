// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before
// RUN: ad-check %s @scratch_in_a_global --second-order

func.func @rows_of_a_matrix(%m: memref<?x?xf64> {autodiff.sizes = [3, 4]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %m, %c0 : memref<?x?xf64>
  %k = memref.dim %m, %c1 : memref<?x?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %row = memref.subview %m[%i, 0] [1, %k] [1, 1]
        : memref<?x?xf64> to memref<?xf64, strided<[1], offset: ?>>
    %q = scf.for %j = %c0 to %k step %c1 iter_args(%t = %s) -> f64 {
      %v = memref.load %row[%j] : memref<?xf64, strided<[1], offset: ?>>
      %p = math.sin %v : f64
      memref.store %p, %row[%j] : memref<?xf64, strided<[1], offset: ?>>
      %u = arith.mulf %v, %p : f64
      %w = arith.addf %u, %t : f64
      scf.yield %w : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}

func.func @view_of_a_view(%m: memref<?xf64> {autodiff.sizes = [12]},
                          %o: index {autodiff.value = 1}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.subview %m[%o] [5] [2]
      : memref<?xf64> to memref<5xf64, strided<[2], offset: ?>>
  %b = memref.subview %a[1] [2] [%c2]
      : memref<5xf64, strided<[2], offset: ?>> to memref<2xf64, strided<[?], offset: ?>>
  %x = memref.load %b[%c0] : memref<2xf64, strided<[?], offset: ?>>
  %y = memref.load %b[%c1] : memref<2xf64, strided<[?], offset: ?>>
  %p = arith.mulf %x, %y : f64
  memref.store %p, %b[%c0] : memref<2xf64, strided<[?], offset: ?>>
  %c3 = arith.constant 3 : index
  %z = memref.load %m[%c3] : memref<?xf64>
  %q = arith.mulf %z, %x : f64
  return %q : f64
}

// Written through one view, read through another.
func.func @overlapping_views(%m: memref<?xf64> {autodiff.sizes = [6]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f64
  %a = memref.subview %m[0] [4] [1] : memref<?xf64> to memref<4xf64, strided<[1]>>
  %b = memref.subview %m[1] [4] [1] : memref<?xf64> to memref<4xf64, strided<[1], offset: 1>>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> f64 {
    %v = memref.load %a[%i] : memref<4xf64, strided<[1]>>
    %e = math.sin %v : f64
    memref.store %e, %b[%i] : memref<4xf64, strided<[1], offset: 1>>
    %p = arith.mulf %e, %v : f64
    %q = arith.addf %p, %s : f64
    scf.yield %q : f64
  }
  return %r : f64
}

func.func @casts(%m: memref<?xf64> {autodiff.sizes = [4]}) -> f64 {
  %c1 = arith.constant 1 : index
  %s = memref.cast %m : memref<?xf64> to memref<4xf64>
  %d = memref.cast %s : memref<4xf64> to memref<?xf64>
  %v = memref.load %s[%c1] : memref<4xf64>
  %w = math.exp %v : f64
  memref.store %w, %d[%c1] : memref<?xf64>
  %x = memref.load %m[%c1] : memref<?xf64>
  %p = arith.mulf %x, %v : f64
  return %p : f64
}

func.func @reshapes(%m: memref<2x3xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %flat = memref.collapse_shape %m [[0, 1]] : memref<2x3xf64> into memref<6xf64>
  %v = memref.load %flat[%c4] : memref<6xf64>
  %s = math.sin %v : f64
  memref.store %s, %flat[%c4] : memref<6xf64>
  %e = memref.expand_shape %flat [[0, 1]] output_shape [3, 2] : memref<6xf64> into memref<3x2xf64>
  %w = memref.load %e[%c1, %c1] : memref<3x2xf64>
  %t = memref.transpose %m (i, j) -> (j, i) : memref<2x3xf64> to memref<3x2xf64, strided<[1, 3]>>
  %x = memref.load %t[%c1, %c1] : memref<3x2xf64, strided<[1, 3]>>
  %y = memref.load %t[%c0, %c1] : memref<3x2xf64, strided<[1, 3]>>
  %p = arith.mulf %x, %w : f64
  %q = arith.mulf %p, %y : f64
  return %q : f64
}

func.func @copies_of_views(%m: memref<4x4xf64>, %x: f64) {
  %c0 = arith.constant 0 : index
  %a = memref.subview %m[0, 0] [2, 2] [1, 1]
      : memref<4x4xf64> to memref<2x2xf64, strided<[4, 1]>>
  %b = memref.subview %m[2, 1] [2, 2] [1, 2]
      : memref<4x4xf64> to memref<2x2xf64, strided<[4, 2], offset: 9>>
  memref.copy %a, %b
      : memref<2x2xf64, strided<[4, 1]>> to memref<2x2xf64, strided<[4, 2], offset: 9>>
  %v = memref.load %a[%c0, %c0] : memref<2x2xf64, strided<[4, 1]>>
  %p = arith.mulf %v, %x : f64
  memref.store %p, %a[%c0, %c0] : memref<2x2xf64, strided<[4, 1]>>
  return
}

func.func @either_memory(%a: memref<?xf64> {autodiff.sizes = [3]},
                         %b: memref<?xf64> {autodiff.sizes = [3]},
                         %c: i1 {autodiff.value = 1}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.select %c, %a, %b : memref<?xf64>
  %v = memref.load %m[%c0] : memref<?xf64>
  %s = math.sin %v : f64
  memref.store %s, %m[%c1] : memref<?xf64>
  %w = memref.load %a[%c1] : memref<?xf64>
  %x = memref.load %b[%c1] : memref<?xf64>
  %p = arith.mulf %w, %x : f64
  return %p : f64
}

memref.global "private" constant @table : memref<4xf64> = dense<[0.5, -1.25, 2.0, 0.75]>
func.func @table_of_constants(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f64
  %t = memref.get_global @table : memref<4xf64>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> f64 {
    %v = memref.load %t[%i] : memref<4xf64>
    %p = arith.mulf %s, %x : f64
    %q = arith.addf %p, %v : f64
    scf.yield %q : f64
  }
  return %r : f64
}

memref.global "private" @scratch : memref<3xf64> = dense<0.0>
func.func private @fill_scratch(%x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.get_global @scratch : memref<3xf64>
  %s = math.sin %x : f64
  memref.store %s, %g[%c0] : memref<3xf64>
  %p = arith.mulf %s, %x : f64
  memref.store %p, %g[%c1] : memref<3xf64>
  return
}
func.func @scratch_in_a_global(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  func.call @fill_scratch(%x) : (f64) -> ()
  %g = memref.get_global @scratch : memref<3xf64>
  %a = memref.load %g[%c0] : memref<3xf64>
  %b = memref.load %g[%c1] : memref<3xf64>
  func.call @fill_scratch(%y) : (f64) -> ()
  %c = memref.load %g[%c1] : memref<3xf64>
  %p = arith.mulf %a, %b : f64
  %q = arith.mulf %p, %c : f64
  return %q : f64
}
