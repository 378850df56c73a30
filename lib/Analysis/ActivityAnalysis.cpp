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

#include "Analysis/ActivityAnalysis.h"
#include "ActivityGraph.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace mlir::autodiff {
class ActivityBuilder {
public:
  ActivityBuilder(ActivityAnalysis &analysis, FunctionOpInterface function,
                  ArrayRef<Activity> args, ArrayRef<Activity> results,
                  CalleeEffects &callees)
      : analysis(analysis), flow(analysis.flow), function(function), args(args),
        results(results), callees(callees) {}

  LogicalResult run();

private:
  using AccessKind = MemoryFlow::AccessKind;

  /// The node of a value or of the memory it refers to, if it can carry
  /// derivatives.
  std::optional<unsigned> nodeOf(Value value);
  std::optional<unsigned> nodeOf(const MemoryFlow::Access &access);

  void buildGraph();
  bool hasNoDerivative(Operation *op);
  void addDataFlow(Operation *op, ArrayRef<MemoryFlow::Access> accesses);
  void addRegionFlow(RegionBranchOpInterface branch);
  void addOpaqueRegionFlow(Operation *op, Region &region, unsigned hub);
  void addBranchFlow(BranchOpInterface branch);
  void search();

  LogicalResult checkConstArguments();
  LogicalResult checkMixing(BlockArgument constArgument);
  LogicalResult checkStores(BlockArgument constArgument);
  LogicalResult checkViews();
  LogicalResult checkLoadedReferences();
  bool isActiveNode(unsigned node) const {
    return analysis.varied.test(node) && analysis.useful.test(node);
  }

  ActivityAnalysis &analysis;
  const MemoryFlow &flow;
  FunctionOpInterface function;
  ArrayRef<Activity> args, results;
  CalleeEffects &callees;
  ActivityGraph graph;
  /// Stands for memory that is not named.
  unsigned outside = 0;
  /// Pieces that are seen as a type that carries derivatives somewhere.
  llvm::BitVector differentiablePieces;
};
} // namespace mlir::autodiff

/// Like isDifferentiable, but tapes need not have an opinion of their own.
static bool carriesDerivatives(Type type) {
  if (auto tape = dyn_cast<TapeType>(type))
    return isDifferentiable(tape.getElementType());
  if (auto stack = dyn_cast<StackType>(type))
    return isDifferentiable(stack.getElementType());
  return isDifferentiable(type);
}

std::optional<unsigned>
ActivityBuilder::nodeOf(const MemoryFlow::Access &access) {
  if (access.node == MemoryFlow::kOutside)
    return outside;
  unsigned piece = flow.getPiece(access.node);
  if (!differentiablePieces.test(piece))
    return std::nullopt;
  return piece;
}

std::optional<unsigned> ActivityBuilder::nodeOf(Value value) {
  if (std::optional<unsigned> node = flow.getNode(value)) {
    unsigned piece = flow.getPiece(*node);
    if (!differentiablePieces.test(piece))
      return std::nullopt;
    return piece;
  }
  if (!isDifferentiableByValue(value.getType()))
    return std::nullopt;
  auto [it, isNew] = analysis.values.try_emplace(value, 0);
  if (isNew)
    it->second = graph.addNode();
  return it->second;
}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

bool ActivityBuilder::hasNoDerivative(Operation *op) {
  if (isa<StopGradientOp, cf::AssertOp, vector::PrintOp>(op))
    return true;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    FunctionOpInterface callee = callees.getCallee(call);
    return callee && callee->hasAttr(AutodiffDialect::kInactiveAttr);
  }
  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  return differentiable && differentiable.isInactive();
}

void ActivityBuilder::buildGraph() {
  graph.addNodes(flow.getNumPieces());
  outside = graph.addNode();
  differentiablePieces.resize(flow.getNumPieces());
  differentiablePieces.set(flow.getPiece(MemoryFlow::kUnknown));
  for (unsigned node = 1; node < flow.getNumNodes(); ++node)
    if (carriesDerivatives(flow.getReference(node).getType()))
      differentiablePieces.set(flow.getPiece(node));
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
  for (Value operand : op->getOperands()) {
    std::optional<unsigned> node = nodeOf(operand);
    // A reference that is stored takes what it refers to along.
    if (node &&
        (!isReference(operand.getType()) ||
         (writes && !isa<CallOpInterface>(op) && !touched.contains(*node))))
      graph.addEdge(*node, hub);
  }
  for (Value result : op->getResults()) {
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
        if (std::optional<unsigned> node = nodeOf(operand))
          outputs.push_back(*node);
  }
  analysis.varied = graph.reach(inputs, /*backward=*/false);
  analysis.useful = graph.reach(outputs, /*backward=*/true);
}

