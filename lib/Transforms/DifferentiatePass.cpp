//===- DifferentiatePass.cpp - lowering requests for derivatives ---------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Differentiator.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::autodiff {
#define GEN_PASS_DEF_DIFFERENTIATEPASS
#define GEN_PASS_DEF_PRINTPLANPASS
#include "Transforms/Passes.h.inc"
} // namespace mlir::autodiff

using namespace mlir;
using namespace mlir::autodiff;

namespace {

struct DifferentiatePass
    : autodiff::impl::DifferentiatePassBase<DifferentiatePass> {
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }

  void runOnOperation() override {
    // Nothing is copied and nothing analysed where no derivative is asked for.
    Operation *module = getOperation();
    WalkResult asked = module->walk([](Operation *op) {
      return isa<AutoDiffOp, FwdDiffOp>(op) ? WalkResult::interrupt()
                                            : WalkResult::advance();
    });
    if (!asked.wasInterrupted())
      return markAllAnalysesPreserved();
    // A failure leaves the module as it was.
    OwningOpRef<Operation *> copy(module->clone());
    if (failed(Differentiator(*copy).run()))
      return signalPassFailure();
    module->getRegion(0).takeBody((*copy)->getRegion(0));
  }
};

struct PrintPlanPass : autodiff::impl::PrintPlanPassBase<PrintPlanPass> {
  bool canScheduleOn(RegisteredOperationName name) const override {
    return name.hasTrait<OpTrait::SymbolTable>();
  }

  void runOnOperation() override {
    OwningOpRef<Operation *> copy(getOperation()->clone());
    Differentiator differentiator(*copy);
    differentiator.setPlanStream(&llvm::outs());
    if (failed(differentiator.run()))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
