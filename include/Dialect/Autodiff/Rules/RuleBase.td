//===- RuleBase.td - the language of the rule table ----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule gives the partial derivatives of one mathematical function, for all
// levels of IR: the operations and library functions that mean it are listed in
// it. `ad-tblgen` makes tangent and adjoint of it, the reference in docs/, and a
// numeric test.
//
// A contribution is a DAG over the scalar operations below. `$d` is what comes
// in: the tangent of an operand, or the adjoint of a result. A contribution is
// linear in `$d`; that is why tangent and adjoint are made of the same one:
//
//   tangent of the result   = sum over operands of contribution(d = tangent)
//   adjoint of the operand += sum over results of contribution(d = adjoint)
//
// Other names are those of operands and results: their primal values. A result
// may be used so that nothing is computed twice. Only what a contribution names
// is kept for the reverse sweep.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_RULEBASE_TD
#define AUTODIFF_RULEBASE_TD

//===----------------------------------------------------------------------===//
// Scalar operations
//===----------------------------------------------------------------------===//

/// `method` of ScalarBuilder; `text` is how docs print it: $0, $1, .. are the
/// arguments. Arguments that bind less strongly than `precedence` are put in
/// parentheses.
class ScalarOp<string method_, string text_, int precedence_ = 9> {
  string method = method_;
  string text = text_;
  int precedence = precedence_;
}

def add : ScalarOp<"add", "$0 + $1", 4>;
def sub : ScalarOp<"sub", "$0 - $1", 4>;
def mul : ScalarOp<"mul", "$0 * $1", 5>;
def div : ScalarOp<"div", "$0 / $1", 6>;
def neg : ScalarOp<"neg", "-$0", 6>;
def sqrt : ScalarOp<"sqrt", "sqrt($0)">;
def exp : ScalarOp<"exp", "exp($0)">;
def log : ScalarOp<"log", "log($0)">;
def pow : ScalarOp<"pow", "pow($0, $1)">;
def powi : ScalarOp<"powi", "pow($0, $1)">;
def sin : ScalarOp<"sin", "sin($0)">;
def cos : ScalarOp<"cos", "cos($0)">;
def sinh : ScalarOp<"sinh", "sinh($0)">;
def cosh : ScalarOp<"cosh", "cosh($0)">;
def round_even : ScalarOp<"roundEven", "round($0)">;
def copy_sign : ScalarOp<"copySign", "copysign($0, $1)">;
/// Between float types: to the type of what the contribution goes to.
def cast : ScalarOp<"cast", "$0">;
/// From an integer to the float type of the rule.
def to_float : ScalarOp<"toFloat", "$0">;
/// An integer minus one.
def decrement : ScalarOp<"decrement", "$0 - 1", 4>;
def select : ScalarOp<"select", "$0 ? $1 : $2", 1>;
def equal : ScalarOp<"equal", "$0 == $1", 3>;
def greater : ScalarOp<"greater", "$0 > $1", 3>;
def less : ScalarOp<"less", "$0 < $1", 3>;
def int_is_zero : ScalarOp<"isZeroInteger", "$0 == 0", 3>;
def is_nan : ScalarOp<"isNaN", "isnan($0)">;
def either : ScalarOp<"either", "$0 or $1", 2>;
/// A number: (number "0.5").
def number : ScalarOp<"number", "$0">;
/// No contribution.
def zero : ScalarOp<"zero", "0">;

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

/// What the generated test draws for an operand: uniform numbers in
/// [low, high].
class Operand<string name_, string low_ = "-2.0", string high_ = "2.0"> {
  string name = name_;
  string low = low_;
  string high = high_;
  /// A builtin type if it is not that of the rule.
  string type = "";
}
/// An integer operand; the test uses the value `value`.
class IntegerOperand<string name_, string type_, string value_>
    : Operand<name_, value_, value_> {
  let type = type_;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// An operation and its C++ class.
class Op<string name_, string cppClass_> {
  string name = name_;
  string cppClass = cppClass_;
}

class Rule<list<Op> ops_, list<Operand> operands_, list<string> results_,
           list<list<dag>> contributions_> {
  /// The operations of arith and math.
  list<Op> ops = ops_;
  /// The operations of the LLVM dialect with the same meaning.
  list<string> llvmOps = [];
  /// C library functions with the same meaning, in double precision; the
  /// generator of the foreign levels adds the suffixes of other precisions.
  list<string> libraryFunctions = [];
  list<Operand> operands = operands_;
  list<string> results = results_;
  /// Per operand, per result.
  list<list<dag>> contributions = contributions_;
  /// What holds where the function is not differentiable.
  string convention = "";
  /// The types of the operand and of the result in the test, where they differ.
  string testType = "f64";
  string testResultType = "";
}

/// A function of one variable x with the result r.
class Unary<string mnemonic, string cppClass, dag contribution,
            string low = "-2.0", string high = "2.0">
    : Rule<[Op<mnemonic, cppClass>], [Operand<"x", low, high>], ["r"],
           [[contribution]]>;

/// A function of two variables x and y with the result r.
class Binary<string mnemonic, string cppClass, dag byX, dag byY,
             string low = "-2.0", string high = "2.0">
    : Rule<[Op<mnemonic, cppClass>],
           [Operand<"x", low, high>, Operand<"y", low, high>], ["r"],
           [[byX], [byY]]>;

/// Operations whose derivative is zero wherever it exists, or which have no
/// float result.
class Inactive<list<Op> ops_, string reason_> {
  list<Op> ops = ops_;
  string reason = reason_;
}

/// Operations that have a derivative in principle and are refused: an active
/// operand is an error.
class Refused<list<Op> ops_, string reason_> {
  list<Op> ops = ops_;
  string reason = reason_;
}

#endif // AUTODIFF_RULEBASE_TD
