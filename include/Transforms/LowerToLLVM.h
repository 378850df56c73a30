//===- LowerToLLVM.h - from upstream dialects to LLVM --------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_LOWERTOLLVM_H
#define AUTODIFF_TRANSFORMS_LOWERTOLLVM_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::autodiff {

/// Appends the passes that bring a module of upstream dialects, without
/// requests for derivatives, to the LLVM dialect: `--ad-lower-to-llvm`.
void buildLowerToLLVMPipeline(OpPassManager &manager);
/// Makes `--ad-lower-to-llvm` known to the command line.
void registerLowerToLLVMPipeline();

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_LOWERTOLLVM_H
