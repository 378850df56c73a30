//===- TapeOps.cpp - verification of the tape operations -----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/IR/Autodiff.h"

using namespace mlir;
using namespace mlir::autodiff;

/// A tape of rank r takes r sizes or indices.
static LogicalResult verifyRank(Operation *op, TapeType tape, size_t count,
                                StringRef what) {
  if (count == tape.getRank())
    return success();
  return op->emitOpError() << "expects " << tape.getRank() << " " << what
                           << " for a tape of rank " << tape.getRank()
                           << ", got " << count;
}

LogicalResult TapeCreateOp::verify() {
  return verifyRank(*this, getTape().getType(), getSizes().size(), "sizes");
}

LogicalResult TapeWriteOp::verify() {
  return verifyRank(*this, getTape().getType(), getIndices().size(), "indices");
}

LogicalResult TapeReadOp::verify() {
  return verifyRank(*this, getTape().getType(), getIndices().size(), "indices");
}
