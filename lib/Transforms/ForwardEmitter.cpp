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
#include "mlir/Dialect/SCF/IR/SCF.h"
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

LogicalResult ForwardEmitter::emit(Block &block) {
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

/// The positions at which one of the values is active.
SmallVector<unsigned>
ForwardEmitter::getActivePositions(ValueRange values, ValueRange others) const {
  SmallVector<unsigned> positions;
  for (auto [index, value, other] : llvm::enumerate(values, others))
    if (activity.isActive(value) || activity.isActive(other))
      positions.push_back(index);
  return positions;
}

Operation *ForwardEmitter::extend(Operation *op, ArrayRef<Value> operands,
                                  ArrayRef<Type> results) {
  return extendOperation(
      builder, op, operands, results,
      [&](Value from, Value to) { activity.replace(from, to); });
}

/// Appends the tangents of `values` at `positions` to `terminator`.
LogicalResult ForwardEmitter::appendTangents(Operation *terminator,
                                             ValueRange values,
                                             ArrayRef<unsigned> positions) {
  builder.setInsertionPoint(terminator);
  SmallVector<Value> appended;
  for (unsigned position : positions) {
    appended.push_back(getTangentOrZero(values[position]));
    if (!appended.back())
      return failure();
  }
  terminator->insertOperands(terminator->getNumOperands(), appended);
  return success();
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
  if (isa<scf::ForOp>(op))
    return emitFor(op);
  if (isa<scf::WhileOp>(op))
    return emitWhile(op);
  if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
    return emitBranch(op);
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
      if (failed(emit(block)))
        return failure();
  return success();
}

/// Regions that run at most once and yield the results.
LogicalResult ForwardEmitter::emitBranch(Operation *op) {
  SmallVector<unsigned> positions =
      getActivePositions(op->getResults(), op->getResults());
  SmallVector<Type> types;
  for (unsigned position : positions)
    types.push_back(
        getShadowType(op->getResult(position).getType(), options.width));
  unsigned numPrimals = op->getNumResults();
  Operation *extended = extend(op, {}, types);
  for (auto [index, position] : llvm::enumerate(positions))
    setTangent(extended->getResult(position),
               extended->getResult(numPrimals + index));
  for (Region &region : extended->getRegions()) {
    if (region.empty())
      continue;
    Block &block = region.front();
    if (failed(emit(block)))
      return failure();
    Operation *terminator = block.getTerminator();
    if (failed(
            appendTangents(terminator, terminator->getOperands(), positions)))
      return failure();
  }
  return success();
}

LogicalResult ForwardEmitter::emitFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  SmallVector<unsigned> positions =
      getActivePositions(loop.getResults(), loop.getRegionIterArgs());
  builder.setInsertionPoint(op);
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (unsigned position : positions) {
    inits.push_back(getTangentOrZero(loop.getInitArgs()[position]));
    if (!inits.back())
      return failure();
    types.push_back(inits.back().getType());
  }
  unsigned numPrimals = loop.getNumResults();
  auto extended = cast<scf::ForOp>(extend(op, inits, types));
  Block *body = extended.getBody();
  for (auto [index, position] : llvm::enumerate(positions)) {
    setTangent(extended.getRegionIterArg(position),
               body->addArgument(types[index], extended.getLoc()));
    setTangent(extended.getResult(position),
               extended.getResult(numPrimals + index));
  }
  if (failed(emit(*body)))
    return failure();
  Operation *terminator = body->getTerminator();
  return appendTangents(terminator, terminator->getOperands(), positions);
}

LogicalResult ForwardEmitter::emitWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  SmallVector<unsigned> entering =
      getActivePositions(loop.getInits(), loop.getBeforeArguments());
  SmallVector<unsigned> leaving =
      getActivePositions(loop.getResults(), loop.getAfterArguments());
  builder.setInsertionPoint(op);
  SmallVector<Value> inits;
  for (unsigned position : entering) {
    inits.push_back(getTangentOrZero(loop.getInits()[position]));
    if (!inits.back())
      return failure();
  }
  SmallVector<Type> types;
  for (unsigned position : leaving)
    types.push_back(
        getShadowType(loop.getResult(position).getType(), options.width));
  unsigned numPrimals = loop.getNumResults();
  auto extended = cast<scf::WhileOp>(extend(op, inits, types));
  Block *before = extended.getBeforeBody(), *after = extended.getAfterBody();
  Location loc = extended.getLoc();
  for (auto [index, position] : llvm::enumerate(entering))
    setTangent(before->getArgument(position),
               before->addArgument(inits[index].getType(), loc));
  for (auto [index, position] : llvm::enumerate(leaving)) {
    setTangent(after->getArgument(position),
               after->addArgument(types[index], loc));
    setTangent(extended.getResult(position),
               extended.getResult(numPrimals + index));
  }
  scf::ConditionOp condition = extended.getConditionOp();
  if (failed(emit(*before)) ||
      failed(appendTangents(condition, condition.getArgs(), leaving)) ||
      failed(emit(*after)))
    return failure();
  scf::YieldOp yield = extended.getYieldOp();
  return appendTangents(yield, yield.getResults(), entering);
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