LogicalResult ActivityBuilder::run() {
  buildGraph();
  search();
  return success(succeeded(checkConstArguments()) && succeeded(checkViews()) &&
                 succeeded(checkLoadedReferences()));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

LogicalResult ActivityBuilder::checkConstArguments() {
  for (auto [argument, activity] : llvm::zip(function.getArguments(), args)) {
    if (activity != Activity::Const ||
        !isDifferentiableReference(argument.getType()) ||
        !isActiveNode(*nodeOf(argument)))
      continue;
    if (failed(checkMixing(argument)) || failed(checkStores(argument)))
      return failure();
    return emitError(argument.getLoc())
           << "memory of the 'const' argument #" << argument.getArgNumber()
           << " may carry derivatives; pass it as 'dup'";
  }
  return success();
}

/// `constArgument` is in an active piece: does it share it with memory that is
/// active from the start?
LogicalResult ActivityBuilder::checkMixing(BlockArgument constArgument) {
  SmallVector<unsigned> active;
  for (auto [argument, activity] : llvm::zip(function.getArguments(), args))
    if (std::optional<unsigned> node = flow.getNode(argument))
      if (activity != Activity::Const)
        active.push_back(*node);
  for (const MemoryFlow::Global &global : flow.getGlobals())
    if (global.isMutable)
      active.push_back(global.node);
  active.push_back(MemoryFlow::kUnknown);
  unsigned node = *flow.getNode(constArgument);
  llvm::erase_if(active, [&](unsigned other) {
    return flow.getPiece(other) != flow.getPiece(node);
  });
  if (active.empty())
    return success();

  // Replay the joins to find the one that connects them.
  llvm::IntEqClasses classes(flow.getNumNodes());
  for (unsigned other : llvm::drop_begin(active))
    classes.join(active.front(), other);
  for (const MemoryFlow::Join &join : flow.getJoins()) {
    classes.join(join.a, join.b);
    if (classes.findLeader(node) != classes.findLeader(active.front()))
      continue;
    InFlightDiagnostic diag = join.op->emitError()
                              << "memory of the 'const' argument #"
                              << constArgument.getArgNumber()
                              << " mixes with memory that carries derivatives";
    diag.attachNote(constArgument.getLoc())
        << "pass the argument as 'dup', with a zeroed shadow";
    return failure();
  }
  return success();
}

/// `constArgument` is in an active piece that is not active from the start:
/// something varied is stored there.
LogicalResult ActivityBuilder::checkStores(BlockArgument constArgument) {
  unsigned piece = *nodeOf(constArgument);
  for (const MemoryFlow::Access &access : flow.getAccesses()) {
    if (access.kind != AccessKind::Write ||
        access.node == MemoryFlow::kOutside ||
        flow.getPiece(access.node) != piece)
      continue;
    auto hub = analysis.operations.find(access.op);
    if (hub == analysis.operations.end() || !analysis.varied.test(hub->second))
      continue;
    InFlightDiagnostic diag =
        access.op->emitError()
        << "stores a value that carries a derivative in the memory of the "
           "'const' argument #"
        << constArgument.getArgNumber() << ", from where it is used";
    diag.attachNote(constArgument.getLoc())
        << "pass the argument as 'dup', with a zeroed shadow";
    return failure();
  }
  return success();
}

LogicalResult ActivityBuilder::checkViews() {
  for (const MemoryFlow::Join &join : flow.getJoins()) {
    Value a = flow.getReference(join.a), b = flow.getReference(join.b);
    if (!a || !b ||
        carriesDerivatives(a.getType()) == carriesDerivatives(b.getType()) ||
        !isActiveNode(flow.getPiece(join.a)))
      continue;
    Type type = carriesDerivatives(a.getType()) ? b.getType() : a.getType();
    InFlightDiagnostic diag =
        join.op->emitError()
        << "memory that carries derivatives is also seen as " << type
        << ", which carries none";
    diag.attachNote() << "give the memory a floating-point element type";
    return failure();
  }
  return success();
}

/// The shadow of a reference that is loaded is loaded from the shadow of what
/// it is loaded from.
LogicalResult ActivityBuilder::checkLoadedReferences() {
  for (const MemoryFlow::Access &access : flow.getAccesses()) {
    if (access.kind != AccessKind::Read || isa<CallOpInterface>(access.op))
      continue;
    std::optional<unsigned> from = nodeOf(access);
    for (Value result : access.op->getResults()) {
      if (!isReference(result.getType()) || !analysis.isActive(result) ||
          (from && isActiveNode(*from)))
        continue;
      InFlightDiagnostic diag = access.op->emitError()
                                << "loads a reference to memory that may carry "
                                   "derivatives from memory that carries none";
      diag.attachNote() << "pass the memory of references as 'dup'";
      return failure();
    }
  }
  return success();
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
