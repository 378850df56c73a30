//===- ForwardEmitter.cpp - emitting tangents ----------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules emit the tangents of operations; this file those of control flow
// and calls. A region operation is replaced by one that carries, after what it
// carries already, the tangents of the active part of it.
//
//===----------------------------------------------------------------------===//

#include "ForwardEmitter.h"
#include "CustomRules.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "ExtendOperation.h"
#include "MutableGlobals.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

ForwardEmitter::ForwardEmitter(Differentiator &differentiator,
                               ActivityAnalysis &activity,
                               const EmissionOptions &options)
    : differentiator(differentiator), activity(activity), options(options),
      builder(differentiator.getSymbolTable().getOp()->getContext()) {}

Value ForwardEmitter::getTangentOrZero(Value value) {
  if (Value tangent = getTangent(value))
    return tangent;
  Value zero;
  if (isDifferentiableByValue(value.getType()))
    zero = createZero(builder, value.getLoc(), value.getType(), options.width,
                      value);
  if (!zero) {
    InFlightDiagnostic error =
        emitError(value.getLoc())
        << "a tangent of type " << getShadowType(value.getType(), options.width)
        << " is needed for a value that carries no derivative";
    error.attachNote() << (isDifferentiableReference(value.getType())
                               ? "pass the memory as 'dup'"
                               : "bufferize before differentiating");
  }
  return zero;
}

LogicalResult ForwardEmitter::emitBlock(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(emit(op)))
      return failure();
  return success();
}

