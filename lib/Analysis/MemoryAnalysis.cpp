//===- MemoryAnalysis.cpp - alias classes and overwrites -----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Phase 1 numbers operations (preorder) and references. Phase 2 collects which
// references may name the same memory, and lets a union-find make classes of
// them (Steensgaard 1996). Phase 3 files every effect under its class. Queries
// are binary searches in the positions of a class.
//
//===----------------------------------------------------------------------===//

#include "Analysis/MemoryAnalysis.h"
#include "Dialect/Autodiff/IR/Autodiff.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

/// How many writes in a loop are compared with a read one by one.
static constexpr size_t kComparisonLimit = 32;

bool mlir::autodiff::isReference(Type type) {
  return isa<BaseMemRefType, TapeType, StackType>(type);
}

MemoryAnalysis::MemoryAnalysis(FunctionOpInterface function,
                               CalleeEffects &callees, bool argumentsMayAlias)
    : function(function), callees(callees) {
  if (function.isExternal())
    return;
  number(function);
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function)
      joinThrough(op);
  });
  joinArguments(argumentsMayAlias);
  unionFind.grow(numNodes);
  for (auto [lhs, rhs] : joins)
    unionFind.join(lhs, rhs);
  unionFind.compress();
  buildClasses();
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function)
      collectAccesses(op);
  });
}

//===----------------------------------------------------------------------===//
// Phase 1: numbers
//===----------------------------------------------------------------------===//

void MemoryAnalysis::number(Operation *op) {
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    spans[nested] = {numOps, numOps};
    ++numOps;
    for (Value result : nested->getResults())
      if (isReference(result.getType()))
        getNode(result);
    for (Region &region : nested->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          if (isReference(argument.getType()))
            getNode(argument);
  });
  op->walk<WalkOrder::PostOrder>([&](Operation *nested) {
    Operation *parent = nested->getParentOp();
    auto it = nested == op ? spans.end() : spans.find(parent);
    if (it != spans.end())
      it->second.end = std::max(it->second.end, spans.lookup(nested).end);
  });
}

unsigned MemoryAnalysis::getNode(Value reference) {
  auto [it, isNew] = nodes.insert({reference, numNodes});
  if (isNew)
    ++numNodes;
  return it->second;
}

unsigned MemoryAnalysis::getGlobalNode(SymbolRefAttr symbol) {
  auto [it, isNew] = globalNodes.insert({symbol, numNodes});
  if (isNew)
    ++numNodes;
  return it->second;
}

//===----------------------------------------------------------------------===//
// Phase 2: classes
//===----------------------------------------------------------------------===//

void MemoryAnalysis::join(Value lhs, Value rhs) {
  joins.emplace_back(getNode(lhs), getNode(rhs));
}

void MemoryAnalysis::joinUnknown(Value reference) {
  joins.emplace_back(getNode(reference), unknownNode);
  isUnknownUsed = true;
}

static bool isMutableGlobal(memref::GetGlobalOp access) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      access, access.getNameAttr());
  return !global || !global.getConstant();
}

/// By-reference arguments may name the same memory, that of a mutable global,
/// or what other references are loaded from, if the element types agree.
void MemoryAnalysis::joinArguments(bool argumentsMayAlias) {
  auto getElementType = [](Type type) -> Type {
    if (auto memref = dyn_cast<BaseMemRefType>(type))
      return memref.getElementType();
    return type;
  };
  llvm::DenseMap<Type, unsigned> sharedNodes;
  if (!argumentsMayAlias && !isUnknownUsed)
    return;
  auto share = [&](Type type, unsigned node) {
    auto [it, isNew] = sharedNodes.try_emplace(getElementType(type), node);
    if (!isNew)
      joins.emplace_back(node, it->second);
    if (isUnknownUsed)
      joins.emplace_back(node, unknownNode);
  };
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (isReference(argument.getType()) &&
        !function.getArgAttr(index, AutodiffDialect::kNoAliasAttr) &&
        !function.getArgAttr(index, "llvm.noalias"))
      share(argument.getType(), getNode(argument));
  }
  function->walk([&](memref::GetGlobalOp access) {
    if (isMutableGlobal(access))
      share(access.getType(), getNode(access));
  });
}

/// An operation with an allocation as its result.
static bool isAllocation(Operation *op, Value result) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  return interface &&
         interface.getEffectOnValue<MemoryEffects::Allocate>(result);
}

