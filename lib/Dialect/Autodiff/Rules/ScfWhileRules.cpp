//===- ScfWhileRules.cpp - derivative rules of scf.while ------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reverse of a while loop is a counted loop over the N + 1 executions of
// its first region that the forward sweep made, from the last to the first;
// each followed by the reverse of the execution of the second region before it,
// if there is one. So that N is known, the loop is made to carry a counter:
//
//   %r = scf.while (%a = %i) : (f64) -> f64 {..}
//   %n, %r = scf.while (%c = 0, %a = %i) : (index, f64) -> (index, f64) {
//     ..; scf.condition(%more) %c, %b
//   } do { ^bb0(%c, %b): ..; scf.yield %c + 1, %x }
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Dialect/Autodiff/Rules/RegionRules.h"
#include "ScfLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::autodiff;

//===----------------------------------------------------------------------===//
// The counter
//===----------------------------------------------------------------------===//

static Value getCounterBefore(scf::WhileOp loop) {
  return loop.getBeforeArguments().front();
}
static Value getCounterAfter(scf::WhileOp loop) {
  return loop.getAfterArguments().front();
}
static Value getCount(scf::WhileOp loop) { return loop.getResults().front(); }

static void countIterations(RewriterBase &builder, scf::WhileOp loop) {
  builder.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Type index = builder.getIndexType();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);

  SmallVector<Value> inits = {zero};
  llvm::append_range(inits, loop.getInits());
  SmallVector<Type> types = {index};
  llvm::append_range(types, loop.getResultTypes());
  auto counted =
      scf::WhileOp::create(builder, loc, types, inits, loop->getAttrs());
  counted.getBefore().takeBody(loop.getBefore());
  counted.getAfter().takeBody(loop.getAfter());
  Value before = counted.getBeforeBody()->insertArgument(0u, index, loc);
  Value after = counted.getAfterBody()->insertArgument(0u, index, loc);

  // The condition itself is the first operand.
  counted.getConditionOp()->insertOperands(1, before);
  scf::YieldOp yield = counted.getYieldOp();
  builder.setInsertionPoint(yield);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value next = arith::AddIOp::create(builder, loc, after, one);
  yield->insertOperands(0, next);

  builder.replaceOp(loop, counted.getResults().drop_front());
}

namespace {

/// Both regions have the same number: the second runs after the first.
struct WhileSpace
    : IterationSpaceOpInterface::ExternalModel<WhileSpace, scf::WhileOp> {
  bool isCounted(Operation *) const { return false; }
  SmallVector<Value> getSpaceOperands(Operation *) const { return {}; }
  SmallVector<Value> getCounters(Operation *op) const {
    auto loop = cast<scf::WhileOp>(op);
    return {getCounterBefore(loop), getCounterAfter(loop)};
  }
  SmallVector<Value> createTripCounts(Operation *, OpBuilder &,
                                      ValueRange) const {
    return {};
  }
  Value createCounter(Operation *, OpBuilder &, Value, ValueRange,
                      ValueRange iteration) const {
    return iteration.front();
  }
  SmallVector<Value> createIteration(Operation *, OpBuilder &) const {
    return {};
  }
};

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

struct WhileModel
    : DifferentiableOpInterface::ExternalModel<WhileModel, scf::WhileOp> {
  LogicalResult prepare(Operation *op, RewriterBase &rewriter,
                        bool forReverse) const {
    if (forReverse)
      countIterations(rewriter, cast<scf::WhileOp>(op));
    return success();
  }

  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    needs.needPrimal(getCount(cast<scf::WhileOp>(op)));
  }

  LogicalResult emitTangent(Operation *op, TangentContext &context) const;
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const;
};

} // namespace

LogicalResult WhileModel::emitTangent(Operation *op,
                                      TangentContext &context) const {
  auto loop = cast<scf::WhileOp>(op);
  SmallVector<unsigned> entering =
      getActivePositions(context, loop.getInits(), loop.getBeforeArguments());
  SmallVector<unsigned> leaving =
      getActivePositions(context, loop.getResults(), loop.getAfterArguments());
  context.getBuilder().setInsertionPoint(op);
  FailureOr<SmallVector<Value>> inits =
      getTangents(context, loop.getInits(), entering);
  if (failed(inits))
    return failure();
  SmallVector<Type> types = getShadowTypes(pick(loop.getResults(), leaving),
                                           context.getOptions().width);
  unsigned numPrimals = loop.getNumResults();
  auto extended = cast<scf::WhileOp>(context.extend(op, *inits, types));
  Block *before = extended.getBeforeBody(), *after = extended.getAfterBody();
  Location loc = extended.getLoc();
  for (auto [index, position] : llvm::enumerate(entering))
    context.setTangent(before->getArgument(position),
                       before->addArgument((*inits)[index].getType(), loc));
  for (auto [index, position] : llvm::enumerate(leaving)) {
    context.setTangent(after->getArgument(position),
                       after->addArgument(types[index], loc));
    context.setTangent(extended.getResult(position),
                       extended.getResult(numPrimals + index));
  }
  scf::ConditionOp condition = extended.getConditionOp();
  if (failed(context.emitBlock(*before)) ||
      failed(
          appendTangents(context, condition, condition.getArgs(), leaving)) ||
      failed(context.emitBlock(*after)))
    return failure();
  scf::YieldOp yield = extended.getYieldOp();
  return appendTangents(context, yield, yield.getResults(), entering);
}

