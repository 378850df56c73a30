//===- ForwardSweep.h - writing the tape ---------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_FORWARDSWEEP_H
#define AUTODIFF_TRANSFORMS_FORWARDSWEEP_H

#include "ReversePlan.h"

namespace mlir::autodiff {

/// Makes `function` keep what `plan` puts on tapes. Returns the tapes, one per
/// slot of the plan; they are in scope outside of all regions.
SmallVector<Value> writeTapes(func::FuncOp function, const ReversePlan &plan);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_FORWARDSWEEP_H
