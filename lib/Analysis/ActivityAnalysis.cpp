//===- ActivityAnalysis.cpp - which values carry derivatives -------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Phases: build the graph (one pass over the operations), seed and search it in
// both directions, then check that memory which turned out active can carry a
// derivative. The IR is not changed.
//
//===----------------------------------------------------------------------===//

#include "ActivityBuilder.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

bool mlir::autodiff::carriesDerivatives(Type type) {
  if (auto tape = dyn_cast<TapeType>(type))
    return isDifferentiable(tape.getElementType());
  if (auto stack = dyn_cast<StackType>(type))
    return isDifferentiable(stack.getElementType());
  return isDifferentiable(type);
}

/// Whether a value of `type` may be the bits of a floating-point number.
static bool mayBeBits(Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  return integer && integer.getWidth() >= 8;
}

/// Whether integers that come out of `op` may still be the bits of what goes
/// in. Functions of integers in general are not followed.
static bool passesBits(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, vector::VectorDialect,
                         memref::MemRefDialect>(op->getDialect());
}

std::optional<unsigned>
ActivityBuilder::nodeOf(const MemoryFlow::Access &access) const {
  if (access.node == MemoryFlow::kOutside)
    return outside;
  unsigned piece = flow.getPiece(access.node);
  if (differentiablePieces.test(piece) ||
      (bitPieces.test(piece) && passesBits(access.op)))
    return piece;
  return std::nullopt;
}

std::optional<unsigned> ActivityBuilder::nodeOf(Value value) {
  if (std::optional<unsigned> node = flow.getNode(value)) {
    unsigned piece = flow.getPiece(*node);
    if (!differentiablePieces.test(piece))
      return std::nullopt;
    return piece;
  }
  if (!isDifferentiableByValue(value.getType()) && !mayBeBits(value.getType()))
    return std::nullopt;
  auto [it, isNew] = analysis.values.try_emplace(value, 0);
  if (isNew)
    it->second = graph.addNode();
  return it->second;
}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

bool ActivityBuilder::hasNoDerivative(Operation *op) const {
  if (isa<StopGradientOp, cf::AssertOp, vector::PrintOp>(op))
    return true;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    FunctionOpInterface callee = callees.getCallee(call);
    return callee && callee->hasAttr(AutodiffDialect::kInactiveAttr);
  }
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  return differentiable && differentiable.isInactive();
}

void ActivityBuilder::classifyPieces() {
  differentiablePieces.resize(flow.getNumPieces());
  bitPieces.resize(flow.getNumPieces());
  differentiablePieces.set(flow.getPiece(MemoryFlow::kUnknown));
  for (unsigned node = 1; node < flow.getNumNodes(); ++node) {
    Type type = flow.getReference(node).getType();
    if (carriesDerivatives(type))
      differentiablePieces.set(flow.getPiece(node));
    else if (mayBeBits(type))
      bitPieces.set(flow.getPiece(node));
  }
}

void ActivityBuilder::buildGraph() {
  graph.addNodes(flow.getNumPieces());
  outside = graph.addNode();
  ArrayRef<MemoryFlow::Access> accesses = flow.getAccesses();
  // Scope ends are noted at the allocation, under another operation's name.
  SmallVector<MemoryFlow::Access> real;
  for (const MemoryFlow::Access &access : accesses)
    if (access.kind == AccessKind::Read || access.kind == AccessKind::Write)
      real.push_back(access);
  accesses = real;

  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return;
    size_t count = 0;
    while (count < accesses.size() && accesses[count].op == op)
      ++count;
    ArrayRef<MemoryFlow::Access> own = accesses.take_front(count);
    accesses = accesses.drop_front(count);
    if (hasNoDerivative(op))
      return;
    auto branch = dyn_cast<RegionBranchOpInterface>(op);
    if (branch)
      addRegionFlow(branch);
    if (!branch || !own.empty())
      addDataFlow(op, own);
    if (auto branch = dyn_cast<BranchOpInterface>(op))
      addBranchFlow(branch);
  });
}

