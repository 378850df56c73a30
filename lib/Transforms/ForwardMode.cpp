//===- ForwardMode.cpp - forward-mode derivatives ------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward-mode derivative is a copy of its callee in which every active value
// has a tangent beside it:
//
//   copy, analyse activity; give the function its tangents as arguments and
//   results; emit the tangents in program order.
//
// A recursive callee finds the derivative by its key while its body is being
// filled in.
//
// Source: Wengert, A simple automatic derivative evaluation program (1964).
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "ForwardEmitter.h"
#include "PrepareOperations.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::autodiff;

/// Arguments and results, each followed by its tangent if it has one.
FunctionType mlir::autodiff::getForwardType(const DerivativeRequest &request) {
  func::FuncOp callee = request.callee;
  SmallVector<Type> inputs, results;
  for (auto [type, activity] :
       llvm::zip_equal(callee.getArgumentTypes(), request.args)) {
    inputs.push_back(type);
    if (hasShadow(activity))
      inputs.push_back(getShadowType(type, request.options.width));
  }
  for (auto [type, activity] :
       llvm::zip_equal(callee.getResultTypes(), request.results)) {
    results.push_back(type);
    if (isActive(activity))
      results.push_back(getShadowType(type, request.options.width));
  }
  return FunctionType::get(callee.getContext(), inputs, results);
}

LogicalResult
mlir::autodiff::emitForwardDerivative(Differentiator &differentiator,
                                      const DerivativeRequest &request,
                                      func::FuncOp function) {
  func::FuncOp callee = request.callee;
  if (!callee.getBody().hasOneBlock()) {
    InFlightDiagnostic error =
        callee.emitError() << "cannot differentiate '" << callee.getSymName()
                           << "' with unstructured control flow";
    error.attachNote() << "lift it first with --lift-cf-to-scf";
    return error;
  }
  // A plain copy, until it has been analysed.
  FunctionType type = function.getFunctionType();
  function.setType(callee.getFunctionType());
  IRMapping mapping;
  callee.getBody().cloneInto(&function.getBody(), mapping);
  if (ArrayAttr attributes = callee.getAllArgAttrs())
    function.setAllArgAttrs(attributes);
  if (failed(prepareOperations(function, /*forReverse=*/false)))
    return failure();

  FailureOr<std::unique_ptr<ActivityAnalysis>> activity =
      ActivityAnalysis::compute(function, request.args, request.results,
                                differentiator.getCalleeEffects());
  if (failed(activity))
    return failure();
  ForwardEmitter emitter(differentiator, **activity, request.options);

  SmallVector<BlockArgument> arguments(function.getArguments());
  for (auto [argument, activity] : llvm::zip_equal(arguments, request.args)) {
    if (!hasShadow(activity))
      continue;
    unsigned position = argument.getArgNumber() + 1;
    (void)function.insertArgument(position, type.getInput(position), {},
                                  argument.getLoc());
    emitter.setTangent(argument, function.getArgument(position));
  }
  function.setType(type);

  Block &body = function.front();
  if (failed(emitter.emitBlock(body)))
    return failure();
  Operation *end = body.getTerminator();
  SmallVector<Value> results;
  emitter.getBuilder().setInsertionPoint(end);
  for (auto [operand, activity] :
       llvm::zip_equal(end->getOperands(), request.results)) {
    results.push_back(operand);
    if (!isActive(activity))
      continue;
    Value tangent = emitter.getTangentOrZero(operand);
    if (!tangent)
      return failure();
    results.push_back(tangent);
  }
  end->setOperands(results);
  return success();
}
