//===- ReverseMode.cpp - combined reverse mode ---------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative is the forward sweep followed by the reverse sweep in the same
// function. ReversePrimal decides, this file applies:
//
//   the forward sweep writes its tapes
//   the reverse sweep is emitted before the return
//   tapes, and memory that the reverse sweep read, are released
//
// Source: Griewank and Walther, Evaluating Derivatives (2008); reverse of
// memory and of calls as in Moses and Churavy, Instead of Rewriting Foreign
// Code for Machine Learning, Automatically Synthesize Fast Gradients (2020).
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "ForwardSweep.h"
#include "MutableGlobals.h"
#include "ReversePrimal.h"

using namespace mlir;
using namespace mlir::autodiff;

/// Gives `function` an argument for the seed of each active result.
static SmallVector<Value> addSeeds(func::FuncOp function,
                                   const DerivativeRequest &request) {
  func::FuncOp callee = request.callee;
  SmallVector<Value> seeds;
  for (auto [activity, type] :
       llvm::zip_equal(request.results, callee.getResultTypes())) {
    seeds.push_back({});
    if (activity != Activity::Active)
      continue;
    unsigned position = function.getNumArguments();
    (void)function.insertArgument(position,
                                  getShadowType(type, request.options.width),
                                  {}, function.getLoc());
    seeds.back() = function.getArgument(position);
  }
  return seeds;
}

/// The derivative owns the shadows of globals: it starts from zero.
static void clearShadowGlobals(Differentiator &differentiator,
                               const DerivativeRequest &request,
                               OpBuilder &builder) {
  for (memref::GlobalOp global :
       getMutableGlobals(request.callee, differentiator.getCalleeEffects()))
    clearShadowGlobal(builder, getShadowGlobal(differentiator.getSymbolTable(),
                                               global, request.options));
}

FailureOr<func::FuncOp>
mlir::autodiff::createReverseDerivative(Differentiator &differentiator,
                                        const DerivativeRequest &request,
                                        Location loc) {
  ReversePrimal primal;
  if (failed(primal.prepare(differentiator, request, ".reverse")))
    return failure();
  func::FuncOp function = primal.function;
  Block *body = &function.front();
  Operation *end = body->getTerminator();
  SmallVector<Value> tapes = writeTapes(function, primal.plan);
  ReverseEmitter emitter(differentiator, primal.plan, *primal.activity,
                         primal.calls, request.options, tapes);
  for (auto [argument, shadow] : primal.argumentShadows)
    emitter.mapShadow(argument, shadow);
  SmallVector<Value> seeds = addSeeds(function, request);

  OpBuilder builder(end);
  clearShadowGlobals(differentiator, request, builder);
  FailureOr<SmallVector<Value>> adjoints =
      emitter.emit(body, primal.arguments, seeds, end);
  if (failed(adjoints))
    return failure();
  builder.setInsertionPoint(end);
  FailureOr<SmallVector<Value>> gradients =
      getGradients(emitter, request, primal.arguments, *adjoints);
  if (failed(gradients))
    return failure();
  freeTapes(builder, tapes);
  for (Operation *free : primal.plan.getDelayedFrees())
    free->moveBefore(end);
  end->insertOperands(end->getNumOperands(), *gradients);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           end->getOperandTypes()));
  return function;
}
