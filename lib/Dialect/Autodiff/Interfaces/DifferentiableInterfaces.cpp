//===- DifferentiableInterfaces.cpp --------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Dialect/Autodiff/Interfaces/IterationSpaceOpInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.cpp.inc"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.cpp.inc"
#include "Dialect/Autodiff/Interfaces/IterationSpaceOpInterface.cpp.inc"

// Anchors of the virtual tables.
ActivityQuery::~ActivityQuery() = default;
AdjointNeeds::~AdjointNeeds() = default;
TangentContext::~TangentContext() = default;
AdjointContext::~AdjointContext() = default;

bool mlir::autodiff::isDifferentiable(Type type) {
  auto differentiable = dyn_cast<DifferentiableTypeInterface>(type);
  return differentiable && differentiable.isDifferentiable();
}

bool mlir::autodiff::isDifferentiableReference(Type type) {
  return isDifferentiable(type) &&
         cast<DifferentiableTypeInterface>(type).isByReference();
}

bool mlir::autodiff::isDifferentiableByValue(Type type) {
  return isDifferentiable(type) &&
         !cast<DifferentiableTypeInterface>(type).isByReference();
}

Type mlir::autodiff::getShadowType(Type type, int64_t width) {
  return cast<DifferentiableTypeInterface>(type).getShadowType(width);
}

Value mlir::autodiff::createZero(OpBuilder &builder, Location loc, Type type,
                                 int64_t width, Value primal) {
  return cast<DifferentiableTypeInterface>(type).createZero(builder, loc, width,
                                                            primal);
}

Value mlir::autodiff::createAdd(OpBuilder &builder, Location loc, Type type,
                                Value lhs, Value rhs) {
  if (!lhs)
    return rhs;
  if (!rhs)
    return lhs;
  return cast<DifferentiableTypeInterface>(type).createAdd(builder, loc, lhs,
                                                           rhs);
}