/// With x the values that enter the first region, y those that enter the second
/// and leave the loop, bars for adjoints and c for what is captured:
///
///   y', x', c' = for k = 0 .. N + 1 iter (y', x', c') {
///     x', c' = reverse of the first region, execution N - k, given y'
///     y', c' = if k < N: reverse of the second region, execution N - k - 1,
///                        given x'
///   }
///   adjoint of the initial values += x'
LogicalResult WhileModel::emitAdjoint(Operation *op,
                                      AdjointContext &context) const {
  auto loop = cast<scf::WhileOp>(op);
  Location loc = loop.getLoc();
  OpBuilder &builder = context.getBuilder();
  int64_t width = context.getOptions().width;
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<unsigned> leaving =
      getActivePositions(context, loop.getResults(), loop.getAfterArguments());
  SmallVector<unsigned> entering =
      getActivePositions(context, loop.getInits(), loop.getBeforeArguments());
  SmallVector<Value> captured = context.getCaptured(loop);
  SmallVector<Value> leavingArgs = pick(loop.getAfterArguments(), leaving);
  SmallVector<Value> enteringArgs = pick(loop.getBeforeArguments(), entering);
  SmallVector<Value> leavingAndCaptured = leavingArgs;
  llvm::append_range(leavingAndCaptured, captured);

  Value count = context.getPrimal(getCount(loop));
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value executions = arith::AddIOp::create(builder, loc, count, one);
  // Nothing has been accumulated for the arguments: zeros.
  SmallVector<Value> outer = pick(loop.getResults(), leaving);
  llvm::append_range(outer, enteringArgs);
  llvm::append_range(outer, captured);
  FailureOr<SmallVector<Value>> inits = context.getAdjoints(outer);
  FailureOr<SmallVector<Value>> zeros = context.getAdjoints(leavingArgs);
  if (failed(inits) || failed(zeros))
    return failure();

  ReversedLoop reverse = createReversedLoop(builder, loc, executions, *inits);
  ValueRange arguments = reverse.loop.getRegionIterArgs();
  ValueRange leavingAdjoints = arguments.take_front(leaving.size());
  ValueRange capturedAdjoints =
      arguments.drop_front(leaving.size() + entering.size());

  // The first region.
  SmallVector<Value> enteringAdjoints, between;
  scf::IfOp guard;
  Value previous;
  auto beginFirst = [&] {
    context.setAdjoints(captured, capturedAdjoints);
    context.addToAdjoints(pick(condition.getArgs(), leaving), leavingAdjoints);
  };
  auto endFirst = [&]() -> LogicalResult {
    FailureOr<SmallVector<Value>> entered = context.getAdjoints(enteringArgs);
    FailureOr<SmallVector<Value>> updated = context.getAdjoints(captured);
    if (failed(entered) || failed(updated))
      return failure();
    enteringAdjoints = *entered;
    between = *updated;
    // The second region ran before it unless this is the first time.
    Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       reverse.loop.getInductionVar(), count);
    guard = scf::IfOp::create(builder, loc,
                              getShadowTypes(leavingAndCaptured, width), more,
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
    SmallVector<Value> next(guard.getResults().take_front(leaving.size()));
    llvm::append_range(next, enteringAdjoints);
    llvm::append_range(next, guard.getResults().drop_front(leaving.size()));
    scf::YieldOp::create(builder, loc, next);
    for (Block *block : {guard.thenBlock(), guard.elseBlock()})
      if (!block->empty())
        block->back().erase();
    SmallVector<Value> otherwise = *zeros;
    llvm::append_range(otherwise, between);
    builder.setInsertionPointToEnd(guard.elseBlock());
    scf::YieldOp::create(builder, loc, otherwise);
    builder.setInsertionPointToEnd(guard.thenBlock());
    previous = arith::SubIOp::create(builder, loc, reverse.iteration, one);
    return success();
  };
  if (failed(context.reverseBlock(*loop.getBeforeBody(),
                                  *reverse.loop.getBody(), reverse.iteration,
                                  beginFirst, endFirst)))
    return failure();

  // The second region.
  auto beginSecond = [&] {
    context.setAdjoints(captured, between);
    context.addToAdjoints(pick(loop.getYieldOp().getResults(), entering),
                          enteringAdjoints);
  };
  auto endSecond = [&]() -> LogicalResult {
    FailureOr<SmallVector<Value>> results =
        context.getAdjoints(leavingAndCaptured);
    if (succeeded(results))
      scf::YieldOp::create(builder, loc, *results);
    return results;
  };
  if (failed(context.reverseBlock(*loop.getAfterBody(), *guard.thenBlock(),
                                  previous, beginSecond, endSecond)))
    return failure();

  ValueRange finals = reverse.loop.getResults();
  context.setAdjoints(captured,
                      finals.drop_front(leaving.size() + entering.size()));
  context.addToAdjoints(pick(loop.getInits(), entering),
                        finals.slice(leaving.size(), entering.size()));
  return success();
}

void mlir::autodiff::attachWhileRules(MLIRContext &context) {
  scf::WhileOp::attachInterface<WhileModel, WhileSpace>(context);
}
