//===- LowerTape.cpp - tapes become memory -------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tape becomes a memref with a dimension per loop: on the heap, or on the
// stack if it is small and does not leave the function.
//
// A stack becomes a cell that holds a buffer:
//
//   !autodiff.stack<T>  ->  memref<memref<?xT>>
//
// The size of the buffer in its descriptor is the number of values pushed; its
// capacity is that number rounded up to a power of two, at least 64. So one
// value is all there is to a stack, and a push that finds a full buffer is one
// whose count is a power of two. A cell that does not leave its function lives
// on the stack, where LLVM takes it apart into registers.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Rules/ShadowMemory.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::autodiff {
#define GEN_PASS_DEF_LOWERTAPEPASS
#include "Transforms/Passes.h.inc"
} // namespace mlir::autodiff

using namespace mlir;
using namespace mlir::autodiff;

/// The capacity of an empty stack, in values; a power of two.
static constexpr int64_t kInitialCapacity = 64;
/// A tape of at most so many values goes to the stack.
static constexpr int64_t kSmallTape = 64;

namespace {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class TapeTypeConverter : public TypeConverter {
public:
  TapeTypeConverter() {
    addConversion([](Type type) { return type; });
    addConversion([this](TapeType type) -> std::optional<Type> {
      SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
      return getMemRef(shape, type.getElementType());
    });
    addConversion([this](StackType type) -> std::optional<Type> {
      Type buffer = getMemRef({ShapedType::kDynamic}, type.getElementType());
      return buffer ? MemRefType::get({}, buffer) : Type();
    });
  }

private:
  Type getMemRef(ArrayRef<int64_t> shape, Type element) {
    Type converted = convertType(element);
    if (!converted || !BaseMemRefType::isValidElementType(converted))
      return {};
    return MemRefType::get(shape, converted);
  }
};

/// Which tapes and stacks live on the stack of their function; decided before
/// anything is converted.
struct Placement {
  llvm::DenseSet<Operation *> onStack;

  explicit Placement(Operation *root) {
    root->walk([&](Operation *op) {
      if (isa<TapeCreateOp, StackCreateOp>(op) && canLiveOnStack(op))
        onStack.insert(op);
    });
  }

  /// Whether `tape` was created by an operation in `onStack`.
  bool isOnStack(Value tape) const {
    return onStack.contains(tape.getDefiningOp());
  }

private:
  static bool canLiveOnStack(Operation *op) {
    auto function = dyn_cast_or_null<FunctionOpInterface>(op->getParentOp());
    if (!function || op->getBlock() != &function.getFunctionBody().front())
      return false;
    if (auto create = dyn_cast<TapeCreateOp>(op)) {
      int64_t values = 1;
      for (Value size : create.getSizes()) {
        std::optional<int64_t> constant = getConstantIntValue(size);
        if (!constant || *constant < 0 || *constant > kSmallTape)
          return false;
        values *= *constant;
      }
      if (values > kSmallTape)
        return false;
    }
    // A tape that is written to another tape is read, and freed, through that.
    Value created = op->getResult(0);
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      if (auto write = dyn_cast<TapeWriteOp>(user))
        return write.getValue() != created;
      if (auto push = dyn_cast<StackPushOp>(user))
        return push.getValue() != created;
      return isa<TapeReadOp, TapeFreeOp, StackPopOp, StackFreeOp>(user);
    });
  }
};

/// What all patterns know.
template <typename OpTy> class TapePattern : public OpConversionPattern<OpTy> {
public:
  TapePattern(const TypeConverter &converter, MLIRContext *context,
              const Placement &placement)
      : OpConversionPattern<OpTy>(converter, context), placement(placement) {}

protected:
  MemRefType convert(Type type) const {
    return dyn_cast_or_null<MemRefType>(
        this->getTypeConverter()->convertType(type));
  }
  const Placement &placement;
};

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

