//===- MemoryFlow.cpp - references and what is done through them ---------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the function in program order. Everything is taken from
// upstream interfaces: views from ViewLikeOpInterface, control flow from
// RegionBranchOpInterface and BranchOpInterface, effects from
// MemoryEffectOpInterface, calls from CallOpInterface with the summaries of
// CalleeEffects. An operation that says nothing about itself may do anything to
// memory that it can reach, and its operands escape.
//
//===----------------------------------------------------------------------===//

#include "Analysis/MemoryFlow.h"
#include "Analysis/CalleeEffects.h"
#include "Dialect/Autodiff/IR/Autodiff.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

bool mlir::autodiff::isReference(Type type) {
  return isa<BaseMemRefType, TapeType, StackType>(type);
}

/// Whether a value of `type` cannot hide a reference.
static bool isPlain(Type type) {
  return isa<IntegerType, IndexType, FloatType, ComplexType, VectorType>(type);
}

/// Whether `type` is memory that holds references.
static bool isContainer(Type type) {
  if (auto memref = dyn_cast<BaseMemRefType>(type))
    return isReference(memref.getElementType());
  if (auto tape = dyn_cast<TapeType>(type))
    return isReference(tape.getElementType());
  if (auto stack = dyn_cast<StackType>(type))
    return isReference(stack.getElementType());
  return false;
}

/// Whether `op` does to memory of references only what is followed.
static bool isTransparentToContents(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp,
             memref::DimOp, TapeCreateOp, TapeFreeOp, StackCreateOp,
             StackFreeOp, ViewLikeOpInterface, SelectLikeOpInterface,
             RegionBranchOpInterface, BranchOpInterface>(op) ||
         (isa<RegionBranchTerminatorOpInterface>(op) &&
          isa<RegionBranchOpInterface>(op->getParentOp()));
}

/// What `op` puts into memory of references or takes out of it.
static std::pair<Value, Value> getContent(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return {load.getMemRef(), load.getResult()};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return {store.getMemRef(), store.getValue()};
  if (auto read = dyn_cast<TapeReadOp>(op))
    return {read.getTape(), read.getValue()};
  if (auto write = dyn_cast<TapeWriteOp>(op))
    return {write.getTape(), write.getValue()};
  if (auto pop = dyn_cast<StackPopOp>(op))
    return {pop.getStack(), pop.getValue()};
  if (auto push = dyn_cast<StackPushOp>(op))
    return {push.getStack(), push.getValue()};
  return {};
}

/// Operations whose write effect is only an order: no memory changes.
static bool onlyPrints(Operation *op) {
  return isa<cf::AssertOp, vector::PrintOp>(op);
}

namespace mlir::autodiff {
class MemoryFlowBuilder {
public:
  MemoryFlowBuilder(MemoryFlow &flow, CalleeEffects &callees)
      : flow(flow), callees(callees) {}

  void run(FunctionOpInterface function);

private:
  using AccessKind = MemoryFlow::AccessKind;

  void number(FunctionOpInterface function);
  unsigned nodeOf(Value reference);
  void join(Value a, Value b, Operation *op) {
    flow.joins.push_back({nodeOf(a), nodeOf(b), op});
  }
  void joinUnknown(Value reference, Operation *op) {
    flow.usesUnknown = true;
    flow.joins.push_back({nodeOf(reference), MemoryFlow::kUnknown, op});
  }
  void access(Operation *op, unsigned node, AccessKind kind);

  void visit(Operation *op);
  void visitCall(CallOpInterface call);
  void visitRegionBranch(RegionBranchOpInterface branch);
  void visitOpaqueRegions(Operation *op);
  void visitBranch(BranchOpInterface branch);
  void visitResults(Operation *op);
  void visitEffects(Operation *op);
  void visitGlobal(memref::GetGlobalOp op);
  void visitAllocation(Operation *op, Value result, bool automatic);
  bool visitContents(Operation *op);
  void joinContents();

  MemoryFlow &flow;
  CalleeEffects &callees;
  llvm::DenseMap<Attribute, unsigned> globalIndex;

