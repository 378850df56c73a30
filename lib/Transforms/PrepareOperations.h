//===- PrepareOperations.h - into a form that rules expect ----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_PREPAREOPERATIONS_H
#define AUTODIFF_TRANSFORMS_PREPAREOPERATIONS_H

#include "mlir/IR/Operation.h"

namespace mlir::autodiff {

/// Lets the rules of all operations inside of `root` prepare them; see
/// DifferentiableOpInterface. A failure has emitted a diagnostic.
LogicalResult prepareOperations(Operation *root, bool forReverse);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_PREPAREOPERATIONS_H
