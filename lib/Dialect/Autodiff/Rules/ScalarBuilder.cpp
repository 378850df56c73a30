//===- ScalarBuilder.cpp - the scalar operations of the rule table -------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Rules/ScalarBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::autodiff;

Value ScalarBuilder::add(Value lhs, Value rhs) {
  return arith::AddFOp::create(builder, loc, lhs, rhs, flags);
}
Value ScalarBuilder::sub(Value lhs, Value rhs) {
  return arith::SubFOp::create(builder, loc, lhs, rhs, flags);
}
Value ScalarBuilder::mul(Value lhs, Value rhs) {
  return arith::MulFOp::create(builder, loc, lhs, rhs, flags);
}
Value ScalarBuilder::div(Value lhs, Value rhs) {
  return arith::DivFOp::create(builder, loc, lhs, rhs, flags);
}
Value ScalarBuilder::neg(Value value) {
  return arith::NegFOp::create(builder, loc, value, flags);
}
Value ScalarBuilder::sqrt(Value value) {
  return math::SqrtOp::create(builder, loc, value, flags);
}
Value ScalarBuilder::exp(Value value) {
  return math::ExpOp::create(builder, loc, value, flags);
}
Value ScalarBuilder::log(Value value) {
  return math::LogOp::create(builder, loc, value, flags);
}
Value ScalarBuilder::pow(Value base, Value exponent) {
  return math::PowFOp::create(builder, loc, base, exponent, flags);
}
Value ScalarBuilder::powi(Value base, Value exponent) {
  return math::FPowIOp::create(builder, loc, base, exponent, flags);
}
Value ScalarBuilder::sin(Value value) {
  return math::SinOp::create(builder, loc, value, flags);
}
Value ScalarBuilder::cos(Value value) {
  return math::CosOp::create(builder, loc, value, flags);
}
Value ScalarBuilder::sinh(Value value) {
  return math::SinhOp::create(builder, loc, value, flags);
}
Value ScalarBuilder::cosh(Value value) {
  return math::CoshOp::create(builder, loc, value, flags);
}
Value ScalarBuilder::roundEven(Value value) {
  return math::RoundEvenOp::create(builder, loc, value, flags);
}
Value ScalarBuilder::copySign(Value magnitude, Value sign) {
  return math::CopySignOp::create(builder, loc, magnitude, sign, flags);
}

/// `type` with another element type.
static Type withElementType(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

Value ScalarBuilder::cast(Value value) {
  Type from = getElementTypeOrSelf(value.getType());
  Type to = getElementTypeOrSelf(target);
  if (from == to)
    return value;
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  if (fromWidth == toWidth) {
    // f16 and bf16: through a type that holds both.
    Type wide = withElementType(value.getType(), builder.getF32Type());
    value = arith::ExtFOp::create(builder, loc, wide, value);
    fromWidth = 32;
  }
  Type type = withElementType(value.getType(), to);
  if (fromWidth < toWidth)
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

Value ScalarBuilder::toFloat(Value integer) {
  Type type = withElementType(integer.getType(), getElementTypeOrSelf(primal));
  return arith::SIToFPOp::create(builder, loc, type, integer);
}

Value ScalarBuilder::createConstant(Type type, TypedAttr element, Value sizes) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return arith::ConstantOp::create(builder, loc, element);
  if (shaped.hasStaticShape())
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(shaped, static_cast<Attribute>(element)));
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(shaped.getShape()))
    if (ShapedType::isDynamic(size))
      dynamic.push_back(tensor::DimOp::create(builder, loc, sizes, dim));
  Value scalar = arith::ConstantOp::create(builder, loc, element);
  return tensor::SplatOp::create(builder, loc, scalar, shaped, dynamic);
}

Value ScalarBuilder::decrement(Value integer) {
  Type element = getElementTypeOrSelf(integer.getType());
  Value one = createConstant(integer.getType(),
                             builder.getIntegerAttr(element, 1), integer);
  return arith::SubIOp::create(builder, loc, integer, one);
}

Value ScalarBuilder::isZeroInteger(Value integer) {
  Type element = getElementTypeOrSelf(integer.getType());
  Value zero = createConstant(integer.getType(),
                              builder.getIntegerAttr(element, 0), integer);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, integer,
                               zero);
}

Value ScalarBuilder::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(builder, loc, condition, yes, no);
}

// Comparisons carry no fast-math flags: they decide what holds at singular
// points.
Value ScalarBuilder::compare(arith::CmpFPredicate predicate, Value lhs,
                             Value rhs) {
  return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
}
Value ScalarBuilder::equal(Value lhs, Value rhs) {
  return compare(arith::CmpFPredicate::OEQ, lhs, rhs);
}
Value ScalarBuilder::greater(Value lhs, Value rhs) {
  return compare(arith::CmpFPredicate::OGT, lhs, rhs);
}
Value ScalarBuilder::less(Value lhs, Value rhs) {
  return compare(arith::CmpFPredicate::OLT, lhs, rhs);
}
Value ScalarBuilder::isNaN(Value value) {
  return compare(arith::CmpFPredicate::UNO, value, value);
}
Value ScalarBuilder::either(Value lhs, Value rhs) {
  return arith::OrIOp::create(builder, loc, lhs, rhs);
}

Value ScalarBuilder::number(double value) {
  Type element = getElementTypeOrSelf(primal);
  return createConstant(primal, builder.getFloatAttr(element, value), like);
}

Value ScalarBuilder::zeroLike(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  return createConstant(value.getType(), builder.getFloatAttr(element, 0.0),
                        value);
}

Value ScalarBuilder::lift(Value value, Value d) {
  auto shadow = dyn_cast<VectorType>(d.getType());
  auto own = dyn_cast<VectorType>(value.getType());
  if (!shadow || (own && own.getRank() == shadow.getRank()))
    return value;
  Type element = getElementTypeOrSelf(value.getType());
  return builder.createOrFold<vector::BroadcastOp>(loc, shadow.clone(element),
                                                   value);
}
