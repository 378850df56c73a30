// RUN: ad-opt %s --ad-print-memory --split-input-file --allow-unregistered-dialect -o /dev/null | FileCheck %s

// Which reads find the same memory again in the reverse sweep. Every read has a
// named location.

// CHECK-LABEL: memory of @order
// CHECK: 'before': memref.load reads %arg0, may change
// CHECK: 'after': memref.load reads %arg0, kept
func.func @order(%a: memref<f64>, %x: f64) {
  %0 = memref.load %a[] : memref<f64> loc("before")
  memref.store %x, %a[] : memref<f64>
  %1 = memref.load %a[] : memref<f64> loc("after")
  return
}

// -----

// A constant index apart.

// CHECK-LABEL: memory of @elements
// CHECK: 'other': memref.load reads %arg0, kept
// CHECK: 'same': memref.load reads %arg0, may change
// CHECK: 'unknown': memref.load reads %arg0, may change
func.func @elements(%a: memref<4xf64>, %x: f64, %i: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = memref.load %a[%one] : memref<4xf64> loc("other")
  %1 = memref.load %a[%zero] : memref<4xf64> loc("same")
  %2 = memref.load %a[%i] : memref<4xf64> loc("unknown")
  memref.store %x, %a[%zero] : memref<4xf64>
  return
}

// -----

// The later write is in the other branch, unless a loop comes back.

// CHECK-LABEL: memory of @branches
// CHECK: 'exclusive': memref.load reads %arg0, kept
// CHECK: memory of @branches_in_loop
// CHECK: 'again': memref.load reads %arg0, may change
func.func @branches(%a: memref<f64>, %x: f64, %c: i1) {
  scf.if %c {
    %0 = memref.load %a[] : memref<f64> loc("exclusive")
  } else {
    memref.store %x, %a[] : memref<f64>
  }
  return
}

func.func @branches_in_loop(%a: memref<f64>, %x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %c = arith.cmpi eq, %i, %one : index
    scf.if %c {
      %0 = memref.load %a[] : memref<f64> loc("again")
    } else {
      memref.store %x, %a[] : memref<f64>
    }
  }
  return
}

// -----

// Each iteration has an element of its own; the write precedes the read.

// CHECK-LABEL: memory of @own_element
// CHECK: 'own': memref.load reads %arg0, kept
// CHECK: 'first': memref.load reads %arg0, may change
// CHECK: memory of @shared_row
// CHECK: 'row': memref.load reads %arg0, may change
// CHECK: memory of @own_matrix_element
// CHECK: 'matrix': memref.load reads %arg0, kept
func.func @own_element(%a: memref<?xf64>, %x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    memref.store %x, %a[%i] : memref<?xf64>
    %0 = memref.load %a[%i] : memref<?xf64> loc("own")
    %1 = memref.load %a[%zero] : memref<?xf64> loc("first")
  }
  return
}

func.func @shared_row(%a: memref<?x?xf64>, %x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %n step %one {
      memref.store %x, %a[%j, %zero] : memref<?x?xf64>
      %0 = memref.load %a[%j, %zero] : memref<?x?xf64> loc("row")
    }
  }
  return
}

func.func @own_matrix_element(%a: memref<?x?xf64>, %x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %n step %one {
      memref.store %x, %a[%j, %i] : memref<?x?xf64>
      %0 = memref.load %a[%j, %i] : memref<?x?xf64> loc("matrix")
    }
  }
  return
}

// -----

// A recurrence: what is behind the element that is written stays, what is ahead
// is overwritten later.

// CHECK-LABEL: memory of @recurrence
// CHECK: 'behind': memref.load reads %arg0, kept
// CHECK: 'ahead': memref.load reads %arg0, may change
func.func @recurrence(%a: memref<?xf64>, %n: index) {
  %one = arith.constant 1 : index
  scf.for %i = %one to %n step %one {
    %previous = arith.subi %i, %one : index
    %next = arith.addi %i, %one : index
    %0 = memref.load %a[%previous] : memref<?xf64> loc("behind")
    %1 = memref.load %a[%next] : memref<?xf64> loc("ahead")
    %2 = arith.addf %0, %1 : f64
    memref.store %2, %a[%i] : memref<?xf64>
  }
  return
}

