//===- PromoteFloats.h - the same module in double precision -------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_PROMOTEFLOATS_H
#define AUTODIFF_TOOLS_ADCHECK_PROMOTEFLOATS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::autodiff::check {

/// A copy of `module` that computes in f64 whatever `module` computes in f16,
/// bf16 or f32. Null if the copy does not verify (a module that looks at the
/// bits of its floats has no such copy). Emits nothing.
OwningOpRef<ModuleOp> promoteFloats(ModuleOp module);

/// `type` with f64 in place of every shorter float.
Type promoteType(Type type);

/// The shortest of the float types in `module`, f64 if there are none.
FloatType getShortestFloat(ModuleOp module);

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_PROMOTEFLOATS_H
