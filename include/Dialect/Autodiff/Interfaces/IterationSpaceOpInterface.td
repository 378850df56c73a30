//===- IterationSpaceOpInterface.td --------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_ITERATIONSPACEOPINTERFACE_TD
#define AUTODIFF_ITERATIONSPACEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def IterationSpaceOpInterface : OpInterface<"IterationSpaceOpInterface"> {
  let cppNamespace = "::mlir::autodiff";
  let description = [{
    An operation whose regions run many times: once per point of a rectangular
    *iteration space*. Its iterations have numbers, from 0 in each dimension.
    The engine asks for what follows from the numbers alone (and so is never
    kept on a tape), and how many there are (the size of a tape).

    A loop without a trip count known beforehand has one dimension and numbers
    its iterations as they come; its tapes grow.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether the size of the iteration space is known before the operation.
      }], "bool", "isCounted", (ins), [{}], [{ return true; }]>,
    InterfaceMethod<[{
        The operands from which the space and the counters follow.
      }], "::llvm::SmallVector<::mlir::Value>", "getSpaceOperands", (ins)>,
    InterfaceMethod<[{
        The arguments of the regions that follow from the number of the
        iteration and the operands of the space (induction variables).
      }], "::llvm::SmallVector<::mlir::Value>", "getCounters", (ins)>,
    InterfaceMethod<[{
        The size of the space per dimension (index), where `operands` are the
        values of the operands of the space. If counted.
      }], "::llvm::SmallVector<::mlir::Value>", "createTripCounts",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands)>,
    InterfaceMethod<[{
        The value of `counter`, one of the counters, in the iteration with the
        numbers `iteration`.
      }], "::mlir::Value", "createCounter",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$counter,
           "::mlir::ValueRange":$operands, "::mlir::ValueRange":$iteration)>,
    InterfaceMethod<[{
        The numbers of the iteration, from the counters; at the builder, which
        stands at the start of the body. If counted.
      }], "::llvm::SmallVector<::mlir::Value>", "createIteration",
      (ins "::mlir::OpBuilder &":$builder)>,
  ];
}

#endif // AUTODIFF_ITERATIONSPACEOPINTERFACE_TD