/// Joins what `op` makes name the same memory.
void MemoryAnalysis::joinThrough(Operation *op) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping);
    for (auto &[operand, inputs] : mapping)
      for (Value input : inputs)
        if (isReference(input.getType())) {
          throughRegion.insert(input);
          if (isReference(operand->get().getType()))
            join(operand->get(), input);
          else
            joinUnknown(input);
        }
    return;
  }
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    joinCall(call);
    return;
  }
  if (auto access = dyn_cast<memref::GetGlobalOp>(op)) {
    joins.emplace_back(getNode(access), getGlobalNode(access.getNameAttr()));
    return;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    if (isReference(select.getType())) {
      join(select, select.getTrueValue());
      join(select, select.getFalseValue());
    }
    return;
  }
  if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
    for (Value result : op->getResults())
      if (isReference(result.getType())) {
        if (isReference(view.getViewSource().getType()))
          join(result, view.getViewSource());
        else
          joinUnknown(result);
      }
    return;
  }
  for (Value result : op->getResults())
    if (isReference(result.getType()) && !isAllocation(op, result))
      joinUnknown(result);
  // A reference that is stored, or given to an unknown operation, escapes.
  if (op->hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(op))
    return;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  for (Value operand : op->getOperands())
    if (isReference(operand.getType())) {
      SmallVector<MemoryEffects::EffectInstance> effects;
      if (interface)
        interface.getEffectsOnValue(operand, effects);
      if (effects.empty())
        joinUnknown(operand);
    }
}

void MemoryAnalysis::joinCall(CallOpInterface call) {
  bool hasReferenceResult = llvm::any_of(
      call->getResultTypes(), [](Type type) { return isReference(type); });
  if (!hasReferenceResult)
    return;
  const FunctionEffects &effects = callees.get(call);
  for (auto [index, result] : llvm::enumerate(call->getResults())) {
    if (!isReference(result.getType()))
      continue;
    const FunctionEffects::Result &origin = effects.results[index];
    if (origin.unknown)
      joinUnknown(result);
    for (auto [position, operand] : llvm::enumerate(call.getArgOperands()))
      if (isReference(operand.getType()) && origin.arguments.test(position))
        join(result, operand);
  }
}

void MemoryAnalysis::buildClasses() {
  classes.resize(unionFind.getNumClasses());
  for (auto [value, node] : nodes) {
    AliasClass &memoryClass = classes[unionFind[node]];
    memoryClass.members.push_back(value);
    memoryClass.passesThroughRegion |= throughRegion.contains(value);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      memoryClass.arguments.push_back(argument);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isAllocation(op, value) || isa<CallOpInterface>(op))
      memoryClass.allocations.push_back(op);
    if (auto access = dyn_cast<memref::GetGlobalOp>(op))
      memoryClass.hasMutableGlobal |= isMutableGlobal(access);
  }
  for (auto [symbol, node] : globalNodes)
    classes[unionFind[node]].globals.push_back(symbol);
  if (isUnknownUsed)
    classes[unionFind[unknownNode]].hasUnknownOrigin = true;
  for (auto [index, memoryClass] : llvm::enumerate(classes))
    if ((memoryClass.hasMutableGlobal || memoryClass.hasUnknownOrigin) &&
        !memoryClass.members.empty())
      sharedClasses.push_back(index);
}

AliasClass *MemoryAnalysis::find(Value reference) {
  auto it = nodes.find(reference);
  return it == nodes.end() ? nullptr : &classes[unionFind[it->second]];
}

//===----------------------------------------------------------------------===//
// Phase 3: accesses
//===----------------------------------------------------------------------===//

void MemoryAnalysis::collectAccesses(Operation *op) {
  unsigned position = spans.lookup(op).begin;
  if (auto call = dyn_cast<CallOpInterface>(op))
    return collectCallAccesses(call);
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return;
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface) {
    if (isMemoryEffectFree(op))
      return;
    anyReads.push_back({op, {}, position});
    anyWrites.push_back({op, {}, position});
    anyFrees.push_back({op, {}, position});
    return;
  }
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    Value reference = effect.getValue();
    AliasClass *memoryClass = reference ? find(reference) : nullptr;
    MemoryAccess access{op, reference, position};
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      (memoryClass ? memoryClass->reads : anyReads).push_back(access);
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      (memoryClass ? memoryClass->writes : anyWrites).push_back(access);
    else if (isa<MemoryEffects::Free>(effect.getEffect()))
      (memoryClass ? memoryClass->frees : anyFrees).push_back(access);
  }
}

