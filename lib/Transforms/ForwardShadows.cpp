//===- ForwardShadows.cpp - shadows made in the forward sweep ------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two buffers that change places in every iteration of a loop:
//
//   scf.for .. iter_args(%a = %m, %b = %n) { ..; scf.yield %b, %a }
//
// Which shadow belongs to %a in an iteration is known only in that iteration of
// the forward sweep. So the shadows of such memory are carried beside it, as in
// forward mode, and the plan keeps them like other values that are needed.
//
//===----------------------------------------------------------------------===//

#include "ForwardShadows.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "ExtendOperation.h"
#include "MutableGlobals.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

class ShadowThreader : public TangentContext {
public:
  ShadowThreader(func::FuncOp function, Differentiator &differentiator,
                 const EmissionOptions &options, ActivityAnalysis &activity,
                 const MemoryAnalysis &memory, ForwardShadows shadows)
      : function(function), differentiator(differentiator), options(options),
        activity(activity), memory(memory), shadows(std::move(shadows)),
        builder(function.getContext()) {}

  bool findMemory();
  LogicalResult thread(Block &block);
  ForwardShadows take() { return std::move(shadows); }

  OpBuilder &getBuilder() override { return builder; }
  const EmissionOptions &getOptions() const override { return options; }
  Value getPrimal(Value primal) override { return primal; }
  Value getTangent(Value primal) override { return shadows.lookup(primal); }
  bool isActive(Value value) const override {
    return isDifferentiableReference(value.getType()) &&
           activity.isActive(value) && threaded.contains(value);
  }
  void setTangent(Value primal, Value tangent) override {
    shadows[primal] = tangent;
  }

private:
  LogicalResult thread(Operation *op);
  LogicalResult threadRegions(Operation *op);
  LogicalResult appendShadows(Operation *terminator, ValueRange values,
                              ArrayRef<unsigned> positions);
  SmallVector<unsigned> getPositions(ValueRange values) const;

  func::FuncOp function;
  Differentiator &differentiator;
  const EmissionOptions &options;
  ActivityAnalysis &activity;
  const MemoryAnalysis &memory;
  ForwardShadows shadows;
  OpBuilder builder;
  llvm::DenseSet<Value> threaded;
};

/// Finds the references to be given shadows. Returns whether there are any.
bool ShadowThreader::findMemory() {
  for (const AliasClass &memoryClass : memory.getClasses()) {
    if (!memoryClass.passesThroughRegion || memoryClass.hasUnknownOrigin)
      continue;
    bool known =
        llvm::all_of(memoryClass.arguments, [&](BlockArgument argument) {
          return argument.getOwner() != &function.front() ||
                 !activity.isActive(argument) || shadows.contains(argument);
        });
    if (known)
      threaded.insert(memoryClass.members.begin(), memoryClass.members.end());
  }
  return llvm::any_of(threaded, [&](Value value) {
    return activity.isActive(value) &&
           isDifferentiableReference(value.getType());
  });
}

SmallVector<unsigned> ShadowThreader::getPositions(ValueRange values) const {
  SmallVector<unsigned> positions;
  for (auto [index, value] : llvm::enumerate(values))
    if (isActive(value))
      positions.push_back(index);
  return positions;
}

LogicalResult ShadowThreader::appendShadows(Operation *terminator,
                                            ValueRange values,
                                            ArrayRef<unsigned> positions) {
  SmallVector<Value> appended;
  for (unsigned position : positions) {
    Value shadow = shadows.lookup(values[position]);
    if (!shadow) {
      InFlightDiagnostic error =
          terminator->emitError()
          << "active memory meets memory that carries no derivative";
      error.attachNote() << "pass both as 'dup'";
      return error;
    }
    appended.push_back(shadow);
  }
  terminator->insertOperands(terminator->getNumOperands(), appended);
  return success();
}

