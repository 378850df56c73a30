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
}

def LowerTapePass : Pass<"ad-lower-tape"> {
  let summary = "Lower tapes to memref";
  let description = [{
    Tapes become `memref`s with a dimension per loop, allocated on the heap
    (rank 0: on the stack). Stacks become growing byte buffers behind a cell.
  }];
}

#endif // AUTODIFF_PASSES_TD
