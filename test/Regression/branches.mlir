// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before

func.func @branch_on_active_value(%x: f64 {autodiff.domain = [0.2, 1.4]}, %y: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %c = arith.cmpf olt, %x, %one : f64
  %r = scf.if %c -> f64 {
    %p = arith.mulf %x, %y : f64
    scf.yield %p : f64
  } else {
    %s = math.sin %y : f64
    scf.yield %s : f64
  }
  return %r : f64
}

func.func @several_results_partly_used(%x: f64, %y: f64) -> f64 {
  %c = arith.cmpf olt, %x, %y : f64
  %r:3 = scf.if %c -> (f64, f64, f64) {
    %p = arith.mulf %x, %y : f64
    %q = math.exp %x : f64
    scf.yield %p, %q, %x : f64, f64, f64
  } else {
    %s = math.sin %y : f64
    scf.yield %y, %s, %y : f64, f64, f64
  }
  %z = arith.mulf %r#0, %r#2 : f64
  return %z : f64
}

// Only one branch writes.
func.func @effect_in_one_branch(%m: memref<?xf64> {autodiff.sizes = [5]}, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %v = memref.load %m[%i] : memref<?xf64>
    %odd = arith.remui %i, %c2 : index
    %isOdd = arith.cmpi eq, %odd, %c1 : index
    scf.if %isOdd {
      %s = math.sin %v : f64
      %p = arith.mulf %s, %x : f64
      memref.store %p, %m[%i] : memref<?xf64>
    }
  }
  return
}

// The outer values are captured two levels deep, and changed in between.
func.func @nested_captures(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0.0 : f64
  %c = arith.cmpf ogt, %x, %c0 : f64
  %u = math.exp %x : f64
  %r = scf.if %c -> f64 {
    %d = arith.cmpf ogt, %y, %c0 : f64
    %a = arith.mulf %u, %y : f64
    %q = scf.if %d -> f64 {
      %p = arith.mulf %a, %u : f64
      %p2 = arith.mulf %p, %x : f64
      scf.yield %p2 : f64
    } else {
      scf.yield %x : f64
    }
    %b = arith.addf %q, %u : f64
    scf.yield %b : f64
  } else {
    scf.yield %u : f64
  }
  %z = arith.mulf %r, %u : f64
  return %z : f64
}

func.func @branch_yields_constant(%x: f64, %flag: i1 {autodiff.value = 1}) -> f64 {
  %two = arith.constant 2.0 : f64
  %r = scf.if %flag -> f64 {
    scf.yield %two : f64
  } else {
    scf.yield %x : f64
  }
  %p = arith.mulf %r, %x : f64
  return %p : f64
}

// The condition is overwritten in memory after it was used.
func.func @condition_changes_afterwards(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %true = arith.constant true
  %flag = memref.alloca() : memref<i1>
  memref.store %true, %flag[] : memref<i1>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> f64 {
    %c = memref.load %flag[] : memref<i1>
    %q = scf.if %c -> f64 {
      %s = math.sin %a : f64
      scf.yield %s : f64
    } else {
      %p = arith.mulf %a, %a : f64
      scf.yield %p : f64
    }
    %n = arith.xori %c, %true : i1
    memref.store %n, %flag[] : memref<i1>
    scf.yield %q : f64
  }
  return %r : f64
}

func.func @selects(%x: f64, %y: f64) -> f64 {
  %c = arith.cmpf olt, %x, %y : f64
  %a = arith.select %c, %x, %y : f64
  %b = arith.select %c, %y, %x : f64
  %t = math.atan2 %a, %b : f64
  %d = arith.select %c, %t, %t : f64
  return %d : f64
}

// Bubble sort: a permutation, and its transpose in reverse.
func.func @bubble_sort(%m: memref<?xf64> {autodiff.sizes = [6]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %n1 = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %n1 step %c1 {
    %last = arith.subi %n1, %i : index
    scf.for %j = %c0 to %last step %c1 {
      %k = arith.addi %j, %c1 : index
      %a = memref.load %m[%j] : memref<?xf64>
      %b = memref.load %m[%k] : memref<?xf64>
      %c = arith.cmpf ogt, %a, %b : f64
      scf.if %c {
        memref.store %b, %m[%j] : memref<?xf64>
        memref.store %a, %m[%k] : memref<?xf64>
      }
    }
  }
  return
}
