//===- ReverseControlFlow.cpp - the reverse of loops, branches and calls -===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region operation turns into one whose results are adjoints: those of the
// loop-carried values, and those of the active values captured from above,
// which the regions update.
//
//   scf.for     a loop over as many iterations, from the last to the first
//   scf.if, scf.index_switch
//               the same branch again
//   scf.while   a counted loop over the N + 1 executions of the first region,
//               from the last to the first; each followed by the reverse of the
//               execution of the second region before it, if there is one
//
//===----------------------------------------------------------------------===//

#include "CountWhile.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "ReverseEmitter.h"
#include "TripCount.h"

using namespace mlir;
using namespace mlir::autodiff;

SmallVector<Value> ReverseEmitter::getCaptured(Operation *op) const {
  auto it = plan.getNeeds().captured.find(op);
  if (it == plan.getNeeds().captured.end())
    return {};
  return llvm::to_vector(it->second);
}

/// The adjoints of `values` in the current frame, zeros where there are none.
SmallVector<Value> ReverseEmitter::takeAdjoints(ValueRange values) {
  SmallVector<Value> adjoints;
  for (Value value : values) {
    Value adjoint = getAdjoint(value);
    if (!adjoint)
      adjoint = createZeroAdjoint(value);
    if (!adjoint) {
      hasFailed = true;
      InFlightDiagnostic error =
          emitError(value.getLoc())
          << "the adjoint of a value of type " << value.getType()
          << " passes through control flow, which takes a static shape";
      error.attachNote() << "bufferize before differentiating";
    }
    adjoints.push_back(adjoint);
  }
  return adjoints;
}

void ReverseEmitter::setAdjoints(Frame &frame, ValueRange values,
                                 ValueRange adjoints) {
  for (auto [value, adjoint] : llvm::zip_equal(values, adjoints))
    frame.adjoints[value] = adjoint;
}

void ReverseEmitter::addToAdjoints(ValueRange values,
                                   ValueRange contributions) {
  for (auto [value, contribution] : llvm::zip_equal(values, contributions))
    addToAdjoint(value, contribution);
}

/// The values of `range` at `positions`.
static SmallVector<Value> pick(ValueRange range, ArrayRef<unsigned> positions) {
  return llvm::map_to_vector(
      positions, [&](unsigned position) { return range[position]; });
}

/// A counted loop over `count` iterations without a terminator.
static scf::ForOp createLoop(OpBuilder &builder, Location loc, Value count,
                             ValueRange inits) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, count, one, inits);
  if (inits.empty())
    loop.getBody()->getTerminator()->erase();
  return loop;
}

/// `count` - 1 - the induction variable of `loop`, at the builder.
static Value createReversedIteration(OpBuilder &builder, scf::ForOp loop,
                                     Value count) {
  Location loc = loop.getLoc();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value last = arith::SubIOp::create(builder, loc, count, one);
  return arith::SubIOp::create(builder, loc, last, loop.getInductionVar());
}

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