void MemoryAnalysis::collectCallAccesses(CallOpInterface call) {
  Operation *op = call;
  unsigned position = spans.lookup(op).begin;
  const FunctionEffects &effects = callees.get(call);
  for (auto [index, operand] : llvm::enumerate(call.getArgOperands())) {
    AliasClass *memoryClass = find(operand);
    if (!memoryClass)
      continue;
    if (effects.reads.test(index))
      memoryClass->reads.push_back({op, operand, position});
    if (effects.writes.test(index))
      memoryClass->writes.push_back({op, operand, position});
  }
  readsGlobals |= effects.readsGlobals;
  writesGlobals |= effects.writesGlobals;
  for (unsigned shared : sharedClasses) {
    AliasClass &memoryClass = classes[shared];
    Value reference = memoryClass.members.front();
    if (effects.readsGlobals)
      memoryClass.reads.push_back({op, reference, position});
    if (effects.writesGlobals)
      memoryClass.writes.push_back({op, reference, position});
  }
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

std::optional<unsigned> MemoryAnalysis::getClassId(Value reference) const {
  auto it = nodes.find(reference);
  if (it == nodes.end())
    return std::nullopt;
  return unionFind[it->second];
}

const AliasClass *MemoryAnalysis::lookup(Value reference) const {
  std::optional<unsigned> id = getClassId(reference);
  return id ? &classes[*id] : nullptr;
}

ArrayRef<AliasClass> MemoryAnalysis::getClasses() const { return classes; }

void MemoryAnalysis::replace(Value from, Value to) {
  auto it = nodes.find(from);
  if (it != nodes.end()) {
    unsigned node = it->second;
    nodes.insert({to, node});
  }
}

/// Whether the regions of `op` may run more than once per execution of `op`.
static bool mayRepeat(Operation *op) {
  if (isa<LoopLikeOpInterface>(op))
    return true;
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (!branch)
    return true;
  return llvm::any_of(
      llvm::seq<unsigned>(0, op->getNumRegions()),
      [&](unsigned region) { return branch.isRepetitiveRegion(region); });
}

/// The outermost loop around `read` that one piece of memory of the class
/// outlives.
Operation *
MemoryAnalysis::getOutermostLoop(Operation *read,
                                 const AliasClass &memoryClass) const {
  bool isLocal = memoryClass.arguments.empty() && memoryClass.globals.empty() &&
                 !memoryClass.hasUnknownOrigin &&
                 !memoryClass.passesThroughRegion &&
                 !memoryClass.allocations.empty();
  Operation *outermost = nullptr;
  for (Operation *parent = read->getParentOp(); parent != function;
       parent = parent->getParentOp()) {
    if (!mayRepeat(parent))
      continue;
    if (isLocal &&
        llvm::all_of(memoryClass.allocations, [&](Operation *allocation) {
          return parent->isProperAncestor(allocation);
        }))
      break;
    outermost = parent;
  }
  return outermost;
}

namespace {
/// An access to one element.
struct ElementAccess {
  Value reference;
  ValueRange indices;
};
} // namespace

static std::optional<ElementAccess> getElementAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return ElementAccess{load.getMemRef(), load.getIndices()};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return ElementAccess{store.getMemRef(), store.getIndices()};
  if (auto read = dyn_cast<TapeReadOp>(op))
    return ElementAccess{read.getTape(), read.getIndices()};
  if (auto write = dyn_cast<TapeWriteOp>(op))
    return ElementAccess{write.getTape(), write.getIndices()};
  return std::nullopt;
}

/// Whether the iterations of `loop` and of the loops in it around both
/// accesses touch different elements: every induction variable is an index of
/// both, at the same place.
static bool areIterationsDistinct(Operation *write, Operation *read,
                                  Operation *loop) {
  std::optional<ElementAccess> first = getElementAccess(write);
  std::optional<ElementAccess> second = getElementAccess(read);
  if (!first || !second || first->reference != second->reference ||
      loop->isAncestor(first->reference.getParentBlock()->getParentOp()))
    return false;
  for (Operation *parent = read->getParentOp();;
       parent = parent->getParentOp()) {
    if (parent->isAncestor(write) && mayRepeat(parent)) {
      auto counted = dyn_cast<LoopLikeOpInterface>(parent);
      std::optional<Value> variable =
          counted ? counted.getSingleInductionVar() : std::nullopt;
      if (!variable || llvm::none_of(llvm::zip(first->indices, second->indices),
                                     [&](auto pair) {
                                       return std::get<0>(pair) == *variable &&
                                              std::get<1>(pair) == *variable;
                                     }))
        return false;
    }
    if (parent == loop)
      return true;
  }
}

/// Whether one of `accesses`, sorted by position, comes after `read` in
/// program order or in a later iteration of `loop` (null: none).
bool MemoryAnalysis::mayChangeIn(ArrayRef<MemoryAccess> accesses,
                                 Operation *read, Value reference,
                                 Operation *loop) const {
  unsigned position = spans.lookup(read).begin;
  if (accesses.empty())
    return false;
  if (accesses.back().position > position)
    return true;
  if (!loop)
    return false;
  const MemoryAccess *first =
      llvm::lower_bound(accesses, spans.lookup(loop).begin,
                        [](const MemoryAccess &access, unsigned begin) {
                          return access.position < begin;
                        });
  ArrayRef<MemoryAccess> inLoop(first, accesses.end());
  if (inLoop.size() > kComparisonLimit)
    return true;
  return llvm::any_of(inLoop, [&](const MemoryAccess &access) {
    return !areIterationsDistinct(access.op, read, loop);
  });
}