struct LowerTapeCreate : TapePattern<TapeCreateOp> {
  using TapePattern::TapePattern;
  LogicalResult
  matchAndRewrite(TapeCreateOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = convert(op.getTape().getType());
    if (!type)
      return failure();
    Value memory;
    if (placement.isOnStack(op.getTape()))
      memory = memref::AllocaOp::create(rewriter, op.getLoc(), type,
                                        adaptor.getSizes());
    else
      memory = memref::AllocOp::create(rewriter, op.getLoc(), type,
                                       adaptor.getSizes());
    if (op.getZeroed())
      fillWithZeros(rewriter, op.getLoc(), memory);
    rewriter.replaceOp(op, memory);
    return success();
  }
};

struct LowerTapeWrite : TapePattern<TapeWriteOp> {
  using TapePattern::TapePattern;
  LogicalResult
  matchAndRewrite(TapeWriteOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<memref::StoreOp>(
        op, adaptor.getValue(), adaptor.getTape(), adaptor.getIndices());
    return success();
  }
};

struct LowerTapeRead : TapePattern<TapeReadOp> {
  using TapePattern::TapePattern;
  LogicalResult
  matchAndRewrite(TapeReadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<memref::LoadOp>(op, adaptor.getTape(),
                                                adaptor.getIndices());
    return success();
  }
};

struct LowerTapeFree : TapePattern<TapeFreeOp> {
  using TapePattern::TapePattern;
  LogicalResult
  matchAndRewrite(TapeFreeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!placement.isOnStack(op.getTape()))
      memref::DeallocOp::create(rewriter, op.getLoc(), adaptor.getTape());
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

/// Emits operations on the buffer in a cell.
class StackBuilder {
public:
  StackBuilder(OpBuilder &builder, Location loc, Value cell)
      : builder(builder), loc(loc), cell(cell),
        type(cast<MemRefType>(
            cast<MemRefType>(cell.getType()).getElementType())) {}

  Value allocate(Value capacity) {
    return memref::AllocOp::create(builder, loc, type, capacity);
  }
  Value load() { return memref::LoadOp::create(builder, loc, cell); }
  Value getCount(Value buffer) {
    return memref::DimOp::create(builder, loc, buffer, constant(0));
  }
  /// Keeps `buffer` with `count` values in it.
  void store(Value buffer, Value count) {
    Value sized = memref::ReinterpretCastOp::create(
        builder, loc, type, buffer, OpFoldResult(builder.getIndexAttr(0)),
        ArrayRef<OpFoldResult>(count),
        ArrayRef<OpFoldResult>(builder.getIndexAttr(1)));
    memref::StoreOp::create(builder, loc, sized, cell);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// Whether a buffer with `count` values is full.
  Value isFull(Value count) {
    Value less = arith::SubIOp::create(builder, loc, count, constant(1));
    Value common = arith::AndIOp::create(builder, loc, count, less);
    Value isPower = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, common, constant(0));
    Value isLarge =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, count,
                              constant(kInitialCapacity));
    return arith::AndIOp::create(builder, loc, isPower, isLarge);
  }
  /// A buffer twice as large with the same `count` values; frees `buffer`.
  Value grow(Value buffer, Value count) {
    Value capacity = arith::MulIOp::create(builder, loc, count, constant(2));
    Value larger = allocate(capacity);
    auto loop =
        scf::ForOp::create(builder, loc, constant(0), count, constant(1));
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value value =
          memref::LoadOp::create(builder, loc, buffer, loop.getInductionVar());
      memref::StoreOp::create(builder, loc, value, larger,
                              loop.getInductionVar());
    }
    memref::DeallocOp::create(builder, loc, buffer);
    return larger;
  }
  Type getBufferType() const { return type; }

private:
  OpBuilder &builder;
  Location loc;
  Value cell;
  MemRefType type;
};

