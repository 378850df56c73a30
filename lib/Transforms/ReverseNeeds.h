//===- ReverseNeeds.h - what the reverse sweep asks of the forward sweep -===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_REVERSENEEDS_H
#define AUTODIFF_TRANSFORMS_REVERSENEEDS_H

#include "ForwardShadows.h"
#include "ReverseCalls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::autodiff {

/// What reversing a function takes; computed without changing it.
struct ReverseNeeds {
  /// The operations that have an adjoint: active, or around an active one.
  llvm::DenseSet<Operation *> reversed;
  /// Per reversed region operation, the active by-value values from above
  /// whose adjoints are updated in its regions.
  llvm::DenseMap<Operation *, llvm::SetVector<Value>> captured;
  /// The values whose primals the adjoints use.
  llvm::SetVector<Value> primals;
  /// The references whose shadows the adjoints use, but for those in
  /// `forwardShadows`, which are primals.
  llvm::SetVector<Value> shadows;
  ForwardShadows forwardShadows;
};

/// A failure has emitted a diagnostic: an active operation has no rule.
FailureOr<ReverseNeeds> collectReverseNeeds(func::FuncOp function,
                                            const ActivityAnalysis &activity,
                                            const ReversedCalls &calls,
                                            const ForwardShadows &shadows);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_REVERSENEEDS_H
