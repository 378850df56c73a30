//===- Passes.td - passes ------------------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_PASSES_TD
#define AUTODIFF_PASSES_TD

include "mlir/Pass/PassBase.td"

def DifferentiatePass : Pass<"ad-differentiate"> {
  let summary = "Lower every autodiff and fwddiff of a module to derivative functions";
  let description = [{
    Replaces each `autodiff.autodiff` and `autodiff.fwddiff` by a call of a
    derivative function, which is created in the same symbol table, once per
    callee, mode, activities, width and options. Requests inside a callee are
    lowered before the callee is differentiated, so that nested requests give
    higher derivatives. Functions that no request reaches are left alone. If
    anything cannot be differentiated, an error is emitted at its location and
    the module is left as it was.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::autodiff::AutodiffDialect"];
}

def PrintPlanPass : Pass<"ad-print-plan"> {
  let summary = "Print how reverse mode keeps what the reverse sweep needs";
  let description = [{
    Prints, for every reverse-mode derivative that `--ad-differentiate` would
    create, each value that the reverse sweep needs, with its location, and
    whether it is in scope, recomputed, taped (in a buffer indexed by iteration
    or on a stack) or returned by an augmented primal. Changes nothing.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::autodiff::AutodiffDialect"];
}

def PrintActivityPass : Pass<"ad-print-activity"> {
  let summary = "Print which values carry derivatives";
  let description = [{
    For each function and each request that names it (without one: everything
    active that can be), whether each value that could carry a derivative is
    `varied` (depends on an active input), `useful` (influences an active
    output), both, which is `active`, or neither, `constant`. A reference stands
    for its memory.
  }];
}

def PrintMemoryPass : Pass<"ad-print-memory"> {
  let summary = "Print what may overlap and what the reverse sweep finds changed";
  let description = [{
    For each function, and with the activities of each request that names it,
    the classes of references that may overlap, where their
    memory comes from, and who reads, writes and frees it; per read, whether the
    reverse sweep finds the same there: `kept`, `kept until freed`, or
    `may change`. Then the effects of the function as its callers see them.
  }];
}

def LowerTapePass : Pass<"ad-lower-tape"> {
  let summary = "Lower tapes and stacks to memref";
  let description = [{
    `!autodiff.tape<r x T>` becomes a `memref` of `T` with r dynamic dimensions,
    on the heap; small tapes of constant size that stay in their function go to
    the stack. `!autodiff.stack<T>` becomes `memref<memref<?xT>>`, a cell with a
    buffer whose size is the number of values and which doubles when it is full.
    `autodiff.stop_gradient` becomes its operand: nothing is differentiated after
    this pass.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def KeepCustomRulesPass : Pass<"ad-keep-custom-rules"> {
  let summary = "Mark functions with rules of their own as not to be inlined";
  let description = [{
    Only calls know about `autodiff.rules` and `autodiff.inactive`: a function
    with either must not be inlined before differentiation.
  }];
}

#endif // AUTODIFF_PASSES_TD
