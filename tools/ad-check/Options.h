//===- Options.h - the command line of ad-check --------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_OPTIONS_H
#define AUTODIFF_TOOLS_ADCHECK_OPTIONS_H

#include "Dialect/Autodiff/IR/Autodiff.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::autodiff::check {

/// Numbers per argument, separated by ';' on the command line; an argument that
/// is not given is empty.
using ArgumentNumbers = std::vector<std::vector<double>>;

struct Options {
  std::string file;
  /// Name without '@'; empty: the only function that can be checked.
  std::string function;
  bool all = false;
  std::optional<SmallVector<Activity>> activity, resultActivity;
  /// Of dynamic dimensions, argument by argument.
  std::vector<int64_t> sizes;
  uint64_t seed = 1;
  /// Also check this many directions at once; 1: do not.
  int64_t width = 1;
  bool secondOrder = false;
  bool strongZero = false;
  bool forward = true, reverse = true;
  /// Whether the primal is optimised before it is differentiated.
  bool optimizeFirst = false;
  std::optional<ArgumentNumbers> at, expectedGradient;
  bool printGradient = false;
  std::optional<double> tolerance;
  unsigned timeout = 120;
};

/// Reads the command line; prints what is wrong with it and returns nothing if
/// it cannot be followed.
std::optional<Options> parseCommandLine(int argc, char **argv);

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_OPTIONS_H