/// Whether something in the regions of `op` is active.
bool ForwardEmitter::hasActiveInside(Operation *op) {
  return op
      ->walk([&](Operation *nested) {
        if (nested == op)
          return WalkResult::advance();
        if (activity.isActive(nested) || isa<func::CallOp>(nested))
          return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult ForwardEmitter::emit(Operation *op) {
  if (isa<func::CallOp>(op))
    return emitCall(op);
  if (op->getNumRegions() != 0)
    return emitRegions(op);
  if (!activity.isActive(op))
    return success();
  builder.setInsertionPointAfter(op);
  if (isa<memref::GetGlobalOp>(op)) {
    emitGlobal(op);
    return success();
  }
  if (auto rule = dyn_cast<DifferentiableOpInterface>(op)) {
    if (!rule.isInactive() && failed(rule.emitTangent(*this)))
      return failure();
    return checkShadows(op);
  }
  InFlightDiagnostic error = op->emitError()
                             << "no derivative rule for '" << op->getName()
                             << "' in forward mode";
  error.attachNote()
      << "implement DifferentiableOpInterface for it, or move it "
         "to a function with a rule (autodiff.rules) or without "
         "a derivative (autodiff.inactive)";
  return error;
}

/// A by-value result without a tangent has the tangent zero. A reference
/// without a shadow, made of one that has a shadow, would lose derivatives.
LogicalResult ForwardEmitter::checkShadows(Operation *op) {
  auto hasShadow = [&](Value value) {
    return isDifferentiableReference(value.getType()) && getTangent(value);
  };
  if (llvm::none_of(op->getOperands(), hasShadow))
    return success();
  for (Value result : op->getResults())
    if (isDifferentiableReference(result.getType()) && isActive(result) &&
        !getTangent(result))
      return op->emitError() << "the derivative rule of '" << op->getName()
                             << "' gives no shadow to the memory it returns";
  return success();
}

void ForwardEmitter::emitGlobal(Operation *op) {
  auto access = cast<memref::GetGlobalOp>(op);
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, access.getNameAttr());
  if (!global || global.getConstant())
    return;
  memref::GlobalOp shadow =
      getShadowGlobal(differentiator.getSymbolTable(), global, options);
  setTangent(access, memref::GetGlobalOp::create(builder, op->getLoc(),
                                                 shadow.getType(),
                                                 shadow.getSymName()));
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

Operation *ForwardEmitter::extend(Operation *op, ArrayRef<Value> operands,
                                  ArrayRef<Type> results) {
  return extendOperation(
      builder, op, operands, results,
      [&](Value from, Value to) { activity.replace(from, to); });
}

LogicalResult ForwardEmitter::emitRegions(Operation *op) {
  if (!activity.isActive(op) && !hasActiveInside(op))
    return success();
  for (Region &region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock()) {
      InFlightDiagnostic error = op->emitError()
                                 << "cannot differentiate '" << op->getName()
                                 << "' with unstructured control flow";
      error.attachNote() << "lift it first with --lift-cf-to-scf";
      return error;
    }
  if (auto rule = dyn_cast<DifferentiableOpInterface>(op)) {
    builder.setInsertionPointAfter(op);
    return rule.isInactive() ? success() : rule.emitTangent(*this);
  }
  // Others carry nothing active from iteration to iteration.
  bool carries =
      llvm::any_of(op->getResults(), [&](Value v) { return isActive(v); });
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      carries |= isActive(argument);
  if (carries || !isa<LoopLikeOpInterface, RegionBranchOpInterface>(op)) {
    InFlightDiagnostic error = op->emitError()
                               << "no derivative rule for '" << op->getName()
                               << "' in forward mode";
    error.attachNote() << "lower it to scf.for, scf.if or scf.while before "
                          "differentiating";
    return error;
  }
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(emitBlock(block)))
        return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Replaces the call by one of `derivative`, which returns each result of the
/// call followed by its tangent where `active`.
void ForwardEmitter::replaceCall(Operation *op, func::FuncOp derivative,
                                 ArrayRef<Value> operands,
                                 const llvm::BitVector &active) {
  builder.setInsertionPoint(op);
  auto call = func::CallOp::create(builder, op->getLoc(), derivative, operands);
  unsigned next = 0;
  for (auto [index, result] : llvm::enumerate(op->getResults())) {
    Value primal = call.getResult(next++);
    activity.replace(result, primal);
    if (active.test(index)) {
      Value tangent = call.getResult(next++);
      if (isActive(primal))
        setTangent(primal, tangent);
    }
    result.replaceAllUsesWith(primal);
  }
  op->erase();
}

/// The tangent of a rule takes every argument that it differentiates followed
/// by its tangent, and returns the tangents of all differentiable results.
LogicalResult ForwardEmitter::emitRuleCall(Operation *op, RuleAttr rule,
                                           func::FuncOp callee) {
  FailureOr<func::FuncOp> tangent =
      getRuleTangent(cast<func::CallOp>(op), callee, rule, options,
                     differentiator.getSymbolTable());
  if (failed(tangent))
    return failure();
  builder.setInsertionPoint(op);
  SmallVector<Value> operands;
  for (auto [operand, activity] :
       llvm::zip_equal(op->getOperands(), rule.getArgs())) {
    operands.push_back(operand);
    if (activity == Activity::Const)
      continue;
    operands.push_back(getTangentOrZero(operand));
    if (!operands.back())
      return failure();
  }
  llvm::BitVector active(op->getNumResults());
  for (auto [index, type] : llvm::enumerate(op->getResultTypes()))
    if (isDifferentiable(type))
      active.set(index);
  replaceCall(op, *tangent, operands, active);
  return success();
}

LogicalResult ForwardEmitter::emitCall(Operation *op) {
  auto call = cast<func::CallOp>(op);
  func::FuncOp callee = differentiator.lookup(call.getCallee());
  if (!callee)
    return success();
  if (isInactiveFunction(callee))
    return checkInactiveCall(call, callee, activity,
                             differentiator.getCalleeEffects());
  if (!activity.isActive(op) &&
      (callee.isExternal() ||
       getMutableGlobals(callee, differentiator.getCalleeEffects()).empty()))
    return success();
  DerivativeRequest request;
  request.callee = callee;
  request.mode = DerivativeMode::Forward;
  request.options = options;
  if (RuleAttr rule = findCustomRule(callee, getRuleActivities(call, activity)))
    return emitRuleCall(op, rule, callee);
  for (Value operand : call.getOperands())
    request.args.push_back(isActive(operand) ? Activity::Dup : Activity::Const);
  llvm::BitVector active(call.getNumResults());
  for (auto [index, result] : llvm::enumerate(call.getResults())) {
    if (isActive(result))
      active.set(index);
    request.results.push_back(isActive(result) ? Activity::Active
                                               : Activity::Const);
  }
  FailureOr<func::FuncOp> derivative =
      differentiator.getDerivative(request, op->getLoc());
  if (failed(derivative))
    return failure();
  builder.setInsertionPoint(op);
  SmallVector<Value> operands;
  for (Value operand : call.getOperands()) {
    operands.push_back(operand);
    if (!isActive(operand))
      continue;
    operands.push_back(getTangentOrZero(operand));
    if (!operands.back())
      return failure();
  }
  replaceCall(op, *derivative, operands, active);
  return success();
}
