//===- ReversePlanner.cpp - deciding what is kept, and how ---------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two phases, neither of which changes the function.
//
// 1. In program order, every value gets the cost of computing it anew in the
//    reverse sweep from what is there anyway: values in scope, loop counters,
//    memory that is not overwritten. Values that cannot be had that way
//    (loop-carried values, reads of overwritten memory, results of calls and
//    regions) depend on a tape.
// 2. In program order, every needed value is decided: in scope, recomputed if
//    that is cheap (integers: nearly always), recomputed from values that are
//    kept already if that is cheap, else kept on a tape. Operands of what is
//    recomputed become needed.
//
// A tape of values in counted loops whose trip counts are known before the
// outermost of them is a buffer indexed by the iterations; other values in
// loops go to a stack.
//
// The trade-off is that of Griewank and Walther, Evaluating Derivatives (2008),
// chapter 12, decided locally.
//
//===----------------------------------------------------------------------===//

#include "ReversePlan.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace mlir::autodiff {

class ReversePlanner {
public:
  ReversePlanner(func::FuncOp function, const MemoryAnalysis &memory,
                 bool split, const llvm::BitVector &preservedArgs,
                 ReversePlan &plan)
      : function(function), body(&function.front()), memory(memory),
        split(split), preservedArgs(preservedArgs), plan(plan) {}

  LogicalResult run();

private:
  /// How a value could be had without deciding anything.
  struct Availability {
    Keep keep;
    unsigned cost;
    /// How many of the loops around it the value changes in, outermost first.
    unsigned depth = 0;
  };

  // Phase 1.
  void computeAvailability(Block &block, unsigned depth);
  Availability getAvailability(Operation *op, unsigned depth);
  std::optional<unsigned> getOperandCost(Operation *op) const;
  unsigned getOperandDepth(Operation *op) const;
  bool canReadAgain(Operation *op);
  bool computeCanReadAgain(Operation *op);
  bool isReadable(const AliasClass &memoryClass) const;

  // Phase 2.
  LogicalResult decide(Value value);
  bool canRecomputeFromKept(Value value);
  void recompute(Value value);
  LogicalResult tape(Value value);
  TapeSlot makeSlot(Value value) const;

  func::FuncOp function;
  Block *body;
  const MemoryAnalysis &memory;
  bool split;
  const llvm::BitVector &preservedArgs;
  ReversePlan &plan;
  llvm::DenseMap<Value, Availability> available;
  llvm::DenseMap<Value, unsigned> positions;
  llvm::DenseMap<Operation *, bool> readsAgain;
  /// Frees to delay if the operation is executed again.
  llvm::DenseMap<Operation *, SmallVector<Operation *>> freesAfterRead;
  SmallVector<Value> pending;
};

} // namespace mlir::autodiff

/// A recomputation dearer than this (in additions) is not worth the tape it
/// saves; a tape costs a store and a load per iteration.
static constexpr unsigned kFloatLimit = 10;
static constexpr unsigned kIntegerLimit = 64;
static constexpr unsigned kUnlimited = 1000000;
/// How many operations are looked at to recompute a value from kept ones.
static constexpr unsigned kSearchLimit = 8;

/// The cost of `op` in additions.
static unsigned getWeight(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (isa<arith::DivFOp, arith::RemFOp, math::SqrtOp>(op))
    return 4;
  if (isa<math::AbsFOp, math::FmaOp, math::CopySignOp, math::FloorOp,
          math::CeilOp, math::TruncOp, math::RoundOp, math::RoundEvenOp>(op))
    return 1;
  if (isa<math::MathDialect>(op->getDialect()))
    return 16;
  return 1;
}

