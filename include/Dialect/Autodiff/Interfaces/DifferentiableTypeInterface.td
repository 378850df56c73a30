//===- DifferentiableTypeInterface.td ------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_DIFFERENTIABLETYPEINTERFACE_TD
#define AUTODIFF_DIFFERENTIABLETYPEINTERFACE_TD

include "mlir/IR/Interfaces.td"

def DifferentiableTypeInterface : TypeInterface<"DifferentiableTypeInterface"> {
  let cppNamespace = "::mlir::autodiff";
  let description = [{
    A type whose values have tangents and adjoints. A type without this
    interface (integers, `index`, `i1`) carries no derivative.

    By-value types (floats, vectors, tensors, complex) form a vector space:
    zero and addition are given here. By-reference types (memref, tapes) have a
    shadow of the same shape, into which adjoints are accumulated.
  }];
  let methods = [
    InterfaceMethod<"Whether a value of this type really carries derivatives "
                    "(a vector of integers does not).",
      "bool", "isDifferentiable", (ins)>,
    InterfaceMethod<"Whether values are references to memory.",
      "bool", "isByReference", (ins)>,
    InterfaceMethod<[{
        The type of the tangent, adjoint or shadow for `width` directions.
      }], "::mlir::Type", "getShadowType", (ins "int64_t":$width)>,
    InterfaceMethod<[{
        A zero of the shadow type for `width`. `primal` is a value of this type
        from which dynamic sizes are taken; it may be null if the type is
        static. Null when it cannot be built. By-value types only.
      }], "::mlir::Value", "createZero",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "int64_t":$width, "::mlir::Value":$primal)>,
    InterfaceMethod<[{
        The sum of two shadows `lhs` and `rhs` (of the shadow type). By-value
        types only.
      }], "::mlir::Value", "createAdd",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$lhs, "::mlir::Value":$rhs)>,
  ];
}

#endif // AUTODIFF_DIFFERENTIABLETYPEINTERFACE_TD
