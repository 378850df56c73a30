// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=before

func.func @triangular(%x: f64, %n: index {autodiff.value = 5}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f64 {
    %q = scf.for %j = %c0 to %i step %c1 iter_args(%b = %a) -> f64 {
      %p = arith.mulf %b, %x : f64
      %s = math.sin %p : f64
      %t = arith.addf %s, %a : f64
      scf.yield %t : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}

func.func @four_deep_with_memory(%m: memref<?x?xf64> {autodiff.sizes = [3, 2]},
                                 %x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> f64 {
    %r1 = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %a) -> f64 {
      %r2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%c = %b) -> f64 {
        %r3 = scf.for %l = %c0 to %c3 step %c1 iter_args(%d = %c) -> f64 {
          %v = memref.load %m[%l, %k] : memref<?x?xf64>
          %p = arith.mulf %v, %d : f64
          %s = math.sin %p : f64
          memref.store %s, %m[%i, %j] : memref<?x?xf64>
          scf.yield %s : f64
        }
        %u = arith.addf %r3, %b : f64
        scf.yield %u : f64
      }
      scf.yield %r2 : f64
    }
    scf.yield %r1 : f64
  }
  return %r : f64
}

// The trip count of the inner loop comes from memory that changes.
func.func @bounds_from_memory(%x: f64,
                              %n: memref<?xindex> {autodiff.sizes = [4], autodiff.range = [1, 4]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> f64 {
    %ub = memref.load %n[%i] : memref<?xindex>
    %q = scf.for %j = %c0 to %ub step %c1 iter_args(%b = %a) -> f64 {
      %p = arith.mulf %b, %x : f64
      %s = math.sin %p : f64
      scf.yield %s : f64
    }
    %more = arith.addi %ub, %c1 : index
    %next = arith.addi %i, %c1 : index
    %last = arith.cmpi ult, %next, %c4 : index
    scf.if %last {
      memref.store %more, %n[%next] : memref<?xindex>
    }
    scf.yield %q : f64
  }
  return %r : f64
}

func.func @step_of_inner_is_outer_variable(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %i = %c1 to %c4 step %c1 iter_args(%a = %x) -> f64 {
    %q = scf.for %j = %c0 to %c9 step %i iter_args(%b = %a) -> f64 {
      %p = arith.mulf %b, %x : f64
      %s = math.cos %p : f64
      scf.yield %s : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}

// A loop inside of a branch inside of a loop: its tape exists whether or not
// the branch is taken.
func.func @loop_in_branch_in_loop(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %r = scf.for %i = %c0 to %c6 step %c1 iter_args(%a = %x) -> f64 {
    %odd = arith.remui %i, %c2 : index
    %isOdd = arith.cmpi eq, %odd, %c1 : index
    %q = scf.if %isOdd -> f64 {
      %t = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %a) -> f64 {
        %s = math.sin %b : f64
        %p = arith.mulf %s, %x : f64
        scf.yield %p : f64
      }
      scf.yield %t : f64
    } else {
      %e = math.exp %a : f64
      %h = arith.divf %e, %x : f64
      scf.yield %h : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}

// The index is a recurrence, not the induction variable.
func.func @index_recurrence(%m: memref<?xf64> {autodiff.sizes = [16]}) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f64
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %one, %k = %c1) -> (f64, index) {
    %v = memref.load %m[%k] : memref<?xf64>
    %p = arith.mulf %v, %a : f64
    memref.store %p, %m[%k] : memref<?xf64>
    %k3 = arith.muli %k, %c3 : index
    %k4 = arith.addi %k3, %c1 : index
    %next = arith.remui %k4, %c16 : index
    scf.yield %p, %next : f64, index
  }
  return %r#0 : f64
}

func.func @execute_region(%x: f64, %y: f64) -> f64 {
  %r = scf.execute_region -> f64 {
    %s = math.sin %x : f64
    %p = arith.mulf %s, %y : f64
    scf.yield %p : f64
  }
  %q = arith.mulf %r, %x : f64
  return %q : f64
}

func.func @index_switch(%x: f64, %y: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %x) -> f64 {
    %q = scf.index_switch %i -> f64
    case 1 {
      %s = math.sin %a : f64
      scf.yield %s : f64
    }
    case 3 {
      %p = arith.mulf %a, %y : f64
      scf.yield %p : f64
    }
    default {
      %e = math.exp %a : f64
      %z = arith.divf %e, %y : f64
      scf.yield %z : f64
    }
    scf.yield %q : f64
  }
  return %r : f64
}
