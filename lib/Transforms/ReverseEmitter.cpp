//===- ReverseEmitter.cpp - emitting the reverse sweep -------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frames, and the values in them. A primal or shadow is brought into the frame
// of the block that defines it, before the operation of that frame whose
// regions are being filled: there it dominates all later uses, and a loop does
// not do again what is invariant in it. Worklists, not recursion, follow chains
// of operands.
//
//===----------------------------------------------------------------------===//

#include "ReverseEmitter.h"
#include "CountWhile.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "MutableGlobals.h"
#include "TripCount.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::autodiff;

ReverseEmitter::ReverseEmitter(Differentiator &differentiator,
                               const ReversePlan &plan,
                               const ActivityAnalysis &activity,
                               const ReversedCalls &calls,
                               const EmissionOptions &options,
                               ArrayRef<Value> tapes)
    : differentiator(differentiator), plan(plan), activity(activity),
      calls(calls), options(options), tapes(tapes),
      builder(differentiator.getSymbolTable().getOp()->getContext()) {
  for (auto [index, slot] : llvm::enumerate(plan.getSlots()))
    slotOf[slot.value] = index;
}

void ReverseEmitter::mapPrimal(Value primal, Value name) {
  mappedPrimals[primal] = name;
}

void ReverseEmitter::mapShadow(Value argument, Value shadow) {
  mappedShadows[argument] = shadow;
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

void ReverseEmitter::setInsertionPoint(const Frame &frame) {
  if (frame.open)
    builder.setInsertionPoint(frame.open);
  else if (frame.end)
    builder.setInsertionPoint(frame.end);
  else
    builder.setInsertionPointToEnd(frame.reverse);
}

/// Makes `frame` the innermost. The top of a stack belongs to the execution of
/// the block that is reversed first, so stacks are popped here, once,
/// whether the value turns out to be used or not.
void ReverseEmitter::enter(Frame &frame, Block *primal, Block *reverse,
                           Value iteration) {
  frame.primal = primal;
  frame.reverse = reverse;
  frame.iteration = iteration;
  frame.parent = current;
  frames[primal] = &frame;
  current = &frame;
  setInsertionPoint(frame);
  for (unsigned index : plan.getSlotsIn(primal)) {
    const TapeSlot &slot = plan.getSlots()[index];
    if (!slot.indexed)
      frame.primals[slot.value] = StackPopOp::create(
          builder, slot.value.getLoc(), slot.value.getType(), tapes[index]);
  }
}

void ReverseEmitter::leave(Frame &frame) {
  frames.erase(frame.primal);
  current = frame.parent;
  if (!current)
    return;
  current->open = nullptr;
  setInsertionPoint(*current);
}

//===----------------------------------------------------------------------===//
// Primals
//===----------------------------------------------------------------------===//

Value ReverseEmitter::lookupPrimal(Value value) const {
  auto mapped = mappedPrimals.find(value);
  if (mapped != mappedPrimals.end())
    return mapped->second;
  if (plan.getKeep(value) == Keep::Direct)
    return value;
  Frame *frame = getFrame(value);
  return frame ? frame->primals.lookup(value) : Value();
}

/// The values from which `value` is had.
void ReverseEmitter::appendPrimalOperands(Value value,
                                          SmallVectorImpl<Value> &operands) {
  switch (plan.getKeep(value)) {
  case Keep::Recompute:
    llvm::append_range(operands, value.getDefiningOp()->getOperands());
    return;
  case Keep::Iteration: {
    auto loop = cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    operands.append({loop.getLowerBound(), loop.getStep()});
    return;
  }
  default:
    return;
  }
}

Value ReverseEmitter::readTape(const TapeSlot &slot, Value tape) {
  SmallVector<Value> indices;
  for (scf::ForOp loop : slot.loops)
    indices.push_back(frames.lookup(loop.getBody())->iteration);
  return TapeReadOp::create(builder, slot.value.getLoc(), slot.value.getType(),
                            tape, indices);
}

/// Brings `value`, whose operands are there, into its frame.
void ReverseEmitter::bringPrimal(Value value) {
  Frame &frame = *getFrame(value);
  OpBuilder::InsertionGuard guard(builder);
  setInsertionPoint(frame);
  switch (plan.getKeep(value)) {
  case Keep::Iteration: {
    auto loop = cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    frame.primals[value] = createInductionVariable(
        builder, loop, lookupPrimal(loop.getLowerBound()),
        lookupPrimal(loop.getStep()), frame.iteration);
    return;
  }
  case Keep::Recompute: {
    Operation *op = value.getDefiningOp();
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, lookupPrimal(operand));
    Operation *copy = builder.clone(*op, mapping);
    for (auto [original, again] :
         llvm::zip_equal(op->getResults(), copy->getResults()))
      frame.primals[original] = again;
    return;
  }
  case Keep::Tape: {
    unsigned slot = slotOf.lookup(value);
    frame.primals[value] = readTape(plan.getSlots()[slot], tapes[slot]);
    return;
  }
  case Keep::Direct:
  case Keep::Returned:
    llvm_unreachable("in scope from the start");
  }
}

Value ReverseEmitter::getPrimal(Value value) {
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.back();
    if (lookupPrimal(next)) {
      worklist.pop_back();
      continue;
    }
    SmallVector<Value> operands;
    appendPrimalOperands(next, operands);
    size_t size = worklist.size();
    llvm::copy_if(operands, std::back_inserter(worklist),
                  [&](Value operand) { return !lookupPrimal(operand); });
    if (worklist.size() != size)
      continue;
    bringPrimal(next);
    worklist.pop_back();
  }
  return lookupPrimal(value);
}

//===----------------------------------------------------------------------===//
// Shadows
//===----------------------------------------------------------------------===//

