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
// region argument or result the class of that, a global by its symbol. Memory
// that comes from outside may overlap: by-reference arguments and mutable
// globals form one class per element type (8-bit integers: with everything), an
// argument marked `autodiff.noalias` or `llvm.noalias` one of its own. The
// partition is computed with a union-find in almost linear time. Operations
// are numbered in preorder; per class the reads, writes and frees are kept in
// that order.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_ANALYSIS_MEMORYANALYSIS_H
#define AUTODIFF_ANALYSIS_MEMORYANALYSIS_H

#include "Analysis/CalleeEffects.h"
#include "Analysis/MemoryFlow.h"
#include "Dialect/Autodiff/IR/Autodiff.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::autodiff {

/// An operation that reads, writes or frees memory through `reference`.
struct MemoryAccess {
  Operation *op;
  /// Null if the operation may reach the memory without naming it.
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
  /// A member comes from an operation that the analysis does not know, or was
  /// kept in memory: which memory it is cannot be told without running.
  bool hasUnknownOrigin = false;
  /// A member is a region argument or a result of a region operation or a
  /// select: one name stands for several pieces of memory.
  bool passesThroughRegion = false;
  SmallVector<MemoryAccess> reads, writes, frees;
  /// Whether other code may hold references to the memory: it comes from an
  /// argument not marked noalias, a mutable global or an unknown origin.
  bool isOutside = false;
  /// The innermost structured loop that contains all allocations, if the memory
  /// of one iteration cannot be seen in another.
  Operation *scope = nullptr;
};

class MemoryAnalysis {
public:
  /// `args`: the activities of the arguments, if they are known. An argument
  /// that is `const` though its memory could carry derivatives is promised not
  /// to overlap with memory that does.
  MemoryAnalysis(FunctionOpInterface function, CalleeEffects &callees,
                 ArrayRef<Activity> args = {});

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

  /// `to` takes the place of `from`.
  void replace(Value from, Value to);
  /// The same for an operation (a call replaced by its augmented form) and its
  /// results; `to` may have more of them. Must be told before `from` is erased.
  void replace(Operation *from, Operation *to);

  /// The effects of the whole function on its arguments and on globals.
  FunctionEffects getEffects() const;

  const MemoryFlow &getFlow() const { return flow; }

  void print(raw_ostream &os) const;

private:
  void partition(ArrayRef<Activity> args);
  void collectOrigins();
  void collectAccesses();
  void findScopes();

  struct Element;
  const Element *getElement(Operation *op, Value reference) const;
  static bool differ(const Element &read, const Element &write,
                     llvm::function_ref<bool(Value)> usable);
  static bool missesInLaterIterations(Operation *loop, const Element &read,
                                      const Element &write);

  FunctionOpInterface function;
  MemoryFlow flow;
  std::vector<AliasClass> classes;
  /// Per node of `flow`; `kNoClass` for the unknown node if it is not used.
  SmallVector<unsigned> classOfNode;
  llvm::DenseMap<Value, unsigned> replaced;
  llvm::DenseMap<Operation *, Operation *> replacedOps;
  /// Of loads and stores that were compared; null if they cannot be.
  mutable llvm::DenseMap<Operation *, std::shared_ptr<Element>> elements;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_ANALYSIS_MEMORYANALYSIS_H