bool MemoryAnalysis::mayChangeAfter(Operation *read, Value reference,
                                    bool ignoreFrees) const {
  const AliasClass *memoryClass = lookup(reference);
  if (!memoryClass)
    return true;
  Operation *loop = getOutermostLoop(read, *memoryClass);
  if (mayChangeIn(memoryClass->writes, read, reference, loop) ||
      mayChangeIn(anyWrites, read, reference, loop))
    return true;
  return !ignoreFrees &&
         (mayChangeIn(memoryClass->frees, read, reference, loop) ||
          mayChangeIn(anyFrees, read, reference, loop));
}

FunctionEffects MemoryAnalysis::getEffects() const {
  FunctionOpInterface callee = function;
  unsigned numArguments = callee.getNumArguments();
  FunctionEffects effects;
  effects.reads.resize(numArguments);
  effects.writes.resize(numArguments);
  effects.results.resize(callee.getNumResults());
  for (BlockArgument argument : callee.getArguments()) {
    const AliasClass *memoryClass = lookup(argument);
    if (!memoryClass)
      continue;
    if (!memoryClass->reads.empty() || !anyReads.empty())
      effects.reads.set(argument.getArgNumber());
    if (!memoryClass->writes.empty() || !memoryClass->frees.empty() ||
        !anyWrites.empty() || !anyFrees.empty())
      effects.writes.set(argument.getArgNumber());
  }
  effects.readsGlobals = readsGlobals || !anyReads.empty();
  effects.writesGlobals =
      writesGlobals || !anyWrites.empty() || !anyFrees.empty();
  for (const AliasClass &memoryClass : classes) {
    if (!memoryClass.hasMutableGlobal && !memoryClass.hasUnknownOrigin)
      continue;
    effects.readsGlobals |= !memoryClass.reads.empty();
    effects.writesGlobals |=
        !memoryClass.writes.empty() || !memoryClass.frees.empty();
  }
  for (FunctionEffects::Result &result : effects.results)
    result.arguments.resize(numArguments);
  Region &body = callee.getFunctionBody();
  for (Block &block : body) {
    Operation *terminator = block.getTerminator();
    if (!terminator->hasTrait<OpTrait::ReturnLike>() ||
        terminator->getNumOperands() != effects.results.size())
      continue;
    for (auto [operand, result] :
         llvm::zip_equal(terminator->getOperands(), effects.results)) {
      const AliasClass *memoryClass = lookup(operand);
      if (!memoryClass)
        continue;
      result.unknown |=
          memoryClass->hasUnknownOrigin || !memoryClass->globals.empty();
      for (BlockArgument argument : memoryClass->arguments)
        if (argument.getOwner() == &body.front())
          result.arguments.set(argument.getArgNumber());
    }
  }
  return effects;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printName(raw_ostream &os, Value value) {
  os << value.getLoc() << " ";
  if (auto argument = dyn_cast<BlockArgument>(value))
    os << "argument #" << argument.getArgNumber() << " of '"
       << argument.getOwner()->getParentOp()->getName() << "'";
  else
    os << value.getDefiningOp()->getName();
  os << " : " << value.getType();
}

void MemoryAnalysis::print(raw_ostream &os) const {
  for (auto [index, memoryClass] : llvm::enumerate(classes)) {
    if (memoryClass.members.empty())
      continue;
    os << "  class " << index;
    if (memoryClass.hasMutableGlobal)
      os << ", mutable global";
    if (memoryClass.hasUnknownOrigin)
      os << ", unknown origin";
    if (memoryClass.passesThroughRegion)
      os << ", passes through a region";
    os << "\n";
    for (Value member : memoryClass.members) {
      os << "    ";
      printName(os, member);
      os << "\n";
    }
    for (const MemoryAccess &access : memoryClass.reads) {
      os << "    read by " << access.op->getName() << " at "
         << access.op->getLoc();
      if (!mayChangeAfter(access.op, access.reference, /*ignoreFrees=*/true))
        os << ", unchanged until the reverse sweep";
      os << "\n";
    }
    for (const MemoryAccess &access : memoryClass.writes)
      os << "    written by " << access.op->getName() << " at "
         << access.op->getLoc() << "\n";
    for (const MemoryAccess &access : memoryClass.frees)
      os << "    freed by " << access.op->getName() << " at "
         << access.op->getLoc() << "\n";
  }
}
