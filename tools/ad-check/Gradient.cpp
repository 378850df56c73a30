//===- Gradient.cpp - the gradient that the user asks to see -------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

using Vector = Evaluator::Vector;

/// The gradient of the sum of the results; if there are none, of the sum of
/// what is in memory after the call.
static Vector getGradient(const Candidate &candidate) {
  const Evaluator &evaluator = *candidate.evaluator;
  ArrayRef<Coordinate> seeded =
      evaluator.getDependents().take_front(evaluator.getNumSeeds());
  bool hasResults = llvm::any_of(
      seeded, [](const Coordinate &coordinate) { return coordinate.isResult; });
  Vector seed;
  for (const Coordinate &coordinate : seeded)
    seed.push_back(coordinate.isResult || !hasResults ? 1 : 0);
  return evaluator.runReverse(candidate.inputs, {seed}).derivatives.front();
}

static void print(const Candidate &candidate, const Vector &gradient) {
  ArrayRef<Coordinate> coordinates = candidate.evaluator->getIndependents();
  for (auto [coordinate, component] : llvm::zip(coordinates, gradient)) {
    if (coordinate.scalar == 0)
      llvm::outs() << "  gradient of arg " << coordinate.index << ":";
    llvm::outs() << llvm::format(" %.17g", component);
    if (coordinate.scalar + 1 == candidate.inputs[coordinate.index].size())
      llvm::outs() << "\n";
  }
}

static LogicalResult compare(const Candidate &candidate, const Options &options,
                             const Vector &gradient, Report &report) {
  const ArgumentNumbers &expected = *options.expectedGradient;
  Location loc = candidate.subject.loc;
  Tolerances tolerances = Tolerances::get(candidate, options);
  size_t position = 0, compared = 0;
  for (unsigned i = 0; i < candidate.subject.arguments.size(); ++i) {
    size_t size =
        candidate.subject.isIndependent(i) ? candidate.inputs[i].size() : 0;
    if (i < expected.size() && !expected[i].empty()) {
      if (expected[i].size() != size)
        return emitError(loc)
               << "expected gradient of argument #" << i << " has "
               << expected[i].size() << " numbers, the argument has " << size;
      for (size_t k = 0; k < size; ++k)
        report.compare("expected arg " + Twine(i) + "[" + Twine(k) + "]",
                       gradient[position + k], expected[i][k],
                       tolerances.differences * std::abs(expected[i][k]) +
                           tolerances.roundoff);
      compared += size;
    }
    position += size;
  }
  if (expected.size() > candidate.subject.arguments.size() || compared == 0)
    return emitError(loc) << "the expected gradient does not fit the arguments";
  return success();
}

LogicalResult check::checkGradient(const Candidate &candidate,
                                   const Options &options, Report &report) {
  if (!options.printGradient && !options.expectedGradient)
    return success();
  Vector gradient = getGradient(candidate);
  if (options.printGradient)
    print(candidate, gradient);
  return options.expectedGradient
             ? compare(candidate, options, gradient, report)
             : success();
}