/// Whatever flows into an operation flows out of it.
void ActivityBuilder::addDataFlow(Operation *op,
                                  ArrayRef<MemoryFlow::Access> accesses) {
  if (op->getNumResults() == 0 && op->getNumRegions() == 0 && accesses.empty())
    return;
  unsigned hub = graph.addNode();
  analysis.operations[op] = hub;
  bool writes = false, reads = false;
  llvm::SmallDenseSet<unsigned, 4> touched;
  for (const MemoryFlow::Access &access : accesses) {
    bool isRead = access.kind == AccessKind::Read;
    (isRead ? reads : writes) = true;
    std::optional<unsigned> node = nodeOf(access);
    if (!node)
      continue;
    touched.insert(*node);
    if (isRead)
      graph.addEdge(*node, hub);
    else
      graph.addEdge(hub, *node);
  }
  auto takesPart = [&](Value value) {
    return passesBits(op) || !mayBeBits(value.getType());
  };
  for (Value operand : op->getOperands()) {
    if (!takesPart(operand))
      continue;
    std::optional<unsigned> node = nodeOf(operand);
    // A reference that is stored takes what it refers to along.
    if (node &&
        (!isReference(operand.getType()) ||
         (writes && !isa<CallOpInterface>(op) && !touched.contains(*node))))
      graph.addEdge(*node, hub);
  }
  for (Value result : op->getResults()) {
    if (!takesPart(result))
      continue;
    std::optional<unsigned> node = nodeOf(result);
    if (node && (!isReference(result.getType()) ||
                 (reads && !isa<CallOpInterface>(op))))
      graph.addEdge(hub, *node);
  }
  for (Region &region : op->getRegions())
    addOpaqueRegionFlow(op, region, hub);
}

/// What enters and leaves `region` of `op` goes through `hub`.
void ActivityBuilder::addOpaqueRegionFlow(Operation *op, Region &region,
                                          unsigned hub) {
  auto enter = [&](Block &block) {
    for (BlockArgument argument : block.getArguments())
      if (!isReference(argument.getType()))
        if (std::optional<unsigned> node = nodeOf(argument))
          graph.addEdge(hub, *node);
  };
  auto leave = [&](Operation *exit) {
    for (Value operand : exit->getOperands())
      if (!isReference(operand.getType()))
        if (std::optional<unsigned> node = nodeOf(operand))
          graph.addEdge(*node, hub);
  };
  for (Block &block : region) {
    if (block.isEntryBlock())
      enter(block);
    if (block.empty())
      continue;
    Operation &exit = block.back();
    leave(&exit);
    // A terminator may combine in regions of its own (scf.reduce).
    for (Region &inner : exit.getRegions())
      for (Block &innerBlock : inner) {
        enter(innerBlock);
        if (!innerBlock.empty())
          leave(&innerBlock.back());
      }
  }
}

void ActivityBuilder::addRegionFlow(RegionBranchOpInterface branch) {
  RegionBranchSuccessorMapping mapping;
  branch.getSuccessorOperandInputMapping(mapping);
  llvm::SmallDenseSet<Value, 8> settled;
  for (auto &[operand, inputs] : mapping) {
    std::optional<unsigned> from = nodeOf(operand->get());
    for (Value input : inputs) {
      settled.insert(input);
      std::optional<unsigned> to = nodeOf(input);
      if (from && to && !isReference(input.getType()))
        graph.addEdge(*from, *to);
    }
  }

  // What the interface does not say: from everywhere.
  SmallVector<unsigned> unsettled;
  auto check = [&](Value value) {
    if (settled.contains(value) || isReference(value.getType()))
      return;
    if (std::optional<unsigned> node = nodeOf(value))
      unsettled.push_back(*node);
  };
  for (Value result : branch->getResults())
    check(result);
  for (Region &region : branch->getRegions())
    if (!region.empty())
      for (BlockArgument argument : region.getArguments())
        check(argument);
  bool combines = llvm::any_of(branch->getRegions(), [](Region &region) {
    return llvm::any_of(region, [](Block &block) {
      return !block.empty() && block.back().getNumRegions() != 0;
    });
  });
  if (unsettled.empty() && !combines)
    return;
  unsigned hub = graph.addNode();
  analysis.operations[branch] = hub;
  for (Value operand : branch->getOperands())
    if (!isReference(operand.getType()))
      if (std::optional<unsigned> node = nodeOf(operand))
        graph.addEdge(*node, hub);
  for (Region &region : branch->getRegions())
    addOpaqueRegionFlow(branch, region, hub);
  for (unsigned node : unsettled)
    graph.addEdge(hub, node);
}

