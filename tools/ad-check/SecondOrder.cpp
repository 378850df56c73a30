//===- SecondOrder.cpp - derivatives of derivatives ----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient function x, s -> J(x)^T s and the tangent function x, v -> J(x)
// v are functions as any other: each is checked to first order, which covers
// forward over reverse, reverse over forward, and both modes over themselves.
// Beyond that, with H the Hessian of <s, F(x)>:
//
//   <w, H v> = <v, H w>             it is symmetric
//   H v of forward over reverse = H v of reverse over forward
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "mlir/IR/SymbolTable.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

using Vector = Evaluator::Vector;
using Role = Slot::Role;

namespace {

/// A derivative function of `subject`, as a candidate of its own.
struct Derivative {
  explicit Derivative(const Subject &subject) : base(subject) {}

  Wrapper slots;
  std::unique_ptr<Candidate> candidate;
  OwningOpRef<ModuleOp> module;
  Subject base;

  static FailureOr<Derivative> create(ModuleOp module, const Subject &subject,
                                      Mode mode, const Options &options,
                                      Random &random) {
    Derivative derivative(subject);
    derivative.module = module.clone();
    derivative.base.function =
        SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            *derivative.module, derivative.base.getFunction().getSymNameAttr());
    Subject derived =
        addDerivativeFunction(*derivative.module, derivative.base, mode,
                              options.strongZero, derivative.slots);
    FailureOr<std::unique_ptr<Candidate>> candidate =
        Candidate::create(*derivative.module, derived, options, random);
    if (failed(candidate))
      return failure();
    derivative.candidate = std::move(*candidate);
    return derivative;
  }

  const Evaluator &evaluator() const { return *candidate->evaluator; }

  /// Positions, among the independents of the derivative function, of those
  /// in slots of these roles: in the order of the subject's independents
  /// (primals and shadows of arguments) or dependents (seeds of results, then
  /// shadows of memory).
  std::vector<size_t> findInputs(ArrayRef<Role> roles) const {
    std::vector<size_t> positions;
    for (Role role : roles)
      for (auto [i, coordinate] :
           llvm::enumerate(evaluator().getIndependents())) {
        const Slot &slot = slots.inputs[coordinate.index];
        if (slot.role == role)
          positions.push_back(i);
      }
    return positions;
  }
  /// Positions, among the dependents, of those in results of the role `result`
  /// and in memory of the role `memory`: of gradients in the order of the
  /// subject's independents, of tangents in that of its dependents.
  std::vector<size_t> findOutputs(Role result, Role memory) const {
    std::vector<size_t> positions;
    ArrayRef<Coordinate> coordinates =
        evaluator().getDependents().take_front(evaluator().getNumSeeds());
    for (auto [i, coordinate] : llvm::enumerate(coordinates))
      if (coordinate.isResult ? slots.outputs[coordinate.index].role == result
                              : slots.inputs[coordinate.index].role == memory)
        positions.push_back(i);
    // Gradients of values come before those in memory, independents do not.
    auto getArgument = [&](size_t position) {
      const Coordinate &coordinate = coordinates[position];
      return coordinate.isResult ? slots.outputs[coordinate.index].index
                                 : slots.inputs[coordinate.index].index;
    };
    if (result == Role::Gradient)
      llvm::sort(positions, [&](size_t a, size_t b) {
        return std::pair(getArgument(a), a) < std::pair(getArgument(b), b);
      });
    return positions;
  }
};

} // namespace

/// `numbers` spread over the positions, zero elsewhere.
static Vector scatter(size_t size, ArrayRef<size_t> positions,
                      ArrayRef<double> numbers) {
  Vector vector(size, 0.0);
  for (auto [position, number] : llvm::zip(positions, numbers))
    vector[position] = number;
  return vector;
}

static Vector gather(ArrayRef<double> vector, ArrayRef<size_t> positions) {
  Vector numbers;
  for (size_t position : positions)
    numbers.push_back(vector[position]);
  return numbers;
}

namespace {

/// Products of the Hessian of <s, F> with a vector, in two ways, at the primal
/// inputs of the gradient function.
class Hessian {
public:
  Hessian(const Derivative &gradient, const Derivative &tangent, Random &random)
      : gradient(gradient), tangent(tangent) {
    seeds.resize(tangent.findOutputs(Role::Tangent, Role::Shadow).size());
    for (double &seed : seeds)
      seed = random.signedUniform();
    gradientInputs = cloneValues(gradient.candidate->inputs);
    tangentInputs = cloneValues(tangent.candidate->inputs);
    // The same point for both, constants included.
    std::map<unsigned, HostValue *> primals;
    for (auto [slot, value] : llvm::zip(gradient.slots.inputs, gradientInputs))
      if (slot.role == Role::Primal)
        primals[slot.index] = &value;
    for (auto [slot, value] : llvm::zip(tangent.slots.inputs, tangentInputs))
      if (slot.role == Role::Primal)
        convertScalars(*primals[slot.index], value);
  }

