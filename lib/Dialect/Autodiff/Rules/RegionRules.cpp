//===- RegionRules.cpp - for rules of operations with regions -------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Rules/RegionRules.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

SmallVector<unsigned>
mlir::autodiff::getActivePositions(const TangentContext &context,
                                   ValueRange values, ValueRange others) {
  SmallVector<unsigned> positions;
  for (auto [index, value, other] : llvm::enumerate(values, others))
    if (context.isActive(value) || context.isActive(other))
      positions.push_back(index);
  return positions;
}

SmallVector<unsigned>
mlir::autodiff::getActivePositions(const AdjointContext &context,
                                   ValueRange values, ValueRange others) {
  SmallVector<unsigned> positions;
  for (auto [index, value, other] : llvm::enumerate(values, others))
    if (isDifferentiableByValue(value.getType()) &&
        (context.isActive(value) || context.isActive(other)))
      positions.push_back(index);
  return positions;
}

SmallVector<Value> mlir::autodiff::pick(ValueRange range,
                                        ArrayRef<unsigned> positions) {
  return llvm::map_to_vector(
      positions, [&](unsigned position) { return range[position]; });
}

SmallVector<Type> mlir::autodiff::getShadowTypes(ValueRange values,
                                                 int64_t width) {
  return llvm::map_to_vector(values, [&](Value value) {
    return getShadowType(value.getType(), width);
  });
}

FailureOr<SmallVector<Value>>
mlir::autodiff::getTangents(TangentContext &context, ValueRange values,
                            ArrayRef<unsigned> positions) {
  SmallVector<Value> tangents;
  for (Value value : pick(values, positions)) {
    tangents.push_back(context.getTangentOrZero(value));
    if (!tangents.back())
      return failure();
  }
  return tangents;
}

LogicalResult mlir::autodiff::appendTangents(TangentContext &context,
                                             Operation *terminator,
                                             ValueRange values,
                                             ArrayRef<unsigned> positions) {
  context.getBuilder().setInsertionPoint(terminator);
  FailureOr<SmallVector<Value>> tangents =
      getTangents(context, values, positions);
  if (failed(tangents))
    return failure();
  terminator->insertOperands(terminator->getNumOperands(), *tangents);
  return success();
}

LogicalResult mlir::autodiff::emitBranchTangent(Operation *op,
                                                TangentContext &context) {
  SmallVector<unsigned> positions =
      getActivePositions(context, op->getResults(), op->getResults());
  SmallVector<Type> types = getShadowTypes(pick(op->getResults(), positions),
                                           context.getOptions().width);
  unsigned numPrimals = op->getNumResults();
  Operation *extended = context.extend(op, {}, types);
  for (auto [index, position] : llvm::enumerate(positions))
    context.setTangent(extended->getResult(position),
                       extended->getResult(numPrimals + index));
  for (Region &region : extended->getRegions()) {
    if (region.empty())
      continue;
    Block &block = region.front();
    if (failed(context.emitBlock(block)))
      return failure();
    Operation *terminator = block.getTerminator();
    if (failed(appendTangents(context, terminator, terminator->getOperands(),
                              positions)))
      return failure();
  }
  return success();
}

LogicalResult mlir::autodiff::emitBranchAdjoint(
    Operation *branch, Operation *reverse, AdjointContext &context,
    llvm::function_ref<void(OpBuilder &, Location, ValueRange)> createYield) {
  Location loc = branch->getLoc();
  OpBuilder &builder = context.getBuilder();
  SmallVector<unsigned> positions =
      getActivePositions(context, branch->getResults(), branch->getResults());
  SmallVector<Value> captured = context.getCaptured(branch);
  // Incoming adjoints dominate the branch: the regions use them as they are.
  SmallVector<Value> seeds = llvm::map_to_vector(
      pick(branch->getResults(), positions),
      [&](Value result) { return context.getAdjoint(result); });
  SmallVector<Value> incoming = llvm::map_to_vector(
      captured, [&](Value value) { return context.getAdjoint(value); });
  auto yield = [&]() -> LogicalResult {
    FailureOr<SmallVector<Value>> adjoints = context.getAdjoints(captured);
    if (failed(adjoints))
      return failure();
    createYield(builder, loc, *adjoints);
    return success();
  };
  for (unsigned i = 0; i < branch->getNumRegions(); ++i) {
    Region &region = branch->getRegion(i), &mirror = reverse->getRegion(i);
    if (mirror.empty())
      continue;
    Block *block = &mirror.front();
    if (!block->empty())
      block->back().erase();
    // A branch that is not written out passes everything through.
    if (region.empty()) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(block);
      if (failed(yield()))
        return failure();
      continue;
    }
    auto begin = [&] {
      context.setAdjoints(captured, incoming);
      context.addToAdjoints(
          pick(region.front().getTerminator()->getOperands(), positions),
          seeds);
    };
    if (failed(context.reverseBlock(region.front(), *block, {}, begin, yield)))
      return failure();
  }
  context.setAdjoints(captured, reverse->getResults());
  return success();
}
