//===- MemoryFlow.h - references and what is done through them -----------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What both analyses need to know about memory, read off a function once: which
// reference is derived from which, where memory comes from, and which operation
// reads, writes or frees through which reference.
//
// References that flow into each other form a *piece*. Pieces are as fine as
// the flow of references allows: two arguments are two pieces, although the
// caller may pass the same memory twice. That makes them the right thing to ask
// what a function does to each of its arguments; MemoryAnalysis joins those
// that may overlap. Memory of unknown origin (a reference loaded from memory,
// or made by an operation that is not understood) and memory whose reference
// escaped form the piece of node `kUnknown`.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_ANALYSIS_MEMORYFLOW_H
#define AUTODIFF_ANALYSIS_MEMORYFLOW_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::autodiff {

class CalleeEffects;

/// Whether values of `type` refer to memory (memref, unranked memref, tape,
/// stack), active or not.
bool isReference(Type type);

class MemoryFlow {
public:
  /// The node of all memory that is reachable in ways not understood.
  static constexpr unsigned kUnknown = 0;
  /// In place of a node: an access to some memory that outlives or precedes the
  /// function (globals, arguments, unknown memory), it is not known which.
  static constexpr unsigned kOutside = ~0u;

  enum class AccessKind {
    Read,
    Write,
    Free,
    /// The memory of an `alloca` ends with the operation `op`.
    ScopeEnd
  };
  struct Access {
    Operation *op;
    unsigned node;
    AccessKind kind;
    unsigned position;
  };
  /// The references `a` and `b` flow into each other at `op`.
  struct Join {
    unsigned a, b;
    Operation *op;
  };
  struct Global {
    SymbolRefAttr symbol;
    unsigned node;
    bool isMutable;
    Type type;
  };
  /// Preorder numbers of an operation and of the last one inside it.
  struct Interval {
    unsigned begin, end;
    bool contains(unsigned position) const {
      return begin <= position && position <= end;
    }
  };

  MemoryFlow(FunctionOpInterface function, CalleeEffects &callees);

  std::optional<unsigned> getNode(Value reference) const;
  unsigned getNumNodes() const { return references.size(); }
  /// Null for `kUnknown`.
  Value getReference(unsigned node) const { return references[node]; }

  unsigned getPiece(unsigned node) const { return pieces[node]; }
  unsigned getNumPieces() const { return pieces.getNumClasses(); }

  ArrayRef<Join> getJoins() const { return joins; }
  /// In program order of their operations.
  ArrayRef<Access> getAccesses() const { return accesses; }
  ArrayRef<BlockArgument> getArguments() const { return arguments; }
  ArrayRef<std::pair<Operation *, unsigned>> getAllocations() const {
    return allocations;
  }
  ArrayRef<Global> getGlobals() const { return globals; }
  /// Nodes that stand for several references, chosen at run time.
  const llvm::DenseSet<unsigned> &getChoices() const { return choices; }
  /// Nodes of references that were taken out of memory.
  ArrayRef<unsigned> getLoadedReferences() const { return loaded; }
  /// Whether any reference is of unknown origin or escaped.
  bool hasUnknown() const { return usesUnknown; }

  /// Null if the operation was not there when the function was read.
  const Interval *getInterval(Operation *op) const;
  /// Operations whose regions may run more than once. Structured loops start
  /// each iteration anew; a region with several blocks is taken for a loop, but
  /// not for a structured one.
  bool isLoop(Operation *op) const { return loops.contains(op); }
  bool isStructuredLoop(Operation *op) const;

private:
  friend class MemoryFlowBuilder;

  SmallVector<Value> references;
  llvm::DenseMap<Value, unsigned> nodes;
  llvm::IntEqClasses pieces;
  SmallVector<Join> joins;
  SmallVector<Access> accesses;
  SmallVector<BlockArgument> arguments;
  SmallVector<std::pair<Operation *, unsigned>> allocations;
  SmallVector<Global> globals;
  llvm::DenseSet<unsigned> choices;
  SmallVector<unsigned> loaded;
  llvm::DenseMap<Operation *, Interval> intervals;
  llvm::DenseSet<Operation *> loops;
  bool usesUnknown = false;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_ANALYSIS_MEMORYFLOW_H
