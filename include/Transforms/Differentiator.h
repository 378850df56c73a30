//===- Differentiator.h - derivative functions of a module ---------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derivatives are ordinary functions of the module. The Differentiator creates
// each at most once per key and hands out its name; it is what the pass, the
// forward engine and the reverse engine share.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_DIFFERENTIATOR_H
#define AUTODIFF_TRANSFORMS_DIFFERENTIATOR_H

#include "Analysis/CalleeEffects.h"
#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <string>

namespace mlir::autodiff {

enum class DerivativeMode { Forward, Reverse, Split };

/// What makes two derivatives the same function.
struct DerivativeRequest {
  func::FuncOp callee;
  DerivativeMode mode = DerivativeMode::Forward;
  /// Forward: `const` or `dup`. Reverse and split: `const`, `active`, `dup`.
  SmallVector<Activity> args;
  SmallVector<Activity> results;
  EmissionOptions options;
  /// Split mode: by-reference arguments whose memory the caller leaves as the
  /// callee left it until the adjoint has run.
  llvm::BitVector preservedArgs;

  /// A canonical text of all fields.
  std::string getKey() const;
};

/// A derivative in two parts with a tape in between.
///
///   augmented: the callee's arguments
///              -> results of the callee, then `tapeTypes`
///   adjoint:   the arguments in `adjointArgs`, each `dup` one followed by its
///              shadow (the shadow comes always), then the tape, then a seed
///              per active result
///              -> gradients of the `active` arguments
struct SplitDerivative {
  func::FuncOp augmented;
  func::FuncOp adjoint;
  SmallVector<Type> tapeTypes;
  llvm::BitVector adjointArgs;
};

class Differentiator {
public:
  /// `module` is the operation whose symbol table holds the functions.
  explicit Differentiator(Operation *module);

  /// Replaces every request in the module. A failure has emitted a diagnostic
  /// and leaves the module half done: run on a clone.
  LogicalResult run();

  /// The function with the signature of the `fwddiff` or `autodiff` for this
  /// request; created if need be. `loc` is where it is asked for. A failure
  /// has emitted a diagnostic. While the forward engine is at work, it gets
  /// functions whose bodies follow later.
  FailureOr<func::FuncOp> getDerivative(const DerivativeRequest &request,
                                        Location loc);
  /// The same for split mode.
  FailureOr<SplitDerivative> getSplit(const DerivativeRequest &request,
                                      Location loc);
  /// The function of this name, or null.
  func::FuncOp lookup(StringRef name);
  /// A new private function without a body after `near`, under a fresh name
  /// that starts with `prefix`.
  func::FuncOp createFunction(func::FuncOp near, StringRef prefix,
                              FunctionType type);

  SymbolTable &getSymbolTable() { return symbolTable; }
  /// What the functions of the module do to memory. To be asked only about
  /// functions that will not change any more.
  CalleeEffects &getCalleeEffects() { return callees; }

  /// Where reverse mode describes its plans, for --ad-print-plan; may be null.
  raw_ostream *getPlanStream() const { return planStream; }
  void setPlanStream(raw_ostream *os) { planStream = os; }

private:
  LogicalResult lowerRequestsFrom(func::FuncOp root);
  LogicalResult lowerRequest(Operation *op);
  LogicalResult checkCallee(func::FuncOp callee, Location loc);
  LogicalResult enter(const DerivativeRequest &request, StringRef key,
                      Location loc);
  FailureOr<func::FuncOp> getForward(const DerivativeRequest &request);
  func::FuncOp getCaller(func::FuncOp callee, Location loc);

  Operation *module;
  SymbolTable symbolTable;
  SymbolTableCollection tables;
  CalleeEffects callees;
  std::map<std::string, func::FuncOp> derivatives;
  std::map<std::string, SplitDerivative> splits;
  /// Keys of reverse-mode derivatives being created, to find recursion.
  llvm::StringSet<> inProgress;
  /// Forward-mode derivatives without a body yet. Bodies are filled in one
  /// after the other: chains of calls may be long, and recursive.
  SmallVector<std::pair<DerivativeRequest, func::FuncOp>> pending;
  bool fillsIn = false;
  /// Functions whose requests are lowered (true), or wait for those in what
  /// they call.
  llvm::DenseMap<Operation *, bool> lowered;
  /// Functions that do nothing but call one with rules of its own.
  llvm::DenseMap<Operation *, func::FuncOp> callers;
  raw_ostream *planStream = nullptr;
};

/// The engines. `request.callee` has a body without requests in it.

/// The type of a forward-mode derivative.
FunctionType getForwardType(const DerivativeRequest &request);
/// Fills in the body of a forward-mode derivative.
LogicalResult emitForwardDerivative(Differentiator &differentiator,
                                    const DerivativeRequest &request,
                                    func::FuncOp derivative);
FailureOr<func::FuncOp>
createReverseDerivative(Differentiator &differentiator,
                        const DerivativeRequest &request, Location loc);
FailureOr<SplitDerivative>
createSplitDerivative(Differentiator &differentiator,
                      const DerivativeRequest &request, Location loc);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_DIFFERENTIATOR_H
