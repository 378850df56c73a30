//===- MemoryAnalysis.h - alias classes and overwrites -------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers the one question the plan of reverse mode has about memory: will a
// value that was read here still be there when the reverse sweep wants it?
//
// References (values of memref, tape and stack type) are partitioned into alias
// classes: a view joins the class of its source, an operand forwarded to a
// region argument or result the class of that, a global by its symbol; by-
// reference arguments form one class together unless marked noalias. The
// partition is computed with a union-find in almost linear time. Operations
// are numbered in preorder; per class the reads, writes and frees are kept in
// that order.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_ANALYSIS_MEMORYANALYSIS_H
#define AUTODIFF_ANALYSIS_MEMORYANALYSIS_H

#include "Analysis/CalleeEffects.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::autodiff {

/// Whether values of `type` refer to memory (memref, unranked memref, tape,
/// stack), active or not.
bool isReference(Type type);

/// An operation that reads, writes or frees memory through `reference`.
struct MemoryAccess {
  Operation *op;
  Value reference;
  /// In preorder.
  unsigned position;
};

/// References that may refer to the same memory.
struct AliasClass {
  SmallVector<Value> members;
  /// Where the memory comes from.
  SmallVector<BlockArgument> arguments;
  SmallVector<Operation *> allocations;
  SmallVector<SymbolRefAttr> globals;
  bool hasMutableGlobal = false;
  /// A member comes from an operation that the analysis does not know.
  bool hasUnknownOrigin = false;
  /// A member is a region argument or a result of a region operation or a
  /// select: one name stands for several pieces of memory.
  bool passesThroughRegion = false;
  SmallVector<MemoryAccess> reads, writes, frees;
};

class MemoryAnalysis {
public:
  /// `argumentsMayAlias`: whether by-reference arguments without a noalias
  /// attribute may overlap (with others of the same element type).
  MemoryAnalysis(FunctionOpInterface function, CalleeEffects &callees,
                 bool argumentsMayAlias = true);

  /// The class of `reference`; null if it is not a reference in the function.
  const AliasClass *lookup(Value reference) const;
  /// A number below getClasses().size(); the same for all members.
  std::optional<unsigned> getClassId(Value reference) const;
  ArrayRef<AliasClass> getClasses() const;

  /// Whether the memory that `read` (an operation in the function) reads
  /// through `reference` may hold something else by the time the reverse sweep
  /// comes back to the same iteration of `read`: a write to the class later in
  /// program order, or in a later iteration of a loop around `read` (loops that
  /// contain all the allocations of the class do not count beyond the
  /// allocation), or a free unless `ignoreFrees`.
  bool mayChangeAfter(Operation *read, Value reference,
                      bool ignoreFrees = false) const;

  /// `to` takes the place of `from` (a call replaced by its augmented form).
  void replace(Value from, Value to);

  /// The effects of the whole function on its arguments and on globals.
  FunctionEffects getEffects() const;

  void print(raw_ostream &os) const;

private:
  struct Span {
    unsigned begin, end;
  };

  void number(Operation *op);
  unsigned getNode(Value reference);
  unsigned getGlobalNode(SymbolRefAttr symbol);
  void join(Value lhs, Value rhs);
  void joinUnknown(Value reference);
  void joinArguments(bool argumentsMayAlias);
  void joinThrough(Operation *op);
  void joinCall(CallOpInterface call);
  void buildClasses();
  void collectAccesses(Operation *op);
  void collectCallAccesses(CallOpInterface call);
  AliasClass *find(Value reference);

  bool mayChangeIn(ArrayRef<MemoryAccess> accesses, Operation *read,
                   Value reference, Operation *loop) const;
  Operation *getOutermostLoop(Operation *read,
                              const AliasClass &memoryClass) const;

  FunctionOpInterface function;
  CalleeEffects &callees;
  /// Preorder positions of operations; of what is inside, up to `end`.
  llvm::DenseMap<Operation *, Span> spans;
  unsigned numOps = 0;
  /// Nodes of the union-find: references, globals, and one for the unknown.
  llvm::MapVector<Value, unsigned> nodes;
  llvm::MapVector<SymbolRefAttr, unsigned> globalNodes;
  unsigned unknownNode = 0, numNodes = 1;
  bool isUnknownUsed = false;
  SmallVector<std::pair<unsigned, unsigned>> joins;
  llvm::IntEqClasses unionFind;
  std::vector<AliasClass> classes;
  llvm::DenseSet<Value> throughRegion;
  /// The classes that other functions can reach without being passed them.
  SmallVector<unsigned> sharedClasses;
  /// Accesses to memory that cannot be told: they count in every class.
  SmallVector<MemoryAccess> anyReads, anyWrites, anyFrees;
  bool readsGlobals = false, writesGlobals = false;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_ANALYSIS_MEMORYANALYSIS_H
