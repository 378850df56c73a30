//===- ReversePrimal.cpp - the callee, made ready to be reversed ---------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   copy       the forward sweep starts as a copy of the callee
//   prepare    operations get the form that their rules expect: regions that
//              run once are inlined, while loops count their iterations
//   analyse    memory, activity
//   augment    active calls become calls of augmented primals, shadows that
//              pass through regions become values
//   plan       how every needed value reaches the reverse sweep
//
// Analyses and plan change nothing.
//
//===----------------------------------------------------------------------===//

#include "ReversePrimal.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "InlineCalls.h"
#include "PrepareOperations.h"

using namespace mlir;
using namespace mlir::autodiff;

/// A function with the body of `callee`.
static func::FuncOp copy(Differentiator &differentiator, func::FuncOp callee,
                         StringRef suffix) {
  func::FuncOp function = differentiator.createFunction(
      callee, (callee.getSymName() + suffix).str(), callee.getFunctionType());
  IRMapping mapping;
  callee.getBody().cloneInto(&function.getBody(), mapping);
  if (ArrayAttr attributes = callee.getAllArgAttrs())
    function.setAllArgAttrs(attributes);
  return function;
}

/// Puts the shadow of every `dup` argument after it.
void ReversePrimal::addArgumentShadows(const DerivativeRequest &request) {
  for (auto [argument, activity] : llvm::zip_equal(arguments, request.args)) {
    if (activity != Activity::Dup)
      continue;
    unsigned position = argument.getArgNumber() + 1;
    Type type = getShadowType(argument.getType(), request.options.width);
    (void)function.insertArgument(position, type, {}, argument.getLoc());
    argumentShadows[argument] = function.getArgument(position);
  }
}

LogicalResult ReversePrimal::prepare(Differentiator &differentiator,
                                     const DerivativeRequest &request,
                                     StringRef suffix) {
  bool split = request.mode == DerivativeMode::Split;
  function = copy(differentiator, request.callee, suffix);
  if (!function.getBody().hasOneBlock()) {
    func::FuncOp callee = request.callee;
    InFlightDiagnostic error =
        callee.emitError()
        << "cannot differentiate '" << callee.getSymName()
        << "' with unstructured control flow in reverse mode";
    error.attachNote() << "lift it first with --lift-cf-to-scf";
    return error;
  }
  inlineUnsplittableCalls(function, differentiator);
  if (failed(prepareOperations(function, /*forReverse=*/true)))
    return failure();
  memory = std::make_unique<MemoryAnalysis>(
      function, differentiator.getCalleeEffects(), request.args);
  FailureOr<std::unique_ptr<ActivityAnalysis>> computedActivity =
      ActivityAnalysis::compute(function, request.args, request.results,
                                differentiator.getCalleeEffects());
  if (failed(computedActivity))
    return failure();
  activity = std::move(*computedActivity);
  arguments.assign(function.getArguments().begin(),
                   function.getArguments().end());
  SmallVector<Activity> activities = request.args;
  if (!split) {
    addArgumentShadows(request);
    // The analysis of memory sees shadows as memory of their arguments' kind.
    activities.clear();
    for (BlockArgument argument : function.getArguments()) {
      auto it = llvm::find(arguments, argument);
      activities.push_back(it == arguments.end()
                               ? Activity::Dup
                               : request.args[it - arguments.begin()]);
    }
  }
  llvm::BitVector preserved = request.preservedArgs;
  preserved.resize(function.getNumArguments(), !split);
  FailureOr<ReversedCalls> augmented = augmentCalls(
      function, differentiator, request.options, preserved, *activity, *memory);
  if (failed(augmented))
    return failure();
  calls = std::move(*augmented);
  FailureOr<ForwardShadows> shadows =
      createForwardShadows(function, differentiator, request.options, *activity,
                           *memory, argumentShadows);
  if (failed(shadows))
    return failure();
  forwardShadows = std::move(*shadows);
  const MemoryAnalysis *planned = memory.get();
  if (!calls.empty() || !forwardShadows.empty()) {
    augmentedMemory = std::make_unique<MemoryAnalysis>(
        function, differentiator.getCalleeEffects(), activities);
    planned = augmentedMemory.get();
  }
  FailureOr<ReversePlan> computedPlan = ReversePlan::compute(
      function, *activity, *planned, calls, forwardShadows, split, preserved);
  if (failed(computedPlan))
    return failure();
  plan = std::move(*computedPlan);
  if (raw_ostream *os = differentiator.getPlanStream()) {
    *os << "plan of " << request.getKey() << "\n";
    plan.print(*os);
  }
  return success();
}

void mlir::autodiff::freeTapes(OpBuilder &builder, ArrayRef<Value> tapes) {
  for (Value tape : tapes) {
    if (isa<TapeType>(tape.getType()))
      TapeFreeOp::create(builder, tape.getLoc(), tape);
    else
      StackFreeOp::create(builder, tape.getLoc(), tape);
  }
}

/// The adjoints of the active arguments, zeros where nothing arrived.
FailureOr<SmallVector<Value>> mlir::autodiff::getGradients(
    ReverseEmitter &emitter, const DerivativeRequest &request,
    ArrayRef<BlockArgument> arguments, ArrayRef<Value> adjoints) {
  SmallVector<Value> gradients;
  for (auto [argument, activity, adjoint] :
       llvm::zip_equal(arguments, request.args, adjoints)) {
    if (activity != Activity::Active)
      continue;
    Value gradient = adjoint;
    if (!gradient)
      gradient = emitter.createZeroAdjoint(argument);
    if (!gradient)
      return emitError(argument.getLoc())
             << "the gradient of a value of type " << argument.getType()
             << " is zero, which cannot be built without its sizes";
    gradients.push_back(gradient);
  }
  return gradients;
}
