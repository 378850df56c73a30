//===- ExtendOperation.cpp - carrying more through a region operation ----===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtendOperation.h"

using namespace mlir;

Operation *mlir::autodiff::extendOperation(
    OpBuilder &builder, Operation *op, ArrayRef<Value> operands,
    ArrayRef<Type> results,
    llvm::function_ref<void(Value from, Value to)> replaced) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addOperands(operands);
  state.addTypes(op->getResultTypes());
  state.addTypes(results);
  state.attributes = op->getDiscardableAttrDictionary();
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  builder.setInsertionPoint(op);
  Operation *extended = builder.create(state);
  for (auto [from, to] :
       llvm::zip_equal(op->getRegions(), extended->getRegions()))
    to.takeBody(from);
  for (auto [from, to] : llvm::zip(op->getResults(), extended->getResults())) {
    replaced(from, to);
    from.replaceAllUsesWith(to);
  }
  op->erase();
  return extended;
}
