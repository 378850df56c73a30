//===- ScalarBuilder.h - the scalar operations of the rule table ---------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_RULES_SCALARBUILDER_H
#define AUTODIFF_RULES_SCALARBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::autodiff {

/// Emits the scalar operations of RuleBase.td in arith and math, elementwise on
/// vectors and tensors.
class ScalarBuilder {
public:
  /// `primal` is the float type (or vector, tensor of floats) in which partial
  /// derivatives are computed; `target` that of what the contribution goes to;
  /// `like` a value of the shape of `primal`, for dynamic sizes.
  ScalarBuilder(OpBuilder &builder, Location loc, arith::FastMathFlags flags,
                Type primal, Type target, Value like)
      : builder(builder), loc(loc), flags(flags), primal(primal),
        target(target), like(like) {}

  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value div(Value lhs, Value rhs);
  Value neg(Value value);
  Value sqrt(Value value);
  Value exp(Value value);
  Value log(Value value);
  Value pow(Value base, Value exponent);
  Value powi(Value base, Value exponent);
  Value sin(Value value);
  Value cos(Value value);
  Value sinh(Value value);
  Value cosh(Value value);
  Value roundEven(Value value);
  Value copySign(Value magnitude, Value sign);
  Value cast(Value value);
  Value toFloat(Value integer);
  Value decrement(Value integer);
  Value select(Value condition, Value yes, Value no);
  Value equal(Value lhs, Value rhs);
  Value greater(Value lhs, Value rhs);
  Value less(Value lhs, Value rhs);
  Value isZeroInteger(Value integer);
  Value isNaN(Value value);
  Value either(Value lhs, Value rhs);
  Value number(double value);
  /// A zero of the type of `value`.
  Value zeroLike(Value value);
  /// `value` repeated for each of the directions that `d` holds.
  Value lift(Value value, Value d);

private:
  Value compare(arith::CmpFPredicate predicate, Value lhs, Value rhs);
  Value createConstant(Type type, TypedAttr element, Value sizes);

  OpBuilder &builder;
  Location loc;
  arith::FastMathFlags flags;
  Type primal, target;
  Value like;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_RULES_SCALARBUILDER_H