void ActivityBuilder::addBranchFlow(BranchOpInterface branch) {
  for (auto [index, successor] : llvm::enumerate(branch->getSuccessors())) {
    SuccessorOperands operands = branch.getSuccessorOperands(index);
    for (auto [i, argument] : llvm::enumerate(successor->getArguments())) {
      Value operand = i < operands.size() ? operands[i] : Value();
      if (!operand || isReference(argument.getType()))
        continue;
      std::optional<unsigned> from = nodeOf(operand), to = nodeOf(argument);
      if (from && to)
        graph.addEdge(*from, *to);
    }
  }
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

void ActivityBuilder::search() {
  SmallVector<unsigned> inputs = {outside, flow.getPiece(MemoryFlow::kUnknown)};
  SmallVector<unsigned> outputs = inputs;
  for (const MemoryFlow::Global &global : flow.getGlobals())
    if (global.isMutable) {
      inputs.push_back(flow.getPiece(global.node));
      outputs.push_back(flow.getPiece(global.node));
    }
  for (auto [argument, activity] : llvm::zip(function.getArguments(), args)) {
    std::optional<unsigned> node = nodeOf(argument);
    if (!node || activity == Activity::Const)
      continue;
    inputs.push_back(*node);
    // What is in the memory in the end is an output too.
    if (isReference(argument.getType()))
      outputs.push_back(*node);
  }
  for (Block &block : function.getFunctionBody()) {
    if (block.empty() || block.back().getNumSuccessors() != 0)
      continue;
    for (auto [operand, activity] :
         llvm::zip(block.back().getOperands(), results))
      if (autodiff::isActive(activity) || hasShadow(activity))
        if (std::optional<unsigned> node = nodeOf(operand)) {
          outputs.push_back(*node);
          // The caller expects a shadow of memory, whatever is in it.
          if (isReference(operand.getType()))
            inputs.push_back(*node);
        }
  }
  analysis.varied = graph.reach(inputs, /*backward=*/false);
  analysis.useful = graph.reach(outputs, /*backward=*/true);
}

LogicalResult ActivityBuilder::run() {
  classifyPieces();
  buildGraph();
  search();
  return success(succeeded(checkConstArguments()) && succeeded(checkViews()) &&
                 succeeded(checkAccesses()) &&
                 succeeded(checkLoadedReferences()));
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

FailureOr<std::unique_ptr<ActivityAnalysis>>
ActivityAnalysis::compute(FunctionOpInterface function, ArrayRef<Activity> args,
                          ArrayRef<Activity> results, CalleeEffects &callees) {
  std::unique_ptr<ActivityAnalysis> analysis(
      new ActivityAnalysis(function, callees));
  if (function.isExternal())
    return analysis;
  ActivityBuilder builder(*analysis, function, args, results, callees);
  if (failed(builder.run()))
    return failure();
  return analysis;
}

std::optional<unsigned> ActivityAnalysis::getNode(Value value) const {
  auto it = values.find(value);
  if (it != values.end())
    return it->second;
  if (std::optional<unsigned> node = flow.getNode(value))
    return flow.getPiece(*node);
  return std::nullopt;
}

bool ActivityAnalysis::isVaried(Value value) const {
  std::optional<unsigned> node = getNode(value);
  return node && carriesDerivatives(value.getType()) && varied.test(*node);
}

bool ActivityAnalysis::isUseful(Value value) const {
  std::optional<unsigned> node = getNode(value);
  return node && carriesDerivatives(value.getType()) && useful.test(*node);
}

bool ActivityAnalysis::isActive(Value value) const {
  return isVaried(value) && isUseful(value);
}

bool ActivityAnalysis::isActive(Operation *op) const {
  auto isActiveValue = [&](Value value) { return isActive(value); };
  if (llvm::any_of(op->getOperands(), isActiveValue) ||
      llvm::any_of(op->getResults(), isActiveValue))
    return true;
  // A call that only shares globals with other functions is left to those who
  // differentiate it.
  auto it = operations.find(op);
  return !isa<CallOpInterface>(op) && it != operations.end() &&
         varied.test(it->second) && useful.test(it->second);
}

void ActivityAnalysis::replace(Value from, Value to) {
  if (std::optional<unsigned> node = getNode(from))
    values[to] = *node;
}

void ActivityAnalysis::replace(Operation *from, Operation *to) {
  std::optional<unsigned> node;
  if (auto it = operations.find(from); it != operations.end()) {
    node = it->second;
    operations.erase(it);
  }
  // Whatever stood at this address before is gone.
  if (node)
    operations[to] = *node;
  else
    operations.erase(to);
  for (auto [result, replacement] :
       llvm::zip(from->getResults(), to->getResults()))
    replace(result, replacement);
}
