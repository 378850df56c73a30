//===- DifferentiableTypeInterface.h -------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_INTERFACES_DIFFERENTIABLETYPEINTERFACE_H
#define AUTODIFF_INTERFACES_DIFFERENTIABLETYPEINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"

#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h.inc"

namespace mlir::autodiff {

/// Whether values of `type` can carry derivatives.
bool isDifferentiable(Type type);
/// Whether values of `type` are references to memory that carries derivatives.
bool isDifferentiableReference(Type type);
/// Whether values of `type` carry derivatives by value.
bool isDifferentiableByValue(Type type);
/// The type of the tangent, adjoint or shadow of a differentiable `type`.
Type getShadowType(Type type, int64_t width);
/// A zero of the shadow type of `type`; see DifferentiableTypeInterface.
Value createZero(OpBuilder &builder, Location loc, Type type, int64_t width,
                 Value primal = nullptr);
/// The sum of two shadows of values of `type`; a null value is a zero.
Value createAdd(OpBuilder &builder, Location loc, Type type, Value lhs,
                Value rhs);

} // namespace mlir::autodiff

#endif // AUTODIFF_INTERFACES_DIFFERENTIABLETYPEINTERFACE_H
