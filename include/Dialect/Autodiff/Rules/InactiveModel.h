//===- InactiveModel.h - operations without a derivative -----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_RULES_INACTIVEMODEL_H
#define AUTODIFF_RULES_INACTIVEMODEL_H

#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"

namespace mlir::autodiff {

/// DifferentiableOpInterface of an operation that never carries a derivative:
/// `OpTy::attachInterface<InactiveModel<OpTy>>(context)`.
template <typename OpTy>
struct InactiveModel
    : DifferentiableOpInterface::ExternalModel<InactiveModel<OpTy>, OpTy> {
  bool isInactive(Operation *) const { return true; }
  LogicalResult emitTangent(Operation *, TangentContext &) const {
    return success();
  }
  LogicalResult emitAdjoint(Operation *, AdjointContext &) const {
    return success();
  }
};

} // namespace mlir::autodiff

#endif // AUTODIFF_RULES_INACTIVEMODEL_H