LogicalResult ReverseEmitter::reverseFor(scf::ForOp loop) {
  Location loc = loop.getLoc();
  SmallVector<unsigned> carried =
      getActiveIterArgs(activity, loop.getResults(), loop.getRegionIterArgs());
  SmallVector<Value> captured = getCaptured(loop);
  Value count = createTripCount(builder, loop, getPrimal(loop.getLowerBound()),
                                getPrimal(loop.getUpperBound()),
                                getPrimal(loop.getStep()));
  SmallVector<Value> inits = takeAdjoints(pick(loop.getResults(), carried));
  llvm::append_range(inits, takeAdjoints(captured));
  if (hasFailed)
    return failure();

  Frame &outer = *current;
  scf::ForOp reverse = createLoop(builder, loc, count, inits);
  outer.open = reverse;
  ValueRange arguments = reverse.getRegionIterArgs();

  Frame frame;
  builder.setInsertionPointToStart(reverse.getBody());
  Value iteration = createReversedIteration(builder, reverse, count);
  enter(frame, loop.getBody(), reverse.getBody(), iteration);
  setAdjoints(frame, captured, arguments.drop_front(carried.size()));
  addToAdjoints(pick(loop.getYieldedValues(), carried),
                arguments.take_front(carried.size()));
  if (failed(reverseBlock(frame)))
    return failure();
  SmallVector<Value> next =
      takeAdjoints(pick(loop.getRegionIterArgs(), carried));
  llvm::append_range(next, takeAdjoints(captured));
  scf::YieldOp::create(builder, loc, next);
  leave(frame);

  ValueRange results = reverse.getResults();
  setAdjoints(outer, captured, results.drop_front(carried.size()));
  addToAdjoints(pick(loop.getInitArgs(), carried),
                results.take_front(carried.size()));
  return success(!hasFailed);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Fills the regions of `reverse`, which mirrors `branch` region by region and
/// returns the adjoints of `captured`. `positions` are the results of `branch`
/// that have adjoints.
LogicalResult ReverseEmitter::reverseBranch(Operation *branch,
                                            Operation *reverse,
                                            ArrayRef<Value> captured,
                                            ArrayRef<unsigned> positions) {
  Location loc = branch->getLoc();
  Frame &outer = *current;
  // Incoming adjoints dominate the branch: the regions use them as they are.
  SmallVector<Value> seeds =
      llvm::map_to_vector(pick(branch->getResults(), positions),
                          [&](Value result) { return getAdjoint(result); });
  SmallVector<Value> incoming = llvm::map_to_vector(
      captured, [&](Value value) { return getAdjoint(value); });
  outer.open = reverse;
  for (auto [region, mirror] :
       llvm::zip_equal(branch->getRegions(), reverse->getRegions())) {
    if (mirror.empty())
      continue;
    Block *block = &mirror.front();
    if (!block->empty())
      block->back().erase();
    // A branch that is not written out passes everything through.
    if (region.empty()) {
      builder.setInsertionPointToEnd(block);
      scf::YieldOp::create(builder, loc, takeAdjoints(captured));
      continue;
    }
    Frame frame;
    enter(frame, &region.front(), block, Value());
    setAdjoints(frame, captured, incoming);
    addToAdjoints(
        pick(region.front().getTerminator()->getOperands(), positions), seeds);
    if (failed(reverseBlock(frame)))
      return failure();
    scf::YieldOp::create(builder, loc, takeAdjoints(captured));
    leave(frame);
    outer.open = reverse;
  }
  outer.open = nullptr;
  setInsertionPoint(outer);
  setAdjoints(outer, captured, reverse->getResults());
  return success(!hasFailed);
}

static SmallVector<unsigned> getActiveResults(const ActivityQuery &activity,
                                              Operation *op) {
  return getActiveIterArgs(activity, op->getResults(), op->getResults());
}

/// The types of the adjoints of `values`.
static SmallVector<Type> getAdjointTypes(ArrayRef<Value> values,
                                         int64_t width) {
  return llvm::map_to_vector(values, [&](Value value) {
    return getShadowType(value.getType(), width);
  });
}

LogicalResult ReverseEmitter::reverseIf(scf::IfOp branch) {
  SmallVector<Value> captured = getCaptured(branch);
  bool hasElse = !captured.empty() || branch.elseBlock();
  auto reverse = scf::IfOp::create(
      builder, branch.getLoc(), getAdjointTypes(captured, options.width),
      getPrimal(branch.getCondition()), /*addThenBlock=*/true, hasElse);
  return reverseBranch(branch, reverse, captured,
                       getActiveResults(activity, branch));
}

LogicalResult ReverseEmitter::reverseIndexSwitch(scf::IndexSwitchOp branch) {
  SmallVector<Value> captured = getCaptured(branch);
  auto reverse = scf::IndexSwitchOp::create(
      builder, branch.getLoc(), getAdjointTypes(captured, options.width),
      getPrimal(branch.getArg()), branch.getCases(), branch.getNumCases());
  for (Region &region : reverse->getRegions())
    region.emplaceBlock();
  return reverseBranch(branch, reverse, captured,
                       getActiveResults(activity, branch));
}

//===----------------------------------------------------------------------===//
// scf.while
//===----------------------------------------------------------------------===//

/// With x the values that enter the first region, y those that enter the second
/// and leave the loop, bars for adjoints and c for what is captured:
///
///   y', x', c' = for k = 0 .. N + 1 iter (y', x', c') {
///     x', c' = reverse of the first region, execution N - k, given y'
///     y', c' = if k < N: reverse of the second region, execution N - k - 1,
///                        given x'
///   }
///   adjoint of the initial values += x'
LogicalResult ReverseEmitter::reverseWhile(scf::WhileOp loop) {
  Location loc = loop.getLoc();
  scf::ConditionOp condition = loop.getConditionOp();
  SmallVector<unsigned> leaving =
      getActiveIterArgs(activity, loop.getResults(), loop.getAfterArguments());
  SmallVector<unsigned> entering =
      getActiveIterArgs(activity, loop.getInits(), loop.getBeforeArguments());
  SmallVector<Value> captured = getCaptured(loop);
  SmallVector<Value> leavingResults = pick(loop.getResults(), leaving);
  SmallVector<Value> leavingArgs = pick(loop.getAfterArguments(), leaving);
  SmallVector<Value> enteringArgs = pick(loop.getBeforeArguments(), entering);

  Value count = getPrimal(getCount(loop));
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value executions = arith::AddIOp::create(builder, loc, count, one);
  SmallVector<Value> inits = takeAdjoints(leavingResults);
  for (Value value : enteringArgs)
    inits.push_back(createZeroAdjoint(value));
  llvm::append_range(inits, takeAdjoints(captured));
  if (hasFailed || llvm::is_contained(inits, Value()))
    return loop.emitError()
           << "carries an active value of dynamic shape, whose adjoint cannot "
              "be carried; bufferize before differentiating";

  Frame &outer = *current;
  scf::ForOp reverse = createLoop(builder, loc, executions, inits);
  outer.open = reverse;
  ValueRange arguments = reverse.getRegionIterArgs();
  ValueRange leavingAdjoints = arguments.take_front(leaving.size());
  ValueRange capturedAdjoints =
      arguments.drop_front(leaving.size() + entering.size());

  // The first region.
  Frame before;
  builder.setInsertionPointToStart(reverse.getBody());
  Value iteration = createReversedIteration(builder, reverse, executions);
  enter(before, loop.getBeforeBody(), reverse.getBody(), iteration);
  before.primals[getCounterBefore(loop)] = iteration;
  setAdjoints(before, captured, capturedAdjoints);
  addToAdjoints(pick(condition.getArgs(), leaving), leavingAdjoints);
  if (failed(reverseBlock(before)))
    return failure();
  SmallVector<Value> enteringAdjoints = takeAdjoints(enteringArgs);
  SmallVector<Value> between = takeAdjoints(captured);

  // The second region, which ran before it unless this is the first time.
  Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                     reverse.getInductionVar(), count);
  SmallVector<Type> types;
  for (Value value : leavingArgs)
    types.push_back(getShadowType(value.getType(), options.width));
  llvm::append_range(types, getAdjointTypes(captured, options.width));
  SmallVector<Value> otherwise;
  for (Value value : leavingArgs)
    otherwise.push_back(createZeroAdjoint(value));
  llvm::append_range(otherwise, between);
  auto guard = scf::IfOp::create(builder, loc, types, more,
                                 /*addThenBlock=*/true, /*addElseBlock=*/true);
  leave(before);
  outer.open = reverse;
  for (Block *block : {guard.thenBlock(), guard.elseBlock()})
    if (!block->empty())
      block->back().erase();
  builder.setInsertionPointToEnd(guard.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);

  Frame after;
  builder.setInsertionPointToEnd(guard.thenBlock());
  Value previous = arith::SubIOp::create(builder, loc, iteration, one);
  enter(after, loop.getAfterBody(), guard.thenBlock(), previous);
  after.primals[getCounterAfter(loop)] = previous;
  setAdjoints(after, captured, between);
  addToAdjoints(pick(loop.getYieldOp().getResults(), entering),
                enteringAdjoints);
  if (failed(reverseBlock(after)))
    return failure();
  SmallVector<Value> results = takeAdjoints(leavingArgs);
  llvm::append_range(results, takeAdjoints(captured));
  scf::YieldOp::create(builder, loc, results);
  leave(after);

  outer.open = reverse;
  builder.setInsertionPointToEnd(reverse.getBody());
  SmallVector<Value> next(guard.getResults().take_front(leaving.size()));
  llvm::append_range(next, enteringAdjoints);
  llvm::append_range(next, guard.getResults().drop_front(leaving.size()));
  scf::YieldOp::create(builder, loc, next);
  outer.open = nullptr;
  setInsertionPoint(outer);

  ValueRange finals = reverse.getResults();
  setAdjoints(outer, captured,
              finals.drop_front(leaving.size() + entering.size()));
  addToAdjoints(pick(loop.getInits(), entering),
                finals.slice(leaving.size(), entering.size()));
  return success(!hasFailed);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

LogicalResult ReverseEmitter::reverseCall(func::CallOp call) {
  const ReversedCall &reversed = calls.find(call)->second;
  unsigned numResults = reversed.seeded.size();
  SmallVector<Value> operands;
  for (auto [index, operand] : llvm::enumerate(call.getOperands())) {
    if (reversed.adjointArgs.test(index))
      operands.push_back(getPrimal(operand));
    if (reversed.args[index] == Activity::Dup)
      operands.push_back(getShadow(operand));
  }
  for (Value tape : call.getResults().drop_front(numResults))
    operands.push_back(getPrimal(tape));
  SmallVector<Value> seeded;
  for (unsigned index : reversed.seeded.set_bits())
    seeded.push_back(call.getResult(index));
  llvm::append_range(operands, takeAdjoints(seeded));
  if (hasFailed)
    return failure();

  auto adjoint =
      func::CallOp::create(builder, call.getLoc(), reversed.adjoint, operands);
  unsigned next = 0;
  for (auto [index, operand] : llvm::enumerate(call.getOperands()))
    if (reversed.args[index] == Activity::Active)
      addToAdjoint(operand, adjoint.getResult(next++));
  return success();
}
