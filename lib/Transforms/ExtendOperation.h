//===- ExtendOperation.h - carrying more through a region operation ------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_EXTENDOPERATION_H
#define AUTODIFF_TRANSFORMS_EXTENDOPERATION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace mlir::autodiff {

/// Replaces `op` by the same operation with `operands` after its operands and
/// results of the types `results` after its results; the regions move, the
/// caller adds arguments and terminator operands. `replaced` is told about each
/// old result and the new one before the old one goes.
Operation *
extendOperation(OpBuilder &builder, Operation *op, ArrayRef<Value> operands,
                ArrayRef<Type> results,
                llvm::function_ref<void(Value from, Value to)> replaced);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_EXTENDOPERATION_H
