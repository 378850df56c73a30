//===- ActivityBuilder.h - the phases of ActivityAnalysis ----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the graph of ActivityAnalysis, searches it and checks the result.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_LIB_ANALYSIS_ACTIVITYBUILDER_H
#define AUTODIFF_LIB_ANALYSIS_ACTIVITYBUILDER_H

#include "ActivityGraph.h"
#include "Analysis/ActivityAnalysis.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace mlir::autodiff {

class ActivityBuilder {
public:
  ActivityBuilder(ActivityAnalysis &analysis, FunctionOpInterface function,
                  ArrayRef<Activity> args, ArrayRef<Activity> results,
                  CalleeEffects &callees)
      : analysis(analysis), flow(analysis.flow), function(function), args(args),
        results(results), callees(callees) {}

  LogicalResult run();

private:
  using AccessKind = MemoryFlow::AccessKind;

  /// The node of a value or of the memory it refers to, if it can carry
  /// derivatives.
  std::optional<unsigned> nodeOf(Value value);
  std::optional<unsigned> nodeOf(const MemoryFlow::Access &access) const;

  void classifyPieces();
  void buildGraph();
  bool hasNoDerivative(Operation *op) const;
  void addDataFlow(Operation *op, ArrayRef<MemoryFlow::Access> accesses);
  void addRegionFlow(RegionBranchOpInterface branch);
  void addOpaqueRegionFlow(Operation *op, Region &region, unsigned hub);
  void addBranchFlow(BranchOpInterface branch);
  void search();

  LogicalResult checkConstArguments();
  LogicalResult checkMixing(BlockArgument constArgument);
  LogicalResult checkStores(BlockArgument constArgument);
  LogicalResult checkViews();
  LogicalResult checkAccesses();
  LogicalResult checkLoadedReferences();
  bool isActiveNode(unsigned node) const {
    return analysis.varied.test(node) && analysis.useful.test(node);
  }

  ActivityAnalysis &analysis;
  const MemoryFlow &flow;
  FunctionOpInterface function;
  ArrayRef<Activity> args, results;
  CalleeEffects &callees;
  ActivityGraph graph;
  /// Stands for memory that is not named.
  unsigned outside = 0;
  /// Pieces that are seen somewhere as a type that carries derivatives, or as
  /// one of integers that may be their bits.
  llvm::BitVector differentiablePieces, bitPieces;
};

/// Like isDifferentiable, but tapes need not have an opinion of their own.
bool carriesDerivatives(Type type);

} // namespace mlir::autodiff

#endif // AUTODIFF_LIB_ANALYSIS_ACTIVITYBUILDER_H
