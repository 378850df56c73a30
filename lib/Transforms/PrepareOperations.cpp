//===- PrepareOperations.cpp - into a form that rules expect --------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrepareOperations.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

LogicalResult mlir::autodiff::prepareOperations(Operation *root,
                                                bool forReverse) {
  IRRewriter rewriter(root->getContext());
  // Inner ones first; the walk bears that the operation it is at is erased.
  WalkResult result = root->walk([&](DifferentiableOpInterface op) {
    if (op == root)
      return WalkResult::advance();
    rewriter.setInsertionPoint(op);
    return WalkResult(op.prepare(rewriter, forReverse));
  });
  return success(!result.wasInterrupted());
}
