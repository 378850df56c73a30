//===- FiniteDifferences.cpp - derivatives by extrapolation --------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ridders' method (C. J. F. Ridders, Accurate computation of F'(x) and
// F'(x)F''(x), 1982): central differences for a sequence of halved steps are
// extrapolated to step zero in a Neville tableau; of all entries the one that
// differs least from its neighbours is taken, per function, and the difference
// is the estimate of the error. Unlike a fixed step this adapts to the scale of
// the function, and kinks and edges of the domain near the point only cost the
// first rows. Unlike in the original all rows are computed, because large steps
// that cross a kink make the first rows a bad guide when to stop.
//
//===----------------------------------------------------------------------===//

#include "FiniteDifferences.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

static constexpr unsigned kRows = 15;

namespace {

/// The tableau of one function, of which only the last row is kept.
class Tableau {
public:
  void addQuotient(double quotient, double roundoff) {
    std::vector<double> next = {quotient};
    // Steps are halved and central differences have an expansion in squares.
    double factor = 4;
    for (size_t column = 0; column < row.size(); ++column, factor *= 4) {
      double entry = next[column] + (next[column] - row[column]) / (factor - 1);
      next.push_back(entry);
      double spread = std::max(std::abs(entry - next[column]),
                               std::abs(entry - row[column]));
      if (spread + roundoff < error) {
        error = spread + roundoff;
        value = entry;
      }
    }
    row = std::move(next);
  }
  void clear() { row.clear(); }

  double value = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::infinity();

private:
  std::vector<double> row;
};

} // namespace

DifferenceQuotients check::differentiateNumerically(
    llvm::function_ref<std::vector<double>(double)> evaluate, double step) {
  std::vector<Tableau> tableaus;
  for (unsigned i = 0; i < kRows; ++i, step /= 2) {
    std::vector<double> above = evaluate(step), below = evaluate(-step);
    tableaus.resize(above.size());
    for (size_t k = 0; k < above.size(); ++k) {
      if (!std::isfinite(above[k]) || !std::isfinite(below[k])) {
        tableaus[k].clear();
        continue;
      }
      double roundoff = std::numeric_limits<double>::epsilon() *
                        std::max(std::abs(above[k]), std::abs(below[k])) / step;
      tableaus[k].addQuotient((above[k] - below[k]) / (2 * step), roundoff);
    }
  }
  DifferenceQuotients result;
  for (const Tableau &tableau : tableaus) {
    result.value.push_back(tableau.value);
    result.error.push_back(std::isfinite(tableau.error) ? tableau.error
                                                        : tableau.value);
  }
  return result;
}