// Iterations of a parallel loop have no order.

// CHECK-LABEL: memory of @parallel
// CHECK: 'neighbour': memref.load reads %arg0, may change
// CHECK: 'parallel': memref.load reads %arg0, kept
func.func @parallel(%a: memref<?xf64>, %x: f64, %n: index) {
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%one) to (%n) step (%one) {
    %previous = arith.subi %i, %one : index
    %0 = memref.load %a[%previous] : memref<?xf64> loc("neighbour")
    memref.store %x, %a[%i] : memref<?xf64>
    %1 = memref.load %a[%i] : memref<?xf64> loc("parallel")
  }
  return
}

// -----

// Different indices may be the same memory: overlapping strides, another view
// in each iteration, another reference.

// CHECK-LABEL: memory of @overlapping_strides
// CHECK: 'strided': memref.load reads %arg0, may change
// CHECK: memory of @moving_view
// CHECK: 'moving': memref.load reads %subview, may change
// CHECK: memory of @other_reference
// CHECK: 'other': memref.load reads %arg0, may change
func.func @overlapping_strides(
    %a: memref<?x?xf64, strided<[1, 1]>>, %x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %n step %one {
      memref.store %x, %a[%i, %j] : memref<?x?xf64, strided<[1, 1]>>
      %0 = memref.load %a[%i, %j] : memref<?x?xf64, strided<[1, 1]>> loc("strided")
    }
  }
  return
}

func.func @moving_view(%a: memref<100xf64>, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 50 : index
  scf.for %i = %zero to %n step %one {
    %start = arith.subi %n, %i : index
    %view = memref.subview %a[%start] [50] [1]
        : memref<100xf64> to memref<50xf64, strided<[1], offset: ?>>
    memref.store %x, %view[%i] : memref<50xf64, strided<[1], offset: ?>>
    %0 = memref.load %view[%i] : memref<50xf64, strided<[1], offset: ?>> loc("moving")
  }
  return
}

func.func @other_reference(%a: memref<?xf64>, %b: memref<?xf64>, %x: f64,
                           %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    memref.store %x, %b[%i] : memref<?xf64>
    %0 = memref.load %a[%i] : memref<?xf64> loc("other")
  }
  return
}

// -----

// Memory allocated in an iteration is not seen in the next, unless it is passed
// on.

// CHECK-LABEL: memory of @local
// CHECK: class %alloc: allocation within 'loop'
// CHECK: 'local': memref.load reads %alloc, kept until freed
// CHECK-LABEL: memory of @passed_on
// CHECK: class %alloc %0 %arg3 %alloc_0: allocation chosen
// CHECK: 'passed': memref.load reads %arg3, may change
func.func @local(%x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %m = memref.alloc() : memref<f64>
    memref.store %x, %m[] : memref<f64>
    %0 = memref.load %m[] : memref<f64> loc("local")
    memref.dealloc %m : memref<f64>
  } loc("loop")
  return
}

func.func @passed_on(%x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = memref.alloc() : memref<f64>
  memref.store %x, %first[] : memref<f64>
  %0 = scf.for %i = %zero to %n step %one iter_args(%last = %first)
      -> (memref<f64>) {
    %m = memref.alloc() : memref<f64>
    memref.store %x, %m[] : memref<f64>
    memref.store %x, %last[] : memref<f64>
    %1 = memref.load %last[] : memref<f64> loc("passed")
    scf.yield %m : memref<f64>
  }
  return
}

// -----

// A loop inside the allocating loop counts.

// CHECK-LABEL: memory of @inner_loop
// CHECK: 'inner': memref.load reads %alloc, may change
func.func @inner_loop(%x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %m = memref.alloc() : memref<f64>
    scf.for %j = %zero to %n step %one {
      memref.store %x, %m[] : memref<f64>
      %0 = memref.load %m[] : memref<f64> loc("inner")
    }
  }
  return
}

// -----

// Memory on the stack ends with the iteration, but that of the function stays.

