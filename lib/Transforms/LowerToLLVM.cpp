//===- LowerToLLVM.cpp - from upstream dialects to LLVM ------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline `--ad-lower-to-llvm`: what is left to do after differentiation
// to run a module. It chains upstream conversions and closes the gaps between
// them:
//
//   0. Tapes become memory; attributes of the autodiff dialect are dropped.
//   1. `math.sincos`, and the functions of vectors that no conversion knows,
//      become scalar operations.
//   2. Tensors, if there are any, become memory.
//   3. Copies between memory that is not contiguous become loops; upstream
//      would call into a runtime library.
//   4. Structured operations become loops, loops become branches.
//   5. f16 and bf16 are computed in f32 where the target has no instruction.
//   6. Mathematical functions become LLVM intrinsics where there is one (LLVM
//      then knows that they have no side effect), else calls into libm.
//   7. Everything becomes the LLVM dialect.
//
// No step changes the value of a floating-point operation.
//
//===----------------------------------------------------------------------===//

#include "Transforms/LowerToLLVM.h"
#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

/// sincos(x) = sin(x), cos(x); LLVM fuses them again where that pays.
struct SplitSincos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Value sin = math::SinOp::create(rewriter, op.getLoc(), op.getOperand(),
                                    op.getFastmath());
    Value cos = math::CosOp::create(rewriter, op.getLoc(), op.getOperand(),
                                    op.getFastmath());
    rewriter.replaceOp(op, {sin, cos});
    return success();
  }
};

/// clampf(x, [low, high]) = min(max(x, low), high), as its name says and SPIR-V
/// has it; upstream's expansion is max(min(x, low), high), which is `high`
/// whenever low <= high.
struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Value atLeast = arith::MaximumFOp::create(
        rewriter, op.getLoc(), op.getValue(), op.getMin(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, atLeast, op.getMax(),
                                                   op.getFastmath());
    return success();
  }
};

/// Applies an elementwise operation of vectors element by element.
template <typename OpTy> struct Scalarize : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.isScalable())
      return failure();
    Location loc = op.getLoc();
    Value result =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
      SmallVector<int64_t> position = delinearize(i, strides);
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(
            vector::ExtractOp::create(rewriter, loc, operand, position));
      OperationState state(loc, OpTy::getOperationName(), operands,
                           type.getElementType(), op->getAttrs());
      Value element = rewriter.create(state)->getResult(0);
      result =
          vector::InsertOp::create(rewriter, loc, element, result, position);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// isnan, isinf, isfinite and isnormal as comparisons: upstream lowers not all
/// of them, and not on vectors of more than one dimension.
template <typename OpTy> struct CompareClass : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value operand = op.getOperand();
    auto constant = [&](bool largest) -> Value {
      Type type = operand.getType();
      const llvm::fltSemantics &semantics =
          cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
      TypedAttr attr = rewriter.getFloatAttr(
          getElementTypeOrSelf(type),
          largest ? APFloat::getInf(semantics)
                  : APFloat::getSmallestNormalized(semantics));
      if (auto shaped = dyn_cast<ShapedType>(type))
        attr = DenseElementsAttr::get(shaped, Attribute(attr));
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    auto compare = [&](arith::CmpFPredicate predicate, Value lhs,
                       Value rhs) -> Value {
      return arith::CmpFOp::create(rewriter, loc, predicate, lhs, rhs);
    };
    if constexpr (std::is_same_v<OpTy, math::IsNaNOp>) {
      rewriter.replaceOp(op,
                         compare(arith::CmpFPredicate::UNO, operand, operand));
      return success();
    }
    Value size = math::AbsFOp::create(rewriter, loc, operand);
    Value infinity = constant(/*largest=*/true);
    if constexpr (std::is_same_v<OpTy, math::IsInfOp>) {
      rewriter.replaceOp(op,
                         compare(arith::CmpFPredicate::OEQ, size, infinity));
      return success();
    }
    Value finite = compare(arith::CmpFPredicate::OLT, size, infinity);
    if constexpr (std::is_same_v<OpTy, math::IsNormalOp>)
      finite = arith::AndIOp::create(
          rewriter, loc, finite,
          compare(arith::CmpFPredicate::OGE, size, constant(false)));
    rewriter.replaceOp(op, finite);
    return success();
  }
};

