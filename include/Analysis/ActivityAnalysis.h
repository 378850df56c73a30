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
// nodes are the by-value differentiable values and the alias classes of
// MemoryAnalysis, with arguments kept apart; varied is one forward, useful one
// backward breadth-first search over the edges between them: linear in the
// function.
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
  /// `results`: `active` or `const` per result. `const` by-reference arguments
  /// do not overlap with others. A failure has emitted a diagnostic: memory of
  /// a `const` argument would have to carry a derivative, or active memory is
  /// viewed as a type that carries none.
  static FailureOr<std::unique_ptr<ActivityAnalysis>>
  compute(FunctionOpInterface function, ArrayRef<Activity> args,
          ArrayRef<Activity> results, CalleeEffects &callees);

  /// By value: varied and useful. By reference: of the memory.
  bool isActive(Value value) const override;
  /// Whether `op` has an active operand or result.
  bool isActive(Operation *op) const;
  bool isVaried(Value value) const;
  bool isUseful(Value value) const;

  /// `to` takes the place of `from`.
  void replace(Value from, Value to);

  void print(raw_ostream &os) const;

private:
  class Builder;
  ActivityAnalysis(FunctionOpInterface function, CalleeEffects &callees)
      : function(function),
        memory(function, callees, /*argumentsMayAlias=*/false) {}

  std::optional<unsigned> getNode(Value value) const;
  LogicalResult verify(ArrayRef<Activity> args) const;
  LogicalResult verifyConst(BlockArgument argument,
                            const AliasClass &memoryClass,
                            ArrayRef<Activity> args) const;

  FunctionOpInterface function;
  MemoryAnalysis memory;
  /// Nodes: by-value values, then the classes of `memory`.
  llvm::DenseMap<Value, unsigned> values;
  unsigned firstClass = 0;
  llvm::BitVector varied, useful;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_ANALYSIS_ACTIVITYANALYSIS_H
