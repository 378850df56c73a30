//===- ScfRules.cpp - derivative rules of scf -----------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tangent carries, after what the operation carries already, the tangents of
// the active part of it. An adjoint is an operation whose results are adjoints:
// those of the loop-carried values, and those of the active values captured
// from above, which the regions update.
//
//   scf.for     a loop over as many iterations, from the last to the first
//   scf.if, scf.index_switch
//               the same branch again
//   scf.execute_region
//               is inlined beforehand
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Rules/RegionRules.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "ScfLoops.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

template <typename Concrete, typename OpTy>
using Model = DifferentiableOpInterface::ExternalModel<Concrete, OpTy>;

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

struct ForModel : Model<ForModel, scf::ForOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    auto loop = cast<scf::ForOp>(op);
    needs.needPrimal(loop.getLowerBound());
    needs.needPrimal(loop.getUpperBound());
    needs.needPrimal(loop.getStep());
  }

  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto loop = cast<scf::ForOp>(op);
    SmallVector<unsigned> positions = getActivePositions(
        context, loop.getResults(), loop.getRegionIterArgs());
    context.getBuilder().setInsertionPoint(op);
    FailureOr<SmallVector<Value>> inits =
        getTangents(context, loop.getInitArgs(), positions);
    if (failed(inits))
      return failure();
    unsigned numPrimals = loop.getNumResults();
    auto extended = cast<scf::ForOp>(context.extend(
        op, *inits, llvm::to_vector(ValueRange(*inits).getTypes())));
    Block *body = extended.getBody();
    for (auto [index, position] : llvm::enumerate(positions)) {
      context.setTangent(
          extended.getRegionIterArg(position),
          body->addArgument((*inits)[index].getType(), extended.getLoc()));
      context.setTangent(extended.getResult(position),
                         extended.getResult(numPrimals + index));
    }
    if (failed(context.emitBlock(*body)))
      return failure();
    Operation *yield = body->getTerminator();
    return appendTangents(context, yield, yield->getOperands(), positions);
  }

  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto loop = cast<scf::ForOp>(op);
    Location loc = loop.getLoc();
    OpBuilder &builder = context.getBuilder();
    SmallVector<unsigned> positions = getActivePositions(
        context, loop.getResults(), loop.getRegionIterArgs());
    SmallVector<Value> captured = context.getCaptured(loop);
    SmallVector<Value> results = pick(loop.getResults(), positions);
    SmallVector<Value> carried = pick(loop.getRegionIterArgs(), positions);
    llvm::append_range(results, captured);
    llvm::append_range(carried, captured);
    Value count =
        createTripCount(builder, loop, context.getPrimal(loop.getLowerBound()),
                        context.getPrimal(loop.getUpperBound()),
                        context.getPrimal(loop.getStep()));
    FailureOr<SmallVector<Value>> inits = context.getAdjoints(results);
    if (failed(inits))
      return failure();
    ReversedLoop reverse = createReversedLoop(builder, loc, count, *inits);
    ValueRange arguments = reverse.loop.getRegionIterArgs();
    auto begin = [&] {
      context.setAdjoints(captured, arguments.drop_front(positions.size()));
      context.addToAdjoints(pick(loop.getYieldedValues(), positions),
                            arguments.take_front(positions.size()));
    };
    auto end = [&]() -> LogicalResult {
      FailureOr<SmallVector<Value>> next = context.getAdjoints(carried);
      if (succeeded(next))
        scf::YieldOp::create(builder, loc, *next);
      return next;
    };
    if (failed(context.reverseBlock(*loop.getBody(), *reverse.loop.getBody(),
                                    reverse.iteration, begin, end)))
      return failure();
    ValueRange adjoints = reverse.loop.getResults();
    context.setAdjoints(captured, adjoints.drop_front(positions.size()));
    context.addToAdjoints(pick(loop.getInitArgs(), positions),
                          adjoints.take_front(positions.size()));
    return success();
  }
};

