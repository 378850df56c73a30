//===- AutodiffTypes.td - tapes ------------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TYPES_TD
#define AUTODIFF_TYPES_TD

include "Dialect/Autodiff/IR/AutodiffBase.td"
include "mlir/IR/AttrTypeBase.td"

def Autodiff_TapeType : TypeDef<Autodiff_Dialect, "Tape"> {
  let mnemonic = "tape";
  let summary = "values kept for the reverse sweep, indexed by iteration";
  let description = [{
    A contiguous buffer with one slot per iteration of a nest of `rank` counted
    loops. Rank 0 is a single slot. `!autodiff.tape<2 x f64>` has rank 2.
  }];
  let parameters = (ins "unsigned":$rank, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $rank `x` $elementType `>`";
}

def Autodiff_StackType : TypeDef<Autodiff_Dialect, "Stack"> {
  let mnemonic = "stack";
  let summary = "values kept for the reverse sweep, last in first out";
  let description = [{
    A growing stack, for values in loops whose number of iterations is not known
    before the outermost loop starts.
  }];
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

#endif // AUTODIFF_TYPES_TD
