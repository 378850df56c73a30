//===- ForwardEmitter.h - emitting tangents ------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tangents stand between the primals: every active operation is followed by its
// tangent, every region operation carries the tangents of what it carries.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_FORWARDEMITTER_H
#define AUTODIFF_TRANSFORMS_FORWARDEMITTER_H

#include "Analysis/ActivityAnalysis.h"
#include "Transforms/Differentiator.h"

namespace mlir::autodiff {

class ForwardEmitter : public TangentContext {
public:
  ForwardEmitter(Differentiator &differentiator, ActivityAnalysis &activity,
                 const EmissionOptions &options);

  // TangentContext:
  OpBuilder &getBuilder() override { return builder; }
  const EmissionOptions &getOptions() const override { return options; }
  Value getPrimal(Value primal) override { return primal; }
  Value getTangent(Value primal) override { return tangents.lookup(primal); }
  bool isActive(Value primal) const override {
    return activity.isActive(primal);
  }
  void setTangent(Value primal, Value tangent) override {
    tangents[primal] = tangent;
  }
  Value getTangentOrZero(Value value) override;
  Operation *extend(Operation *op, ArrayRef<Value> operands,
                    ArrayRef<Type> results) override;
  LogicalResult emitBlock(Block &block) override;

private:
  LogicalResult emit(Operation *op);
  LogicalResult checkShadows(Operation *op);
  LogicalResult emitRegions(Operation *op);
  LogicalResult emitCall(Operation *op);
  LogicalResult emitRuleCall(Operation *op, RuleAttr rule, func::FuncOp callee);
  void emitGlobal(Operation *op);

  bool hasActiveInside(Operation *op);
  void replaceCall(Operation *op, func::FuncOp derivative,
                   ArrayRef<Value> operands, const llvm::BitVector &active);

  Differentiator &differentiator;
  ActivityAnalysis &activity;
  EmissionOptions options;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> tangents;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_FORWARDEMITTER_H
