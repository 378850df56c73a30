//===- AutodiffOps.td - operations ---------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_OPS_TD
#define AUTODIFF_OPS_TD

include "Dialect/Autodiff/IR/AutodiffAttrs.td"
include "Dialect/Autodiff/IR/AutodiffTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"

class Autodiff_Op<string mnemonic, list<Trait> traits = []>
    : Op<Autodiff_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Requests for derivatives
//===----------------------------------------------------------------------===//

class Autodiff_DerivativeOp<string mnemonic>
    : Autodiff_Op<mnemonic, [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$inputs,
    Autodiff_ActivityArrayAttr:$arg_activity,
    Autodiff_ActivityArrayAttr:$result_activity,
    DefaultValuedAttr<I64Attr, "1">:$width,
    UnitAttr:$strong_zero,
    OptionalAttr<Arith_FastMathAttr>:$fastmath);
  let results = (outs Variadic<AnyType>:$outputs);
  let hasCustomAssemblyFormat = 1;
}

def Autodiff_FwdDiffOp : Autodiff_DerivativeOp<"fwddiff"> {
  let summary = "forward-mode derivative of a function";
  let description = [{
    Calls `callee` together with its directional derivative.

    Operands: every argument of the callee in order; an argument with activity
    `dup` or `dup_noneed` is followed by its tangent (by value) or shadow (by
    reference). Results, in order: per result of the callee, its primal (unless
    its activity ends in `_noneed`), then its tangent (if it is `active` or
    `active_noneed`).

    With `width` = k > 1 every tangent holds k directions: the tangent of `f64`
    is `vector<kxf64>`, of `vector<nxf64>` `vector<kxnxf64>`, of
    `tensor<nxf64>` `tensor<kxnxf64>`, of `memref<?xf64>`
    `memref<?xvector<kxf64>>`.

    `strong_zero` makes a zero tangent times an infinite or NaN partial zero.
    `fastmath` is put on the derivative's own operations; without it only the
    flags that the primal operation carries are used.

    ```mlir
    %y, %dy = autodiff.fwddiff @f(dup(%x, %dx), const %n) returns (active)
        : (f64, f64, index) -> (f64, f64)
    ```
  }];
}

def Autodiff_AutoDiffOp : Autodiff_DerivativeOp<"autodiff"> {
  let summary = "reverse-mode derivative of a function";
  let description = [{
    Calls `callee` and propagates adjoints from its results to its arguments.

    Operands: every argument of the callee in order; an argument with activity
    `dup` or `dup_noneed` (by reference) is followed by its shadow, into which
    the adjoint is accumulated; then a seed for every result that is `active`
    or `active_noneed`. Results: the primal of every result (unless its
    activity ends in `_noneed`), then the gradient of every `active` argument.

    Memory that the callee overwrites takes its seed from the shadow and leaves
    the adjoint of what it held before the call there.

    With `width` = k > 1 seeds, shadows and gradients hold k adjoints at once,
    in the types given at `autodiff.fwddiff`.

    ```mlir
    %y, %dx = autodiff.autodiff @f(active %x, dup(%m, %dm), const %n)
        returns (active(%seed))
        : (f64, memref<?xf64>, memref<?xf64>, index, f64) -> (f64, f64)
    ```
  }];
}

def Autodiff_StopGradientOp : Autodiff_Op<"stop_gradient",
    [Pure, AllTypesMatch<["input", "output"]>]> {
  let summary = "the identity, with a derivative of zero";
  let description = [{
    Returns its operand; nothing is propagated through it in either mode. The
    operand is by value: a number, a vector, a tensor or a complex number.
  }];
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$output);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tapes
//===----------------------------------------------------------------------===//

def Autodiff_TapeCreateOp : Autodiff_Op<"tape_create"> {
  let summary = "a tape with one slot per iteration of a loop nest";
  let description = [{
    `sizes` are the trip counts of the loops, outermost first. Contents are
    undefined, or zero with `zeroed`. Released by `autodiff.tape_free`.
  }];
  let arguments = (ins Variadic<Index>:$sizes, UnitAttr:$zeroed);
  let results = (outs Res<Autodiff_TapeType, "", [MemAlloc]>:$tape);
  let assemblyFormat = [{ (`zeroed` $zeroed^)? `(` $sizes `)` attr-dict `:`
                          qualified(type($tape)) }];
  let hasVerifier = 1;
}

def Autodiff_TapeWriteOp : Autodiff_Op<"tape_write", [
    TypesMatchWith<"value has the element type of the tape", "tape", "value",
                   "::llvm::cast<TapeType>($_self).getElementType()">]> {
  let summary = "writes a slot of a tape";
  let arguments = (ins AnyType:$value,
                       Arg<Autodiff_TapeType, "", [MemWrite]>:$tape,
                       Variadic<Index>:$indices);
  let assemblyFormat = [{ $value `,` $tape `[` $indices `]` attr-dict `:`
                          qualified(type($tape)) }];
  let hasVerifier = 1;
}

def Autodiff_TapeReadOp : Autodiff_Op<"tape_read", [
    TypesMatchWith<"result has the element type of the tape", "tape", "value",
                   "::llvm::cast<TapeType>($_self).getElementType()">]> {
  let summary = "reads a slot of a tape";
  let arguments = (ins Arg<Autodiff_TapeType, "", [MemRead]>:$tape,
                       Variadic<Index>:$indices);
  let results = (outs AnyType:$value);
  let assemblyFormat = [{ $tape `[` $indices `]` attr-dict `:`
                          qualified(type($tape)) }];
  let hasVerifier = 1;
}

def Autodiff_TapeFreeOp : Autodiff_Op<"tape_free"> {
  let summary = "releases a tape";
  let arguments = (ins Arg<Autodiff_TapeType, "", [MemFree]>:$tape);
  let assemblyFormat = "$tape attr-dict `:` qualified(type($tape))";
}

def Autodiff_StackCreateOp : Autodiff_Op<"stack_create"> {
  let summary = "an empty growing stack";
  let results = (outs Res<Autodiff_StackType, "", [MemAlloc]>:$stack);
  let assemblyFormat = "attr-dict `:` qualified(type($stack))";
}

def Autodiff_StackPushOp : Autodiff_Op<"stack_push", [
    TypesMatchWith<"value has the element type of the stack", "stack", "value",
                   "::llvm::cast<StackType>($_self).getElementType()">]> {
  let summary = "pushes a value";
  let arguments = (ins AnyType:$value,
                       Arg<Autodiff_StackType, "",
                           [MemRead, MemWrite]>:$stack);
  let assemblyFormat = "$value `,` $stack attr-dict `:` qualified(type($stack))";
}

def Autodiff_StackPopOp : Autodiff_Op<"stack_pop", [
    TypesMatchWith<"result has the element type of the stack", "stack", "value",
                   "::llvm::cast<StackType>($_self).getElementType()">]> {
  let summary = "pops the value pushed last";
  let arguments = (ins Arg<Autodiff_StackType, "",
                           [MemRead, MemWrite]>:$stack);
  let results = (outs AnyType:$value);
  let assemblyFormat = "$stack attr-dict `:` qualified(type($stack))";
}

def Autodiff_StackFreeOp : Autodiff_Op<"stack_free"> {
  let summary = "releases a stack";
  let arguments = (ins Arg<Autodiff_StackType, "", [MemFree]>:$stack);
  let assemblyFormat = "$stack attr-dict `:` qualified(type($stack))";
}

#endif // AUTODIFF_OPS_TD
