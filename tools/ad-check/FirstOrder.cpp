//===- FirstOrder.cpp - tangents and gradients against differences -------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With J the Jacobian of the subject at the inputs:
//
//   <s, J v> = <J^T s, v>        forward against reverse, to roundoff
//   J v      = finite difference  per dependent, for unit vectors v when there
//                                 are few independents, else random v
//   <J^T s, v> = <s, finite difference>
//
// Primal results and memory that a derivative function leaves must have the
// bits that the primal leaves.
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "FiniteDifferences.h"
#include "Heap.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

using Vector = Evaluator::Vector;

/// With more independents than this, random directions stand for unit vectors.
static constexpr size_t kMaxUnitDirections = 64;
static constexpr unsigned kRandomDirections = 8;
static constexpr unsigned kDotProducts = 3;
/// With more independents than this, rows that pass are not printed one by one.
static constexpr size_t kMaxRows = 12;

Tolerances Tolerances::get(const Candidate &candidate, const Options &options) {
  FloatType type = candidate.shortest;
  Tolerances tolerances;
  if (type.isF64())
    tolerances = {1e-12, 1e-6, 2e-14};
  else if (type.isF32())
    tolerances = {2e-4, 2e-3, 2e-5};
  else if (type.isF16())
    tolerances = {5e-2, 5e-2, 2e-2};
  else
    tolerances = {2e-1, 2e-1, 1e-1};
  if (options.tolerance)
    tolerances.differences = *options.tolerance;
  return tolerances;
}

namespace {

class FirstOrderCheck {
public:
  FirstOrderCheck(const Candidate &candidate, const Options &options,
                  Random &random, Report &report)
      : candidate(candidate), evaluator(*candidate.evaluator), options(options),
        random(random), report(report), primal(candidate.primal),
        tolerances(Tolerances::get(candidate, options)) {}

  void run();

private:
  bool checkPrimal();
  void checkSamePrimal(StringRef mode, const Evaluator::Outcome &outcome);
  void checkHeap(StringRef mode, const Evaluator::Outcome &outcome);
  void checkCall(StringRef mode, const Evaluator::Outcome &outcome) {
    checkSamePrimal(mode, outcome);
    checkHeap(mode, outcome);
  }
  void checkDotProducts();
  void checkDirections();
  void checkDirection(ArrayRef<double> direction, const Twine &name,
                      bool printAlways);
  DifferenceQuotients takeDifferences(ArrayRef<double> direction) const;
  double getFirstStep(ArrayRef<double> direction) const;
  std::string getName(const Coordinate &coordinate) const;
  Vector drawVector(size_t size) const;

  const Candidate &candidate;
  const Evaluator &evaluator;
  const Options &options;
  Random &random;
  Report &report;
  const Evaluator::Outcome &primal;
  Tolerances tolerances;
  /// The seed of the reverse rows, and the gradient for it.
  Vector seed, gradient;
  /// The largest dependent.
  double scale = 0;
};

/// A row for the worst of several comparisons.
struct Worst {
  double ratio = -1, value = 0, reference = 0, error = 0, allowed = 0;

  void add(double newValue, double newReference, double newError,
           double newAllowed) {
    double newRatio = newError == 0 ? 0 : newError / newAllowed;
    if (std::isnan(newRatio) || !std::isfinite(newValue) ||
        !std::isfinite(newReference))
      newRatio = std::numeric_limits<double>::infinity();
    if (newRatio > ratio)
      *this = {newRatio, newValue, newReference, newError, newAllowed};
  }
  bool passes() const { return ratio <= 1; }
};

} // namespace

Vector FirstOrderCheck::drawVector(size_t size) const {
  Vector vector(size);
  for (double &component : vector)
    component = random.signedUniform();
  return vector;
}

/// The primal has to be finite, and is what everything else starts from.
bool FirstOrderCheck::checkPrimal() {
  for (double number : evaluator.getDependents(primal)) {
    if (!std::isfinite(number)) {
      report.state("primal", false,
                   "not finite; choose inputs by autodiff.domain or --at");
      return false;
    }
    scale = std::max(scale, std::abs(number));
  }
  return true;
}

/// Number of scalars of `value` whose bits are not those of `expected`.
static size_t countDifferent(const HostValue &value,
                             const HostValue &expected) {
  if (value.size() != expected.size())
    return std::max(value.size(), expected.size());
  size_t count = 0;
  for (size_t i = 0, e = value.size(); i < e; ++i)
    count += value.getBits(i) != expected.getBits(i);
  return count;
}

