//===- CountWhile.h - iteration counters for uncounted loops -------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_COUNTWHILE_H
#define AUTODIFF_TRANSFORMS_COUNTWHILE_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::autodiff {

/// Gives every `scf.while` in `root` a counter as its first operand, argument
/// of both regions and result. The result is the number of times the second
/// region ran.
void countWhileLoops(Operation *root);

/// The counter that `countWhileLoops` gave `loop`, as seen in the first
/// region, in the second, and after the loop.
Value getCounterBefore(scf::WhileOp loop);
Value getCounterAfter(scf::WhileOp loop);
Value getCount(scf::WhileOp loop);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_COUNTWHILE_H
