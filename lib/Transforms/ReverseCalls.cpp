//===- ReverseCalls.cpp - calls in the forward sweep ---------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call with active operands or results becomes a call of the callee's
// augmented primal, whose further results, the tape, are values like any other
// to the plan. The adjoint is called in the reverse sweep.
//
//===----------------------------------------------------------------------===//

#include "ReverseCalls.h"
#include "CustomRules.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "MutableGlobals.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

class CallAugmenter {
public:
  CallAugmenter(func::FuncOp function, Differentiator &differentiator,
                const EmissionOptions &options,
                const llvm::BitVector &preservedArgs,
                ActivityAnalysis &activity, MemoryAnalysis &memory)
      : function(function), differentiator(differentiator), options(options),
        preservedArgs(preservedArgs), activity(activity), memory(memory) {}

  LogicalResult augment(func::CallOp call);
  ReversedCalls take() { return std::move(calls); }

private:
  bool touchesGlobals(func::FuncOp callee);
  bool isPreserved(func::CallOp call, Value reference);
  LogicalResult useRule(func::CallOp call, func::FuncOp callee, RuleAttr rule);
  LogicalResult useDerivative(func::CallOp call, func::FuncOp callee,
                              ArrayRef<Activity> args);
  void replace(func::CallOp call, func::FuncOp augmented,
               ReversedCall reversed);

  func::FuncOp function;
  Differentiator &differentiator;
  const EmissionOptions &options;
  const llvm::BitVector &preservedArgs;
  ActivityAnalysis &activity;
  MemoryAnalysis &memory;
  llvm::DenseMap<Operation *, bool> globalsTouched;
  ReversedCalls calls;
};

bool CallAugmenter::touchesGlobals(func::FuncOp callee) {
  auto [it, isNew] = globalsTouched.try_emplace(callee, false);
  if (isNew)
    it->second =
        !getMutableGlobals(callee, differentiator.getCalleeEffects()).empty();
  return it->second;
}

/// Whether the memory that `call` is given through `reference` is as the call
/// leaves it when the reverse sweep comes back to the call.
bool CallAugmenter::isPreserved(func::CallOp call, Value reference) {
  const AliasClass *memoryClass = memory.lookup(reference);
  if (!memoryClass || memoryClass->hasUnknownOrigin)
    return false;
  for (const MemoryAccess &write : memoryClass->writes)
    if (write.op == call)
      return false;
  for (BlockArgument argument : memoryClass->arguments)
    if (argument.getOwner() == &function.front() &&
        !preservedArgs.test(argument.getArgNumber()))
      return false;
  return !memory.mayChangeAfter(call, reference);
}

/// Puts a call of `augmented` in the place of `call`.
void CallAugmenter::replace(func::CallOp call, func::FuncOp augmented,
                            ReversedCall reversed) {
  OpBuilder builder(call);
  auto replacement = func::CallOp::create(builder, call.getLoc(), augmented,
                                          call.getOperands());
  activity.replace(call, replacement);
  memory.replace(call, replacement);
  for (auto [from, to] : llvm::zip(call.getResults(), replacement.getResults()))
    from.replaceAllUsesWith(to);
  call.erase();
  calls[replacement] = std::move(reversed);
}

LogicalResult CallAugmenter::useRule(func::CallOp call, func::FuncOp callee,
                                     RuleAttr rule) {
  FailureOr<RuleAdjoint> functions = getRuleAdjoint(
      call, callee, rule, options, differentiator.getSymbolTable());
  if (failed(functions))
    return failure();
  ReversedCall reversed;
  reversed.adjoint = functions->adjoint;
  reversed.args.assign(rule.getArgs().begin(), rule.getArgs().end());
  reversed.adjointArgs.resize(callee.getNumArguments(), true);
  reversed.seeded.resize(callee.getNumResults());
  for (auto [index, type] : llvm::enumerate(callee.getResultTypes()))
    if (isDifferentiableByValue(type))
      reversed.seeded.set(index);
  replace(call, functions->augmented, std::move(reversed));
  return success();
}

LogicalResult CallAugmenter::useDerivative(func::CallOp call,
                                           func::FuncOp callee,
                                           ArrayRef<Activity> args) {
  DerivativeRequest request;
  request.callee = callee;
  request.mode = DerivativeMode::Split;
  request.args.assign(args.begin(), args.end());
  request.options = options;
  request.preservedArgs.resize(args.size());
  ReversedCall reversed;
  reversed.seeded.resize(call.getNumResults());
  for (auto [index, operand] : llvm::enumerate(call.getOperands()))
    if (isReference(operand.getType()) && isPreserved(call, operand))
      request.preservedArgs.set(index);
  for (auto [index, result] : llvm::enumerate(call.getResults())) {
    bool isActive = activity.isActive(result);
    if (isActive && isDifferentiableReference(result.getType())) {
      InFlightDiagnostic error =
          call.emitError()
          << "returns active memory, which reverse mode cannot "
             "follow through a call";
      error.attachNote() << "inline '" << callee.getSymName()
                         << "', or let it write to an argument";
      return error;
    }
    request.results.push_back(isActive ? Activity::Active : Activity::Const);
    if (isActive)
      reversed.seeded.set(index);
  }
  FailureOr<SplitDerivative> split =
      differentiator.getSplit(request, call.getLoc());
  if (failed(split))
    return failure();
  reversed.adjoint = split->adjoint;
  reversed.args.assign(args.begin(), args.end());
  reversed.adjointArgs = split->adjointArgs;
  replace(call, split->augmented, std::move(reversed));
  return success();
}

LogicalResult CallAugmenter::augment(func::CallOp call) {
  func::FuncOp callee = differentiator.lookup(call.getCallee());
  if (!callee)
    return success();
  if (isInactiveFunction(callee))
    return checkInactiveCall(call, callee, activity,
                             differentiator.getCalleeEffects());
  if (!activity.isActive(call) &&
      (callee.isExternal() || !touchesGlobals(callee)))
    return success();
  SmallVector<Activity> args = getRuleActivities(call, activity);
  if (RuleAttr rule = findCustomRule(callee, args))
    return useRule(call, callee, rule);
  if (callee.isExternal()) {
    InFlightDiagnostic error = call.emitError()
                               << "cannot differentiate the call of '"
                               << callee.getSymName()
                               << "', which has no body and no derivative rule";
    error.attachNote(callee.getLoc())
        << "give it autodiff.rules, or mark it autodiff.inactive if it carries "
           "no derivative";
    return error;
  }
  return useDerivative(call, callee, args);
}

} // namespace

FailureOr<ReversedCalls> mlir::autodiff::augmentCalls(
    func::FuncOp function, Differentiator &differentiator,
    const EmissionOptions &options, const llvm::BitVector &preservedArgs,
    ActivityAnalysis &activity, MemoryAnalysis &memory) {
  CallAugmenter augmenter(function, differentiator, options, preservedArgs,
                          activity, memory);
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls)
    if (failed(augmenter.augment(call)))
      return failure();
  return augmenter.take();
}
