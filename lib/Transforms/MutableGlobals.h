//===- MutableGlobals.h - globals that carry derivatives -----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_MUTABLEGLOBALS_H
#define AUTODIFF_TRANSFORMS_MUTABLEGLOBALS_H

#include "Analysis/CalleeEffects.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::autodiff {

/// The globals of differentiable type, not constant, that `function` and the
/// functions it calls refer to.
llvm::SetVector<memref::GlobalOp> getMutableGlobals(func::FuncOp function,
                                                    CalleeEffects &callees);

/// The level for the derivative of a function that reaches `globals`: above
/// those of the shadows among them.
unsigned getGlobalLevel(const llvm::SetVector<memref::GlobalOp> &globals);

/// The global that holds the shadow of `global`, created if need be: private,
/// of the shadow type for the width, initially zero.
memref::GlobalOp getShadowGlobal(SymbolTable &symbolTable,
                                 memref::GlobalOp global,
                                 const EmissionOptions &options);

/// Fills the shadow global with zeros at `builder`.
void clearShadowGlobal(OpBuilder &builder, memref::GlobalOp shadow);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_MUTABLEGLOBALS_H
