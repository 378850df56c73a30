//===- InlineRegions.h - regions that run exactly once -------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_INLINEREGIONS_H
#define AUTODIFF_TRANSFORMS_INLINEREGIONS_H

#include "mlir/IR/Operation.h"

namespace mlir::autodiff {

/// Puts the contents of every `scf.execute_region` of one block in `root` in
/// the place of the operation.
void inlineExecuteRegions(Operation *root);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_INLINEREGIONS_H
