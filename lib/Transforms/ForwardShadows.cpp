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
#include "mlir/Dialect/MemRef/IR/MemRef.h"

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
  Value getTangentOrZero(Value value) override;
  Operation *extend(Operation *op, ArrayRef<Value> operands,
                    ArrayRef<Type> results) override;
  LogicalResult emitBlock(Block &block) override;

private:
  LogicalResult thread(Operation *op);

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

Value ShadowThreader::getTangentOrZero(Value value) {
  if (Value shadow = shadows.lookup(value))
    return shadow;
  InFlightDiagnostic error =
      emitError(value.getLoc())
      << "active memory meets memory that carries no derivative";
  error.attachNote() << "pass both as 'dup'";
  return {};
}

Operation *ShadowThreader::extend(Operation *op, ArrayRef<Value> operands,
                                  ArrayRef<Type> results) {
  if (operands.empty() && results.empty())
    return op;
  return extendOperation(builder, op, operands, results,
                         [&](Value from, Value to) {
                           activity.replace(from, to);
                           if (threaded.contains(from))
                             threaded.insert(to);
                         });
}

LogicalResult ShadowThreader::thread(Operation *op) {
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  if (op->getNumRegions() != 0 && rule && !rule.isInactive()) {
    builder.setInsertionPointAfter(op);
    return rule.emitTangent(*this);
  }
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
  return rule && op->getNumRegions() == 0 ? rule.emitTangent(*this) : success();
}

LogicalResult ShadowThreader::emitBlock(Block &block) {
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
  if (failed(threader.emitBlock(function.front())))
    return failure();
  return threader.take();
}