static bool isRecomputable(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

//===----------------------------------------------------------------------===//
// Phase 1: what is available
//===----------------------------------------------------------------------===//

/// The sum of the costs of the operands; none if one depends on a tape.
std::optional<unsigned> ReversePlanner::getOperandCost(Operation *op) const {
  unsigned cost = 0;
  for (Value operand : op->getOperands()) {
    auto it = available.find(operand);
    if (it == available.end() || it->second.keep == Keep::Tape)
      return std::nullopt;
    cost = std::min(kUnlimited, cost + it->second.cost);
  }
  return cost;
}

/// Whether memory of this class is still there in the reverse sweep.
bool ReversePlanner::isReadable(const AliasClass &memoryClass) const {
  if (memoryClass.hasUnknownOrigin)
    return false;
  if (split) {
    // What the function allocates is gone, what it was given may be changed.
    if (!memoryClass.allocations.empty() || memoryClass.hasMutableGlobal)
      return false;
    return llvm::all_of(memoryClass.arguments, [&](BlockArgument argument) {
      return argument.getOwner() != body ||
             preservedArgs.test(argument.getArgNumber());
    });
  }
  return llvm::all_of(memoryClass.allocations, [&](Operation *allocation) {
    return allocation->getBlock() == body;
  });
}

/// Whether `op`, which reads memory, reads the same in the reverse sweep.
bool ReversePlanner::canReadAgain(Operation *op) {
  auto [it, isNew] = readsAgain.try_emplace(op, false);
  if (isNew) {
    bool result = computeCanReadAgain(op);
    readsAgain[op] = result;
    return result;
  }
  return it->second;
}

bool ReversePlanner::computeCanReadAgain(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() != 0)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  SmallVector<Operation *> frees;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value reference = effect.getValue();
    if (!isa<MemoryEffects::Read>(effect.getEffect()) || !reference)
      return false;
    const AliasClass *memoryClass = memory.lookup(reference);
    if (!memoryClass || !isReadable(*memoryClass))
      return false;
    bool delayFrees =
        llvm::all_of(memoryClass->frees, [&](const MemoryAccess &access) {
          return access.op->getBlock() == body &&
                 isa<MemoryEffectOpInterface>(access.op) &&
                 access.op->getNumResults() == 0;
        });
    if (memory.mayChangeAfter(op, reference, delayFrees))
      return false;
    if (delayFrees)
      for (const MemoryAccess &access : memoryClass->frees)
        frees.push_back(access.op);
  }
  if (!frees.empty())
    freesAfterRead[op] = std::move(frees);
  return true;
}

/// The depth of the innermost loop in which an operand changes.
unsigned ReversePlanner::getOperandDepth(Operation *op) const {
  unsigned depth = 0;
  for (Value operand : op->getOperands())
    depth = std::max(depth, available.lookup(operand).depth);
  return depth;
}

ReversePlanner::Availability ReversePlanner::getAvailability(Operation *op,
                                                             unsigned depth) {
  if (!split && op->getBlock() == body)
    return {Keep::Direct, 0};
  std::optional<unsigned> operands = getOperandCost(op);
  if (isRecomputable(op)) {
    if (!operands)
      return {Keep::Tape, kUnlimited, getOperandDepth(op)};
    return {Keep::Recompute, std::min(kUnlimited, *operands + getWeight(op)),
            getOperandDepth(op)};
  }
  if (operands && canReadAgain(op))
    return {Keep::Recompute, std::min(kUnlimited, *operands + 2), depth};
  return {Keep::Tape, kUnlimited, depth};
}

/// Whether the regions of `op` run more than once.
static bool isLoop(Operation *op) { return isa<IterationSpaceOpInterface>(op); }

void ReversePlanner::computeAvailability(Block &block, unsigned depth) {
  for (Operation &op : block) {
    if (op.getNumResults() != 0) {
      Availability availability = getAvailability(&op, depth);
      for (Value result : op.getResults()) {
        positions[result] = positions.size();
        available[result] = availability;
      }
    }
    // Nothing inside of an operation without adjoint is needed.
    if (!plan.needs.reversed.contains(&op))
      continue;
    unsigned inside = depth + isLoop(&op);
    for (Region &region : op.getRegions()) {
      for (BlockArgument argument : region.getArguments()) {
        positions[argument] = positions.size();
        available[argument] = {Keep::Tape, kUnlimited, inside};
      }
    }
    if (auto loop = dyn_cast<IterationSpaceOpInterface>(op))
      for (Value counter : loop.getCounters())
        available[counter] = {Keep::Iteration, 0, inside};
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        computeAvailability(nested, inside);
  }
}

/// How many loops of `function` are around `value`.
static unsigned getLoopDepth(Value value, Operation *function) {
  unsigned depth = 0;
  for (Operation *parent = value.getParentBlock()->getParentOp();
       parent != function; parent = parent->getParentOp())
    depth += isLoop(parent);
  return depth;
}

//===----------------------------------------------------------------------===//
// Phase 2: decisions
//===----------------------------------------------------------------------===//

