//===- TripCount.h - how often a counted loop runs -----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_TRIPCOUNT_H
#define AUTODIFF_TRANSFORMS_TRIPCOUNT_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace mlir::autodiff {

/// The number of iterations of `loop`, never negative, of type index:
/// max(0, ceil((upper - lower) / step)). The bounds are given separately since
/// they may be copies of those of the loop.
Value createTripCount(OpBuilder &builder, scf::ForOp loop, Value lower,
                      Value upper, Value step);

/// The induction variable of `loop` in iteration `iteration` (index, from 0).
Value createInductionVariable(OpBuilder &builder, scf::ForOp loop, Value lower,
                              Value step, Value iteration);

/// The iteration (index, from 0) to which the induction variable of `loop`
/// belongs.
Value createIteration(OpBuilder &builder, scf::ForOp loop, Value lower,
                      Value step);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_TRIPCOUNT_H
