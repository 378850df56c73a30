//===- ReversePrimal.h - the callee, made ready to be reversed -----------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_REVERSEPRIMAL_H
#define AUTODIFF_TRANSFORMS_REVERSEPRIMAL_H

#include "ReverseEmitter.h"

namespace mlir::autodiff {

/// A copy of a callee: normalised, analysed, its calls augmented, planned.
struct ReversePrimal {
  func::FuncOp function;
  /// The arguments of the callee.
  SmallVector<BlockArgument> arguments;
  /// Combined mode: the shadows of the `dup` ones, arguments of the function.
  llvm::DenseMap<Value, Value> argumentShadows;
  std::unique_ptr<MemoryAnalysis> memory;
  std::unique_ptr<ActivityAnalysis> activity;
  ReversedCalls calls;
  /// The shadows that are values of the forward sweep.
  ForwardShadows forwardShadows;
  /// The memory of the function with augmented calls and forward shadows; null
  /// without either.
  std::unique_ptr<MemoryAnalysis> augmentedMemory;
  ReversePlan plan;

  /// Copies `request.callee` under a name that ends in `suffix`. A failure has
  /// emitted a diagnostic.
  LogicalResult prepare(Differentiator &differentiator,
                        const DerivativeRequest &request, StringRef suffix);

private:
  void addArgumentShadows(const DerivativeRequest &request);
};

/// Releases `tapes` at `builder`.
void freeTapes(OpBuilder &builder, ArrayRef<Value> tapes);

/// The gradients of the `active` arguments among `arguments`: their
/// `adjoints`, zeros where nothing arrived. A failure has emitted a diagnostic.
FailureOr<SmallVector<Value>> getGradients(ReverseEmitter &emitter,
                                           const DerivativeRequest &request,
                                           ArrayRef<BlockArgument> arguments,
                                           ArrayRef<Value> adjoints);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_REVERSEPRIMAL_H