  /// A reference that `op` puts into memory of references, or takes out of it.
  struct Content {
    unsigned container, reference;
    Operation *op;
  };
  SmallVector<Content> contents;
  /// Memory of references that is used in a way that is not followed.
  SmallVector<unsigned> opaqueContainers;
};
} // namespace mlir::autodiff

MemoryFlow::MemoryFlow(FunctionOpInterface function, CalleeEffects &callees) {
  MemoryFlowBuilder(*this, callees).run(function);
}

std::optional<unsigned> MemoryFlow::getNode(Value reference) const {
  auto it = nodes.find(reference);
  if (it == nodes.end())
    return std::nullopt;
  return it->second;
}

const MemoryFlow::Interval *MemoryFlow::getInterval(Operation *op) const {
  auto it = intervals.find(op);
  return it == intervals.end() ? nullptr : &it->second;
}

bool MemoryFlow::isStructuredLoop(Operation *op) const {
  if (!isLoop(op) || !isa<LoopLikeOpInterface, RegionBranchOpInterface>(op))
    return false;
  return llvm::all_of(op->getRegions(), [](Region &region) {
    return region.empty() || region.hasOneBlock();
  });
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Whether a region of `op` may run more than once per execution of `op`, or
/// its blocks in another order than that of the text.
static bool mayRepeat(Operation *op, Operation *function) {
  if (op->getNumRegions() == 0)
    return false;
  for (Region &region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock())
      return true;
  if (op == function)
    return false;
  if (isa<LoopLikeOpInterface>(op))
    return true;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return true;
  for (unsigned i = 0, e = op->getNumRegions(); i != e; ++i)
    if (branch.isRepetitiveRegion(i))
      return true;
  return false;
}

void MemoryFlowBuilder::number(FunctionOpInterface function) {
  unsigned next = 0;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    flow.intervals[op] = {next, next};
    ++next;
    // In the order of the text.
    for (Value result : op->getResults())
      if (isReference(result.getType()))
        nodeOf(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (isReference(argument.getType()))
            nodeOf(argument);
  });
  function->walk<WalkOrder::PostOrder>([&](Operation *op) {
    unsigned end = flow.intervals[op].begin;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          end = std::max(end, flow.intervals[&block.back()].end);
    flow.intervals[op].end = end;
    if (mayRepeat(op, function))
      flow.loops.insert(op);
  });
}

unsigned MemoryFlowBuilder::nodeOf(Value reference) {
  auto [it, isNew] = flow.nodes.try_emplace(reference, flow.references.size());
  if (isNew)
    flow.references.push_back(reference);
  return it->second;
}

/// An operation with regions may read before, and write after, all that is
/// inside it.
void MemoryFlowBuilder::access(Operation *op, unsigned node, AccessKind kind) {
  MemoryFlow::Interval interval = flow.intervals[op];
  unsigned position = kind == AccessKind::Read ? interval.begin : interval.end;
  flow.accesses.push_back({op, node, kind, position});
}

void MemoryFlowBuilder::run(FunctionOpInterface function) {
  flow.references.push_back(Value()); // kUnknown
  number(function);
  if (!function.isExternal()) {
    for (BlockArgument argument : function.getArguments())
      if (isReference(argument.getType())) {
        flow.arguments.push_back(argument);
        if (isContainer(argument.getType()))
          opaqueContainers.push_back(nodeOf(argument));
      }
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != function)
        visit(op);
    });
  }
  joinContents();
  flow.pieces.grow(flow.references.size());
  for (const MemoryFlow::Join &join : flow.joins)
    flow.pieces.join(join.a, join.b);
  flow.pieces.compress();
}

//===----------------------------------------------------------------------===//
// Flow
//===----------------------------------------------------------------------===//

void MemoryFlowBuilder::visit(Operation *op) {
  if (visitContents(op))
    return visitEffects(op);
  if (auto call = dyn_cast<CallOpInterface>(op))
    return visitCall(call);
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    visitRegionBranch(branch);
  } else {
    visitOpaqueRegions(op);
    visitResults(op);
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    visitBranch(branch);
  visitEffects(op);
}

