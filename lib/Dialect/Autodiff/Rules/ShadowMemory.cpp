//===- ShadowMemory.cpp - operations on whole shadows --------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Rules/ShadowMemory.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::autodiff;

/// A nest of loops over the elements of `memref`; leaves `builder` in the
/// innermost. Returns the indices.
static SmallVector<Value> createLoops(OpBuilder &builder, Location loc,
                                      Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<Value> indices;
  if (type.getRank() == 0)
    return indices;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> sizes;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    sizes.push_back(
        ShapedType::isDynamic(size)
            ? Value(memref::DimOp::create(builder, loc, memref, dim))
            : Value(arith::ConstantIndexOp::create(builder, loc, size)));
  for (Value size : sizes) {
    auto loop = scf::ForOp::create(builder, loc, zero, size, one);
    indices.push_back(loop.getInductionVar());
    builder.setInsertionPointToStart(loop.getBody());
  }
  return indices;
}

static Value createElementZero(OpBuilder &builder, Location loc, Type memref) {
  Type element = cast<MemRefType>(memref).getElementType();
  if (isDifferentiable(element))
    return createZero(builder, loc, element, /*width=*/1);
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
}

void mlir::autodiff::fillWithZeros(OpBuilder &builder, Location loc,
                                   Value shadow) {
  // There is no null reference: what holds references is filled as the primal
  // is.
  if (isDifferentiableReference(
          cast<MemRefType>(shadow.getType()).getElementType()))
    return;
  OpBuilder::InsertionGuard guard(builder);
  Value zero = createElementZero(builder, loc, shadow.getType());
  SmallVector<Value> indices = createLoops(builder, loc, shadow);
  memref::StoreOp::create(builder, loc, zero, shadow, indices);
}

void mlir::autodiff::moveInto(OpBuilder &builder, Location loc, Type primal,
                              Value source, Value target) {
  OpBuilder::InsertionGuard guard(builder);
  Type element = cast<MemRefType>(primal).getElementType();
  Value zero = createElementZero(builder, loc, source.getType());
  SmallVector<Value> indices = createLoops(builder, loc, source);
  Value moved = memref::LoadOp::create(builder, loc, source, indices);
  // Before the addition: the two may be the same memory.
  memref::StoreOp::create(builder, loc, zero, source, indices);
  Value old = memref::LoadOp::create(builder, loc, target, indices);
  Value sum = createAdd(builder, loc, element, old, moved);
  memref::StoreOp::create(builder, loc, sum, target, indices);
}
