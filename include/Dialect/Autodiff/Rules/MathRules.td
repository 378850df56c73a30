//===- MathRules.td - rules of math --------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derivatives as in Abramowitz and Stegun, Handbook of Mathematical Functions
// (1964), chapters 4 (elementary functions) and 7 (error function).
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_MATHRULES_TD
#define AUTODIFF_MATHRULES_TD

include "Dialect/Autodiff/Rules/RuleBase.td"

def Fma : Rule<[Op<"math.fma", "math::FmaOp">],
               [Operand<"x">, Operand<"y">, Operand<"z">], ["r"],
               [[(mul $d, $y)], [(mul $d, $x)], [(cast $d)]]> {
  let llvmOps = ["llvm.intr.fma", "llvm.intr.fmuladd"];
  let libraryFunctions = ["fma"];
}

def Abs : Unary<"math.absf", "math::AbsFOp",
                (select (greater $x, (number "0.0")), $d,
                        (select (less $x, (number "0.0")), (neg $d), (zero)))> {
  let llvmOps = ["llvm.intr.fabs"];
  let libraryFunctions = ["fabs"];
  let convention = "x = 0: 0";
}
def CopySign : Binary<"math.copysign", "math::CopySignOp",
    (select (equal $x, (number "0.0")), (zero),
            (mul $d, (mul (copy_sign (number "1.0"), $x),
                          (copy_sign (number "1.0"), $y)))),
    (zero)> {
  let llvmOps = ["llvm.intr.copysign"];
  let libraryFunctions = ["copysign"];
  let convention = "x = 0: 0; the sign of y is piecewise constant";
}
def Clamp : Rule<[Op<"math.clampf", "math::ClampFOp">],
                 [Operand<"x">, Operand<"low", "-1.5", "-0.5">,
                  Operand<"high", "0.5", "1.5">],
                 ["r"],
                 [[(select (either (less $x, $low), (greater $x, $high)),
                           (zero), $d)],
                  [(select (less $x, $low), $d, (zero))],
                  [(select (greater $x, $high), $d, (zero))]]> {
  let convention = "x at a bound: the derivative goes to x";
}

//===----------------------------------------------------------------------===//
// Powers and roots
//===----------------------------------------------------------------------===//

def Sqrt : Unary<"math.sqrt", "math::SqrtOp",
                 (select (equal $r, (number "0.0")), (zero),
                         (div $d, (add $r, $r))),
                 "0.25", "4.0"> {
  let llvmOps = ["llvm.intr.sqrt"];
  let libraryFunctions = ["sqrt"];
  let convention = "x = 0: 0";
}
def Rsqrt : Unary<"math.rsqrt", "math::RsqrtOp",
                  (mul (mul $d, (number "-0.5")), (div $r, $x)), "0.25",
                  "4.0"> {
  let convention = "x = 0: infinite, as the primal";
}
def Cbrt : Unary<"math.cbrt", "math::CbrtOp",
                 (select (equal $r, (number "0.0")), (zero),
                         (div $d, (mul (number "3.0"), (mul $r, $r)))),
                 "0.25", "4.0"> {
  let libraryFunctions = ["cbrt"];
  let convention = "x = 0: 0";
}
def Pow : Binary<"math.powf", "math::PowFOp",
    (select (equal $y, (number "0.0")), (zero),
            (mul $d, (mul $y, (pow $x, (sub $y, (number "1.0")))))),
    (select (equal $x, (number "0.0")), (zero),
            (mul $d, (mul $r, (log $x)))),
    "0.5", "2.0"> {
  let llvmOps = ["llvm.intr.pow"];
  let libraryFunctions = ["pow"];
  let convention = "y = 0: 0 by x; x = 0: 0 by y; x < 0: NaN by y";
}
def PowInteger : Rule<[Op<"math.fpowi", "math::FPowIOp">],
    [Operand<"x", "0.5", "2.0">, IntegerOperand<"n", "i32", "3">], ["r"],
    [[(select (int_is_zero $n), (zero),
              (mul $d, (mul (to_float $n), (powi $x, (decrement $n)))))],
     [(zero)]]> {
  let llvmOps = ["llvm.intr.powi"];
  let convention = "n = 0: 0";
}

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

