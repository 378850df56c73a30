//===- ForwardSweep.cpp - writing the tape -------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies a ReversePlan to the forward sweep; takes no decisions.
//
//===----------------------------------------------------------------------===//

#include "ForwardSweep.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

class TapeWriter {
public:
  TapeWriter(func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  Value create(const TapeSlot &slot);
  void write(const TapeSlot &slot, Value tape);

private:
  Value hoist(Value value, Operation *before);
  ValueRange getTripCounts(IterationSpaceOpInterface loop, Operation *before);
  ValueRange getIteration(IterationSpaceOpInterface loop);

  func::FuncOp function;
  OpBuilder builder;
  llvm::DenseMap<Operation *, IRMapping> hoisted;
  llvm::DenseMap<Operation *, SmallVector<Value>> tripCounts, iterations;
};

/// Copies the operations that lead to `value` before `before`; see
/// canHoistBefore.
Value TapeWriter::hoist(Value value, Operation *before) {
  IRMapping &mapping = hoisted[before];
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value current = worklist.back();
    Operation *op = current.getDefiningOp();
    if (mapping.contains(current) ||
        (current.getParentBlock() == before->getBlock() &&
         (!op || op->isBeforeInBlock(before)))) {
      worklist.pop_back();
      continue;
    }
    size_t size = worklist.size();
    for (Value operand : op->getOperands())
      if (!mapping.contains(operand) &&
          operand.getParentBlock() != before->getBlock())
        worklist.push_back(operand);
    if (worklist.size() != size)
      continue;
    builder.clone(*op, mapping);
    worklist.pop_back();
  }
  return mapping.lookupOrDefault(value);
}

ValueRange TapeWriter::getTripCounts(IterationSpaceOpInterface loop,
                                     Operation *before) {
  SmallVector<Value> &counts = tripCounts[loop];
  if (counts.empty()) {
    builder.setInsertionPoint(before);
    SmallVector<Value> operands =
        llvm::map_to_vector(loop.getSpaceOperands(), [&](Value operand) {
          return hoist(operand, before);
        });
    counts = loop.createTripCounts(builder, operands);
  }
  return counts;
}

ValueRange TapeWriter::getIteration(IterationSpaceOpInterface loop) {
  SmallVector<Value> &iteration = iterations[loop];
  if (iteration.empty()) {
    builder.setInsertionPointToStart(&loop->getRegion(0).front());
    iteration = loop.createIteration(builder);
  }
  return iteration;
}

Value TapeWriter::create(const TapeSlot &slot) {
  Location loc = slot.value.getLoc();
  MLIRContext *context = builder.getContext();
  Type type = slot.value.getType();
  if (!slot.indexed) {
    builder.setInsertionPoint(slot.outermost);
    return StackCreateOp::create(builder, loc, StackType::get(context, type));
  }
  SmallVector<Value> sizes;
  for (IterationSpaceOpInterface loop : slot.loops)
    llvm::append_range(sizes, getTripCounts(loop, slot.outermost));
  builder.setInsertionPoint(slot.outermost);
  return TapeCreateOp::create(builder, loc,
                              TapeType::get(context, sizes.size(), type), sizes,
                              /*zeroed=*/false);
}

void TapeWriter::write(const TapeSlot &slot, Value tape) {
  Value value = slot.value;
  Location loc = value.getLoc();
  SmallVector<Value> indices;
  if (slot.indexed)
    for (IterationSpaceOpInterface loop : slot.loops)
      llvm::append_range(indices, getIteration(loop));
  if (Operation *op = value.getDefiningOp()) {
    builder.setInsertionPointAfter(op);
  } else {
    builder.setInsertionPointToStart(value.getParentBlock());
    // The iteration of the loop itself is computed at the start, too.
    for (Value index : indices)
      if (Operation *last = index.getDefiningOp();
          last && last->getBlock() == value.getParentBlock())
        builder.setInsertionPointAfter(last);
  }
  if (slot.indexed)
    TapeWriteOp::create(builder, loc, value, tape, indices);
  else
    StackPushOp::create(builder, loc, value, tape);
}

} // namespace

SmallVector<Value> mlir::autodiff::writeTapes(func::FuncOp function,
                                              const ReversePlan &plan) {
  TapeWriter writer(function);
  SmallVector<Value> tapes;
  for (const TapeSlot &slot : plan.getSlots()) {
    tapes.push_back(writer.create(slot));
    writer.write(slot, tapes.back());
  }
  return tapes;
}
