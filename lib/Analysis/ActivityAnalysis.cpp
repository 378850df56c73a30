//===- ActivityAnalysis.cpp - which values carry derivatives -------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the graph of dependences once, then searches it twice. An operation
// with several inputs and outputs is a node of its own, so that the graph stays
// linear in the function.
//
// Arguments that may overlap are kept apart here: `dup` ones are varied and
// useful anyway, and a `const` one is promised not to overlap with them.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ActivityAnalysis.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

class ActivityAnalysis::Builder {
public:
  Builder(ActivityAnalysis &analysis, CalleeEffects &callees)
      : analysis(analysis), memory(analysis.memory), callees(callees) {}

  void build();
  llvm::BitVector searchVaried(ArrayRef<Activity> args);
  llvm::BitVector searchUseful(ArrayRef<Activity> args,
                               ArrayRef<Activity> results);

private:
  using Edges = SmallVector<std::pair<unsigned, unsigned>>;

  void addEdge(Value from, Value to);
  void addEdges(ArrayRef<unsigned> inputs, ArrayRef<unsigned> outputs);
  void addOperation(Operation *op);
  void addCall(CallOpInterface call);
  void appendShared(SmallVectorImpl<unsigned> &nodes);
  llvm::BitVector search(SmallVector<unsigned> worklist, bool forward);

  ActivityAnalysis &analysis;
  const MemoryAnalysis &memory;
  CalleeEffects &callees;
  unsigned numNodes = 0;
  Edges edges;
  SmallVector<unsigned> shared;
};

void ActivityAnalysis::Builder::addEdge(Value from, Value to) {
  std::optional<unsigned> source = analysis.getNode(from);
  std::optional<unsigned> target = analysis.getNode(to);
  if (source && target)
    edges.emplace_back(*source, *target);
}

/// Everything in `inputs` flows into everything in `outputs`.
void ActivityAnalysis::Builder::addEdges(ArrayRef<unsigned> inputs,
                                         ArrayRef<unsigned> outputs) {
  if (inputs.empty() || outputs.empty())
    return;
  if (inputs.size() == 1 || outputs.size() == 1) {
    for (unsigned input : inputs)
      for (unsigned output : outputs)
        edges.emplace_back(input, output);
    return;
  }
  unsigned hub = numNodes++;
  for (unsigned input : inputs)
    edges.emplace_back(input, hub);
  for (unsigned output : outputs)
    edges.emplace_back(hub, output);
}

/// The classes that a function reaches without being passed them.
void ActivityAnalysis::Builder::appendShared(SmallVectorImpl<unsigned> &nodes) {
  nodes.append(shared.begin(), shared.end());
}

static bool isInactiveCallee(CallOpInterface call) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  Operation *callee =
      symbol ? SymbolTable::lookupNearestSymbolFrom(call, symbol) : nullptr;
  return callee && callee->hasAttr(AutodiffDialect::kInactiveAttr);
}

void ActivityAnalysis::Builder::addCall(CallOpInterface call) {
  if (isInactiveCallee(call))
    return;
  const FunctionEffects &effects = callees.get(call);
  SmallVector<unsigned> inputs, outputs;
  for (auto [index, operand] : llvm::enumerate(call.getArgOperands())) {
    std::optional<unsigned> node = analysis.getNode(operand);
    if (!node)
      continue;
    bool isByReference = isReference(operand.getType());
    if (!isByReference || effects.reads.test(index))
      inputs.push_back(*node);
    if (isByReference && effects.writes.test(index))
      outputs.push_back(*node);
  }
  for (Value result : call->getResults())
    if (std::optional<unsigned> node = analysis.getNode(result))
      outputs.push_back(*node);
  if (effects.readsGlobals)
    appendShared(inputs);
  if (effects.writesGlobals)
    appendShared(outputs);
  // What the callee reads of a global it may have been told by another global
  // that this function does not name.
  if (effects.readsGlobals)
    inputs.push_back(0);
  if (effects.writesGlobals)
    outputs.push_back(0);
  addEdges(inputs, outputs);
}

