//===- AutodiffRules.cpp - derivative rules of the dialect's own operations
//===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derivatives are differentiated again, so tapes and stacks have derivatives
// like other memory. A shadow stack runs the other way: the adjoint of a pop
// pushes, the adjoint of a push pops, whether or not the value is active, so
// that both keep step.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Dialect/Autodiff/Rules/InactiveModel.h"
#include "Dialect/Autodiff/Rules/Registration.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

template <typename Concrete, typename ConcreteType>
struct ReferenceModel
    : DifferentiableTypeInterface::ExternalModel<Concrete, ConcreteType> {
  bool isDifferentiable(Type type) const {
    return isDifferentiableByValue(cast<ConcreteType>(type).getElementType());
  }
  bool isByReference(Type) const { return true; }
  Value createZero(Type, OpBuilder &, Location, int64_t, Value) const {
    llvm_unreachable("a reference has no zero");
  }
  Value createAdd(Type, OpBuilder &, Location, Value, Value) const {
    llvm_unreachable("references are not added");
  }
};

struct TapeModel : ReferenceModel<TapeModel, TapeType> {
  Type getShadowType(Type type, int64_t width) const {
    auto tape = cast<TapeType>(type);
    return TapeType::get(type.getContext(), tape.getRank(),
                         autodiff::getShadowType(tape.getElementType(), width));
  }
};

struct StackModel : ReferenceModel<StackModel, StackType> {
  Type getShadowType(Type type, int64_t width) const {
    return StackType::get(
        type.getContext(),
        autodiff::getShadowType(cast<StackType>(type).getElementType(), width));
  }
};

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

template <typename Concrete, typename OpTy>
using Model = DifferentiableOpInterface::ExternalModel<Concrete, OpTy>;

/// The tangent of `value`, a zero if it has none.
Value getTangentOrZero(TangentContext &context, Location loc, Value value) {
  if (Value tangent = context.getTangent(value))
    return tangent;
  return createZero(context.getBuilder(), loc, value.getType(),
                    context.getOptions().width);
}

Value createZeroFor(AdjointContext &context, Location loc, Value value) {
  return createZero(context.getBuilder(), loc, value.getType(),
                    context.getOptions().width);
}

struct TapeCreateModel : Model<TapeCreateModel, TapeCreateOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    if (needs.isActive(op->getResult(0)))
      needs.needShadow(op->getResult(0));
  }
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto create = cast<TapeCreateOp>(op);
    if (!context.isActive(create.getTape()))
      return success();
    Type type =
        getShadowType(create.getTape().getType(), context.getOptions().width);
    context.setTangent(
        create.getTape(),
        TapeCreateOp::create(context.getBuilder(), op->getLoc(), type,
                             context.getPrimals(create.getSizes()),
                             /*zeroed=*/true));
    return success();
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    if (context.isActive(op->getResult(0)))
      TapeFreeOp::create(context.getBuilder(), op->getLoc(),
                         context.getShadow(op->getResult(0)));
    return success();
  }
};

struct TapeWriteModel : Model<TapeWriteModel, TapeWriteOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    auto write = cast<TapeWriteOp>(op);
    if (!needs.isActive(write.getTape()))
      return;
    needs.needShadow(write.getTape());
    for (Value index : write.getIndices())
      needs.needPrimal(index);
  }
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto write = cast<TapeWriteOp>(op);
    if (Value shadow = context.getTangent(write.getTape()))
      TapeWriteOp::create(
          context.getBuilder(), op->getLoc(),
          getTangentOrZero(context, op->getLoc(), write.getValue()), shadow,
          context.getPrimals(write.getIndices()));
    return success();
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto write = cast<TapeWriteOp>(op);
    if (!context.isActive(write.getTape()))
      return success();
    OpBuilder &builder = context.getBuilder();
    Value shadow = context.getShadow(write.getTape());
    SmallVector<Value> indices = context.getPrimals(write.getIndices());
    Value zero = createZeroFor(context, op->getLoc(), write.getValue());
    if (context.isActive(write.getValue()))
      context.addToAdjoint(write.getValue(),
                           TapeReadOp::create(builder, op->getLoc(),
                                              zero.getType(), shadow, indices));
    TapeWriteOp::create(builder, op->getLoc(), zero, shadow, indices);
    return success();
  }
};

