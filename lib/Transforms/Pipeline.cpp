//===- Pipeline.cpp - the whole road from requests to code ---------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of optimised code is faster than the optimised derivative of
// code that is not: what is hoisted out of a loop before differentiation takes
// its adjoint with it. Hence the order; the other one is there to compare.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Pipeline.h"
#include "Transforms/LowerToLLVM.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::autodiff;

/// Simplifies within functions.
static void addSimplification(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  manager.addNestedPass<func::FuncOp>(createSROA());
  manager.addNestedPass<func::FuncOp>(createMem2Reg());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

static void addOptimisation(OpPassManager &manager) {
  manager.addPass(createKeepCustomRulesPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createInlinerPass());
  addSimplification(manager);
}

void mlir::autodiff::buildPipeline(OpPassManager &manager,
                                   const PipelineOptions &options) {
  if (options.order == DifferentiationOrder::After)
    addOptimisation(manager);
  manager.addPass(createDifferentiatePass());
  addOptimisation(manager);
  manager.addPass(createSymbolDCEPass());
  if (options.stopBeforeLowering)
    return;
  manager.addPass(createLowerTapePass());
  addSimplification(manager);
  if (options.lowerToLLVM)
    buildLowerToLLVMPipeline(manager);
}

void mlir::autodiff::registerPipeline() {
  PassPipelineRegistration<PipelineOptions>(
      "ad-pipeline",
      "Optimise, differentiate, optimise again and lower the tape",
      buildPipeline);
}
