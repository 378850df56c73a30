//===- Pipeline.h - the whole road from requests to code -----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_PIPELINE_H
#define AUTODIFF_TRANSFORMS_PIPELINE_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::autodiff {

/// Whether to differentiate optimised code, or to optimise derivatives only.
enum class DifferentiationOrder { After, Before };

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<DifferentiationOrder> order{
      *this, "order",
      llvm::cl::desc("Differentiate after optimisation (default) or before"),
      llvm::cl::init(DifferentiationOrder::After),
      llvm::cl::values(clEnumValN(DifferentiationOrder::After, "after",
                                  "differentiate after optimisation"),
                       clEnumValN(DifferentiationOrder::Before, "before",
                                  "differentiate before optimisation"))};
  Option<bool> stopBeforeLowering{
      *this, "stop-before-lowering",
      llvm::cl::desc("Leave the tape operations in place"),
      llvm::cl::init(false)};
  Option<bool> lowerToLLVM{*this, "lower-to-llvm",
                           llvm::cl::desc("Go on to the LLVM dialect"),
                           llvm::cl::init(false)};
};

/// Appends: optimise (inline, canonicalize, cse, loop-invariant code motion,
/// sroa, mem2reg), differentiate, optimise again, lower the tape, and, if asked
/// for, lower to LLVM.
void buildPipeline(OpPassManager &manager, const PipelineOptions &options);
/// Makes `--ad-pipeline` known to the command line.
void registerPipeline();

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_PIPELINE_H
