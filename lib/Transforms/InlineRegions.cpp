//===- InlineRegions.cpp - regions that run exactly once -----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineRegions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::autodiff;

void mlir::autodiff::inlineExecuteRegions(Operation *root) {
  IRRewriter rewriter(root->getContext());
  // Inner ones first.
  root->walk([&](scf::ExecuteRegionOp op) {
    if (!op.getRegion().hasOneBlock())
      return;
    Block *block = &op.getRegion().front();
    Operation *yield = block->getTerminator();
    SmallVector<Value> results(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(block, op);
    rewriter.replaceOp(op, results);
  });
}
