//===- ActivityGraph.h - edges along which derivatives flow --------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The graph of ActivityAnalysis without what it is asked for: nodes, edges, and
// reachability in both directions.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_LIB_ANALYSIS_ACTIVITYGRAPH_H
#define AUTODIFF_LIB_ANALYSIS_ACTIVITYGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::autodiff {

class ActivityGraph {
public:
  unsigned addNode() { return numNodes++; }
  void addNodes(unsigned count) { numNodes += count; }
  unsigned getNumNodes() const { return numNodes; }
  void addEdge(unsigned from, unsigned to) { edges.push_back({from, to}); }

  /// What can be reached from `seeds` along the edges, or against them.
  llvm::BitVector reach(llvm::ArrayRef<unsigned> seeds, bool backward) const {
    // Targets, sorted by source (counting sort).
    llvm::SmallVector<unsigned> first(numNodes + 1, 0), targets(edges.size());
    for (auto [from, to] : edges)
      ++first[backward ? to : from];
    for (unsigned node = 0, sum = 0; node <= numNodes; ++node)
      first[node] = sum += first[node];
    for (auto [from, to] : edges)
      targets[--first[backward ? to : from]] = backward ? from : to;

    llvm::BitVector reached(numNodes);
    llvm::SmallVector<unsigned> work;
    auto enter = [&](unsigned node) {
      if (reached.test(node))
        return;
      reached.set(node);
      work.push_back(node);
    };
    for (unsigned seed : seeds)
      enter(seed);
    while (!work.empty()) {
      unsigned node = work.pop_back_val();
      for (unsigned i = first[node]; i != first[node + 1]; ++i)
        enter(targets[i]);
    }
    return reached;
  }

private:
  unsigned numNodes = 0;
  llvm::SmallVector<std::pair<unsigned, unsigned>> edges;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_LIB_ANALYSIS_ACTIVITYGRAPH_H
