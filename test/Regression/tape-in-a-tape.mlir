// RUN: ad-check %s --all
// RUN: ad-check %s --all --order=after

// The tape of the callee is small and, once the callee is inlined and the loop
// that runs once is gone, created in the function that uses it. Its handle is
// kept on another tape through which it is freed, so it must stay on the heap.

func.func private @callee(%x: f64, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> f64 {
    %w:2 = scf.while (%k = %c0, %b = %a) : (index, f64) -> (index, f64) {
      %go = arith.cmpi ult, %k, %n : index
      scf.condition(%go) %k, %b : index, f64
    } do {
    ^bb0(%k: index, %b: f64):
      %s = math.sin %b : f64
      %p = arith.mulf %s, %b : f64
      %next = arith.addi %k, %c1 : index
      scf.yield %next, %p : index, f64
    }
    scf.yield %w#1 : f64
  }
  return %r : f64
}

func.func @small_tape_of_an_inlined_call(%x: f64, %n: index {autodiff.value = 2}) -> f64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c1 to %c3 step %c2 iter_args(%a = %x) -> f64 {
    %y = func.call @callee(%a, %n) : (f64, index) -> f64
    %z = arith.mulf %y, %a : f64
    scf.yield %z : f64
  }
  return %r : f64
}