// CHECK-LABEL: memory of @stack
// CHECK: 'function': memref.load reads %alloca, kept
// CHECK: 'iteration': memref.load reads %alloca_0, may change
func.func @stack(%x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = memref.alloca() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  scf.for %i = %zero to %n step %one {
    %own = memref.alloca() : memref<f64>
    memref.store %x, %own[] : memref<f64>
    %0 = memref.load %m[] : memref<f64> loc("function")
    %1 = memref.load %own[] : memref<f64> loc("iteration")
  }
  return
}

// -----

// The condition of a while loop is part of the loop.

// CHECK-LABEL: memory of @while
// CHECK: 'condition': memref.load reads %arg0, may change
func.func @while(%a: memref<f64>, %x: f64) {
  scf.while : () -> () {
    %0 = memref.load %a[] : memref<f64> loc("condition")
    %c = arith.cmpf olt, %0, %x : f64
    scf.condition(%c)
  } do {
    memref.store %x, %a[] : memref<f64>
    scf.yield
  }
  return
}

// -----

// Blocks may run in any order.

// CHECK-LABEL: memory of @blocks
// CHECK: 'block': memref.load reads %arg0, may change
func.func @blocks(%a: memref<f64>, %x: f64, %c: i1) {
  cf.br ^bb2
^bb1:
  memref.store %x, %a[] : memref<f64>
  cf.br ^bb2
^bb2:
  %0 = memref.load %a[] : memref<f64> loc("block")
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  return
}

// -----

// An operation that is not understood changes what it can reach, but not memory
// whose reference it cannot have. Assertions change nothing.

// CHECK-LABEL: memory of @unknown
// CHECK: 'reachable': memref.load reads %arg0, may change
// CHECK: 'own': memref.load reads %alloc, kept
// CHECK-LABEL: memory of @assertion
// CHECK: 'asserted': memref.load reads %arg0, kept
func.func @unknown(%a: memref<f64>) {
  %m = memref.alloc() : memref<f64>
  %0 = memref.load %a[] : memref<f64> loc("reachable")
  %1 = memref.load %m[] : memref<f64> loc("own")
  "test.anything"() : () -> ()
  return
}

func.func @assertion(%a: memref<f64>, %c: i1) {
  %0 = memref.load %a[] : memref<f64> loc("asserted")
  cf.assert %c, "holds"
  return
}

// -----

// An operation around the read may write after all that is in it.

