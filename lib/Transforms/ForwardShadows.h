//===- ForwardShadows.h - shadows made in the forward sweep --------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_FORWARDSHADOWS_H
#define AUTODIFF_TRANSFORMS_FORWARDSHADOWS_H

#include "Analysis/ActivityAnalysis.h"
#include "Transforms/Differentiator.h"

namespace mlir::autodiff {

/// The shadows of references, values of the forward sweep like any other.
using ForwardShadows = llvm::DenseMap<Value, Value>;

/// Makes the shadows of active memory that passes through regions: there, which
/// memory a name stands for is decided at run time, and its shadow must come
/// along. `arguments` are the shadows of arguments that exist in the forward
/// sweep; memory that may be that of other arguments is left out. A failure has
/// emitted a diagnostic.
FailureOr<ForwardShadows>
createForwardShadows(func::FuncOp function, Differentiator &differentiator,
                     const EmissionOptions &options, ActivityAnalysis &activity,
                     const MemoryAnalysis &memory,
                     const llvm::DenseMap<Value, Value> &arguments);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_FORWARDSHADOWS_H
