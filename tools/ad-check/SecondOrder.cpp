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

  /// Positions, among the independents or dependents of the derivative
  /// function, that belong to a slot of this role. For a by-reference subject
  /// argument its slot is both in and out.
  std::vector<size_t> findInputs(Role role) const {
    return find(evaluator().getIndependents(), role, slots.inputs, {});
  }
  std::vector<size_t> findOutputs(Role result, Role memory) const {
    return find(
        evaluator().getDependents().take_front(evaluator().getNumSeeds()),
        memory, slots.inputs, result);
  }

private:
  std::vector<size_t> find(ArrayRef<Coordinate> coordinates, Role role,
                           ArrayRef<Slot> inputs,
                           std::optional<Role> result) const {
    std::vector<size_t> positions;
    for (auto [i, coordinate] : llvm::enumerate(coordinates))
      if (coordinate.isResult ? slots.outputs[coordinate.index].role == result
                              : inputs[coordinate.index].role == role)
        positions.push_back(i);
    return positions;
  }
};

} // namespace

LogicalResult check::checkSecondOrder(ModuleOp module, const Subject &subject,
                                      const Options &options, Random &random,
                                      Report &report) {
  Options first = options;
  first.width = 1;
  first.at = std::nullopt;
  FailureOr<Derivative> gradient =
      Derivative::create(module, subject, Mode::Reverse, first, random);
  FailureOr<Derivative> tangent =
      Derivative::create(module, subject, Mode::Forward, first, random);
  if (failed(gradient) || failed(tangent))
    return failure();
  report.prefix = "gradient: ";
  checkFirstOrder(*gradient->candidate, first, random, report);
  report.prefix = "tangent: ";
  checkFirstOrder(*tangent->candidate, first, random, report);
  report.prefix = "";
  return success();
}