void FirstOrderCheck::checkSamePrimal(StringRef mode,
                                      const Evaluator::Outcome &outcome) {
  size_t different = 0;
  std::string first;
  auto compare = [&](const HostValue &value, const HostValue &expected,
                     const Twine &name) {
    size_t count = countDifferent(value, expected);
    if (count && !different)
      first = name.str();
    different += count;
  };
  for (auto [i, results] :
       llvm::enumerate(llvm::zip(outcome.results, primal.results)))
    if (hasPrimalResult(candidate.subject.results[i]))
      compare(std::get<0>(results), std::get<1>(results), "result " + Twine(i));
  for (auto [i, argument] : llvm::enumerate(candidate.subject.arguments))
    if (argument.isMemory() && argument.activity != Activity::DupNoNeed)
      compare(outcome.arguments[i], primal.arguments[i],
              "memory of argument " + Twine(i));
  report.state("primal in " + mode + " mode", different == 0,
               different == 0
                   ? Twine("same bits")
                   : Twine(different) + " numbers differ, first in " + first);
}

/// A derivative must free what it allocates, but for the shadows of what the
/// primal does not free either.
void FirstOrderCheck::checkHeap(StringRef mode,
                                const Evaluator::Outcome &outcome) {
  std::string error = takeHeapError();
  if (!error.empty())
    return report.state("heap in " + mode + " mode", false, error);
  int64_t allowed = primal.newBlocks * (mode == "forward" ? 2 : 1);
  if (outcome.newBlocks > allowed && !candidate.hasTensors)
    report.state("heap in " + mode + " mode", false,
                 Twine(outcome.newBlocks - allowed) + " blocks are not freed");
}

void FirstOrderCheck::checkDotProducts() {
  bool allZero = true;
  for (unsigned i = 0; i < kDotProducts; ++i) {
    Vector direction = drawVector(evaluator.getIndependents().size());
    Vector weights = drawVector(evaluator.getNumSeeds());
    Evaluator::Outcome forward =
        evaluator.runForward(candidate.inputs, {direction});
    Evaluator::Outcome reverse =
        evaluator.runReverse(candidate.inputs, {weights});
    if (i == 0) {
      checkCall("forward", forward);
      checkCall("reverse", reverse);
    }
    double fromForward = 0, fromReverse = 0, size = 0;
    // Tangents of returned memory come last and have no weight.
    for (auto [weight, tangent] :
         llvm::zip(weights, forward.derivatives.front())) {
      fromForward += weight * tangent;
      size += std::abs(weight * tangent);
    }
    for (auto [component, adjoint] :
         llvm::zip(direction, reverse.derivatives.front())) {
      fromReverse += component * adjoint;
      size += std::abs(component * adjoint);
    }
    report.compare("dot product " + Twine(i), fromReverse, fromForward,
                   tolerances.exact * size);
    allZero &= size == 0;
  }
  if (allZero)
    report.state("derivative", true, "zero in every direction");
}

/// A tenth of the range of each component that moves, less near zero.
double FirstOrderCheck::getFirstStep(ArrayRef<double> direction) const {
  double step = std::numeric_limits<double>::infinity();
  Vector position = evaluator.getIndependents(candidate.inputs);
  for (auto [i, coordinate] : llvm::enumerate(evaluator.getIndependents())) {
    if (direction[i] == 0)
      continue;
    const Argument &argument = candidate.subject.arguments[coordinate.index];
    double width = argument.values.empty()
                       ? argument.domain.high - argument.domain.low
                       : 1;
    if (!(width > 0))
      width = 1;
    double room = std::min(width, std::max(std::abs(position[i]), 1e-2));
    step = std::min(step, 0.1 * room / std::abs(direction[i]));
  }
  return std::isfinite(step) ? step : 0.1;
}

DifferenceQuotients
FirstOrderCheck::takeDifferences(ArrayRef<double> direction) const {
  const Evaluator &reference = candidate.getReference();
  auto evaluate = [&](double step) {
    Evaluator::Values moved = cloneValues(candidate.getReferenceInputs());
    reference.move(moved, direction, step);
    return reference.getDependents(reference.runPrimal(moved));
  };
  return differentiateNumerically(evaluate, getFirstStep(direction));
}