def Exp : Unary<"math.exp", "math::ExpOp", (mul $d, $r)> {
  let llvmOps = ["llvm.intr.exp"];
  let libraryFunctions = ["exp"];
}
def Exp2 : Unary<"math.exp2", "math::Exp2Op",
                 (mul (mul $d, (number "0.69314718055994530942")), $r)> {
  let llvmOps = ["llvm.intr.exp2"];
  let libraryFunctions = ["exp2"];
}
def ExpM1 : Unary<"math.expm1", "math::ExpM1Op",
                  (mul $d, (add $r, (number "1.0")))> {
  let libraryFunctions = ["expm1"];
}
def Log : Unary<"math.log", "math::LogOp", (div $d, $x), "0.5", "4.0"> {
  let llvmOps = ["llvm.intr.log"];
  let libraryFunctions = ["log"];
  let convention = "x = 0: infinite, as the primal";
}
def Log2 : Unary<"math.log2", "math::Log2Op",
                 (div (mul $d, (number "1.44269504088896340736")), $x), "0.5",
                 "4.0"> {
  let llvmOps = ["llvm.intr.log2"];
  let libraryFunctions = ["log2"];
  let convention = "x = 0: infinite, as the primal";
}
def Log10 : Unary<"math.log10", "math::Log10Op",
                  (div (mul $d, (number "0.43429448190325182765")), $x), "0.5",
                  "4.0"> {
  let llvmOps = ["llvm.intr.log10"];
  let libraryFunctions = ["log10"];
  let convention = "x = 0: infinite, as the primal";
}
def Log1P : Unary<"math.log1p", "math::Log1pOp",
                  (div $d, (add $x, (number "1.0"))), "-0.5", "4.0"> {
  let libraryFunctions = ["log1p"];
  let convention = "x = -1: infinite, as the primal";
}

//===----------------------------------------------------------------------===//
// Trigonometric functions
//===----------------------------------------------------------------------===//

