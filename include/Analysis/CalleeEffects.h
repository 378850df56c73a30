//===- CalleeEffects.h - what calls do to memory -------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprocedural summaries: which by-reference arguments a function may read
// and write, and whether it touches globals. Bottom-up over the call graph;
// recursion and functions without a body get the worst summary (a function
// marked `autodiff.inactive` too: inactivity says nothing about memory).
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_ANALYSIS_CALLEEEFFECTS_H
#define AUTODIFF_ANALYSIS_CALLEEEFFECTS_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace mlir::autodiff {

/// What a call may do.
struct FunctionEffects {
  /// Where a reference that is returned points to.
  struct Result {
    /// The memory of these arguments.
    llvm::BitVector arguments;
    /// Anywhere. If false and no argument is set: memory of its own.
    bool unknown = false;
  };
  /// The arguments whose memory is read, or written or freed.
  llvm::BitVector reads, writes;
  bool readsGlobals = false, writesGlobals = false;
  /// One entry per result.
  SmallVector<Result> results;
};

class CalleeEffects {
public:
  /// The effects of a call on its arguments.
  const FunctionEffects &get(CallOpInterface call);
  const FunctionEffects &get(FunctionOpInterface function);
  /// The effects of a function about which nothing is known.
  static FunctionEffects getWorst(unsigned numArguments, unsigned numResults);

private:
  llvm::DenseMap<Operation *, std::unique_ptr<FunctionEffects>> summaries;
  /// Of calls whose callee is not known.
  llvm::DenseMap<Operation *, std::unique_ptr<FunctionEffects>> unknownCalls;
  SymbolTableCollection tables;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_ANALYSIS_CALLEEEFFECTS_H