void MemoryFlowBuilder::visitCall(CallOpInterface call) {
  const FunctionEffects &effects = callees.get(call);
  OperandRange arguments = call.getArgOperands();
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (!isReference(argument.getType()))
      continue;
    unsigned node = nodeOf(argument);
    if (effects.reads.test(index))
      access(call, node, AccessKind::Read);
    if (effects.writes.test(index))
      access(call, node, AccessKind::Write);
    if (effects.captures.test(index))
      joinUnknown(argument, call);
  }
  if (effects.readsGlobals)
    access(call, MemoryFlow::kOutside, AccessKind::Read);
  if (effects.writesGlobals)
    access(call, MemoryFlow::kOutside, AccessKind::Write);

  llvm::DenseMap<unsigned, Value> groups;
  for (auto [index, result] : llvm::enumerate(call->getResults())) {
    if (!isReference(result.getType()))
      continue;
    if (index >= effects.results.size()) {
      joinUnknown(result, call);
      continue;
    }
    const FunctionEffects::Result &origin = effects.results[index];
    if (origin.fromOutside)
      joinUnknown(result, call);
    for (unsigned i : origin.arguments.set_bits())
      if (isReference(arguments[i].getType()))
        join(result, arguments[i], call);
    auto [it, isNew] = groups.try_emplace(origin.group, result);
    if (!isNew)
      join(result, it->second, call);
    if (origin.isFresh) {
      visitAllocation(call, result, /*automatic=*/false);
      // It comes with contents.
      access(call, nodeOf(result), AccessKind::Write);
    }
    // It may be any of them.
    if (origin.fromOutside || origin.arguments.any())
      flow.choices.insert(nodeOf(result));
  }
}

/// The terminators that leave the regions of `op`.
static void forEachExit(Operation *op,
                        llvm::function_ref<void(Operation *)> callback) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty() && !isa<BranchOpInterface>(block.back()))
        callback(&block.back());
}

void MemoryFlowBuilder::visitRegionBranch(RegionBranchOpInterface branch) {
  RegionBranchSuccessorMapping mapping;
  branch.getSuccessorOperandInputMapping(mapping);
  llvm::SmallDenseSet<Value, 8> settled;
  // What enters the operation or leaves a region: it flows on, or escapes.
  auto forward = [&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      bool isRef = isReference(operand.get().getType());
      auto it = mapping.find(&operand);
      if (it == mapping.end()) {
        if (isRef)
          joinUnknown(operand.get(), op);
        continue;
      }
      for (Value input : it->second) {
        settled.insert(input);
        if (!isReference(input.getType()))
          continue;
        flow.choices.insert(nodeOf(input));
        if (isRef)
          join(input, operand.get(), branch);
        else
          joinUnknown(input, branch);
      }
    }
  };
  forward(branch);
  forEachExit(branch, forward);
  auto settle = [&](Value value) {
    if (!isReference(value.getType()) || settled.contains(value))
      return;
    flow.choices.insert(nodeOf(value));
    joinUnknown(value, branch);
  };
  for (Value result : branch->getResults())
    settle(result);
  for (Region &region : branch->getRegions())
    if (!region.empty())
      for (BlockArgument argument : region.getArguments())
        settle(argument);
}

void MemoryFlowBuilder::visitOpaqueRegions(Operation *op) {
  forEachExit(op, [&](Operation *exit) {
    for (Value operand : exit->getOperands())
      if (isReference(operand.getType()))
        joinUnknown(operand, exit);
  });
  for (Region &region : op->getRegions())
    if (!region.empty())
      for (BlockArgument argument : region.getArguments())
        if (isReference(argument.getType())) {
          flow.choices.insert(nodeOf(argument));
          joinUnknown(argument, op);
        }
}

void MemoryFlowBuilder::visitBranch(BranchOpInterface branch) {
  llvm::SmallDenseSet<Value, 8> forwarded;
  for (auto [index, successor] : llvm::enumerate(branch->getSuccessors())) {
    SuccessorOperands operands = branch.getSuccessorOperands(index);
    for (auto [i, argument] : llvm::enumerate(successor->getArguments())) {
      if (!isReference(argument.getType()))
        continue;
      flow.choices.insert(nodeOf(argument));
      Value operand = i < operands.size() ? operands[i] : Value();
      if (operand && isReference(operand.getType())) {
        forwarded.insert(operand);
        join(argument, operand, branch);
      } else {
        joinUnknown(argument, branch);
      }
    }
  }
  for (Value operand : branch->getOperands())
    if (isReference(operand.getType()) && !forwarded.contains(operand))
      joinUnknown(operand, branch);
}

