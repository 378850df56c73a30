//===- MemRefRules.cpp - derivative rules of memref ----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every active memref has a shadow of the same shape. A tangent does to shadows
// what the operation does to primals. An adjoint accumulates: what is read adds
// to the shadow of where it was read, what is overwritten takes its adjoint
// from the shadow and leaves zero there.
//
//   y = load m[i]       m'[i] += y'
//   store x, m[i]       x' += m'[i];  m'[i] = 0
//   copy m, n           m' += n';     n' = 0
//   m = alloc           release m'
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Dialect/Autodiff/Rules/InactiveModel.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "Dialect/Autodiff/Rules/ShadowMemory.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

template <typename Concrete, typename OpTy>
using Model = DifferentiableOpInterface::ExternalModel<Concrete, OpTy>;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

template <typename OpTy> struct AllocModel : Model<AllocModel<OpTy>, OpTy> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    if (std::is_same_v<OpTy, memref::AllocOp> &&
        needs.isActive(op->getResult(0)))
      needs.needShadow(op->getResult(0));
  }

  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto alloc = cast<OpTy>(op);
    if (!context.isActive(alloc.getResult()))
      return success();
    auto type = cast<MemRefType>(
        getShadowType(alloc.getType(), context.getOptions().width));
    OpBuilder &builder = context.getBuilder();
    auto shadow = OpTy::create(builder, op->getLoc(), type,
                               context.getPrimals(alloc.getDynamicSizes()),
                               context.getPrimals(alloc.getSymbolOperands()),
                               alloc.getAlignmentAttr());
    fillWithZeros(builder, op->getLoc(), shadow);
    context.setTangent(alloc.getResult(), shadow);
    return success();
  }

  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    if (std::is_same_v<OpTy, memref::AllocOp> &&
        context.isActive(op->getResult(0)))
      memref::DeallocOp::create(context.getBuilder(), op->getLoc(),
                                context.getShadow(op->getResult(0)));
    return success();
  }
};

struct DeallocModel : Model<DeallocModel, memref::DeallocOp> {
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    if (Value shadow =
            context.getTangent(cast<memref::DeallocOp>(op).getMemref()))
      memref::DeallocOp::create(context.getBuilder(), op->getLoc(), shadow);
    return success();
  }
  // The shadow is made after this, in the reverse sweep, and released at the
  // allocation.
  LogicalResult emitAdjoint(Operation *, AdjointContext &) const {
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

void needAll(AdjointNeeds &needs, ValueRange values) {
  for (Value value : values)
    needs.needPrimal(value);
}

bool holdsReferences(Type memref) {
  return isDifferentiableReference(cast<MemRefType>(memref).getElementType());
}

/// References in memory get their shadows while the program runs forward; in
/// the reverse sweep they are gone.
LogicalResult refuseReferences(Operation *op) {
  InFlightDiagnostic error = op->emitError()
                             << "reverse mode cannot follow references that "
                                "are kept in memory";
  error.attachNote() << "use forward mode, or let '--sroa --mem2reg' remove "
                        "the memory";
  return error;
}

LogicalResult refuseInactiveReference(Operation *op) {
  InFlightDiagnostic error = op->emitError()
                             << "puts a reference to memory that carries no "
                                "derivative where references to memory that "
                                "does are kept";
  error.attachNote() << "pass the memory as 'dup'";
  return error;
}

struct LoadModel : Model<LoadModel, memref::LoadOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    auto load = cast<memref::LoadOp>(op);
    if (!needs.isActive(load.getResult()))
      return;
    needs.needShadow(load.getMemRef());
    needAll(needs, load.getIndices());
  }

  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto load = cast<memref::LoadOp>(op);
    if (!context.isActive(load.getResult()))
      return success();
    if (Value shadow = context.getTangent(load.getMemRef()))
      context.setTangent(
          load.getResult(),
          memref::LoadOp::create(context.getBuilder(), op->getLoc(), shadow,
                                 context.getPrimals(load.getIndices())));
    return success();
  }

  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto load = cast<memref::LoadOp>(op);
    if (!context.isActive(load.getResult()))
      return success();
    if (holdsReferences(load.getMemRefType()))
      return refuseReferences(op);
    Value adjoint = context.getAdjoint(load.getResult());
    if (!adjoint)
      return success();
    OpBuilder &builder = context.getBuilder();
    Value shadow = context.getShadow(load.getMemRef());
    SmallVector<Value> indices = context.getPrimals(load.getIndices());
    if (!shadow)
      return failure();
    Value old = memref::LoadOp::create(builder, op->getLoc(), shadow, indices);
    Value sum = createAdd(builder, op->getLoc(), load.getType(), old, adjoint);
    memref::StoreOp::create(builder, op->getLoc(), sum, shadow, indices);
    return success();
  }
};

