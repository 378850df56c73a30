//===- InlineCalls.h - calls that reverse mode inlines -------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_INLINECALLS_H
#define AUTODIFF_TRANSFORMS_INLINECALLS_H

#include "Transforms/Differentiator.h"

namespace mlir::autodiff {

/// Puts the bodies of the callees that cannot be split in the places of their
/// calls in `function`; see InlineCalls.cpp.
void inlineUnsplittableCalls(func::FuncOp function,
                             Differentiator &differentiator);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_INLINECALLS_H