void ActivityAnalysis::Builder::addOperation(Operation *op) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping);
    for (auto &[operand, inputs] : mapping)
      for (Value input : inputs)
        addEdge(operand->get(), input);
    return;
  }
  if (auto call = dyn_cast<CallOpInterface>(op))
    return addCall(call);
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  if (op->hasTrait<OpTrait::IsTerminator>() || (rule && rule.isInactive()) ||
      isa<StopGradientOp>(op))
    return;
  SmallVector<unsigned> inputs, outputs;
  for (Value operand : op->getOperands())
    if (!isReference(operand.getType()))
      if (std::optional<unsigned> node = analysis.getNode(operand))
        inputs.push_back(*node);
  for (Value result : op->getResults())
    if (!isReference(result.getType()))
      if (std::optional<unsigned> node = analysis.getNode(result))
        outputs.push_back(*node);
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value reference = effect.getValue();
      std::optional<unsigned> node =
          reference ? analysis.getNode(reference) : std::nullopt;
      if (!node)
        continue;
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        inputs.push_back(*node);
      if (isa<MemoryEffects::Write>(effect.getEffect()))
        outputs.push_back(*node);
    }
  } else if (!isMemoryEffectFree(op)) {
    // Unknown: it may do anything to what it is given.
    for (Value operand : op->getOperands())
      if (isReference(operand.getType()))
        if (std::optional<unsigned> node = analysis.getNode(operand)) {
          inputs.push_back(*node);
          outputs.push_back(*node);
        }
  }
  addEdges(inputs, outputs);
}

void ActivityAnalysis::Builder::build() {
  FunctionOpInterface function = analysis.function;
  // Node 0 is the memory that only other functions know.
  numNodes = 1;
  auto number = [&](Value value) {
    if (isDifferentiableByValue(value.getType()))
      analysis.values[value] = numNodes++;
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), number);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), number);
  });
  analysis.firstClass = numNodes;
  numNodes += memory.getClasses().size();
  for (auto [index, memoryClass] : llvm::enumerate(memory.getClasses()))
    if (memoryClass.hasMutableGlobal || memoryClass.hasUnknownOrigin)
      shared.push_back(analysis.firstClass + index);
  function->walk([&](Operation *op) {
    if (op != function)
      addOperation(op);
  });
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

llvm::BitVector
ActivityAnalysis::Builder::search(SmallVector<unsigned> worklist,
                                  bool forward) {
  // Edges grouped by their source.
  SmallVector<unsigned> starts(numNodes + 2), targets(edges.size());
  auto source = [&](auto &edge) { return forward ? edge.first : edge.second; };
  for (auto &edge : edges)
    ++starts[source(edge) + 2];
  for (unsigned i = 2; i < starts.size(); ++i)
    starts[i] += starts[i - 1];
  for (auto &edge : edges)
    targets[starts[source(edge) + 1]++] = forward ? edge.second : edge.first;

  llvm::BitVector reached(numNodes);
  for (unsigned node : worklist)
    reached.set(node);
  while (!worklist.empty()) {
    unsigned node = worklist.pop_back_val();
    for (unsigned i = starts[node]; i < starts[node + 1]; ++i)
      if (!reached.test(targets[i])) {
        reached.set(targets[i]);
        worklist.push_back(targets[i]);
      }
  }
  return reached;
}

llvm::BitVector
ActivityAnalysis::Builder::searchVaried(ArrayRef<Activity> args) {
  SmallVector<unsigned> seeds = {0};
  appendShared(seeds);
  for (auto [argument, activity] :
       llvm::zip(analysis.function.getArguments(), args))
    if (autodiff::isActive(activity) || hasShadow(activity))
      if (std::optional<unsigned> node = analysis.getNode(argument))
        seeds.push_back(*node);
  return search(seeds, /*forward=*/true);
}

