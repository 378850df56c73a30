//===- Passes.h - passes -------------------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_PASSES_H
#define AUTODIFF_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::autodiff {

#define GEN_PASS_DECL
#include "Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Transforms/Passes.h.inc"

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_PASSES_H
