//===- ScfLoops.cpp - how often loops run ---------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All in `index`, so that the difference of two bounds of a narrow type does
// not overflow.
//
//===----------------------------------------------------------------------===//

#include "ScfLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::autodiff;

static Value toIndex(OpBuilder &builder, scf::ForOp loop, Value value) {
  Type index = builder.getIndexType();
  if (value.getType() == index)
    return value;
  if (loop.getUnsignedCmp())
    return builder.createOrFold<arith::IndexCastUIOp>(loop.getLoc(), index,
                                                      value);
  return builder.createOrFold<arith::IndexCastOp>(loop.getLoc(), index, value);
}

static Value createIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value mlir::autodiff::createTripCount(OpBuilder &builder, scf::ForOp loop,
                                      Value lower, Value upper, Value step) {
  Location loc = loop.getLoc();
  lower = toIndex(builder, loop, lower);
  upper = toIndex(builder, loop, upper);
  step = toIndex(builder, loop, step);
  Value zero = createIndex(builder, loc, 0);
  Value span = builder.createOrFold<arith::SubIOp>(loc, upper, lower);
  if (!loop.getUnsignedCmp()) {
    Value count = builder.createOrFold<arith::CeilDivSIOp>(loc, span, step);
    return builder.createOrFold<arith::MaxSIOp>(loc, count, zero);
  }
  Value count = builder.createOrFold<arith::CeilDivUIOp>(loc, span, step);
  Value runs = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ult, lower, upper);
  return builder.createOrFold<arith::SelectOp>(loc, runs, count, zero);
}

Value mlir::autodiff::createInductionVariable(OpBuilder &builder,
                                              scf::ForOp loop, Value lower,
                                              Value step, Value iteration) {
  Location loc = loop.getLoc();
  Type type = loop.getInductionVar().getType();
  Value count = iteration;
  // Truncation keeps what wraps around in the type of the loop.
  if (!type.isIndex())
    count = builder.createOrFold<arith::IndexCastOp>(loc, type, iteration);
  Value offset = builder.createOrFold<arith::MulIOp>(loc, count, step);
  return builder.createOrFold<arith::AddIOp>(loc, lower, offset);
}

Value mlir::autodiff::createIteration(OpBuilder &builder, scf::ForOp loop,
                                      Value lower, Value step) {
  Location loc = loop.getLoc();
  Value offset = builder.createOrFold<arith::SubIOp>(
      loc, toIndex(builder, loop, loop.getInductionVar()),
      toIndex(builder, loop, lower));
  return builder.createOrFold<arith::DivUIOp>(loc, offset,
                                              toIndex(builder, loop, step));
}

ReversedLoop mlir::autodiff::createReversedLoop(OpBuilder &builder,
                                                Location loc, Value count,
                                                ValueRange inits) {
  Value zero = createIndex(builder, loc, 0);
  Value one = createIndex(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, count, one, inits);
  if (inits.empty())
    loop.getBody()->getTerminator()->erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  one = createIndex(builder, loc, 1);
  Value last = arith::SubIOp::create(builder, loc, count, one);
  Value iteration =
      arith::SubIOp::create(builder, loc, last, loop.getInductionVar());
  return {loop, iteration};
}
