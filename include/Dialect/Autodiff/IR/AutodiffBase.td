//===- AutodiffBase.td - dialect -----------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_BASE_TD
#define AUTODIFF_BASE_TD

include "mlir/IR/DialectBase.td"

def Autodiff_Dialect : Dialect {
  let name = "autodiff";
  let cppNamespace = "::mlir::autodiff";
  let summary = "Derivatives of functions";
  let description = [{
    The `autodiff` dialect asks for derivatives of functions and holds what
    derivative code needs before it is lowered.

    `autodiff.fwddiff` (forward mode) and `autodiff.autodiff` (reverse mode)
    are requests: `--ad-differentiate` replaces each by a call of a derivative
    function that it creates in the same module. The tape operations
    (`autodiff.tape_*`, `autodiff.stack_*`) appear in reverse-mode derivatives
    and are lowered to `memref` by `--ad-lower-tape`.

    Two discardable attributes on functions steer differentiation:

    * `autodiff.inactive` (unit): calls of this function carry no derivative.
    * `autodiff.rules` (array of `#autodiff.rule`): the derivatives of this
      function are given by the user, per activity of its arguments.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Names of the discardable attributes.
    static constexpr ::llvm::StringLiteral kInactiveAttr = "autodiff.inactive";
    static constexpr ::llvm::StringLiteral kRulesAttr = "autodiff.rules";
    /// On a memref argument: no other argument overlaps it.
    static constexpr ::llvm::StringLiteral kNoAliasAttr = "autodiff.noalias";
  }];
}

#endif // AUTODIFF_BASE_TD
