//===- Autodiff.h - the autodiff dialect ---------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_DIALECT_AUTODIFF_IR_AUTODIFF_H
#define AUTODIFF_DIALECT_AUTODIFF_IR_AUTODIFF_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Dialect/Autodiff/IR/AutodiffEnums.h.inc"

#include "Dialect/Autodiff/IR/AutodiffDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Dialect/Autodiff/IR/AutodiffAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Dialect/Autodiff/IR/AutodiffTypes.h.inc"

#define GET_OP_CLASSES
#include "Dialect/Autodiff/IR/AutodiffOps.h.inc"

namespace mlir::autodiff {

/// True for `dup` and `dup_noneed`: a shadow follows the primal operand.
inline bool hasShadow(Activity activity) {
  return activity == Activity::Dup || activity == Activity::DupNoNeed;
}
/// True for `active` and `active_noneed`.
inline bool isActive(Activity activity) {
  return activity == Activity::Active || activity == Activity::ActiveNoNeed;
}
/// True unless the primal result is left out.
inline bool hasPrimalResult(Activity activity) {
  return activity == Activity::Const || activity == Activity::Active;
}
/// The activities in `attrs`, an array of ActivityAttr.
SmallVector<Activity> getActivities(ArrayAttr attrs);

} // namespace mlir::autodiff

#endif // AUTODIFF_DIALECT_AUTODIFF_IR_AUTODIFF_H
