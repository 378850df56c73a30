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
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::autodiff;

/// The results of the callee, each followed by its tangent if it is active.
static SmallVector<Type> getResultTypes(const DerivativeRequest &request) {
  func::FuncOp callee = request.callee;
  SmallVector<Type> types;
  for (auto [type, activity] :
       llvm::zip_equal(callee.getResultTypes(), request.results)) {
    types.push_back(type);
    if (isActive(activity))
      types.push_back(getShadowType(type, request.options.width));
  }
  return types;
}

FailureOr<func::FuncOp>
mlir::autodiff::createForwardDerivative(Differentiator &differentiator,
                                        const DerivativeRequest &request,
                                        Location loc) {
  func::FuncOp callee = request.callee;
  if (!callee.getBody().hasOneBlock()) {
    InFlightDiagnostic error =
        callee.emitError() << "cannot differentiate '" << callee.getSymName()
                           << "' with unstructured control flow";
    error.attachNote() << "lift it first with --lift-cf-to-scf";
    return error;
  }
  func::FuncOp function = differentiator.createFunction(
      callee, (callee.getSymName() + ".forward").str(),
      callee.getFunctionType());
  IRMapping mapping;
  callee.getBody().cloneInto(&function.getBody(), mapping);
  if (ArrayAttr attributes = callee.getAllArgAttrs())
    function.setAllArgAttrs(attributes);

  CalleeEffects callees;
  FailureOr<std::unique_ptr<ActivityAnalysis>> activity =
      ActivityAnalysis::compute(function, request.args, request.results,
                                callees);
  if (failed(activity))
    return failure();
  ForwardEmitter emitter(differentiator, **activity, request.options);

  SmallVector<BlockArgument> arguments(function.getArguments());
  for (auto [argument, activity] : llvm::zip_equal(arguments, request.args)) {
    if (!hasShadow(activity))
      continue;
    unsigned position = argument.getArgNumber() + 1;
    Type type = getShadowType(argument.getType(), request.options.width);
    (void)function.insertArgument(position, type, {}, argument.getLoc());
    emitter.setTangent(argument, function.getArgument(position));
  }
  function.setType(FunctionType::get(callee.getContext(),
                                     function.getArgumentTypes(),
                                     getResultTypes(request)));
  differentiator.declareDerivative(request, function);

  Block &body = function.front();
  if (failed(emitter.emit(body)))
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
  return function;
}