LogicalResult ShadowThreader::threadRegions(Operation *op) {
  // The operands that enter, and the arguments they become.
  ValueRange inits, arguments;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    inits = loop.getInitArgs();
    arguments = loop.getRegionIterArgs();
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    inits = loop.getInits();
    arguments = loop.getBeforeArguments();
  }
  SmallVector<unsigned> entering = getPositions(arguments);
  SmallVector<unsigned> leaving = getPositions(op->getResults());
  if (isa<scf::ForOp>(op))
    leaving = entering;
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    leaving = getPositions(loop.getAfterArguments());

  SmallVector<Value> operands;
  for (unsigned position : entering) {
    operands.push_back(shadows.lookup(inits[position]));
    if (!operands.back())
      return op->emitError()
             << "carries active memory whose shadow is not known here";
  }
  SmallVector<Type> types;
  for (unsigned position : leaving)
    types.push_back(
        getShadowType(op->getResult(position).getType(), options.width));
  unsigned numPrimals = op->getNumResults();
  if (!entering.empty() || !leaving.empty())
    op = extendOperation(builder, op, operands, types,
                         [&](Value from, Value to) {
                           activity.replace(from, to);
                           if (threaded.contains(from))
                             threaded.insert(to);
                         });
  for (auto [index, position] : llvm::enumerate(leaving))
    setTangent(op->getResult(position), op->getResult(numPrimals + index));

  Location loc = op->getLoc();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [index, position] : llvm::enumerate(entering))
      setTangent(loop.getRegionIterArg(position),
                 loop.getBody()->addArgument(operands[index].getType(), loc));
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    Block *before = loop.getBeforeBody(), *after = loop.getAfterBody();
    for (auto [index, position] : llvm::enumerate(entering))
      setTangent(before->getArgument(position),
                 before->addArgument(operands[index].getType(), loc));
    for (auto [index, position] : llvm::enumerate(leaving))
      setTangent(after->getArgument(position),
                 after->addArgument(types[index], loc));
  }
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    if (failed(thread(region.front())))
      return failure();
    Operation *terminator = region.front().getTerminator();
    ValueRange values = terminator->getOperands();
    ArrayRef<unsigned> positions = leaving;
    if (auto condition = dyn_cast<scf::ConditionOp>(terminator))
      values = condition.getArgs();
    else if (isa<scf::WhileOp>(op))
      positions = entering;
    if (failed(appendShadows(terminator, values, positions)))
      return failure();
  }
  return success();
}

LogicalResult ShadowThreader::thread(Operation *op) {
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op))
    return threadRegions(op);
  if (llvm::none_of(op->getResults(),
                    [&](Value result) { return isActive(result); }))
    return success();
  builder.setInsertionPointAfter(op);
  if (auto access = dyn_cast<memref::GetGlobalOp>(op)) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        op, access.getNameAttr());
    if (!global)
      return success();
    memref::GlobalOp shadow =
        getShadowGlobal(differentiator.getSymbolTable(), global, options);
    setTangent(access, memref::GetGlobalOp::create(builder, op->getLoc(),
                                                   shadow.getType(),
                                                   shadow.getSymName()));
    return success();
  }
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  return rule && op->getNumRegions() == 0 ? rule.emitTangent(*this) : success();
}

LogicalResult ShadowThreader::thread(Block &block) {
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(thread(op)))
      return failure();
  return success();
}

} // namespace

FailureOr<ForwardShadows> mlir::autodiff::createForwardShadows(
    func::FuncOp function, Differentiator &differentiator,
    const EmissionOptions &options, ActivityAnalysis &activity,
    const MemoryAnalysis &memory,
    const llvm::DenseMap<Value, Value> &arguments) {
  ShadowThreader threader(function, differentiator, options, activity, memory,
                          arguments);
  if (!threader.findMemory())
    return ForwardShadows();
  if (failed(threader.thread(function.front())))
    return failure();
  return threader.take();
}