struct TapeReadModel : Model<TapeReadModel, TapeReadOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    auto read = cast<TapeReadOp>(op);
    if (!needs.isActive(read.getValue()))
      return;
    needs.needShadow(read.getTape());
    for (Value index : read.getIndices())
      needs.needPrimal(index);
  }
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto read = cast<TapeReadOp>(op);
    Value shadow = context.getTangent(read.getTape());
    if (!shadow || !context.isActive(read.getValue()))
      return success();
    Type type =
        getShadowType(read.getValue().getType(), context.getOptions().width);
    context.setTangent(
        read.getValue(),
        TapeReadOp::create(context.getBuilder(), op->getLoc(), type, shadow,
                           context.getPrimals(read.getIndices())));
    return success();
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto read = cast<TapeReadOp>(op);
    if (!context.isActive(read.getValue()))
      return success();
    Value adjoint = context.getAdjoint(read.getValue());
    if (!adjoint)
      return success();
    OpBuilder &builder = context.getBuilder();
    Value shadow = context.getShadow(read.getTape());
    SmallVector<Value> indices = context.getPrimals(read.getIndices());
    Value old = TapeReadOp::create(builder, op->getLoc(), adjoint.getType(),
                                   shadow, indices);
    Value sum = createAdd(builder, op->getLoc(), read.getValue().getType(), old,
                          adjoint);
    TapeWriteOp::create(builder, op->getLoc(), sum, shadow, indices);
    return success();
  }
};

/// Releasing: the shadow of forward mode goes with the primal, that of reverse
/// mode is released where the primal is created.
template <typename OpTy> struct FreeModel : Model<FreeModel<OpTy>, OpTy> {
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    if (Value shadow = context.getTangent(op->getOperand(0)))
      OpTy::create(context.getBuilder(), op->getLoc(), shadow);
    return success();
  }
  LogicalResult emitAdjoint(Operation *, AdjointContext &) const {
    return success();
  }
};

struct StackCreateModel : Model<StackCreateModel, StackCreateOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    if (needs.isActive(op->getResult(0)))
      needs.needShadow(op->getResult(0));
  }
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    Value stack = op->getResult(0);
    if (context.isActive(stack))
      context.setTangent(stack, StackCreateOp::create(
                                    context.getBuilder(), op->getLoc(),
                                    getShadowType(stack.getType(),
                                                  context.getOptions().width)));
    return success();
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    if (context.isActive(op->getResult(0)))
      StackFreeOp::create(context.getBuilder(), op->getLoc(),
                          context.getShadow(op->getResult(0)));
    return success();
  }
};

struct StackPushModel : Model<StackPushModel, StackPushOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    Value stack = cast<StackPushOp>(op).getStack();
    if (needs.isActive(stack))
      needs.needShadow(stack);
  }
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto push = cast<StackPushOp>(op);
    if (Value shadow = context.getTangent(push.getStack()))
      StackPushOp::create(
          context.getBuilder(), op->getLoc(),
          getTangentOrZero(context, op->getLoc(), push.getValue()), shadow);
    return success();
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto push = cast<StackPushOp>(op);
    if (!context.isActive(push.getStack()))
      return success();
    Type type =
        getShadowType(push.getValue().getType(), context.getOptions().width);
    context.addToAdjoint(
        push.getValue(),
        StackPopOp::create(context.getBuilder(), op->getLoc(), type,
                           context.getShadow(push.getStack())));
    return success();
  }
};

struct StackPopModel : Model<StackPopModel, StackPopOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    Value stack = cast<StackPopOp>(op).getStack();
    if (needs.isActive(stack))
      needs.needShadow(stack);
  }
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto pop = cast<StackPopOp>(op);
    Value shadow = context.getTangent(pop.getStack());
    if (!shadow)
      return success();
    Type type =
        getShadowType(pop.getValue().getType(), context.getOptions().width);
    Value tangent =
        StackPopOp::create(context.getBuilder(), op->getLoc(), type, shadow);
    if (context.isActive(pop.getValue()))
      context.setTangent(pop.getValue(), tangent);
    return success();
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto pop = cast<StackPopOp>(op);
    if (!context.isActive(pop.getStack()))
      return success();
    Value adjoint = context.isActive(pop.getValue())
                        ? context.getAdjoint(pop.getValue())
                        : Value();
    if (!adjoint)
      adjoint = createZeroFor(context, op->getLoc(), pop.getValue());
    StackPushOp::create(context.getBuilder(), op->getLoc(), adjoint,
                        context.getShadow(pop.getStack()));
    return success();
  }
};

} // namespace

void mlir::autodiff::registerAutodiffRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AutodiffDialect *) {
    TapeType::attachInterface<TapeModel>(*context);
    StackType::attachInterface<StackModel>(*context);
    StopGradientOp::attachInterface<InactiveModel<StopGradientOp>>(*context);
    TapeCreateOp::attachInterface<TapeCreateModel>(*context);
    TapeWriteOp::attachInterface<TapeWriteModel>(*context);
    TapeReadOp::attachInterface<TapeReadModel>(*context);
    TapeFreeOp::attachInterface<FreeModel<TapeFreeOp>>(*context);
    StackCreateOp::attachInterface<StackCreateModel>(*context);
    StackPushOp::attachInterface<StackPushModel>(*context);
    StackPopOp::attachInterface<StackPopModel>(*context);
    StackFreeOp::attachInterface<FreeModel<StackFreeOp>>(*context);
  });
}