/// Lets the tangent rules of views and allocations make shadows in the reverse
/// sweep.
class ReverseEmitter::ShadowContext : public TangentContext {
public:
  ShadowContext(ReverseEmitter &emitter, Frame &frame)
      : emitter(emitter), frame(frame) {}
  OpBuilder &getBuilder() override { return emitter.builder; }
  const EmissionOptions &getOptions() const override { return emitter.options; }
  Value getPrimal(Value primal) override { return emitter.getPrimal(primal); }
  Value getTangent(Value primal) override {
    return isDifferentiableReference(primal.getType())
               ? emitter.lookupShadow(primal)
               : Value();
  }
  bool isActive(Value primal) const override {
    return emitter.isActive(primal);
  }
  void setTangent(Value primal, Value tangent) override {
    frame.shadows[primal] = tangent;
  }

private:
  ReverseEmitter &emitter;
  Frame &frame;
};

Value ReverseEmitter::lookupShadow(Value value) {
  if (Value shadow = plan.getNeeds().forwardShadows.lookup(value))
    return getPrimal(shadow);
  auto mapped = mappedShadows.find(value);
  if (mapped != mappedShadows.end())
    return mapped->second;
  Frame *frame = getFrame(value);
  return frame ? frame->shadows.lookup(value) : Value();
}

/// Brings the shadow of `value`, the shadows of whose operands are there, into
/// its frame.
LogicalResult ReverseEmitter::bringShadow(Value value) {
  Frame &frame = *getFrame(value);
  Operation *op = value.getDefiningOp();
  // Primals may have to be brought in; then comes the shadow.
  for (Value operand : op->getOperands())
    if (!isDifferentiableReference(operand.getType()))
      getPrimal(operand);
  OpBuilder::InsertionGuard guard(builder);
  setInsertionPoint(frame);
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    auto definition = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        op, global.getNameAttr());
    if (!definition)
      return op->emitError() << "refers to no memref.global";
    memref::GlobalOp shadow =
        getShadowGlobal(differentiator.getSymbolTable(), definition, options);
    frame.shadows[value] = memref::GetGlobalOp::create(
        builder, op->getLoc(), shadow.getType(), shadow.getSymName());
    return success();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    frame.shadows[value] = arith::SelectOp::create(
        builder, op->getLoc(), getPrimal(select.getCondition()),
        lookupShadow(select.getTrueValue()),
        lookupShadow(select.getFalseValue()));
    return success();
  }
  ShadowContext context(*this, frame);
  return cast<DifferentiableOpInterface>(op).emitTangent(context);
}

Value ReverseEmitter::getShadow(Value value) {
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.back();
    if (lookupShadow(next)) {
      worklist.pop_back();
      continue;
    }
    size_t size = worklist.size();
    for (Value operand : next.getDefiningOp()->getOperands())
      if (isDifferentiableReference(operand.getType()) && isActive(operand) &&
          !lookupShadow(operand))
        worklist.push_back(operand);
    if (worklist.size() != size)
      continue;
    bool failedToBring = failed(bringShadow(next));
    if (failedToBring || !lookupShadow(next)) {
      hasFailed = true;
      if (failedToBring)
        return {};
      InFlightDiagnostic error =
          emitError(next.getLoc())
          << "reverse mode cannot follow references that come out of '"
          << next.getDefiningOp()->getName() << "'";
      error.attachNote() << "let the program choose between values, not "
                            "between references to memory";
      return {};
    }
    worklist.pop_back();
  }
  return lookupShadow(value);
}

//===----------------------------------------------------------------------===//
// Adjoints
//===----------------------------------------------------------------------===//

Value ReverseEmitter::getAdjoint(Value value) {
  return current->adjoints.lookup(value);
}

void ReverseEmitter::addToAdjoint(Value value, Value contribution) {
  if (!contribution || !isDifferentiableByValue(value.getType()) ||
      !isActive(value))
    return;
  Value &adjoint = current->adjoints[value];
  adjoint = createAdd(builder, value.getLoc(), value.getType(), adjoint,
                      contribution);
}

Value ReverseEmitter::createZeroAdjoint(Value value) {
  return createZero(builder, value.getLoc(), value.getType(), options.width);
}

LogicalResult ReverseEmitter::reverse(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return reverseFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return reverseWhile(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return reverseIf(branch);
  if (auto branch = dyn_cast<scf::IndexSwitchOp>(op))
    return reverseIndexSwitch(branch);
  if (auto call = dyn_cast<func::CallOp>(op))
    return reverseCall(call);
  return cast<DifferentiableOpInterface>(op).emitAdjoint(*this);
}

LogicalResult ReverseEmitter::reverseBlock(Frame &frame) {
  // In combined mode the mirror is appended to the block itself.
  SmallVector<Operation *> ops;
  for (Operation &op : *frame.primal)
    if (plan.getNeeds().reversed.contains(&op))
      ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (failed(reverse(op)) || hasFailed)
      return failure();
  return success();
}

FailureOr<SmallVector<Value>>
ReverseEmitter::emit(Block *body, ArrayRef<BlockArgument> arguments,
                     ArrayRef<Value> seeds, Operation *end) {
  Frame frame;
  frame.end = end;
  enter(frame, body, end->getBlock(), Value());
  for (auto [operand, seed] :
       llvm::zip_equal(body->getTerminator()->getOperands(), seeds))
    addToAdjoint(operand, seed);
  LogicalResult result = reverseBlock(frame);
  SmallVector<Value> adjoints;
  for (BlockArgument argument : arguments)
    adjoints.push_back(getAdjoint(argument));
  leave(frame);
  if (failed(result))
    return failure();
  return adjoints;
}