struct StoreModel : Model<StoreModel, memref::StoreOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    auto store = cast<memref::StoreOp>(op);
    if (!needs.isActive(store.getMemRef()))
      return;
    needs.needShadow(store.getMemRef());
    needAll(needs, store.getIndices());
  }

  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto store = cast<memref::StoreOp>(op);
    Value shadow = context.getTangent(store.getMemRef());
    if (!shadow)
      return success();
    OpBuilder &builder = context.getBuilder();
    Value tangent = context.getTangent(store.getValueToStore());
    if (!tangent && holdsReferences(store.getMemRefType()))
      return refuseInactiveReference(op);
    if (!tangent)
      tangent =
          createZero(builder, op->getLoc(), store.getValueToStore().getType(),
                     context.getOptions().width);
    memref::StoreOp::create(builder, op->getLoc(), tangent, shadow,
                            context.getPrimals(store.getIndices()));
    return success();
  }

  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto store = cast<memref::StoreOp>(op);
    if (!context.isActive(store.getMemRef()))
      return success();
    if (holdsReferences(store.getMemRefType()))
      return refuseReferences(op);
    OpBuilder &builder = context.getBuilder();
    Value shadow = context.getShadow(store.getMemRef());
    SmallVector<Value> indices = context.getPrimals(store.getIndices());
    if (!shadow)
      return failure();
    if (context.isActive(store.getValueToStore()))
      context.addToAdjoint(
          store.getValueToStore(),
          memref::LoadOp::create(builder, op->getLoc(), shadow, indices));
    Value zero =
        createZero(builder, op->getLoc(), store.getValueToStore().getType(),
                   context.getOptions().width);
    memref::StoreOp::create(builder, op->getLoc(), zero, shadow, indices);
    return success();
  }
};

struct CopyModel : Model<CopyModel, memref::CopyOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    auto copy = cast<memref::CopyOp>(op);
    if (!needs.isActive(copy.getTarget()))
      return;
    needs.needShadow(copy.getTarget());
    if (needs.isActive(copy.getSource()))
      needs.needShadow(copy.getSource());
  }

  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto copy = cast<memref::CopyOp>(op);
    Value target = context.getTangent(copy.getTarget());
    if (!target)
      return success();
    OpBuilder &builder = context.getBuilder();
    if (Value source = context.getTangent(copy.getSource()))
      memref::CopyOp::create(builder, op->getLoc(), source, target);
    else if (holdsReferences(copy.getTarget().getType()))
      return refuseInactiveReference(op);
    else
      fillWithZeros(builder, op->getLoc(), target);
    return success();
  }

  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto copy = cast<memref::CopyOp>(op);
    if (!context.isActive(copy.getTarget()))
      return success();
    if (holdsReferences(copy.getTarget().getType()))
      return refuseReferences(op);
    Value target = context.getShadow(copy.getTarget());
    if (!target)
      return failure();
    OpBuilder &builder = context.getBuilder();
    if (!context.isActive(copy.getSource())) {
      fillWithZeros(builder, op->getLoc(), target);
      return success();
    }
    Value source = context.getShadow(copy.getSource());
    if (!source)
      return failure();
    moveInto(builder, op->getLoc(), copy.getTarget().getType(), target, source);
    return success();
  }
};