llvm::BitVector
ActivityAnalysis::Builder::searchUseful(ArrayRef<Activity> args,
                                        ArrayRef<Activity> results) {
  SmallVector<unsigned> seeds = {0};
  appendShared(seeds);
  for (auto [argument, activity] :
       llvm::zip(analysis.function.getArguments(), args))
    if (hasShadow(activity) && isReference(argument.getType()))
      if (std::optional<unsigned> node = analysis.getNode(argument))
        seeds.push_back(*node);
  for (Block &block : analysis.function.getFunctionBody()) {
    Operation *terminator = block.getTerminator();
    if (!terminator->hasTrait<OpTrait::ReturnLike>())
      continue;
    for (auto [operand, activity] :
         llvm::zip(terminator->getOperands(), results))
      if (autodiff::isActive(activity))
        if (std::optional<unsigned> node = analysis.getNode(operand))
          seeds.push_back(*node);
  }
  return search(seeds, /*forward=*/false);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

FailureOr<std::unique_ptr<ActivityAnalysis>>
ActivityAnalysis::compute(FunctionOpInterface function, ArrayRef<Activity> args,
                          ArrayRef<Activity> results, CalleeEffects &callees) {
  std::unique_ptr<ActivityAnalysis> analysis(
      new ActivityAnalysis(function, callees));
  if (function.isExternal())
    return analysis;
  Builder builder(*analysis, callees);
  builder.build();
  analysis->varied = builder.searchVaried(args);
  analysis->useful = builder.searchUseful(args, results);
  if (failed(analysis->verify(args)))
    return failure();
  return analysis;
}

std::optional<unsigned> ActivityAnalysis::getNode(Value value) const {
  if (isReference(value.getType())) {
    std::optional<unsigned> id = memory.getClassId(value);
    return id ? std::optional<unsigned>(firstClass + *id) : std::nullopt;
  }
  auto it = values.find(value);
  return it == values.end() ? std::nullopt
                            : std::optional<unsigned>(it->second);
}

bool ActivityAnalysis::isVaried(Value value) const {
  std::optional<unsigned> node = getNode(value);
  return node && varied.test(*node);
}

bool ActivityAnalysis::isUseful(Value value) const {
  std::optional<unsigned> node = getNode(value);
  return node && useful.test(*node);
}

bool ActivityAnalysis::isActive(Value value) const {
  return isDifferentiable(value.getType()) && isVaried(value) &&
         isUseful(value);
}

bool ActivityAnalysis::isActive(Operation *op) const {
  auto isActiveValue = [&](Value value) { return isActive(value); };
  return llvm::any_of(op->getOperands(), isActiveValue) ||
         llvm::any_of(op->getResults(), isActiveValue);
}

void ActivityAnalysis::replace(Value from, Value to) {
  auto it = values.find(from);
  if (it != values.end()) {
    unsigned node = it->second;
    values[to] = node;
  }
  memory.replace(from, to);
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

LogicalResult ActivityAnalysis::verifyConst(BlockArgument argument,
                                            const AliasClass &memoryClass,
                                            ArrayRef<Activity> args) const {
  unsigned index = argument.getArgNumber();
  for (BlockArgument other : memoryClass.arguments)
    if (other.getOwner() == argument.getOwner() &&
        args[other.getArgNumber()] != Activity::Const) {
      InFlightDiagnostic error = emitError(argument.getLoc())
                                 << "memory of the 'const' argument #" << index
                                 << " mixes with that of the active argument #"
                                 << other.getArgNumber();
      error.attachNote() << "pass argument #" << index << " as 'dup', too";
      return error;
    }
  Location loc = argument.getLoc();
  for (const MemoryAccess &write : memoryClass.writes)
    if (llvm::any_of(write.op->getOperands(), [&](Value operand) {
          return operand != write.reference && isActive(operand);
        })) {
      loc = write.op->getLoc();
      break;
    }
  InFlightDiagnostic error = emitError(loc)
                             << "an active value is kept in memory of the "
                                "'const' argument #"
                             << index;
  error.attachNote(argument.getLoc())
      << "pass argument #" << index << " as 'dup' with a shadow of zeros";
  return error;
}

LogicalResult ActivityAnalysis::verify(ArrayRef<Activity> args) const {
  for (const AliasClass &memoryClass : memory.getClasses()) {
    if (memoryClass.members.empty())
      continue;
    std::optional<unsigned> node = getNode(memoryClass.members.front());
    if (!varied.test(*node) || !useful.test(*node) ||
        llvm::none_of(memoryClass.members, [](Value member) {
          return isDifferentiable(member.getType());
        }))
      continue;
    for (BlockArgument argument : memoryClass.arguments) {
      FunctionOpInterface callee = function;
      if (argument.getOwner() == &callee.getFunctionBody().front() &&
          args[argument.getArgNumber()] == Activity::Const &&
          isDifferentiable(argument.getType()) &&
          failed(verifyConst(argument, memoryClass, args)))
        return failure();
    }
    if (memoryClass.hasUnknownOrigin)
      continue;
    for (Value member : memoryClass.members)
      if (!isDifferentiable(member.getType())) {
        InFlightDiagnostic error = emitError(member.getLoc())
                                   << "active memory is seen as "
                                   << member.getType()
                                   << ", which carries no derivative";
        error.attachNote() << "allocate memory of the type that it holds";
        return error;
      }
  }
  return success();
}

void ActivityAnalysis::print(raw_ostream &os) const {
  auto describe = [&](unsigned node) {
    if (varied.test(node))
      return useful.test(node) ? "active" : "varied";
    return useful.test(node) ? "useful" : "constant";
  };
  FunctionOpInterface callee = function;
  auto printValue = [&](Value value) {
    std::optional<unsigned> node = getNode(value);
    if (!node || !isDifferentiable(value.getType()))
      return;
    os << "  " << value.getLoc() << ": ";
    if (auto argument = dyn_cast<BlockArgument>(value))
      os << "argument #" << argument.getArgNumber() << " of '"
         << argument.getOwner()->getParentOp()->getName() << "'";
    else
      os << value.getDefiningOp()->getName();
    os << " : " << value.getType() << " is " << describe(*node) << "\n";
  };
  callee->walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::for_each(op->getResults(), printValue);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), printValue);
  });
}