/// How far the reference may be off before it says nothing.
static bool isUseless(double error, double size, const Candidate &candidate) {
  bool exact = candidate.promoted || candidate.shortest.isF64();
  return !(error <= (exact ? 1e-4 : 1e-1) * size);
}

void FirstOrderCheck::checkDirection(ArrayRef<double> direction,
                                     const Twine &name, bool printAlways) {
  DifferenceQuotients quotients = takeDifferences(direction);
  double largest = scale;
  for (double quotient : quotients.value)
    largest = std::max(largest, std::abs(quotient));
  double roundoff = tolerances.roundoff * largest;
  for (double error : quotients.error)
    if (isUseless(error, std::max(largest, 1e-300), candidate)) {
      // An error of zero is exact even where everything is zero.
      if (error == 0)
        continue;
      report.state("differences along " + name, false,
                   "do not converge; is the function smooth here?");
      return;
    }
  auto print = [&](const Twine &mode, const Worst &worst) {
    if (printAlways || !worst.passes())
      report.compare(mode + name, worst.value, worst.reference, worst.error,
                     worst.allowed);
  };
  if (options.forward) {
    Worst worst;
    Vector tangents =
        evaluator.runForward(candidate.inputs, {Vector(direction)})
            .derivatives.front();
    for (auto [tangent, quotient, error] :
         llvm::zip(tangents, quotients.value, quotients.error))
      worst.add(tangent, quotient, std::abs(tangent - quotient),
                tolerances.differences *
                        std::max(std::abs(tangent), std::abs(quotient)) +
                    10 * error + roundoff);
    if (!tangents.empty())
      print("forward ", worst);
  }
  if (options.reverse && !seed.empty()) {
    double value = 0, reference = 0, size = 0, error = 0;
    for (auto [component, adjoint] : llvm::zip(direction, gradient))
      if (component != 0)
        value += component * adjoint;
    for (auto [weight, quotient, uncertainty] :
         llvm::zip(seed, quotients.value, quotients.error)) {
      reference += weight * quotient;
      size += std::abs(weight * quotient);
      error += std::abs(weight) * uncertainty;
    }
    Worst worst;
    worst.add(value, reference, std::abs(value - reference),
              tolerances.differences * size + 10 * error + roundoff);
    print("reverse ", worst);
  }
}

std::string FirstOrderCheck::getName(const Coordinate &coordinate) const {
  std::string name = "arg " + std::to_string(coordinate.index);
  if (candidate.inputs[coordinate.index].size() != 1)
    name += "[" + std::to_string(coordinate.scalar) + "]";
  return name;
}

void FirstOrderCheck::checkDirections() {
  ArrayRef<Coordinate> coordinates = evaluator.getIndependents();
  if (options.reverse) {
    seed = drawVector(evaluator.getNumSeeds());
    gradient =
        evaluator.runReverse(candidate.inputs, {seed}).derivatives.front();
  }
  if (coordinates.size() <= kMaxUnitDirections) {
    bool printAlways = coordinates.size() <= kMaxRows;
    for (auto [i, coordinate] : llvm::enumerate(coordinates)) {
      Vector unit(coordinates.size(), 0.0);
      unit[i] = 1;
      checkDirection(unit, getName(coordinate), printAlways);
    }
    if (!printAlways)
      report.state("each of " + Twine(coordinates.size()) + " inputs",
                   !report.hasFailed(),
                   report.hasFailed() ? "see above" : "compared, all close");
    return;
  }
  for (unsigned i = 0; i < kRandomDirections; ++i)
    checkDirection(drawVector(coordinates.size()), "direction " + Twine(i),
                   /*printAlways=*/true);
}

void FirstOrderCheck::run() {
  if (!checkPrimal())
    return;
  if (options.forward && options.reverse)
    checkDotProducts();
  else if (options.forward)
    checkCall("forward", evaluator.runForward(
                             candidate.inputs,
                             {drawVector(evaluator.getIndependents().size())}));
  else
    checkCall("reverse",
              evaluator.runReverse(candidate.inputs,
                                   {drawVector(evaluator.getNumSeeds())}));
  checkDirections();
}

void check::checkFirstOrder(const Candidate &candidate, const Options &options,
                            Random &random, Report &report) {
  FirstOrderCheck(candidate, options, random, report).run();
}
