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

#endif // AUTODIFF_PASSES_TD