// CHECK-LABEL: memory of @around
// CHECK: 'inside': memref.load reads %arg0, may change
func.func @around(%a: memref<f64>) {
  "test.around"() ({
    %0 = memref.load %a[] : memref<f64> loc("inside")
    "test.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// Copying into itself, and reading and writing at once.

// CHECK-LABEL: memory of @at_once
// CHECK: 'copy': memref.copy reads %arg0, may change
// CHECK: 'atomic': memref.atomic_rmw reads %arg0, may change
func.func @at_once(%a: memref<4xf64>, %b: memref<4xf64>, %x: f64, %i: index) {
  memref.copy %a, %b : memref<4xf64> to memref<4xf64> loc("copy")
  %0 = memref.atomic_rmw addf %x, %a[%i] : (f64, memref<4xf64>) -> f64 loc("atomic")
  return
}

// -----

// Many writes: beyond a limit none is looked at closely.

// CHECK-LABEL: memory of @no_write_after
// CHECK: 'quiet': memref.load reads %arg0, kept
func.func @no_write_after(%a: memref<4xf64>, %x: f64, %n: index) {
  %zero = arith.constant 0 : index
  memref.store %x, %a[%zero] : memref<4xf64>
  memref.store %x, %a[%n] : memref<4xf64>
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %0 = memref.load %a[%i] : memref<4xf64> loc("quiet")
  }
  return
}

// -----

// Triangular loops: what is read lies before what is written from then on.

// CHECK-LABEL: memory of @prefix
// CHECK: 'prefix': memref.load reads %arg0, kept
// CHECK: 'inclusive': memref.load reads %arg0, may change
// CHECK: 'suffix': memref.load reads %arg0, may change
func.func @prefix(%a: memref<?xf64>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = arith.constant 0.0 : f64
  scf.for %i = %zero to %n step %one {
    %sum = scf.for %j = %zero to %i step %one iter_args(%s = %init) -> f64 {
      %0 = memref.load %a[%j] : memref<?xf64> loc("prefix")
      %1 = arith.addf %s, %0 : f64
      scf.yield %1 : f64
    }
    %end = arith.addi %i, %one : index
    scf.for %j = %zero to %end step %one {
      %0 = memref.load %a[%j] : memref<?xf64> loc("inclusive")
    }
    scf.for %j = %i to %n step %one {
      %0 = memref.load %a[%j] : memref<?xf64> loc("suffix")
    }
    memref.store %sum, %a[%i] : memref<?xf64>
  }
  return
}

// The factorisation of a matrix in place: rows and columns that are done stay.

// CHECK-LABEL: memory of @lu
// CHECK: 'pivot': memref.load reads %arg0, kept
// CHECK: 'below': memref.load reads %arg0, may change
// CHECK: 'column': memref.load reads %arg0, kept
// CHECK: 'row': memref.load reads %arg0, kept
// CHECK: 'rest': memref.load reads %arg0, may change
func.func @lu(%a: memref<?x?xf64>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %n step %one {
    %next = arith.addi %k, %one : index
    scf.for %i = %next to %n step %one {
      %pivot = memref.load %a[%k, %k] : memref<?x?xf64> loc("pivot")
      %below = memref.load %a[%i, %k] : memref<?x?xf64> loc("below")
      %factor = arith.divf %below, %pivot : f64
      memref.store %factor, %a[%i, %k] : memref<?x?xf64>
      scf.for %j = %next to %n step %one {
        %column = memref.load %a[%i, %k] : memref<?x?xf64> loc("column")
        %row = memref.load %a[%k, %j] : memref<?x?xf64> loc("row")
        %rest = memref.load %a[%i, %j] : memref<?x?xf64> loc("rest")
        %product = arith.mulf %column, %row : f64
        %0 = arith.subf %rest, %product : f64
        memref.store %0, %a[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// The same with an inner loop that starts one too early.

// CHECK-LABEL: memory of @lu_too_early
// CHECK: 'early_column': memref.load reads %arg0, may change
// CHECK: 'early_row': memref.load reads %arg0, kept
func.func @lu_too_early(%a: memref<?x?xf64>, %x: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %k = %zero to %n step %one {
    %next = arith.addi %k, %one : index
    scf.for %i = %next to %n step %one {
      scf.for %j = %k to %n step %one {
        %column = memref.load %a[%i, %k] : memref<?x?xf64> loc("early_column")
        %row = memref.load %a[%k, %j] : memref<?x?xf64> loc("early_row")
        memref.store %x, %a[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// Tiles: the bound is a minimum.

// CHECK-LABEL: memory of @tiled_prefix
// CHECK: 'tile': memref.load reads %arg0, kept
// CHECK: 'larger_tile': memref.load reads %arg0, may change
func.func @tiled_prefix(%a: memref<?xf64>, %x: f64, %m: index, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %end = arith.minsi %m, %i : index
    scf.for %j = %zero to %end step %one {
      %0 = memref.load %a[%j] : memref<?xf64> loc("tile")
    }
    %larger = arith.maxsi %m, %i : index
    scf.for %j = %zero to %larger step %one {
      %0 = memref.load %a[%j] : memref<?xf64> loc("larger_tile")
    }
    memref.store %x, %a[%i] : memref<?xf64>
  }
  return
}

// Columns of an index that does not change, in a loop without a count.

// CHECK-LABEL: memory of @columns
// CHECK: 'left': memref.load reads %arg0, kept
// CHECK: 'moving_column': memref.load reads %arg0, may change
func.func @columns(%a: memref<?x?xf64>, %i: index, %x: f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %right = arith.addi %i, %one : index
  %0 = scf.while (%j = %zero) : (index) -> index {
    %1 = memref.load %a[%j, %i] : memref<?x?xf64> loc("left")
    %2 = memref.load %a[%zero, %j] : memref<?x?xf64> loc("moving_column")
    %c = arith.cmpf olt, %1, %2 : f64
    scf.condition(%c) %j : index
  } do {
  ^bb0(%j: index):
    memref.store %x, %a[%j, %right] : memref<?x?xf64>
    %next = arith.addi %j, %one : index
    scf.yield %next : index
  }
  return
}
