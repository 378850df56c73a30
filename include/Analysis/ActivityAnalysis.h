//===- ActivityAnalysis.h - which values carry derivatives ---------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is varied if it depends differentiably on an active input, useful if
// it influences an active output, active if both (Hascoët & Pascual 2013). The
// nodes are the by-value differentiable values, the pieces of memory of
// MemoryFlow, and the operations themselves, through which operands and memory
// read flow to results and memory written; varied is one forward, useful one
// backward breadth-first search: linear in the function.
//
// Pieces, not alias classes: the user's `const` promises that the memory of the
// argument does not overlap memory that carries derivatives. Mutable globals
// and memory of unknown origin connect functions and are varied and useful
// always.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_ANALYSIS_ACTIVITYANALYSIS_H
#define AUTODIFF_ANALYSIS_ACTIVITYANALYSIS_H

#include "Analysis/MemoryAnalysis.h"
#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::autodiff {

class ActivityAnalysis : public ActivityQuery {
public:
  /// `args`: `const`, `active` or `dup` (and `_noneed` forms) per argument;
  /// `results`: `active` or `const` per result. A failure has emitted a
  /// diagnostic (memory of a `const` argument that would have to carry a
  /// derivative; active memory viewed as a type that carries none).
  static FailureOr<std::unique_ptr<ActivityAnalysis>>
  compute(FunctionOpInterface function, ArrayRef<Activity> args,
          ArrayRef<Activity> results, CalleeEffects &callees);

  /// By value: varied and useful. By reference: of the memory.
  bool isActive(Value value) const override;
  /// Whether `op` has an active operand or result, or passes derivatives on
  /// through memory that is not among its operands.
  bool isActive(Operation *op) const;
  bool isVaried(Value value) const;
  bool isUseful(Value value) const;

  /// `to` takes the place of `from`.
  void replace(Value from, Value to);
  /// The same for an operation and its results; `to` may have more of them.
  void replace(Operation *from, Operation *to);

  void print(raw_ostream &os) const;

private:
  friend class ActivityBuilder;
  ActivityAnalysis(FunctionOpInterface function, CalleeEffects &callees)
      : function(function), flow(function, callees) {}

  std::optional<unsigned> getNode(Value value) const;

  FunctionOpInterface function;
  MemoryFlow flow;
  /// Pieces of memory come first, with their own numbers.
  llvm::DenseMap<Value, unsigned> values;
  llvm::DenseMap<Operation *, unsigned> operations;
  llvm::BitVector varied, useful;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_ANALYSIS_ACTIVITYANALYSIS_H
