//===- Checks.h - what is compared ---------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_CHECKS_H
#define AUTODIFF_TOOLS_ADCHECK_CHECKS_H

#include "Candidate.h"
#include "Report.h"

namespace mlir::autodiff::check {

/// How far numbers may differ: relative to their size, those of one derivative
/// mode from those of the other, and from finite differences; and what
/// roundoff may add, relative to the largest number around.
struct Tolerances {
  double exact, differences, roundoff;

  static Tolerances get(const Candidate &candidate, const Options &options);
};

/// Tangents and gradients of first order against each other and against finite
/// differences; the primal result in derivatives against the primal.
void checkFirstOrder(const Candidate &candidate, const Options &options,
                     Random &random, Report &report);
/// Several directions at once against one at a time.
void checkWidth(const Candidate &candidate, const Options &options,
                Random &random, Report &report);
/// The gradient for seeds of 1: printed, or against what is expected.
LogicalResult checkGradient(const Candidate &candidate, const Options &options,
                            Report &report);
/// Tangent and gradient functions of `subject`, checked like any function, and
/// against each other. Emits errors; `report` tells the rest.
LogicalResult checkSecondOrder(ModuleOp module, const Subject &subject,
                               const Options &options, Random &random,
                               Report &report);

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_CHECKS_H