struct ForSpace
    : IterationSpaceOpInterface::ExternalModel<ForSpace, scf::ForOp> {
  SmallVector<Value> getSpaceOperands(Operation *op) const {
    auto loop = cast<scf::ForOp>(op);
    return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
  }
  SmallVector<Value> getCounters(Operation *op) const {
    return {cast<scf::ForOp>(op).getInductionVar()};
  }
  SmallVector<Value> createTripCounts(Operation *op, OpBuilder &builder,
                                      ValueRange operands) const {
    return {createTripCount(builder, cast<scf::ForOp>(op), operands[0],
                            operands[1], operands[2])};
  }
  Value createCounter(Operation *op, OpBuilder &builder, Value,
                      ValueRange operands, ValueRange iteration) const {
    return createInductionVariable(builder, cast<scf::ForOp>(op), operands[0],
                                   operands[2], iteration[0]);
  }
  SmallVector<Value> createIteration(Operation *op, OpBuilder &builder) const {
    auto loop = cast<scf::ForOp>(op);
    return {autodiff::createIteration(builder, loop, loop.getLowerBound(),
                                      loop.getStep())};
  }
};

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void createYield(OpBuilder &builder, Location loc, ValueRange values) {
  scf::YieldOp::create(builder, loc, values);
}

template <typename Concrete, typename OpTy>
struct BranchModel : Model<Concrete, OpTy> {
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    return emitBranchTangent(op, context);
  }
};

struct IfModel : BranchModel<IfModel, scf::IfOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    needs.needPrimal(cast<scf::IfOp>(op).getCondition());
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto branch = cast<scf::IfOp>(op);
    SmallVector<Value> captured = context.getCaptured(branch);
    auto reverse = scf::IfOp::create(
        context.getBuilder(), branch.getLoc(),
        getShadowTypes(captured, context.getOptions().width),
        context.getPrimal(branch.getCondition()), /*addThenBlock=*/true,
        /*addElseBlock=*/!captured.empty() || branch.elseBlock());
    return emitBranchAdjoint(branch, reverse, context, createYield);
  }
};

struct IndexSwitchModel : BranchModel<IndexSwitchModel, scf::IndexSwitchOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    needs.needPrimal(cast<scf::IndexSwitchOp>(op).getArg());
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto branch = cast<scf::IndexSwitchOp>(op);
    auto reverse = scf::IndexSwitchOp::create(
        context.getBuilder(), branch.getLoc(),
        getShadowTypes(context.getCaptured(branch), context.getOptions().width),
        context.getPrimal(branch.getArg()), branch.getCases(),
        branch.getNumCases());
    for (Region &region : reverse->getRegions())
      region.emplaceBlock();
    return emitBranchAdjoint(branch, reverse, context, createYield);
  }
};

struct ExecuteRegionModel
    : BranchModel<ExecuteRegionModel, scf::ExecuteRegionOp> {
  LogicalResult prepare(Operation *op, RewriterBase &rewriter,
                        bool forReverse) const {
    auto region = cast<scf::ExecuteRegionOp>(op);
    if (!forReverse || !region.getRegion().hasOneBlock())
      return success();
    Block *block = &region.getRegion().front();
    Operation *yield = block->getTerminator();
    SmallVector<Value> results(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(block, op);
    rewriter.replaceOp(op, results);
    return success();
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &) const {
    return op->emitError() << "has several blocks";
  }
};

} // namespace

void mlir::autodiff::registerScfRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::ForOp::attachInterface<ForModel, ForSpace>(*context);
    scf::IfOp::attachInterface<IfModel>(*context);
    scf::IndexSwitchOp::attachInterface<IndexSwitchModel>(*context);
    scf::ExecuteRegionOp::attachInterface<ExecuteRegionModel>(*context);
    attachWhileRules(*context);
  });
}
