//===- RegionRules.h - for rules of operations with regions ---------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_RULES_REGIONRULES_H
#define AUTODIFF_RULES_REGIONRULES_H

#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"

namespace mlir::autodiff {

/// The positions at which a tangent is carried: one of the values there is
/// active.
SmallVector<unsigned> getActivePositions(const TangentContext &context,
                                         ValueRange values, ValueRange others);
/// The positions at which an adjoint is carried: one of the values there is
/// active, by value.
SmallVector<unsigned> getActivePositions(const AdjointContext &context,
                                         ValueRange values, ValueRange others);

/// The values of `range` at `positions`.
SmallVector<Value> pick(ValueRange range, ArrayRef<unsigned> positions);

/// The types of the tangents, adjoints or shadows of `values`.
SmallVector<Type> getShadowTypes(ValueRange values, int64_t width);

/// Appends the tangents of `values` at `positions` to the operands of
/// `terminator`.
LogicalResult appendTangents(TangentContext &context, Operation *terminator,
                             ValueRange values, ArrayRef<unsigned> positions);
/// The tangents of `values` at `positions`; fails after a diagnostic.
FailureOr<SmallVector<Value>> getTangents(TangentContext &context,
                                          ValueRange values,
                                          ArrayRef<unsigned> positions);

/// The tangent of an operation whose regions run at most once and yield its
/// results: it yields the tangents of the active ones too.
LogicalResult emitBranchTangent(Operation *op, TangentContext &context);
/// Fills the regions of `reverse`, which mirrors `branch` region by region, has
/// the same kind of terminator and returns the adjoints of what is captured.
/// `createYield` ends a region of `reverse`.
LogicalResult emitBranchAdjoint(
    Operation *branch, Operation *reverse, AdjointContext &context,
    llvm::function_ref<void(OpBuilder &, Location, ValueRange)> createYield);

} // namespace mlir::autodiff

#endif // AUTODIFF_RULES_REGIONRULES_H
