//===- BuiltinTypes.cpp - shadows of the builtin types -------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats, vectors, tensors and complex numbers are vector spaces; memrefs are
// references. The shadow for width k > 1 puts the k directions innermost in
// memory, so that one load brings all of them:
//
//   f64                -> vector<kxf64>
//   vector<nxf64>      -> vector<kxnxf64>
//   tensor<?xf64>      -> tensor<kx?xf64>
//   memref<?xT>        -> memref<?xS>       with S the shadow type of T
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinTypes.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

/// Adds `lhs` and `rhs`, leaving out a literal zero.
Value addFloats(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  // x + (+0.0) is x but for the sign of a zero, which no derivative keeps.
  if (matchPattern(lhs, m_AnyZeroFloat()))
    return rhs;
  if (matchPattern(rhs, m_AnyZeroFloat()))
    return lhs;
  return arith::AddFOp::create(builder, loc, lhs, rhs);
}

/// What floats, vectors and tensors of floats share.
template <typename Concrete, typename ConcreteType>
struct ByValueModel
    : DifferentiableTypeInterface::ExternalModel<Concrete, ConcreteType> {
  bool isByReference(Type) const { return false; }

  Value createZero(Type type, OpBuilder &builder, Location loc, int64_t width,
                   Value) const {
    return arith::ConstantOp::create(
        builder, loc,
        builder.getZeroAttr(autodiff::getShadowType(type, width)));
  }

  Value createAdd(Type, OpBuilder &builder, Location loc, Value lhs,
                  Value rhs) const {
    return addFloats(builder, loc, lhs, rhs);
  }
};

template <typename FloatTy>
struct FloatModel : ByValueModel<FloatModel<FloatTy>, FloatTy> {
  bool isDifferentiable(Type) const { return true; }
  Type getShadowType(Type type, int64_t width) const {
    return width == 1 ? type : VectorType::get({width}, type);
  }
};

struct VectorModel : ByValueModel<VectorModel, VectorType> {
  bool isDifferentiable(Type type) const {
    return isa<FloatType>(cast<VectorType>(type).getElementType());
  }
  Type getShadowType(Type type, int64_t width) const {
    auto vector = cast<VectorType>(type);
    if (width == 1)
      return type;
    SmallVector<int64_t> shape(vector.getShape());
    SmallVector<bool> scalable(vector.getScalableDims());
    shape.insert(shape.begin(), width);
    scalable.insert(scalable.begin(), false);
    return VectorType::get(shape, vector.getElementType(), scalable);
  }
};

struct TensorModel : ByValueModel<TensorModel, RankedTensorType> {
  bool isDifferentiable(Type type) const {
    return isa<FloatType>(cast<RankedTensorType>(type).getElementType());
  }
  Type getShadowType(Type type, int64_t width) const {
    auto tensor = cast<RankedTensorType>(type);
    if (width == 1)
      return type;
    SmallVector<int64_t> shape(tensor.getShape());
    shape.insert(shape.begin(), width);
    return RankedTensorType::get(shape, tensor.getElementType());
  }
  Value createZero(Type type, OpBuilder &builder, Location loc, int64_t width,
                   Value primal) const {
    auto tensor = cast<RankedTensorType>(type);
    auto shadow = cast<RankedTensorType>(getShadowType(type, width));
    if (shadow.hasStaticShape())
      return arith::ConstantOp::create(builder, loc,
                                       builder.getZeroAttr(shadow));
    if (!primal)
      return nullptr;
    SmallVector<Value> sizes;
    for (auto [dim, size] : llvm::enumerate(tensor.getShape()))
      if (ShapedType::isDynamic(size))
        sizes.push_back(tensor::DimOp::create(builder, loc, primal, dim));
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(tensor.getElementType()));
    return tensor::SplatOp::create(builder, loc, zero, shadow, sizes);
  }
};

struct ComplexModel
    : DifferentiableTypeInterface::ExternalModel<ComplexModel, ComplexType> {
  bool isDifferentiable(Type type) const {
    return isa<FloatType>(cast<ComplexType>(type).getElementType());
  }
  bool isByReference(Type) const { return false; }
  // A vector cannot hold complex numbers: width stays 1 (see the verifier).
  Type getShadowType(Type type, int64_t) const { return type; }
  Value createZero(Type type, OpBuilder &builder, Location loc, int64_t,
                   Value) const {
    Attribute zero =
        builder.getZeroAttr(cast<ComplexType>(type).getElementType());
    return complex::ConstantOp::create(builder, loc, type,
                                       builder.getArrayAttr({zero, zero}));
  }
  Value createAdd(Type, OpBuilder &builder, Location loc, Value lhs,
                  Value rhs) const {
    return complex::AddOp::create(builder, loc, lhs, rhs);
  }
};

struct MemRefModel
    : DifferentiableTypeInterface::ExternalModel<MemRefModel, MemRefType> {
  bool isDifferentiable(Type type) const {
    return autodiff::isDifferentiable(cast<MemRefType>(type).getElementType());
  }
  bool isByReference(Type) const { return true; }
  Type getShadowType(Type type, int64_t width) const {
    auto memref = cast<MemRefType>(type);
    return MemRefType::Builder(memref).setElementType(
        autodiff::getShadowType(memref.getElementType(), width));
  }
  Value createZero(Type, OpBuilder &, Location, int64_t, Value) const {
    llvm_unreachable("a reference has no zero");
  }
  Value createAdd(Type, OpBuilder &, Location, Value, Value) const {
    llvm_unreachable("references are not added");
  }
};

} // namespace

void mlir::autodiff::registerBuiltinTypeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BuiltinDialect *) {
    BFloat16Type::attachInterface<FloatModel<BFloat16Type>>(*context);
    Float16Type::attachInterface<FloatModel<Float16Type>>(*context);
    Float32Type::attachInterface<FloatModel<Float32Type>>(*context);
    Float64Type::attachInterface<FloatModel<Float64Type>>(*context);
    Float80Type::attachInterface<FloatModel<Float80Type>>(*context);
    Float128Type::attachInterface<FloatModel<Float128Type>>(*context);
    VectorType::attachInterface<VectorModel>(*context);
    RankedTensorType::attachInterface<TensorModel>(*context);
    ComplexType::attachInterface<ComplexModel>(*context);
    MemRefType::attachInterface<MemRefModel>(*context);
    // Derivative code may need these, whatever dialects the primal uses.
    context->loadDialect<arith::ArithDialect, complex::ComplexDialect,
                         tensor::TensorDialect>();
  });
}
