// RUN: ad-opt %s --ad-pipeline=lower-to-llvm | %run_main | FileCheck %s
// RUN: ad-opt %s --ad-pipeline="order=before lower-to-llvm" | %run_main | FileCheck %s

// Finite differences see what stop_gradient hides: the derivatives are known.

// 1.5 x stop(4) + stop(y)
func.func private @nothing_passes(%x: f64, %y: f64) -> f64 {
  %four = arith.constant 4.0 : f64
  %s = autodiff.stop_gradient %four : f64
  %t = autodiff.stop_gradient %y : f64
  %p = arith.mulf %x, %s : f64
  %c = arith.constant 1.5 : f64
  %u = arith.mulf %p, %c : f64
  %q = arith.addf %u, %t : f64
  return %q : f64
}

// a <- a stop(a), twice from x = 2: the derivative is stop(2) stop(4).
func.func private @inside_of_a_loop(%x: f64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> f64 {
    %s = autodiff.stop_gradient %a : f64
    %p = arith.mulf %a, %s : f64
    scf.yield %p : f64
  }
  return %r : f64
}

func.func private @printF64(f64)
func.func private @printNewline()
func.func private @show(%x: f64) {
  call @printF64(%x) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @main() {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %dx, %dy = autodiff.autodiff @nothing_passes(active %two, active %two)
      returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK: {{^}}6{{$}}
  call @show(%dx) : (f64) -> ()
  // CHECK: {{^}}0{{$}}
  call @show(%dy) : (f64) -> ()
  %t = autodiff.fwddiff @nothing_passes(dup(%two, %one), dup(%two, %one))
      returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK: {{^}}6{{$}}
  call @show(%t) : (f64) -> ()
  %y, %dz = autodiff.autodiff @inside_of_a_loop(active %two)
      returns (active(%one)) : (f64, f64) -> (f64, f64)
  // CHECK: {{^}}16{{$}}
  call @show(%y) : (f64) -> ()
  // CHECK: {{^}}8{{$}}
  call @show(%dz) : (f64) -> ()
  return
}
