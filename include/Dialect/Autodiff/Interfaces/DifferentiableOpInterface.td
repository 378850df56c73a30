//===- DifferentiableOpInterface.td --------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_DIFFERENTIABLEOPINTERFACE_TD
#define AUTODIFF_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::mlir::autodiff";
  let description = [{
    The derivative rule of an operation. Elementwise mathematical operations
    get it from the rule table (`Rules/*.td`); operations that own memory
    implement it by hand, one file per upstream dialect. Control flow and calls
    belong to the engine and do not need it.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether the operation never carries a derivative, whatever its operands
        (comparisons, rounding, conversions to integers).
      }], "bool", "isInactive", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
        Tells `needs` every primal value and every shadow that `emitAdjoint` is
        going to ask its context for, given the activities that `needs` knows.
      }], "void", "collectAdjointNeeds",
      (ins "::mlir::autodiff::AdjointNeeds &":$needs), [{}], [{ return; }]>,
    InterfaceMethod<[{
        Emits the tangent of the operation at `context.getBuilder()`, which
        stands right after the operation. Called only if an operand or a result
        is active. A failure has emitted a diagnostic.
      }], "::llvm::LogicalResult", "emitTangent",
      (ins "::mlir::autodiff::TangentContext &":$context)>,
    InterfaceMethod<[{
        Emits the adjoint of the operation at `context.getBuilder()`. Called
        only if an operand or a result is active. A failure has emitted a
        diagnostic.
      }], "::llvm::LogicalResult", "emitAdjoint",
      (ins "::mlir::autodiff::AdjointContext &":$context)>,
  ];
}

#endif // AUTODIFF_DIFFERENTIABLEOPINTERFACE_TD
