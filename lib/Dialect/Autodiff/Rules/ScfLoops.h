//===- ScfLoops.h - parts of the rules of scf -----------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_RULES_SCFLOOPS_H
#define AUTODIFF_RULES_SCFLOOPS_H

#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "Dialect/Autodiff/Interfaces/IterationSpaceOpInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::autodiff {

/// How often `loop` runs (index), given the values of its bounds and step.
Value createTripCount(OpBuilder &builder, scf::ForOp loop, Value lower,
                      Value upper, Value step);
/// The induction variable of `loop` in the iteration with number `iteration`.
Value createInductionVariable(OpBuilder &builder, scf::ForOp loop, Value lower,
                              Value step, Value iteration);
/// The number (index) of the iteration of `loop` that is running.
Value createIteration(OpBuilder &builder, scf::ForOp loop, Value lower,
                      Value step);

/// A counted loop whose body has no terminator, and, at the builder, which is
/// left at the start of the body, the number of iterations that follow.
struct ReversedLoop {
  scf::ForOp loop;
  Value iteration;
};
ReversedLoop createReversedLoop(OpBuilder &builder, Location loc, Value count,
                                ValueRange inits);

void attachWhileRules(MLIRContext &context);

} // namespace mlir::autodiff

#endif // AUTODIFF_RULES_SCFLOOPS_H
