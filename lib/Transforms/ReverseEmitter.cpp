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
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "MutableGlobals.h"
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
                           ValueRange iteration) {
  frame.primal = primal;
  frame.reverse = reverse;
  llvm::append_range(frame.iteration, iteration);
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

/// The loop that `counter` counts.
static IterationSpaceOpInterface getLoop(Value counter) {
  return cast<IterationSpaceOpInterface>(
      counter.getParentBlock()->getParentOp());
}

/// The values from which `value` is had.
void ReverseEmitter::appendPrimalOperands(Value value,
                                          SmallVectorImpl<Value> &operands) {
  switch (plan.getKeep(value)) {
  case Keep::Recompute:
    llvm::append_range(operands, value.getDefiningOp()->getOperands());
    return;
  case Keep::Iteration:
    llvm::append_range(operands, getLoop(value).getSpaceOperands());
    return;
  default:
    return;
  }
}

Value ReverseEmitter::readTape(const TapeSlot &slot, Value tape) {
  SmallVector<Value> indices;
  for (IterationSpaceOpInterface loop : slot.loops)
    llvm::append_range(indices,
                       frames.lookup(&loop->getRegion(0).front())->iteration);
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
    IterationSpaceOpInterface loop = getLoop(value);
    SmallVector<Value> operands =
        llvm::map_to_vector(loop.getSpaceOperands(), [&](Value operand) {
          return lookupPrimal(operand);
        });
    frame.primals[value] =
        loop.createCounter(builder, value, operands, frame.iteration);
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
  // Shadows that come out of regions are those of the forward sweep.
  Value getTangentOrZero(Value primal) override { return getTangent(primal); }
  Operation *extend(Operation *op, ArrayRef<Value>, ArrayRef<Type>) override {
    return op;
  }
  LogicalResult emitBlock(Block &) override { return failure(); }

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

LogicalResult ReverseEmitter::reverseCall(func::CallOp call) {
  const ReversedCall &reversed = calls.find(call)->second;
  unsigned numResults = reversed.seeded.size();
  SmallVector<Value> operands;
  for (auto [index, operand] : llvm::enumerate(call.getOperands())) {
    if (reversed.adjointArgs.test(index))
      operands.push_back(getPrimal(operand));
    if (reversed.args[index] == Activity::Dup)
      operands.push_back(getShadow(operand));
  }
  for (Value tape : call.getResults().drop_front(numResults))
    operands.push_back(getPrimal(tape));
  SmallVector<Value> seeded;
  for (unsigned index : reversed.seeded.set_bits())
    seeded.push_back(call.getResult(index));
  FailureOr<SmallVector<Value>> seeds = getAdjoints(seeded);
  if (failed(seeds) || hasFailed)
    return failure();
  llvm::append_range(operands, *seeds);

  auto adjoint =
      func::CallOp::create(builder, call.getLoc(), reversed.adjoint, operands);
  unsigned next = 0;
  for (auto [index, operand] : llvm::enumerate(call.getOperands()))
    if (reversed.args[index] == Activity::Active)
      addToAdjoint(operand, adjoint.getResult(next++));
  return success();
}

LogicalResult ReverseEmitter::reverse(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return reverseCall(call);
  return cast<DifferentiableOpInterface>(op).emitAdjoint(*this);
}

LogicalResult ReverseEmitter::reverseOperations(Frame &frame) {
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

SmallVector<Value> ReverseEmitter::getCaptured(Operation *op) const {
  auto it = plan.getNeeds().captured.find(op);
  if (it == plan.getNeeds().captured.end())
    return {};
  return llvm::to_vector(it->second);
}

FailureOr<SmallVector<Value>> ReverseEmitter::getAdjoints(ValueRange values) {
  SmallVector<Value> adjoints;
  for (Value value : values) {
    Value adjoint = getAdjoint(value);
    if (!adjoint)
      adjoint = createZeroAdjoint(value);
    if (!adjoint) {
      InFlightDiagnostic error =
          emitError(value.getLoc())
          << "the adjoint of a value of type " << value.getType()
          << " passes through control flow, which takes a static shape";
      error.attachNote() << "bufferize before differentiating";
      return error;
    }
    adjoints.push_back(adjoint);
  }
  return adjoints;
}

/// What is brought in while the mirror is filled goes before the operation that
/// the mirror belongs to.
LogicalResult
ReverseEmitter::reverseBlock(Block &primal, Block &mirror, ValueRange iteration,
                             llvm::function_ref<void()> begin,
                             llvm::function_ref<LogicalResult()> end) {
  OpBuilder::InsertionGuard guard(builder);
  Frame &outer = *current;
  outer.open = outer.reverse->findAncestorOpInBlock(*mirror.getParentOp());
  Frame frame;
  enter(frame, &primal, &mirror, iteration);
  begin();
  if (failed(reverseOperations(frame)) || failed(end()))
    return failure();
  leave(frame);
  return success(!hasFailed);
}

FailureOr<SmallVector<Value>>
ReverseEmitter::emit(Block *body, ArrayRef<BlockArgument> arguments,
                     ArrayRef<Value> seeds, Operation *end) {
  Frame frame;
  frame.end = end;
  enter(frame, body, end->getBlock(), {});
  for (auto [operand, seed] :
       llvm::zip_equal(body->getTerminator()->getOperands(), seeds))
    addToAdjoint(operand, seed);
  LogicalResult result = reverseOperations(frame);
  SmallVector<Value> adjoints;
  for (BlockArgument argument : arguments)
    adjoints.push_back(getAdjoint(argument));
  leave(frame);
  if (failed(result))
    return failure();
  return adjoints;
}
