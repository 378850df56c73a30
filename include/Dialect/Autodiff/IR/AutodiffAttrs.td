//===- AutodiffAttrs.td - activities and custom rules --------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_ATTRS_TD
#define AUTODIFF_ATTRS_TD

include "Dialect/Autodiff/IR/AutodiffBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Autodiff_Activity : I32EnumAttr<"Activity",
    "how an argument or a result takes part in differentiation", [
      I32EnumAttrCase<"Const", 0, "const">,
      I32EnumAttrCase<"Active", 1, "active">,
      I32EnumAttrCase<"Dup", 2, "dup">,
      I32EnumAttrCase<"DupNoNeed", 3, "dup_noneed">,
      I32EnumAttrCase<"ConstNoNeed", 4, "const_noneed">,
      I32EnumAttrCase<"ActiveNoNeed", 5, "active_noneed">,
    ]> {
  let cppNamespace = "::mlir::autodiff";
  let genSpecializedAttr = 0;
}

def Autodiff_ActivityAttr
    : EnumAttr<Autodiff_Dialect, Autodiff_Activity, "activity"> {
  let assemblyFormat = "`<` $value `>`";
}

def Autodiff_ActivityArrayAttr
    : TypedArrayAttrBase<Autodiff_ActivityAttr, "array of activities">;

def Autodiff_RuleAttr : AttrDef<Autodiff_Dialect, "Rule"> {
  let mnemonic = "rule";
  let summary = "a user-defined derivative of a function";
  let description = [{
    Gives the derivative functions of the function it is attached to, for the
    calls whose arguments have exactly the activities `args` (`const`, `active`
    for by-value arguments, `dup` for by-reference arguments).

    * `tangent`: signature as of `autodiff.fwddiff` with the active arguments
      `dup` and every differentiable result `active`.
    * `augmented`: takes the primal arguments (no shadows: they need not exist
      before the reverse sweep); returns the primal results followed by any
      number of tape values. Optional: without it the primal itself is called.
    * `adjoint`: takes the primal arguments, each `dup` argument followed by
      its shadow, then the tape values of `augmented`, then a seed per
      differentiable result; accumulates into the shadows and returns the
      gradients of the `active` arguments.

    ```mlir
    func.func private @f(f64, f64) -> f64 attributes {autodiff.rules = [
      #autodiff.rule<args = [active, const], tangent = @f_t, adjoint = @f_a>]}
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"Activity">:$args,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$tangent,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$augmented,
    OptionalParameter<"::mlir::FlatSymbolRefAttr">:$adjoint);
  let hasCustomAssemblyFormat = 1;
}

#endif // AUTODIFF_ATTRS_TD