/// Whether a few cheap operations lead from values that are kept to `value`.
bool ReversePlanner::canRecomputeFromKept(Value value) {
  SmallVector<Value> worklist = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  unsigned cost = 0;
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    if (current != value) {
      auto kept = plan.keeps.find(current);
      if (kept != plan.keeps.end())
        continue;
      auto it = available.find(current);
      if (it != available.end() && it->second.keep != Keep::Tape) {
        cost += it->second.cost;
        if (cost > kFloatLimit)
          return false;
        continue;
      }
    }
    Operation *op = current.getDefiningOp();
    if (!op || op->getNumOperands() == 0 ||
        (!isRecomputable(op) && !canReadAgain(op)))
      return false;
    if (!seen.insert(op).second)
      continue;
    cost += getWeight(op);
    if (cost > kFloatLimit || seen.size() > kSearchLimit)
      return false;
    llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

void ReversePlanner::recompute(Value value) {
  Operation *op = value.getDefiningOp();
  for (Value result : op->getResults())
    plan.keeps[result] = Keep::Recompute;
  llvm::append_range(pending, op->getOperands());
  for (Operation *free : freesAfterRead.lookup(op))
    plan.delayedFrees.insert(free);
}

/// Whether memory can hold values of this type.
static bool canBeTaped(Type type) {
  return type.isIntOrIndexOrFloat() ||
         isa<ComplexType, VectorType, MemRefType, UnrankedMemRefType, TapeType,
             StackType>(type);
}

TapeSlot ReversePlanner::makeSlot(Value value) const {
  TapeSlot slot{value, /*indexed=*/true, {}, nullptr};
  for (Operation *parent = value.getParentBlock()->getParentOp();
       parent != function; parent = parent->getParentOp()) {
    slot.outermost = parent;
    if (auto loop = dyn_cast<IterationSpaceOpInterface>(parent)) {
      slot.loops.push_back(loop);
      slot.indexed &= loop.isCounted();
    }
  }
  std::reverse(slot.loops.begin(), slot.loops.end());
  for (IterationSpaceOpInterface loop : slot.loops)
    for (Value operand : loop.getSpaceOperands())
      slot.indexed = slot.indexed && canHoistBefore(operand, slot.outermost);
  return slot;
}

LogicalResult ReversePlanner::tape(Value value) {
  if (!canBeTaped(value.getType())) {
    InFlightDiagnostic error =
        emitError(value.getLoc())
        << "a value of type " << value.getType()
        << " must be kept for the reverse sweep, which no tape can hold";
    error.attachNote() << "bufferize before differentiating";
    return error;
  }
  if (value.getParentBlock() == body) {
    plan.keeps[value] = Keep::Returned;
    plan.returned.insert(value);
    return success();
  }
  plan.keeps[value] = Keep::Tape;
  plan.slotsInBlock[value.getParentBlock()].push_back(plan.slots.size());
  plan.slots.push_back(makeSlot(value));
  return success();
}

LogicalResult ReversePlanner::decide(Value value) {
  if (plan.keeps.contains(value))
    return success();
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == body) {
      plan.keeps[value] = Keep::Direct;
      return success();
    }
  Availability availability = available.lookup(value);
  switch (availability.keep) {
  case Keep::Direct:
    plan.keeps[value] = Keep::Direct;
    return success();
  case Keep::Iteration:
    plan.keeps[value] = Keep::Iteration;
    llvm::append_range(pending, cast<IterationSpaceOpInterface>(
                                    value.getParentBlock()->getParentOp())
                                    .getSpaceOperands());
    return success();
  default:
    break;
  }
  // What does not change in the innermost loop is not kept per iteration of it:
  // it is hoisted out of the reverse loop, or what it is made of is kept by the
  // loops further out.
  Operation *op = value.getDefiningOp();
  if (op && isRecomputable(op) &&
      availability.depth < getLoopDepth(value, function)) {
    recompute(value);
    return success();
  }
  bool isInteger = getElementTypeOrSelf(value.getType()).isIntOrIndex();
  if (availability.keep == Keep::Recompute &&
      (availability.cost <= (isInteger ? kIntegerLimit : kFloatLimit) ||
       !canBeTaped(value.getType()))) {
    recompute(value);
    return success();
  }
  if (canRecomputeFromKept(value)) {
    recompute(value);
    return success();
  }
  return tape(value);
}

LogicalResult ReversePlanner::run() {
  for (BlockArgument argument : function.getArguments()) {
    positions[argument] = positions.size();
    available[argument] = {Keep::Direct, 0};
  }
  computeAvailability(function.front(), /*depth=*/0);

  SmallVector<Value> inOrder = llvm::to_vector(plan.needs.primals);
  llvm::sort(inOrder, [&](Value lhs, Value rhs) {
    return positions.lookup(lhs) < positions.lookup(rhs);
  });
  for (Value value : inOrder) {
    pending.push_back(value);
    while (!pending.empty())
      if (failed(decide(pending.pop_back_val())))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

FailureOr<ReversePlan>
ReversePlan::compute(func::FuncOp function, const ActivityAnalysis &activity,
                     const MemoryAnalysis &memory, const ReversedCalls &calls,
                     const ForwardShadows &shadows, bool split,
                     const llvm::BitVector &preservedArgs) {
  FailureOr<ReverseNeeds> needs =
      collectReverseNeeds(function, activity, calls, shadows);
  if (failed(needs))
    return failure();
  ReversePlan plan;
  plan.needs = std::move(*needs);
  ReversePlanner planner(function, memory, split, preservedArgs, plan);
  if (failed(planner.run()))
    return failure();
  return plan;
}
