// RUN: ad-opt %s --ad-differentiate --ad-lower-to-llvm | %run_main | FileCheck %s

// What holds where a function is not differentiable, in both modes: the gradient,
// then the tangent in each direction. docs/reference/rules.md lists the
// conventions.

func.func private @printF64(f64)
func.func private @printNewline()
func.func private @show(%x: f64) {
  // Minus zero is zero.
  %zero = arith.constant 0.0 : f64
  %y = arith.addf %x, %zero : f64
  call @printF64(%y) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @sqrt_at_zero(%x0: f64) -> f64 {
  %r = "math.sqrt"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @cbrt_at_zero(%x0: f64) -> f64 {
  %r = "math.cbrt"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @abs_at_zero(%x0: f64) -> f64 {
  %r = "math.absf"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @copysign_at_zero(%x0: f64, %x1: f64) -> f64 {
  %r = "math.copysign"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @maximum_tie(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.maximumf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @minimum_tie(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.minimumf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @maxnum_tie(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.maxnumf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @minnum_tie(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.minnumf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @maxnum_first_is_nan(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.maxnumf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @maxnum_second_is_nan(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.maxnumf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @minnum_first_is_nan(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.minnumf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @minnum_second_is_nan(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.minnumf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @clamp_at_lower_bound(%x0: f64, %x1: f64, %x2: f64) -> f64 {
  %r = "math.clampf"(%x0, %x1, %x2) : (f64, f64, f64) -> f64
  return %r : f64
}

func.func private @clamp_at_upper_bound(%x0: f64, %x1: f64, %x2: f64) -> f64 {
  %r = "math.clampf"(%x0, %x1, %x2) : (f64, f64, f64) -> f64
  return %r : f64
}

func.func private @rem_of_multiple(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.remf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @pow_of_zero(%x0: f64, %x1: f64) -> f64 {
  %r = "math.powf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @pow_of_zero_to_one(%x0: f64, %x1: f64) -> f64 {
  %r = "math.powf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @pow_to_zero(%x0: f64, %x1: f64) -> f64 {
  %r = "math.powf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @pow_of_zero_to_zero(%x0: f64, %x1: f64) -> f64 {
  %r = "math.powf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @pow_of_negative(%x0: f64, %x1: f64) -> f64 {
  %r = "math.powf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @atan2_of_zeros(%x0: f64, %x1: f64) -> f64 {
  %r = "math.atan2"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @log_of_zero(%x0: f64) -> f64 {
  %r = "math.log"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @log2_of_zero(%x0: f64) -> f64 {
  %r = "math.log2"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @log10_of_zero(%x0: f64) -> f64 {
  %r = "math.log10"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @log1p_of_minus_one(%x0: f64) -> f64 {
  %r = "math.log1p"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @rsqrt_of_zero(%x0: f64) -> f64 {
  %r = "math.rsqrt"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @asin_of_one(%x0: f64) -> f64 {
  %r = "math.asin"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @acos_of_one(%x0: f64) -> f64 {
  %r = "math.acos"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @acosh_of_one(%x0: f64) -> f64 {
  %r = "math.acosh"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @atanh_of_one(%x0: f64) -> f64 {
  %r = "math.atanh"(%x0) : (f64) -> f64
  return %r : f64
}

func.func private @div_by_zero(%x0: f64, %x1: f64) -> f64 {
  %r = "arith.divf"(%x0, %x1) : (f64, f64) -> f64
  return %r : f64
}

func.func private @round_at_half(%x0: f64) -> f64 {
  %r = "math.roundeven"(%x0) : (f64) -> f64
  return %r : f64
}

func.func @main() {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64

  // sqrt_at_zero
  %v0 = arith.constant 0.0 : f64
  %g1 = autodiff.autodiff @sqrt_at_zero(active %v0) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK: {{^}}0{{$}}
  call @show(%g1) : (f64) -> ()
  %t2 = autodiff.fwddiff @sqrt_at_zero(dup(%v0, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t2) : (f64) -> ()

  // cbrt_at_zero
  %v3 = arith.constant 0.0 : f64
  %g4 = autodiff.autodiff @cbrt_at_zero(active %v3) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g4) : (f64) -> ()
  %t5 = autodiff.fwddiff @cbrt_at_zero(dup(%v3, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t5) : (f64) -> ()

  // abs_at_zero
  %v6 = arith.constant 0.0 : f64
  %g7 = autodiff.autodiff @abs_at_zero(active %v6) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g7) : (f64) -> ()
  %t8 = autodiff.fwddiff @abs_at_zero(dup(%v6, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t8) : (f64) -> ()

  // copysign_at_zero
  %v9 = arith.constant 0.0 : f64
  %v10 = arith.constant -1.0 : f64
  %g11, %g12 = autodiff.autodiff @copysign_at_zero(active %v9, active %v10) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g11) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g12) : (f64) -> ()
  %t13 = autodiff.fwddiff @copysign_at_zero(dup(%v9, %one), dup(%v10, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t13) : (f64) -> ()
  %t14 = autodiff.fwddiff @copysign_at_zero(dup(%v9, %zero), dup(%v10, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t14) : (f64) -> ()

  // maximum_tie
  %v15 = arith.constant 1.0 : f64
  %v16 = arith.constant 1.0 : f64
  %g17, %g18 = autodiff.autodiff @maximum_tie(active %v15, active %v16) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g17) : (f64) -> ()
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g18) : (f64) -> ()
  %t19 = autodiff.fwddiff @maximum_tie(dup(%v15, %one), dup(%v16, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t19) : (f64) -> ()
  %t20 = autodiff.fwddiff @maximum_tie(dup(%v15, %zero), dup(%v16, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t20) : (f64) -> ()

  // minimum_tie
  %v21 = arith.constant 1.0 : f64
  %v22 = arith.constant 1.0 : f64
  %g23, %g24 = autodiff.autodiff @minimum_tie(active %v21, active %v22) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g23) : (f64) -> ()
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g24) : (f64) -> ()
  %t25 = autodiff.fwddiff @minimum_tie(dup(%v21, %one), dup(%v22, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t25) : (f64) -> ()
  %t26 = autodiff.fwddiff @minimum_tie(dup(%v21, %zero), dup(%v22, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t26) : (f64) -> ()

  // maxnum_tie
  %v27 = arith.constant 1.0 : f64
  %v28 = arith.constant 1.0 : f64
  %g29, %g30 = autodiff.autodiff @maxnum_tie(active %v27, active %v28) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g29) : (f64) -> ()
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g30) : (f64) -> ()
  %t31 = autodiff.fwddiff @maxnum_tie(dup(%v27, %one), dup(%v28, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t31) : (f64) -> ()
  %t32 = autodiff.fwddiff @maxnum_tie(dup(%v27, %zero), dup(%v28, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t32) : (f64) -> ()

  // minnum_tie
  %v33 = arith.constant 1.0 : f64
  %v34 = arith.constant 1.0 : f64
  %g35, %g36 = autodiff.autodiff @minnum_tie(active %v33, active %v34) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g35) : (f64) -> ()
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g36) : (f64) -> ()
  %t37 = autodiff.fwddiff @minnum_tie(dup(%v33, %one), dup(%v34, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t37) : (f64) -> ()
  %t38 = autodiff.fwddiff @minnum_tie(dup(%v33, %zero), dup(%v34, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t38) : (f64) -> ()

  // maxnum_first_is_nan
  %v39 = arith.constant 0x7FF8000000000000 : f64
  %v40 = arith.constant 1.0 : f64
  %g41, %g42 = autodiff.autodiff @maxnum_first_is_nan(active %v39, active %v40) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g41) : (f64) -> ()
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g42) : (f64) -> ()
  %t43 = autodiff.fwddiff @maxnum_first_is_nan(dup(%v39, %one), dup(%v40, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t43) : (f64) -> ()
  %t44 = autodiff.fwddiff @maxnum_first_is_nan(dup(%v39, %zero), dup(%v40, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t44) : (f64) -> ()

  // maxnum_second_is_nan
  %v45 = arith.constant 1.0 : f64
  %v46 = arith.constant 0x7FF8000000000000 : f64
  %g47, %g48 = autodiff.autodiff @maxnum_second_is_nan(active %v45, active %v46) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g47) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g48) : (f64) -> ()
  %t49 = autodiff.fwddiff @maxnum_second_is_nan(dup(%v45, %one), dup(%v46, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t49) : (f64) -> ()
  %t50 = autodiff.fwddiff @maxnum_second_is_nan(dup(%v45, %zero), dup(%v46, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t50) : (f64) -> ()

  // minnum_first_is_nan
  %v51 = arith.constant 0x7FF8000000000000 : f64
  %v52 = arith.constant 1.0 : f64
  %g53, %g54 = autodiff.autodiff @minnum_first_is_nan(active %v51, active %v52) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g53) : (f64) -> ()
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g54) : (f64) -> ()
  %t55 = autodiff.fwddiff @minnum_first_is_nan(dup(%v51, %one), dup(%v52, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t55) : (f64) -> ()
  %t56 = autodiff.fwddiff @minnum_first_is_nan(dup(%v51, %zero), dup(%v52, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t56) : (f64) -> ()

  // minnum_second_is_nan
  %v57 = arith.constant 1.0 : f64
  %v58 = arith.constant 0x7FF8000000000000 : f64
  %g59, %g60 = autodiff.autodiff @minnum_second_is_nan(active %v57, active %v58) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g59) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g60) : (f64) -> ()
  %t61 = autodiff.fwddiff @minnum_second_is_nan(dup(%v57, %one), dup(%v58, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t61) : (f64) -> ()
  %t62 = autodiff.fwddiff @minnum_second_is_nan(dup(%v57, %zero), dup(%v58, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t62) : (f64) -> ()

  // clamp_at_lower_bound
  %v63 = arith.constant 0.0 : f64
  %v64 = arith.constant 0.0 : f64
  %v65 = arith.constant 1.0 : f64
  %g66, %g67, %g68 = autodiff.autodiff @clamp_at_lower_bound(active %v63, active %v64, active %v65) returns (active_noneed(%one)) : (f64, f64, f64, f64) -> (f64, f64, f64)
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g66) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g67) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g68) : (f64) -> ()
  %t69 = autodiff.fwddiff @clamp_at_lower_bound(dup(%v63, %one), dup(%v64, %zero), dup(%v65, %zero)) returns (active_noneed) : (f64, f64, f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t69) : (f64) -> ()
  %t70 = autodiff.fwddiff @clamp_at_lower_bound(dup(%v63, %zero), dup(%v64, %one), dup(%v65, %zero)) returns (active_noneed) : (f64, f64, f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t70) : (f64) -> ()
  %t71 = autodiff.fwddiff @clamp_at_lower_bound(dup(%v63, %zero), dup(%v64, %zero), dup(%v65, %one)) returns (active_noneed) : (f64, f64, f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t71) : (f64) -> ()

  // clamp_at_upper_bound
  %v72 = arith.constant 1.0 : f64
  %v73 = arith.constant 0.0 : f64
  %v74 = arith.constant 1.0 : f64
  %g75, %g76, %g77 = autodiff.autodiff @clamp_at_upper_bound(active %v72, active %v73, active %v74) returns (active_noneed(%one)) : (f64, f64, f64, f64) -> (f64, f64, f64)
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g75) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g76) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g77) : (f64) -> ()
  %t78 = autodiff.fwddiff @clamp_at_upper_bound(dup(%v72, %one), dup(%v73, %zero), dup(%v74, %zero)) returns (active_noneed) : (f64, f64, f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t78) : (f64) -> ()
  %t79 = autodiff.fwddiff @clamp_at_upper_bound(dup(%v72, %zero), dup(%v73, %one), dup(%v74, %zero)) returns (active_noneed) : (f64, f64, f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t79) : (f64) -> ()
  %t80 = autodiff.fwddiff @clamp_at_upper_bound(dup(%v72, %zero), dup(%v73, %zero), dup(%v74, %one)) returns (active_noneed) : (f64, f64, f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t80) : (f64) -> ()

  // rem_of_multiple
  %v81 = arith.constant 6.0 : f64
  %v82 = arith.constant 2.0 : f64
  %g83, %g84 = autodiff.autodiff @rem_of_multiple(active %v81, active %v82) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g83) : (f64) -> ()
  // CHECK-NEXT: {{^}}-3{{$}}
  call @show(%g84) : (f64) -> ()
  %t85 = autodiff.fwddiff @rem_of_multiple(dup(%v81, %one), dup(%v82, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t85) : (f64) -> ()
  %t86 = autodiff.fwddiff @rem_of_multiple(dup(%v81, %zero), dup(%v82, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}-3{{$}}
  call @show(%t86) : (f64) -> ()

  // pow_of_zero
  %v87 = arith.constant 0.0 : f64
  %v88 = arith.constant 2.0 : f64
  %g89, %g90 = autodiff.autodiff @pow_of_zero(active %v87, active %v88) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g89) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g90) : (f64) -> ()
  %t91 = autodiff.fwddiff @pow_of_zero(dup(%v87, %one), dup(%v88, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t91) : (f64) -> ()
  %t92 = autodiff.fwddiff @pow_of_zero(dup(%v87, %zero), dup(%v88, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t92) : (f64) -> ()

  // pow_of_zero_to_one
  %v93 = arith.constant 0.0 : f64
  %v94 = arith.constant 1.0 : f64
  %g95, %g96 = autodiff.autodiff @pow_of_zero_to_one(active %v93, active %v94) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%g95) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g96) : (f64) -> ()
  %t97 = autodiff.fwddiff @pow_of_zero_to_one(dup(%v93, %one), dup(%v94, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}1{{$}}
  call @show(%t97) : (f64) -> ()
  %t98 = autodiff.fwddiff @pow_of_zero_to_one(dup(%v93, %zero), dup(%v94, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t98) : (f64) -> ()

  // pow_to_zero
  %v99 = arith.constant 2.0 : f64
  %v100 = arith.constant 0.0 : f64
  %g101, %g102 = autodiff.autodiff @pow_to_zero(active %v99, active %v100) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g101) : (f64) -> ()
  // CHECK-NEXT: {{^}}0.693147{{$}}
  call @show(%g102) : (f64) -> ()
  %t103 = autodiff.fwddiff @pow_to_zero(dup(%v99, %one), dup(%v100, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t103) : (f64) -> ()
  %t104 = autodiff.fwddiff @pow_to_zero(dup(%v99, %zero), dup(%v100, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0.693147{{$}}
  call @show(%t104) : (f64) -> ()

  // pow_of_zero_to_zero
  %v105 = arith.constant 0.0 : f64
  %v106 = arith.constant 0.0 : f64
  %g107, %g108 = autodiff.autodiff @pow_of_zero_to_zero(active %v105, active %v106) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g107) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g108) : (f64) -> ()
  %t109 = autodiff.fwddiff @pow_of_zero_to_zero(dup(%v105, %one), dup(%v106, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t109) : (f64) -> ()
  %t110 = autodiff.fwddiff @pow_of_zero_to_zero(dup(%v105, %zero), dup(%v106, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t110) : (f64) -> ()

  // pow_of_negative
  %v111 = arith.constant -2.0 : f64
  %v112 = arith.constant 2.0 : f64
  %g113, %g114 = autodiff.autodiff @pow_of_negative(active %v111, active %v112) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}-4{{$}}
  call @show(%g113) : (f64) -> ()
  // CHECK-NEXT: {{^}}{{-?nan}}{{$}}
  call @show(%g114) : (f64) -> ()
  %t115 = autodiff.fwddiff @pow_of_negative(dup(%v111, %one), dup(%v112, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}{{-?nan}}{{$}}
  call @show(%t115) : (f64) -> ()
  %s116 = autodiff.fwddiff @pow_of_negative(dup(%v111, %one), dup(%v112, %zero)) returns (active_noneed) {strong_zero} : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}-4{{$}}
  call @show(%s116) : (f64) -> ()
  %t117 = autodiff.fwddiff @pow_of_negative(dup(%v111, %zero), dup(%v112, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}{{-?nan}}{{$}}
  call @show(%t117) : (f64) -> ()

  // atan2_of_zeros
  %v118 = arith.constant 0.0 : f64
  %v119 = arith.constant 0.0 : f64
  %g120, %g121 = autodiff.autodiff @atan2_of_zeros(active %v118, active %v119) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g120) : (f64) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g121) : (f64) -> ()
  %t122 = autodiff.fwddiff @atan2_of_zeros(dup(%v118, %one), dup(%v119, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t122) : (f64) -> ()
  %t123 = autodiff.fwddiff @atan2_of_zeros(dup(%v118, %zero), dup(%v119, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t123) : (f64) -> ()

  // log_of_zero
  %v124 = arith.constant 0.0 : f64
  %g125 = autodiff.autodiff @log_of_zero(active %v124) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%g125) : (f64) -> ()
  %t126 = autodiff.fwddiff @log_of_zero(dup(%v124, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%t126) : (f64) -> ()

  // log2_of_zero
  %v127 = arith.constant 0.0 : f64
  %g128 = autodiff.autodiff @log2_of_zero(active %v127) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%g128) : (f64) -> ()
  %t129 = autodiff.fwddiff @log2_of_zero(dup(%v127, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%t129) : (f64) -> ()

  // log10_of_zero
  %v130 = arith.constant 0.0 : f64
  %g131 = autodiff.autodiff @log10_of_zero(active %v130) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%g131) : (f64) -> ()
  %t132 = autodiff.fwddiff @log10_of_zero(dup(%v130, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%t132) : (f64) -> ()

  // log1p_of_minus_one
  %v133 = arith.constant -1.0 : f64
  %g134 = autodiff.autodiff @log1p_of_minus_one(active %v133) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%g134) : (f64) -> ()
  %t135 = autodiff.fwddiff @log1p_of_minus_one(dup(%v133, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%t135) : (f64) -> ()

  // rsqrt_of_zero
  %v136 = arith.constant 0.0 : f64
  %g137 = autodiff.autodiff @rsqrt_of_zero(active %v136) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}-inf{{$}}
  call @show(%g137) : (f64) -> ()
  %t138 = autodiff.fwddiff @rsqrt_of_zero(dup(%v136, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}-inf{{$}}
  call @show(%t138) : (f64) -> ()

  // asin_of_one
  %v139 = arith.constant 1.0 : f64
  %g140 = autodiff.autodiff @asin_of_one(active %v139) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%g140) : (f64) -> ()
  %t141 = autodiff.fwddiff @asin_of_one(dup(%v139, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%t141) : (f64) -> ()

  // acos_of_one
  %v142 = arith.constant 1.0 : f64
  %g143 = autodiff.autodiff @acos_of_one(active %v142) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}-inf{{$}}
  call @show(%g143) : (f64) -> ()
  %t144 = autodiff.fwddiff @acos_of_one(dup(%v142, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}-inf{{$}}
  call @show(%t144) : (f64) -> ()

  // acosh_of_one
  %v145 = arith.constant 1.0 : f64
  %g146 = autodiff.autodiff @acosh_of_one(active %v145) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%g146) : (f64) -> ()
  %t147 = autodiff.fwddiff @acosh_of_one(dup(%v145, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%t147) : (f64) -> ()

  // atanh_of_one
  %v148 = arith.constant 1.0 : f64
  %g149 = autodiff.autodiff @atanh_of_one(active %v148) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%g149) : (f64) -> ()
  %t150 = autodiff.fwddiff @atanh_of_one(dup(%v148, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%t150) : (f64) -> ()

  // div_by_zero
  %v151 = arith.constant 1.0 : f64
  %v152 = arith.constant 0.0 : f64
  %g153, %g154 = autodiff.autodiff @div_by_zero(active %v151, active %v152) returns (active_noneed(%one)) : (f64, f64, f64) -> (f64, f64)
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%g153) : (f64) -> ()
  // CHECK-NEXT: {{^}}-inf{{$}}
  call @show(%g154) : (f64) -> ()
  %t155 = autodiff.fwddiff @div_by_zero(dup(%v151, %one), dup(%v152, %zero)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}{{-?nan}}{{$}}
  call @show(%t155) : (f64) -> ()
  %s156 = autodiff.fwddiff @div_by_zero(dup(%v151, %one), dup(%v152, %zero)) returns (active_noneed) {strong_zero} : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}inf{{$}}
  call @show(%s156) : (f64) -> ()
  %t157 = autodiff.fwddiff @div_by_zero(dup(%v151, %zero), dup(%v152, %one)) returns (active_noneed) : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}{{-?nan}}{{$}}
  call @show(%t157) : (f64) -> ()
  %s158 = autodiff.fwddiff @div_by_zero(dup(%v151, %zero), dup(%v152, %one)) returns (active_noneed) {strong_zero} : (f64, f64, f64, f64) -> f64
  // CHECK-NEXT: {{^}}-inf{{$}}
  call @show(%s158) : (f64) -> ()

  // round_at_half
  %v159 = arith.constant 0.5 : f64
  %g160 = autodiff.autodiff @round_at_half(active %v159) returns (active_noneed(%one)) : (f64, f64) -> (f64)
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%g160) : (f64) -> ()
  %t161 = autodiff.fwddiff @round_at_half(dup(%v159, %one)) returns (active_noneed) : (f64, f64) -> f64
  // CHECK-NEXT: {{^}}0{{$}}
  call @show(%t161) : (f64) -> ()
  return
}
