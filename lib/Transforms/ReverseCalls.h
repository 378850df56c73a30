//===- ReverseCalls.h - calls in the forward sweep -----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_REVERSECALLS_H
#define AUTODIFF_TRANSFORMS_REVERSECALLS_H

#include "Analysis/ActivityAnalysis.h"
#include "Transforms/Differentiator.h"

namespace mlir::autodiff {

/// An active call of the forward sweep; it calls the augmented primal.
struct ReversedCall {
  func::FuncOp adjoint;
  /// Activity of each argument: `const`, `active` or `dup`.
  SmallVector<Activity> args;
  /// The arguments whose primal the adjoint takes.
  llvm::BitVector adjointArgs;
  /// The results for which the adjoint takes a seed. The results of the call
  /// beyond these are the tape.
  llvm::BitVector seeded;
};

using ReversedCalls = llvm::DenseMap<Operation *, ReversedCall>;

/// Replaces every active call in `function` by a call of the augmented primal
/// of its callee, which is created, and tells the analyses about the new names
/// of values (the accesses of calls in `memory` are stale afterwards). A
/// failure has emitted a diagnostic.
FailureOr<ReversedCalls> augmentCalls(func::FuncOp function,
                                      Differentiator &differentiator,
                                      const EmissionOptions &options,
                                      const llvm::BitVector &preservedArgs,
                                      ActivityAnalysis &activity,
                                      MemoryAnalysis &memory);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_REVERSECALLS_H