/// Computes an elementwise operation on f16 or bf16 in f32 and rounds.
/// Upstream's passes for this let later passes drop the rounding.
struct WidenHalfType : RewritePattern {
  WidenHalfType(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  static Type widen(Type type, bool f16) {
    Type element = getElementTypeOrSelf(type);
    if (!element.isBF16() && !(f16 && element.isF16()))
      return type;
    Type wide = Float32Type::get(type.getContext());
    if (auto shaped = dyn_cast<ShapedType>(type))
      return shaped.clone(wide);
    return wide;
  }

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    bool isMath = isa<math::MathDialect>(op->getDialect());
    if (!isMath && !isa<arith::ArithDialect>(op->getDialect()))
      return failure();
    if (isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::BitcastOp,
            arith::SelectOp>(op) ||
        !OpTrait::hasElementwiseMappableTraits(op))
      return failure();
    // The target has f16 arithmetic, at least by emulation, but no functions.
    auto isHalf = [&](Type type) { return widen(type, isMath) != type; };
    if (llvm::none_of(op->getOperandTypes(), isHalf) &&
        llvm::none_of(op->getResultTypes(), isHalf))
      return failure();
    Location loc = op->getLoc();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          isHalf(operand.getType())
              ? arith::ExtFOp::create(rewriter, loc,
                                      widen(operand.getType(), isMath), operand)
                    .getResult()
              : operand);
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(widen(type, isMath));
    Operation *wide = rewriter.create(loc, op->getName().getIdentifier(),
                                      operands, types, op->getAttrs());
    SmallVector<Value> results;
    for (auto [result, type] :
         llvm::zip(wide->getResults(), op->getResultTypes()))
      results.push_back(
          isHalf(type)
              ? arith::TruncFOp::create(rewriter, loc, type, result).getResult()
              : Value(result));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Whether the elements of `type` lie one after the other for certain.
bool isContiguous(MemRefType type) {
  return type && (type.getLayout().isIdentity() || type.getRank() == 0);
}

struct CopyByLoops : OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const override {
    auto source = dyn_cast<MemRefType>(op.getSource().getType());
    auto target = dyn_cast<MemRefType>(op.getTarget().getType());
    if (!source || !target || (isContiguous(source) && isContiguous(target)))
      return failure();
    linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(),
                             op.getTarget());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Step 0: the translation to LLVM IR does not know them.
struct DropAttributesPass : PassWrapper<DropAttributesPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropAttributesPass)
  StringRef getName() const override { return "DropAttributes"; }
  void runOnOperation() override {
    auto isOurs = [](NamedAttribute attr) {
      return isa_and_nonnull<AutodiffDialect>(attr.getNameDialect());
    };
    getOperation()->walk([&](FunctionOpInterface function) {
      for (NamedAttribute attr :
           llvm::to_vector(function->getDiscardableAttrs()))
        if (isOurs(attr))
          function->removeDiscardableAttr(attr.getName());
      for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
        for (NamedAttribute attr :
             llvm::to_vector(function_interface_impl::getArgAttrs(function, i)))
          if (isOurs(attr))
            function.removeArgAttr(i, attr.getName());
    });
  }
};

/// Step 1.
struct SplitMathPass : PassWrapper<SplitMathPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SplitMathPass)
  StringRef getName() const override { return "SplitMath"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect,
                    vector::VectorDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<SplitSincos, ExpandClamp, Scalarize<math::FPowIOp>,
             CompareClass<math::IsNaNOp>, CompareClass<math::IsInfOp>,
             CompareClass<math::IsFiniteOp>, CompareClass<math::IsNormalOp>>(
            &getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

/// Step 5.
struct WidenHalfTypesPass : PassWrapper<WidenHalfTypesPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WidenHalfTypesPass)
  StringRef getName() const override { return "WidenHalfTypes"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<WidenHalfType>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

/// Step 2. Bufferization analyses the whole module: only where it is needed.
struct BufferizeTensorsPass
    : PassWrapper<BufferizeTensorsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BufferizeTensorsPass)
  StringRef getName() const override { return "BufferizeTensors"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager pipeline = getPipeline();
    pipeline.getDependentDialects(registry);
  }
  static OpPassManager getPipeline() {
    OpPassManager pipeline(ModuleOp::getOperationName());
    bufferization::OneShotBufferizePassOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.functionBoundaryTypeConversion =
        bufferization::LayoutMapOption::IdentityLayoutMap;
    pipeline.addNestedPass<func::FuncOp>(
        createConvertElementwiseToLinalgPass());
    pipeline.addPass(bufferization::createEmptyTensorToAllocTensorPass());
    pipeline.addPass(bufferization::createOneShotBufferizePass(options));
    return pipeline;
  }
  void runOnOperation() override {
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    WalkResult tensors = getOperation()->walk([&](Operation *op) {
      bool found = llvm::any_of(op->getOperandTypes(), isTensor) ||
                   llvm::any_of(op->getResultTypes(), isTensor);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          found |= llvm::any_of(block.getArgumentTypes(), isTensor);
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!tensors.wasInterrupted())
      return;
    OpPassManager pipeline = getPipeline();
    if (failed(runPipeline(pipeline, getOperation())))
      signalPassFailure();
  }
};

/// Step 3.
struct CopyByLoopsPass : PassWrapper<CopyByLoopsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CopyByLoopsPass)
  StringRef getName() const override { return "CopyByLoops"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<linalg::LinalgDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<CopyByLoops>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

/// Conversions of f16 are instructions or in every C runtime, those of bf16 are
/// neither, and become integer operations.
static void addHalfTypeExpansion(OpPassManager &manager) {
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  manager.addPass(arith::createArithExpandOpsPass(expand));
}

void mlir::autodiff::buildLowerToLLVMPipeline(OpPassManager &manager) {
  manager.addPass(createLowerTapePass());
  manager.addPass(std::make_unique<DropAttributesPass>());
  manager.addPass(std::make_unique<SplitMathPass>());
  manager.addPass(std::make_unique<BufferizeTensorsPass>());
  manager.addPass(std::make_unique<CopyByLoopsPass>());
  manager.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  manager.addPass(memref::createExpandReallocPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  manager.addPass(std::make_unique<WidenHalfTypesPass>());
  // Integer powers.
  manager.addPass(createConvertMathToFuncs());
  addHalfTypeExpansion(manager);
  manager.addPass(createSCFToControlFlowPass());
  manager.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void mlir::autodiff::registerLowerToLLVMPipeline() {
  PassPipelineRegistration<>(
      "ad-lower-to-llvm",
      "Lower upstream dialects, after differentiation, to the LLVM dialect",
      buildLowerToLLVMPipeline);
}
