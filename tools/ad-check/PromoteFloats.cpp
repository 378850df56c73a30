//===- PromoteFloats.cpp - the same module in double precision -----------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finite differences of a function in f32 have three correct digits, those of
// a function in bf16 none. The checker therefore differences a copy of the
// function in f64: every type and every constant is replaced, and conversions
// between what are now equal types are dropped.
//
//===----------------------------------------------------------------------===//

#include "PromoteFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

static bool isShort(Type type) {
  return type.isF16() || type.isBF16() || type.isF32();
}

static APFloat promote(APFloat value) {
  bool exact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  return value;
}

static void addReplacements(AttrTypeReplacer &replacer) {
  replacer.addReplacement([](FloatType type) -> std::optional<Type> {
    if (isShort(type))
      return Float64Type::get(type.getContext());
    return std::nullopt;
  });
  replacer.addReplacement([](FloatAttr attr) -> std::optional<Attribute> {
    if (isShort(attr.getType()))
      return FloatAttr::get(Float64Type::get(attr.getContext()),
                            promote(attr.getValue()));
    return std::nullopt;
  });
  replacer.addReplacement(
      [](DenseElementsAttr attr) -> std::optional<Attribute> {
        if (!isShort(attr.getElementType()))
          return std::nullopt;
        auto type = cast<ShapedType>(promoteType(attr.getType()));
        if (attr.isSplat())
          return DenseElementsAttr::get(type,
                                        promote(attr.getSplatValue<APFloat>()));
        SmallVector<APFloat> values;
        for (APFloat value : attr.getValues<APFloat>())
          values.push_back(promote(value));
        return DenseElementsAttr::get(type, values);
      });
}

Type check::promoteType(Type type) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](FloatType type) -> std::optional<Type> {
    if (isShort(type))
      return Float64Type::get(type.getContext());
    return std::nullopt;
  });
  return replacer.replace(type);
}

OwningOpRef<ModuleOp> check::promoteFloats(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  AttrTypeReplacer replacer;
  addReplacements(replacer);
  replacer.recursivelyReplaceElementsIn(copy.get(), /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  copy->walk([](Operation *op) {
    if (isa<arith::ExtFOp, arith::TruncFOp>(op) &&
        op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
  });
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  if (failed(verify(copy.get())))
    return nullptr;
  return copy;
}

FloatType check::getShortestFloat(ModuleOp module) {
  FloatType shortest = Float64Type::get(module.getContext());
  // bf16 has fewer bits of precision than f16.
  auto precision = [](FloatType type) { return type.getFPMantissaWidth(); };
  AttrTypeWalker walker;
  walker.addWalk([&](FloatType type) {
    if (isShort(type) && precision(type) < precision(shortest))
      shortest = type;
  });
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      walker.walk(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          walker.walk(type);
  });
  return shortest;
}