/// An atomic addition: y = m[i]; m[i] += x. The adjoint of m[i] stays where it
/// is, and goes to x as well.
struct AtomicAddModel : Model<AtomicAddModel, memref::AtomicRMWOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    auto update = cast<memref::AtomicRMWOp>(op);
    if (!needs.isActive(update.getMemref()))
      return;
    needs.needShadow(update.getMemref());
    needAll(needs, update.getIndices());
  }

  LogicalResult checkKind(memref::AtomicRMWOp update) const {
    if (update.getKind() == arith::AtomicRMWKind::addf)
      return success();
    InFlightDiagnostic error =
        update.emitError() << "only the atomic addition 'addf' of active "
                              "values has a derivative, not '"
                           << arith::stringifyAtomicRMWKind(update.getKind())
                           << "'";
    error.attachNote() << "load, compute and store where no other thread does";
    return error;
  }

  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    auto update = cast<memref::AtomicRMWOp>(op);
    Value shadow = context.getTangent(update.getMemref());
    if (!shadow)
      return success();
    if (failed(checkKind(update)))
      return failure();
    int64_t width = context.getOptions().width;
    if (width != 1) {
      InFlightDiagnostic error = op->emitError()
                                 << "'" << op->getName()
                                 << "' has no vector mode (width " << width
                                 << "): no machine adds vectors atomically";
      error.attachNote() << "use width 1";
      return error;
    }
    OpBuilder &builder = context.getBuilder();
    Value tangent = context.getTangent(update.getValue());
    if (!tangent)
      tangent =
          createZero(builder, op->getLoc(), update.getValue().getType(), width);
    Value old = memref::AtomicRMWOp::create(
        builder, op->getLoc(), tangent.getType(), update.getKind(), tangent,
        shadow, context.getPrimals(update.getIndices()));
    if (context.isActive(update.getResult()))
      context.setTangent(update.getResult(), old);
    return success();
  }

  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    auto update = cast<memref::AtomicRMWOp>(op);
    if (!context.isActive(update.getMemref()))
      return success();
    if (failed(checkKind(update)))
      return failure();
    OpBuilder &builder = context.getBuilder();
    Value shadow = context.getShadow(update.getMemref());
    SmallVector<Value> indices = context.getPrimals(update.getIndices());
    if (!shadow)
      return failure();
    Value sum = memref::LoadOp::create(builder, op->getLoc(), shadow, indices);
    if (context.isActive(update.getValue()))
      context.addToAdjoint(update.getValue(), sum);
    Value adjoint = context.isActive(update.getResult())
                        ? context.getAdjoint(update.getResult())
                        : Value();
    if (!adjoint)
      return success();
    Type element = update.getValue().getType();
    sum = createAdd(builder, op->getLoc(), element, sum, adjoint);
    memref::StoreOp::create(builder, op->getLoc(), sum, shadow, indices);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The same view of the shadow: the operation with primal operands, but for the
/// source.
template <typename OpTy> struct ViewModel : Model<ViewModel<OpTy>, OpTy> {
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    Value result = op->getResult(0);
    if (!context.isActive(result))
      return success();
    Value source = op->getOperand(0);
    Value shadow = context.getTangent(source);
    if (!shadow)
      return success();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(operand == source ? shadow
                                           : context.getPrimal(operand));
    OpBuilder &builder = context.getBuilder();
    Type type = getShadowType(result.getType(), context.getOptions().width);
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(operands);
    state.addTypes(type);
    state.propertiesAttr = op->getPropertiesAsAttribute();
    context.setTangent(result, builder.create(state)->getResult(0));
    return success();
  }
  LogicalResult emitAdjoint(Operation *, AdjointContext &) const {
    return success();
  }
};

/// What is assumed about the primal need not hold for the shadow, which comes
/// from elsewhere.
struct AssumeAlignmentModel
    : Model<AssumeAlignmentModel, memref::AssumeAlignmentOp> {
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    if (Value shadow = context.getTangent(op->getOperand(0)))
      context.setTangent(op->getResult(0), shadow);
    return success();
  }
  LogicalResult emitAdjoint(Operation *, AdjointContext &) const {
    return success();
  }
};

/// The global of the shadow is found by the engine.
struct GetGlobalModel : Model<GetGlobalModel, memref::GetGlobalOp> {
  LogicalResult emitTangent(Operation *, TangentContext &) const {
    return success();
  }
  LogicalResult emitAdjoint(Operation *, AdjointContext &) const {
    return success();
  }
};

/// Sizes and other facts about a memref carry no derivative.
template <typename... OpTys> void attachInactive(MLIRContext &context) {
  (OpTys::template attachInterface<InactiveModel<OpTys>>(context), ...);
}

template <typename... OpTys> void attachViews(MLIRContext &context) {
  (OpTys::template attachInterface<ViewModel<OpTys>>(context), ...);
}

} // namespace

void mlir::autodiff::registerMemRefRules(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, memref::MemRefDialect *dialect) {
        using namespace memref;
        AllocOp::attachInterface<AllocModel<AllocOp>>(*context);
        AllocaOp::attachInterface<AllocModel<AllocaOp>>(*context);
        DeallocOp::attachInterface<DeallocModel>(*context);
        LoadOp::attachInterface<LoadModel>(*context);
        StoreOp::attachInterface<StoreModel>(*context);
        CopyOp::attachInterface<CopyModel>(*context);
        AssumeAlignmentOp::attachInterface<AssumeAlignmentModel>(*context);
        AtomicRMWOp::attachInterface<AtomicAddModel>(*context);
        GetGlobalOp::attachInterface<GetGlobalModel>(*context);
        attachViews<CastOp, CollapseShapeOp, ExpandShapeOp, MemorySpaceCastOp,
                    ReinterpretCastOp, SubViewOp, TransposeOp>(*context);
        attachInactive<DimOp, ExtractAlignedPointerAsIndexOp, GlobalOp,
                       PrefetchOp, RankOp>(*context);
        context->loadDialect<scf::SCFDialect>();
      });
}