  size_t size() const { return gradient.findInputs({Role::Primal}).size(); }

  /// The tangent of the gradient function.
  Vector forwardOverReverse(const Vector &direction) {
    const Evaluator &evaluator = gradient.evaluator();
    set(gradient, gradientInputs,
        gradient.findInputs({Role::Seed, Role::Shadow}), seeds);
    Vector tangents = scatter(evaluator.getIndependents().size(),
                              gradient.findInputs({Role::Primal}), direction);
    return gather(
        evaluator.runForward(gradientInputs, {tangents}).derivatives.front(),
        gradient.findOutputs(Role::Gradient, Role::Shadow));
  }

  /// The gradient of the tangent function.
  Vector reverseOverForward(const Vector &direction) {
    const Evaluator &evaluator = tangent.evaluator();
    set(tangent, tangentInputs, tangent.findInputs({Role::Shadow}), direction);
    Vector adjoints =
        scatter(evaluator.getNumSeeds(),
                tangent.findOutputs(Role::Tangent, Role::Shadow), seeds);
    return gather(
        evaluator.runReverse(tangentInputs, {adjoints}).derivatives.front(),
        tangent.findInputs({Role::Primal}));
  }

private:
  static void set(const Derivative &derivative, Evaluator::Values &inputs,
                  ArrayRef<size_t> positions, ArrayRef<double> numbers) {
    ArrayRef<Coordinate> coordinates = derivative.evaluator().getIndependents();
    for (auto [position, number] : llvm::zip(positions, numbers))
      inputs[coordinates[position].index].setFloat(coordinates[position].scalar,
                                                   number);
  }

  const Derivative &gradient, &tangent;
  Evaluator::Values gradientInputs, tangentInputs;
  Vector seeds;
};

} // namespace

static void checkHessian(const Derivative &gradient, const Derivative &tangent,
                         const Options &options, Random &random,
                         Report &report) {
  Hessian hessian(gradient, tangent, random);
  Tolerances tolerances = Tolerances::get(*gradient.candidate, options);
  auto draw = [&] {
    Vector vector(hessian.size());
    for (double &component : vector)
      component = random.signedUniform();
    return vector;
  };
  Vector v = draw(), w = draw();
  Vector hv = hessian.forwardOverReverse(v), hw = hessian.forwardOverReverse(w);
  Vector other = hessian.reverseOverForward(v);
  double left = 0, right = 0, size = 0, distance = 0, largest = 0;
  size_t worst = 0;
  for (size_t i = 0; i < v.size(); ++i) {
    left += w[i] * hv[i];
    right += v[i] * hw[i];
    size += std::abs(w[i] * hv[i]) + std::abs(v[i] * hw[i]);
    largest = std::max(largest, std::abs(hv[i]));
    if (!(std::abs(hv[i] - other[i]) <= distance)) {
      distance = std::abs(hv[i] - other[i]);
      worst = i;
    }
  }
  report.compare("Hessian is symmetric", left, right, tolerances.exact * size);
  if (!v.empty())
    report.compare("Hessian by both nestings", hv[worst], other[worst],
                   tolerances.exact * (largest + 1e-300));
}

LogicalResult check::checkSecondOrder(ModuleOp module, const Subject &subject,
                                      const Options &options, Random &random,
                                      Report &report) {
  Options first = options;
  first.width = 1;
  FailureOr<Derivative> gradient =
      Derivative::create(module, subject, Mode::Reverse, first, random);
  if (failed(gradient))
    return failure();
  FailureOr<Derivative> tangent =
      Derivative::create(module, subject, Mode::Forward, first, random);
  if (failed(tangent))
    return failure();
  if (failed(gradient->candidate->initialize()) ||
      failed(tangent->candidate->initialize()))
    return failure();
  report.prefix = "gradient: ";
  checkFirstOrder(*gradient->candidate, first, random, report);
  report.prefix = "tangent: ";
  checkFirstOrder(*tangent->candidate, first, random, report);
  report.prefix = "";
  checkHessian(*gradient, *tangent, options, random, report);
  return success();
}