struct LowerStackCreate : TapePattern<StackCreateOp> {
  using TapePattern::TapePattern;
  LogicalResult
  matchAndRewrite(StackCreateOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = convert(op.getStack().getType());
    if (!type)
      return failure();
    Value cell;
    if (placement.isOnStack(op.getStack()))
      cell = memref::AllocaOp::create(rewriter, op.getLoc(), type);
    else
      cell = memref::AllocOp::create(rewriter, op.getLoc(), type);
    StackBuilder stack(rewriter, op.getLoc(), cell);
    Value buffer = stack.allocate(stack.constant(kInitialCapacity));
    stack.store(buffer, stack.constant(0));
    rewriter.replaceOp(op, cell);
    return success();
  }
};

struct LowerStackPush : TapePattern<StackPushOp> {
  using TapePattern::TapePattern;
  LogicalResult
  matchAndRewrite(StackPushOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    StackBuilder stack(rewriter, loc, adaptor.getStack());
    Value buffer = stack.load();
    Value count = stack.getCount(buffer);
    auto grown = scf::IfOp::create(rewriter, loc, stack.getBufferType(),
                                   stack.isFull(count), /*addThenBlock=*/true,
                                   /*addElseBlock=*/true);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToEnd(grown.thenBlock());
      scf::YieldOp::create(rewriter, loc, stack.grow(buffer, count));
      rewriter.setInsertionPointToEnd(grown.elseBlock());
      scf::YieldOp::create(rewriter, loc, buffer);
    }
    Value next = arith::AddIOp::create(rewriter, loc, count, stack.constant(1));
    memref::StoreOp::create(rewriter, loc, adaptor.getValue(),
                            grown.getResult(0), count);
    stack.store(grown.getResult(0), next);
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerStackPop : TapePattern<StackPopOp> {
  using TapePattern::TapePattern;
  LogicalResult
  matchAndRewrite(StackPopOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    StackBuilder stack(rewriter, loc, adaptor.getStack());
    Value buffer = stack.load();
    Value last = arith::SubIOp::create(rewriter, loc, stack.getCount(buffer),
                                       stack.constant(1));
    Value value = memref::LoadOp::create(rewriter, loc, buffer, last);
    stack.store(buffer, last);
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct LowerStackFree : TapePattern<StackFreeOp> {
  using TapePattern::TapePattern;
  LogicalResult
  matchAndRewrite(StackFreeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    StackBuilder stack(rewriter, loc, adaptor.getStack());
    memref::DeallocOp::create(rewriter, loc, stack.load());
    if (!placement.isOnStack(op.getStack()))
      memref::DeallocOp::create(rewriter, loc, adaptor.getStack());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Nothing differentiates any more.
struct DropStopGradient : TapePattern<StopGradientOp> {
  using TapePattern::TapePattern;
  LogicalResult
  matchAndRewrite(StopGradientOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInput());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct LowerTapePass : autodiff::impl::LowerTapePassBase<LowerTapePass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    TapeTypeConverter converter;
    Placement placement(getOperation());
    RewritePatternSet patterns(context);
    patterns.add<LowerTapeCreate, LowerTapeWrite, LowerTapeRead, LowerTapeFree,
                 LowerStackCreate, LowerStackPush, LowerStackPop,
                 LowerStackFree, DropStopGradient>(converter, context,
                                                   placement);
    ConversionTarget target(*context);
    populateAnyFunctionOpInterfaceTypeConversionPattern(patterns, converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.addIllegalOp<TapeCreateOp, TapeWriteOp, TapeReadOp, TapeFreeOp,
                        StackCreateOp, StackPushOp, StackPopOp, StackFreeOp,
                        StopGradientOp>();
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        return llvm::all_of(
                   function.getArgumentTypes(),
                   [&](Type type) { return converter.isLegal(type); }) &&
               llvm::all_of(function.getResultTypes(),
                            [&](Type type) { return converter.isLegal(type); });
      return converter.isLegal(op);
    });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
