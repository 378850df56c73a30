//===- ArithRules.td - rules of arith ------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_ARITHRULES_TD
#define AUTODIFF_ARITHRULES_TD

include "Dialect/Autodiff/Rules/RuleBase.td"

def Add : Binary<"arith.addf", "arith::AddFOp", (cast $d), (cast $d)> {
  let llvmOps = ["llvm.fadd"];
}
def Sub : Binary<"arith.subf", "arith::SubFOp", (cast $d), (neg $d)> {
  let llvmOps = ["llvm.fsub"];
}
def Mul : Binary<"arith.mulf", "arith::MulFOp", (mul $d, $y), (mul $d, $x)> {
  let llvmOps = ["llvm.fmul"];
}
def Div : Binary<"arith.divf", "arith::DivFOp", (div $d, $y),
                 (neg (mul (div $d, $y), $r)), "0.5", "2.0"> {
  let llvmOps = ["llvm.fdiv"];
  let convention = "y = 0: infinite, or NaN where the primal is";
}
def Neg : Unary<"arith.negf", "arith::NegFOp", (neg $d)> {
  let llvmOps = ["llvm.fneg"];
}
// The quotient that was taken is (x - r) / y, up to rounding.
def Rem : Binary<"arith.remf", "arith::RemFOp", (cast $d),
                 (neg (mul $d, (round_even (div (sub $x, $r), $y)))), "0.6",
                 "1.1"> {
  let llvmOps = ["llvm.frem"];
  let libraryFunctions = ["fmod"];
  let convention = "x a multiple of y: the derivative of the branch that the "
                   "primal takes";
}

def Maximum : Binary<"arith.maximumf", "arith::MaximumFOp",
                     (select (greater $x, $y), $d, (zero)),
                     (select (greater $x, $y), (zero), $d)> {
  let llvmOps = ["llvm.intr.maximum"];
  let convention = "x = y: the derivative goes to y";
}
def Minimum : Binary<"arith.minimumf", "arith::MinimumFOp",
                     (select (less $x, $y), $d, (zero)),
                     (select (less $x, $y), (zero), $d)> {
  let llvmOps = ["llvm.intr.minimum"];
  let convention = "x = y: the derivative goes to y";
}
// If y is NaN, the result is x.
def MaxNum : Binary<"arith.maxnumf", "arith::MaxNumFOp",
                    (select (either (greater $x, $y), (is_nan $y)), $d, (zero)),
                    (select (either (greater $x, $y), (is_nan $y)), (zero),
                            $d)> {
  let llvmOps = ["llvm.intr.maxnum"];
  let libraryFunctions = ["fmax"];
  let convention = "x = y: the derivative goes to y; one of them NaN: to the "
                   "other";
}
def MinNum : Binary<"arith.minnumf", "arith::MinNumFOp",
                    (select (either (less $x, $y), (is_nan $y)), $d, (zero)),
                    (select (either (less $x, $y), (is_nan $y)), (zero), $d)> {
  let llvmOps = ["llvm.intr.minnum"];
  let libraryFunctions = ["fmin"];
  let convention = "x = y: the derivative goes to y; one of them NaN: to the "
                   "other";
}

def Select : Rule<[Op<"arith.select", "arith::SelectOp">],
                  [IntegerOperand<"c", "i1", "1">, Operand<"x">, Operand<"y">],
                  ["r"],
                  [[(zero)], [(select $c, $d, (zero))],
                   [(select $c, (zero), $d)]]> {
  let llvmOps = ["llvm.select"];
}

def Extend : Unary<"arith.extf", "arith::ExtFOp", (cast $d)> {
  let llvmOps = ["llvm.fpext"];
  let testType = "f32";
  let testResultType = "f64";
}
def Truncate : Unary<"arith.truncf", "arith::TruncFOp", (cast $d)> {
  let llvmOps = ["llvm.fptrunc"];
  let testResultType = "f32";
  let convention = "rounding counts as the identity";
}

def ArithConstants : Inactive<[Op<"arith.constant", "arith::ConstantOp">],
                              "a constant">;
def ArithComparisons : Inactive<[Op<"arith.cmpf", "arith::CmpFOp">],
    "the result is a truth value; what it decides is differentiated on the "
    "side that is taken">;
def ArithToInteger : Inactive<[Op<"arith.fptosi", "arith::FPToSIOp">,
                               Op<"arith.fptoui", "arith::FPToUIOp">],
    "piecewise constant; the jumps count for nothing">;
def ArithFromInteger : Inactive<[Op<"arith.sitofp", "arith::SIToFPOp">,
                                 Op<"arith.uitofp", "arith::UIToFPOp">],
    "integers carry no derivative">;
def ArithBits : Refused<[Op<"arith.bitcast", "arith::BitcastOp">],
    "the bits of a float may be taken apart and put together again as integers, "
    "which carry no derivative">;
def ArithScaling : Refused<[Op<"arith.scaling_extf", "arith::ScalingExtFOp">,
                            Op<"arith.scaling_truncf",
                               "arith::ScalingTruncFOp">],
    "float types below 16 bits carry no derivative; expand the operation before "
    "differentiating">;

#endif // AUTODIFF_ARITHRULES_TD