def Sin : Unary<"math.sin", "math::SinOp", (mul $d, (cos $x))> {
  let llvmOps = ["llvm.intr.sin"];
  let libraryFunctions = ["sin"];
}
def Cos : Unary<"math.cos", "math::CosOp", (neg (mul $d, (sin $x)))> {
  let llvmOps = ["llvm.intr.cos"];
  let libraryFunctions = ["cos"];
}
def SinCos : Rule<[Op<"math.sincos", "math::SincosOp">], [Operand<"x">],
                  ["s", "c"], [[(mul $d, $c), (neg (mul $d, $s))]]> {
  let llvmOps = ["llvm.intr.sincos"];
}
def Tan : Unary<"math.tan", "math::TanOp",
                (mul $d, (add (number "1.0"), (mul $r, $r))), "-1.0", "1.0"> {
  let llvmOps = ["llvm.intr.tan"];
  let libraryFunctions = ["tan"];
}
def ASin : Unary<"math.asin", "math::AsinOp",
    (div $d, (sqrt (mul (sub (number "1.0"), $x), (add (number "1.0"), $x)))),
    "-0.9", "0.9"> {
  let llvmOps = ["llvm.intr.asin"];
  let libraryFunctions = ["asin"];
  let convention = "x = -1, x = 1: infinite";
}
def ACos : Unary<"math.acos", "math::AcosOp",
    (neg (div $d, (sqrt (mul (sub (number "1.0"), $x),
                             (add (number "1.0"), $x))))),
    "-0.9", "0.9"> {
  let llvmOps = ["llvm.intr.acos"];
  let libraryFunctions = ["acos"];
  let convention = "x = -1, x = 1: infinite";
}
def ATan : Unary<"math.atan", "math::AtanOp",
                 (div $d, (add (number "1.0"), (mul $x, $x)))> {
  let llvmOps = ["llvm.intr.atan"];
  let libraryFunctions = ["atan"];
}
def ATan2 : Rule<[Op<"math.atan2", "math::Atan2Op">],
    [Operand<"y", "0.5", "2.0">, Operand<"x">], ["r"],
    [[(select (equal (add (mul $x, $x), (mul $y, $y)), (number "0.0")), (zero),
              (mul $d, (div $x, (add (mul $x, $x), (mul $y, $y)))))],
     [(select (equal (add (mul $x, $x), (mul $y, $y)), (number "0.0")), (zero),
              (neg (mul $d, (div $y, (add (mul $x, $x), (mul $y, $y))))))]]> {
  let llvmOps = ["llvm.intr.atan2"];
  let libraryFunctions = ["atan2"];
  let convention = "x = y = 0: 0";
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

def Sinh : Unary<"math.sinh", "math::SinhOp", (mul $d, (cosh $x))> {
  let llvmOps = ["llvm.intr.sinh"];
  let libraryFunctions = ["sinh"];
}
def Cosh : Unary<"math.cosh", "math::CoshOp", (mul $d, (sinh $x))> {
  let llvmOps = ["llvm.intr.cosh"];
  let libraryFunctions = ["cosh"];
}
def Tanh : Unary<"math.tanh", "math::TanhOp",
                 (mul $d, (sub (number "1.0"), (mul $r, $r)))> {
  let llvmOps = ["llvm.intr.tanh"];
  let libraryFunctions = ["tanh"];
}
def ASinh : Unary<"math.asinh", "math::AsinhOp",
                  (div $d, (sqrt (add (mul $x, $x), (number "1.0"))))> {
  let libraryFunctions = ["asinh"];
}
def ACosh : Unary<"math.acosh", "math::AcoshOp",
    (div $d, (mul (sqrt (sub $x, (number "1.0"))),
                  (sqrt (add $x, (number "1.0"))))),
    "1.5", "4.0"> {
  let libraryFunctions = ["acosh"];
  let convention = "x = 1: infinite";
}
def ATanh : Unary<"math.atanh", "math::AtanhOp",
    (div $d, (mul (sub (number "1.0"), $x), (add (number "1.0"), $x))), "-0.9",
    "0.9"> {
  let libraryFunctions = ["atanh"];
  let convention = "x = -1, x = 1: infinite, as the primal";
}

//===----------------------------------------------------------------------===//
// Error function
//===----------------------------------------------------------------------===//

def Erf : Unary<"math.erf", "math::ErfOp",
    (mul (mul $d, (number "1.12837916709551257390")),
         (exp (neg (mul $x, $x))))> {
  let libraryFunctions = ["erf"];
}
def Erfc : Unary<"math.erfc", "math::ErfcOp",
    (mul (mul $d, (number "-1.12837916709551257390")),
         (exp (neg (mul $x, $x))))> {
  let libraryFunctions = ["erfc"];
}

//===----------------------------------------------------------------------===//
// Without a derivative
//===----------------------------------------------------------------------===//

def MathRounding : Inactive<[Op<"math.ceil", "math::CeilOp">,
                             Op<"math.floor", "math::FloorOp">,
                             Op<"math.round", "math::RoundOp">,
                             Op<"math.roundeven", "math::RoundEvenOp">,
                             Op<"math.trunc", "math::TruncOp">],
    "piecewise constant; the jumps count for nothing">;
def MathTests : Inactive<[Op<"math.isfinite", "math::IsFiniteOp">,
                          Op<"math.isinf", "math::IsInfOp">,
                          Op<"math.isnan", "math::IsNaNOp">,
                          Op<"math.isnormal", "math::IsNormalOp">],
    "the result is a truth value">;
def MathIntegers : Inactive<[Op<"math.absi", "math::AbsIOp">,
                             Op<"math.ctlz", "math::CountLeadingZerosOp">,
                             Op<"math.ctpop", "math::CtPopOp">,
                             Op<"math.cttz", "math::CountTrailingZerosOp">,
                             Op<"math.ipowi", "math::IPowIOp">],
    "integers carry no derivative">;

#endif // AUTODIFF_MATHRULES_TD
