//===- SplitMode.cpp - reverse mode in two functions ---------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Used for calls: the caller runs the augmented primal in its forward sweep and
// the adjoint in its reverse sweep. What the adjoint needs and cannot recompute
// from its arguments is the tape: further results of the augmented primal.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "ForwardSweep.h"
#include "ReversePrimal.h"

using namespace mlir;
using namespace mlir::autodiff;

/// The type of the adjoint; see SplitDerivative.
static FunctionType getAdjointType(const DerivativeRequest &request,
                                   const SplitDerivative &split) {
  func::FuncOp callee = request.callee;
  int64_t width = request.options.width;
  SmallVector<Type> inputs, outputs;
  for (auto [index, type, activity] :
       llvm::enumerate(callee.getArgumentTypes(), request.args)) {
    if (split.adjointArgs.test(index))
      inputs.push_back(type);
    if (activity == Activity::Dup)
      inputs.push_back(getShadowType(type, width));
    if (activity == Activity::Active)
      outputs.push_back(getShadowType(type, width));
  }
  llvm::append_range(inputs, split.tapeTypes);
  for (auto [activity, type] :
       llvm::zip_equal(request.results, callee.getResultTypes()))
    if (activity == Activity::Active)
      inputs.push_back(getShadowType(type, width));
  return FunctionType::get(callee.getContext(), inputs, outputs);
}

/// Emits the body of `split.adjoint`, given the tapes of `primal`.
static LogicalResult emitAdjoint(Differentiator &differentiator,
                                 const DerivativeRequest &request,
                                 ReversePrimal &primal, SplitDerivative &split,
                                 ArrayRef<Value> tapes) {
  Block *body = &primal.function.front();
  ArrayRef<BlockArgument> arguments = primal.arguments;
  Block *mirror = split.adjoint.addEntryBlock();
  OpBuilder builder = OpBuilder::atBlockEnd(mirror);
  Operation *end = func::ReturnOp::create(builder, split.adjoint.getLoc());

  // In the order of getAdjointType.
  auto next = mirror->args_begin();
  SmallVector<std::pair<Value, Value>> primals, shadows;
  for (auto [argument, activity] : llvm::zip_equal(arguments, request.args)) {
    if (split.adjointArgs.test(argument.getArgNumber()))
      primals.emplace_back(argument, *next++);
    if (activity == Activity::Dup)
      shadows.emplace_back(argument, *next++);
  }
  for (Value value : primal.plan.getReturned())
    primals.emplace_back(value, *next++);
  SmallVector<Value> adjointTapes;
  for (size_t i = 0; i < tapes.size(); ++i)
    adjointTapes.push_back(*next++);
  SmallVector<Value> seeds;
  for (Activity activity : request.results)
    seeds.push_back(activity == Activity::Active ? Value(*next++) : Value());

  ReverseEmitter emitter(differentiator, primal.plan, *primal.activity,
                         primal.calls, request.options, adjointTapes);
  for (auto [value, name] : primals)
    emitter.mapPrimal(value, name);
  for (auto [argument, shadow] : shadows)
    emitter.mapShadow(argument, shadow);
  FailureOr<SmallVector<Value>> adjoints =
      emitter.emit(body, arguments, seeds, end);
  if (failed(adjoints))
    return failure();
  FailureOr<SmallVector<Value>> gradients =
      getGradients(emitter, request, arguments, *adjoints);
  if (failed(gradients))
    return failure();
  builder.setInsertionPoint(end);
  freeTapes(builder, adjointTapes);
  end->insertOperands(0, *gradients);
  return success();
}

FailureOr<SplitDerivative>
mlir::autodiff::createSplitDerivative(Differentiator &differentiator,
                                      const DerivativeRequest &request,
                                      Location loc) {
  func::FuncOp callee = request.callee;
  ReversePrimal primal;
  if (failed(primal.prepare(differentiator, request, ".augmented")))
    return failure();
  SplitDerivative split;
  split.augmented = primal.function;
  split.adjointArgs = primal.plan.getAdjointArgs(primal.function);
  SmallVector<Value> tapes = writeTapes(primal.function, primal.plan);
  SmallVector<Value> kept = llvm::to_vector(primal.plan.getReturned());
  llvm::append_range(kept, tapes);
  llvm::append_range(split.tapeTypes, ValueRange(kept).getTypes());
  split.adjoint = differentiator.createFunction(
      callee, (callee.getSymName() + ".adjoint").str(),
      getAdjointType(request, split));
  if (failed(emitAdjoint(differentiator, request, primal, split, tapes)))
    return failure();
  Operation *end = primal.function.front().getTerminator();
  end->insertOperands(end->getNumOperands(), kept);
  primal.function.setType(FunctionType::get(callee.getContext(),
                                            primal.function.getArgumentTypes(),
                                            end->getOperandTypes()));
  return split;
}
