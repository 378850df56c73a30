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
    get it from the rule table (`Rules/*.td`); operations that own memory or
    have regions implement it by hand, one file per upstream dialect. Calls
    belong to the engine and do not need it.

    The rule of an operation with regions speaks of its blocks: the contexts
    emit the tangents of a block in place, or the adjoints of a block into a
    mirror of it. If the regions run more than once, the operation also
    implements IterationSpaceOpInterface.
  }];
  let methods = [
    InterfaceMethod<[{
        Brings the operation into a form that is easier to differentiate;
        nothing by default. Called before all analysis on every operation of a
        private copy of the function, inner ones first; `forReverse` tells the
        mode. It may replace or erase the operation, but no other. A failure
        has emitted a diagnostic.
      }], "::llvm::LogicalResult", "prepare",
      (ins "::mlir::RewriterBase &":$rewriter, "bool":$forReverse), [{}],
      [{ return ::llvm::success(); }]>,
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