void MemoryFlowBuilder::visitGlobal(memref::GetGlobalOp op) {
  auto [it, isNew] =
      globalIndex.try_emplace(op.getNameAttr(), flow.globals.size());
  if (!isNew)
    return join(op.getResult(), flow.references[flow.globals[it->second].node],
                op);
  auto global =
      callees.getSymbolTables().lookupNearestSymbolFrom<memref::GlobalOp>(
          op, op.getNameAttr());
  bool isMutable = !global || !global.getConstant();
  flow.globals.push_back({op.getNameAttr(), nodeOf(op.getResult()), isMutable,
                          op.getResult().getType()});
}

void MemoryFlowBuilder::visitAllocation(Operation *op, Value result,
                                        bool automatic) {
  unsigned node = nodeOf(result);
  flow.allocations.push_back({op, node});
  if (!automatic)
    return;
  // Stack memory is gone when the enclosing scope ends.
  Operation *scope = op->getParentOp();
  while (scope && !scope->hasTrait<OpTrait::AutomaticAllocationScope>() &&
         !isa<FunctionOpInterface>(scope))
    scope = scope->getParentOp();
  if (scope && !isa<FunctionOpInterface>(scope) &&
      flow.intervals.contains(scope))
    access(scope, node, AccessKind::ScopeEnd);
}

/// Where the reference results of an operation without region flow come from.
void MemoryFlowBuilder::visitResults(Operation *op) {
  auto isRef = [](Value value) { return isReference(value.getType()); };
  SmallVector<Value> results(llvm::make_filter_range(op->getResults(), isRef));
  if (results.empty())
    return;
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return visitGlobal(global);
  // What lifted control flow passes along where nothing uses it.
  if (isa<ub::PoisonOp>(op))
    return;

  if (auto view = dyn_cast<ViewLikeOpInterface>(op))
    if (isRef(view.getViewSource())) {
      for (Value result : results)
        join(result, view.getViewSource(), op);
      return;
    }
  if (auto select = dyn_cast<SelectLikeOpInterface>(op))
    if (isRef(select.getTrueValue()) && isRef(select.getFalseValue())) {
      for (Value result : results) {
        flow.choices.insert(nodeOf(result));
        join(result, select.getTrueValue(), op);
        join(result, select.getFalseValue(), op);
      }
      return;
    }

  SmallVector<Value> sources(llvm::make_filter_range(op->getOperands(), isRef));
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  for (Value result : results) {
    SmallVector<MemoryEffects::EffectInstance> onResult;
    if (effects)
      effects.getEffectsOnValue(result, onResult);
    auto allocate = llvm::find_if(onResult, [](const auto &effect) {
      return isa<MemoryEffects::Allocate>(effect.getEffect());
    });
    if (allocate != onResult.end()) {
      bool automatic =
          allocate->getResource() != SideEffects::DefaultResource::get();
      visitAllocation(op, result, automatic);
      // A reallocation may hand back what it was given.
      for (Value source : sources) {
        flow.choices.insert(nodeOf(result));
        join(result, source, op);
      }
      continue;
    }
    // Without reading memory, a reference can only come from the operands.
    bool derived = !sources.empty() && isMemoryEffectFree(op) &&
                   llvm::all_of(op->getOperandTypes(), [](Type type) {
                     return isReference(type) || isPlain(type);
                   });
    if (sources.size() > 1)
      flow.choices.insert(nodeOf(result));
    for (Value source : sources)
      join(result, source, op);
    if (!derived)
      joinUnknown(result, op);
  }
}

//===----------------------------------------------------------------------===//
// References in memory
//===----------------------------------------------------------------------===//

