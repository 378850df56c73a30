//===- Evaluator.h - function, tangents and gradients in numbers ---------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_EVALUATOR_H
#define AUTODIFF_TOOLS_ADCHECK_EVALUATOR_H

#include "Program.h"

namespace mlir::autodiff::check {

/// The scalar `scalar` of argument or result `index`.
struct Coordinate {
  bool isResult;
  unsigned index;
  size_t scalar;
};

/// The subject as a function from R^n to R^m. Independent are the scalars of
/// active arguments (memory that is shared counts once); dependent are those of
/// active results and, since memory is both in and out, the final contents of
/// active memory. Contents of returned memory come last: reverse mode has no
/// seed for them.
class Evaluator {
public:
  using Vector = std::vector<double>;
  using Values = std::vector<HostValue>;

  /// What a call leaves: the arguments, the primal results (null if left out),
  /// and per lane the tangents of the dependents or the gradient with respect
  /// to the independents.
  struct Outcome {
    Values arguments, results;
    std::vector<Vector> derivatives;
    /// Blocks on the heap that the call has not freed.
    int64_t newBlocks = 0;
  };

  Evaluator(const Subject &subject, const Program &program,
            ArrayRef<Wrapper> wrappers);

  /// Calls the subject on `inputs` to learn the sizes of results.
  Outcome initialize(const Values &inputs);

  Outcome runPrimal(const Values &inputs) const;
  /// A tangent of the independents per lane; the width is that of a wrapper.
  Outcome runForward(const Values &inputs, ArrayRef<Vector> tangents) const;
  /// A seed of the first `getNumSeeds` dependents per lane.
  Outcome runReverse(const Values &inputs, ArrayRef<Vector> seeds) const;

  ArrayRef<Coordinate> getIndependents() const { return independents; }
  ArrayRef<Coordinate> getDependents() const { return dependents; }
  size_t getNumSeeds() const { return numSeeds; }
  Vector getIndependents(const Values &inputs) const;
  Vector getDependents(const Outcome &outcome) const;
  /// Adds `step` times `direction` to the independents of `inputs`.
  void move(Values &inputs, ArrayRef<double> direction, double step) const;

private:
  const Wrapper &getWrapper(Mode mode, int64_t width) const;
  FailureOr<HostValue> createShadow(const Layout &primal, int64_t width) const;
  Values createInputs(const Wrapper &wrapper, Outcome &outcome,
                      ArrayRef<Vector> vectors) const;
  void readOutputs(const Wrapper &wrapper, const Values &inputs,
                   const Values &outputs, Outcome &outcome) const;

  const Subject &subject;
  const Program &program;
  ArrayRef<Wrapper> wrappers;
  std::vector<std::shared_ptr<const Layout>> resultLayouts;
  std::vector<Coordinate> independents, dependents;
  size_t numSeeds = 0;
};

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_EVALUATOR_H
