//===- FiniteDifferences.h - derivatives by extrapolation ----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_FINITEDIFFERENCES_H
#define AUTODIFF_TOOLS_ADCHECK_FINITEDIFFERENCES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace mlir::autodiff::check {

/// Derivatives of several functions of one variable, and how far they may be
/// off. Both are NaN where no step gave finite values.
struct DifferenceQuotients {
  std::vector<double> value, error;
};

/// The derivatives at 0 of the functions that `evaluate` computes; `step` is
/// the first step.
DifferenceQuotients differentiateNumerically(
    llvm::function_ref<std::vector<double>(double)> evaluate, double step);

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_FINITEDIFFERENCES_H
