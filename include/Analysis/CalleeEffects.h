//===- CalleeEffects.h - what calls do to memory -------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprocedural summaries: which by-reference arguments a function may read,
// write and keep, and whether it touches globals. Bottom-up over the call
// graph; functions without a body get the worst summary (marked
// `autodiff.inactive` too: inactivity says nothing about what a function reads
// and writes. It does promise that no reference to an argument is kept).
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_ANALYSIS_CALLEEEFFECTS_H
#define AUTODIFF_ANALYSIS_CALLEEEFFECTS_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace mlir::autodiff {

/// What a call may do; one bit per argument. Freeing counts as writing.
struct FunctionEffects {
  /// Where a by-reference result comes from.
  struct Result {
    /// It may be (part of) these arguments.
    llvm::BitVector arguments;
    /// It may be memory that existed before the call but for the arguments.
    bool fromOutside = false;
    /// It may be memory that the call allocates.
    bool isFresh = false;
    /// Results of the same group may be the same memory.
    unsigned group = 0;

    bool operator==(const Result &other) const {
      return arguments == other.arguments && fromOutside == other.fromOutside &&
             isFresh == other.isFresh && group == other.group;
    }
  };

  llvm::BitVector reads, writes;
  /// A reference to the argument may be kept somewhere after the call.
  llvm::BitVector captures;
  /// Memory that can be reached otherwise than through the arguments.
  bool readsGlobals = false, writesGlobals = false;
  /// One per result; empty if nothing is known.
  SmallVector<Result> results;

  bool operator==(const FunctionEffects &other) const {
    return reads == other.reads && writes == other.writes &&
           captures == other.captures && readsGlobals == other.readsGlobals &&
           writesGlobals == other.writesGlobals && results == other.results;
  }
};

class MemoryFlow;

/// The symbols of the module must not be erased during the lifetime.
class CalleeEffects {
public:
  /// The effects of a call on its arguments.
  const FunctionEffects &get(CallOpInterface call);
  const FunctionEffects &get(FunctionOpInterface function);
  static FunctionEffects getWorst(unsigned numArguments);
  /// The effects of a function whose memory flow is known.
  static FunctionEffects summarize(FunctionOpInterface function,
                                   const MemoryFlow &flow);
  /// The function that is called, if it can be known.
  FunctionOpInterface getCallee(CallOpInterface call);
  SymbolTableCollection &getSymbolTables() { return tables; }

private:
  void compute(FunctionOpInterface root);
  void computeComponent(ArrayRef<FunctionOpInterface> component);

  llvm::DenseMap<Operation *, std::unique_ptr<FunctionEffects>> summaries;
  /// By number of arguments.
  llvm::DenseMap<unsigned, std::unique_ptr<FunctionEffects>> unknownCalls;
  SymbolTableCollection tables;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_ANALYSIS_CALLEEEFFECTS_H
