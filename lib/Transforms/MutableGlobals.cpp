//===- MutableGlobals.cpp - globals that carry derivatives ---------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mutable global is memory that functions share without passing it. Its
// shadow is a global, too, named after it. Nobody outside can seed or read that
// shadow: a derivative starts with zeros in it.
//
//===----------------------------------------------------------------------===//

#include "MutableGlobals.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Dialect/Autodiff/Rules/ShadowMemory.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::autodiff;

// What marks a shadow: the global it belongs to, and the level of the
// derivative that made it.
static constexpr llvm::StringLiteral kShadowOf = "autodiff.shadow_of";
static constexpr llvm::StringLiteral kShadowLevel = "autodiff.shadow_level";

llvm::SetVector<memref::GlobalOp>
mlir::autodiff::getMutableGlobals(func::FuncOp function,
                                  CalleeEffects &callees) {
  llvm::SetVector<memref::GlobalOp> globals;
  // Most functions are known to touch none: no need to look for them.
  const FunctionEffects &effects = callees.get(function);
  if (!effects.readsGlobals && !effects.writesGlobals)
    return globals;
  llvm::SetVector<Operation *> functions;
  functions.insert(function);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i]->walk([&](Operation *op) {
      if (auto access = dyn_cast<memref::GetGlobalOp>(op)) {
        auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
            op, access.getNameAttr());
        if (global && !global.getConstant() &&
            isDifferentiable(global.getType()))
          globals.insert(global);
      } else if (auto call = dyn_cast<func::CallOp>(op)) {
        if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                op, call.getCalleeAttr()))
          functions.insert(callee);
      }
    });
  return globals;
}

static unsigned getLevel(memref::GlobalOp global) {
  auto level = global->getAttrOfType<IntegerAttr>(kShadowLevel);
  return level ? level.getInt() : 0;
}

unsigned mlir::autodiff::getGlobalLevel(
    const llvm::SetVector<memref::GlobalOp> &globals) {
  unsigned level = 0;
  for (memref::GlobalOp global : globals)
    level = std::max(level, getLevel(global));
  return level + 1;
}

memref::GlobalOp
mlir::autodiff::getShadowGlobal(SymbolTable &symbolTable,
                                memref::GlobalOp global,
                                const EmissionOptions &options) {
  auto type = cast<MemRefType>(getShadowType(global.getType(), options.width));
  std::string name = (global.getSymName() + "_shadow").str();
  if (options.globalLevel != 1)
    name += "_level" + std::to_string(options.globalLevel);
  if (options.width != 1)
    name += "_width" + std::to_string(options.width);
  while (Operation *existing = symbolTable.lookup(name)) {
    auto shadow = dyn_cast<memref::GlobalOp>(existing);
    if (shadow && shadow.getType() == type &&
        getLevel(shadow) == options.globalLevel &&
        shadow->getAttr(kShadowOf) == FlatSymbolRefAttr::get(global))
      return shadow;
    name += "_";
  }
  OpBuilder builder(global);
  builder.setInsertionPointAfter(global);
  // An attribute cannot hold an array of vectors; whoever differentiates clears
  // the shadow anyway.
  Attribute zero = builder.getUnitAttr();
  if (type.getElementType().isIntOrFloat())
    zero = builder.getZeroAttr(
        RankedTensorType::get(type.getShape(), type.getElementType()));
  auto shadow = memref::GlobalOp::create(
      builder, global.getLoc(), name, builder.getStringAttr("private"), type,
      zero, /*constant=*/false, global.getAlignmentAttr());
  shadow->setAttr(kShadowOf, FlatSymbolRefAttr::get(global));
  shadow->setAttr(kShadowLevel, builder.getIndexAttr(options.globalLevel));
  symbolTable.insert(shadow);
  return shadow;
}

void mlir::autodiff::clearShadowGlobal(OpBuilder &builder,
                                       memref::GlobalOp shadow) {
  Value reference = memref::GetGlobalOp::create(
      builder, shadow.getLoc(), shadow.getType(), shadow.getSymName());
  fillWithZeros(builder, shadow.getLoc(), reference);
}
