//===- VectorMode.cpp - several directions at once -----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include <cmath>

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

using Vector = Evaluator::Vector;

/// Compares `lanes`, computed at once, with `singles`, computed one by one.
static void compareLanes(StringRef name, ArrayRef<Vector> lanes,
                         ArrayRef<Vector> singles, double tolerance,
                         Report &report) {
  for (auto [lane, pair] : llvm::enumerate(llvm::zip(lanes, singles))) {
    auto &[together, alone] = pair;
    double size = 0;
    for (double number : alone)
      size = std::max(size, std::abs(number));
    // A lane is summed up by the pair that is farthest apart.
    double value = 0, reference = 0, error = -1;
    for (auto [first, second] : llvm::zip(together, alone)) {
      double difference = std::abs(first - second);
      if (!(difference <= error)) {
        error = difference;
        value = first;
        reference = second;
      }
    }
    if (error >= 0 || std::isnan(error))
      report.compare(name + " lane " + Twine(lane), value, reference, error,
                     tolerance * size);
  }
}

void check::checkWidth(const Candidate &candidate, const Options &options,
                       Random &random, Report &report) {
  const Evaluator &evaluator = *candidate.evaluator;
  Tolerances tolerances = Tolerances::get(candidate, options);
  auto draw = [&](size_t size) {
    std::vector<Vector> vectors(options.width, Vector(size));
    for (Vector &vector : vectors)
      for (double &component : vector)
        component = random.signedUniform();
    return vectors;
  };
  std::string width = "width " + std::to_string(options.width);
  if (options.forward) {
    std::vector<Vector> directions = draw(evaluator.getIndependents().size());
    std::vector<Vector> singles;
    for (const Vector &direction : directions)
      singles.push_back(evaluator.runForward(candidate.inputs, {direction})
                            .derivatives.front());
    compareLanes(width + " forward",
                 evaluator.runForward(candidate.inputs, directions).derivatives,
                 singles, tolerances.exact, report);
  }
  if (options.reverse) {
    std::vector<Vector> seeds = draw(evaluator.getNumSeeds());
    std::vector<Vector> singles;
    for (const Vector &seed : seeds)
      singles.push_back(
          evaluator.runReverse(candidate.inputs, {seed}).derivatives.front());
    compareLanes(width + " reverse",
                 evaluator.runReverse(candidate.inputs, seeds).derivatives,
                 singles, tolerances.exact, report);
  }
}