/// Notes what `op` does to memory of references. Returns whether that is all
/// that it does to references.
bool MemoryFlowBuilder::visitContents(Operation *op) {
  auto [container, reference] = getContent(op);
  if (container) {
    if (!isReference(reference.getType()))
      return false;
    contents.push_back({nodeOf(container), nodeOf(reference), op});
    if (reference.getDefiningOp() == op) {
      flow.choices.insert(nodeOf(reference));
      flow.loaded.push_back(nodeOf(reference));
    }
    return true;
  }
  if (isTransparentToContents(op))
    return false;
  auto note = [&](ValueRange values) {
    for (Value value : values)
      if (isContainer(value.getType()))
        opaqueContainers.push_back(nodeOf(value));
  };
  note(op->getOperands());
  note(op->getResults());
  return false;
}

/// All references that are put into one piece of memory, and taken out of it,
/// flow into each other; into the unknown, if it is used in ways that are not
/// followed. Joining them may join memory of references in turn.
void MemoryFlowBuilder::joinContents() {
  constexpr unsigned kMaxRounds = 8;
  bool changed = !contents.empty();
  for (unsigned round = 0; changed; ++round) {
    changed = false;
    llvm::IntEqClasses classes(flow.references.size());
    for (const MemoryFlow::Join &join : flow.joins)
      classes.join(join.a, join.b);
    llvm::DenseSet<unsigned> opaque;
    opaque.insert(classes.findLeader(MemoryFlow::kUnknown));
    for (unsigned node : opaqueContainers)
      opaque.insert(classes.findLeader(node));
    llvm::DenseMap<unsigned, unsigned> representatives;
    for (Content &content : contents) {
      unsigned container = classes.findLeader(content.container);
      unsigned other = MemoryFlow::kUnknown;
      if (round < kMaxRounds && !opaque.contains(container))
        other = representatives.try_emplace(container, content.reference)
                    .first->second;
      if (classes.findLeader(content.reference) == classes.findLeader(other))
        continue;
      changed = true;
      flow.usesUnknown |= other == MemoryFlow::kUnknown;
      flow.joins.push_back({content.reference, other, content.op});
      classes.join(content.reference, other);
    }
  }
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

void MemoryFlowBuilder::visitEffects(Operation *op) {
  if (onlyPrints(op))
    return;
  auto isRef = [](Value value) { return isReference(value.getType()); };
  SmallVector<Value> operands(
      llvm::make_filter_range(op->getOperands(), isRef));
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  bool recursive = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  if (!interface) {
    if (recursive || isa<RegionBranchTerminatorOpInterface>(op) ||
        op->hasTrait<OpTrait::ReturnLike>())
      return;
    for (AccessKind kind :
         {AccessKind::Read, AccessKind::Write, AccessKind::Free})
      access(op, MemoryFlow::kOutside, kind);
    for (Value operand : operands)
      joinUnknown(operand, op);
    return;
  }

  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  llvm::SmallDenseSet<Value, 4> touched;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    AccessKind kind;
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      kind = AccessKind::Read;
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      kind = AccessKind::Write;
    else if (isa<MemoryEffects::Free>(effect.getEffect()))
      kind = AccessKind::Free;
    else
      continue;
    Value value = effect.getValue();
    if (value && isRef(value)) {
      touched.insert(value);
      access(op, nodeOf(value), kind);
      continue;
    }
    // On memory that is not named: what is outside, and what is at hand.
    access(op, MemoryFlow::kOutside, kind);
    for (Value operand : operands)
      access(op, nodeOf(operand), kind);
  }

  // Which operands may be reached later in a way that is not seen here.
  if (isa<RegionBranchOpInterface, BranchOpInterface,
          RegionBranchTerminatorOpInterface>(op) ||
      op->hasTrait<OpTrait::ReturnLike>())
    return;
  bool leaks = isa<memref::ExtractAlignedPointerAsIndexOp>(op) ||
               llvm::any_of(op->getResultTypes(), [](Type type) {
                 return !isReference(type) && !isPlain(type);
               });
  bool stores = !effects.empty() && !getContent(op).first;
  for (Value operand : operands)
    if (leaks || (stores && !touched.contains(operand)))
      joinUnknown(operand, op);
}
