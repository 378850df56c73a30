//===- CountWhile.cpp - iteration counters for uncounted loops -----------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reverse of a while loop is a counted loop over the iterations that the
// forward sweep made. So that they are known, the loop carries a counter:
//
//   %r = scf.while (%a = %i) : (f64) -> f64 {..}
//   %n, %r = scf.while (%c = 0, %a = %i) : (index, f64) -> (index, f64) {
//     ..; scf.condition(%more) %c, %b
//   } do { ^bb0(%c, %b): ..; scf.yield %c + 1, %x }
//
//===----------------------------------------------------------------------===//

#include "CountWhile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::autodiff;

static void countIterations(scf::WhileOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type index = builder.getIndexType();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);

  SmallVector<Value> inits = {zero};
  llvm::append_range(inits, loop.getInits());
  SmallVector<Type> types = {index};
  llvm::append_range(types, loop.getResultTypes());
  auto counted =
      scf::WhileOp::create(builder, loc, types, inits, loop->getAttrs());
  counted.getBefore().takeBody(loop.getBefore());
  counted.getAfter().takeBody(loop.getAfter());
  Value before = counted.getBeforeBody()->insertArgument(0u, index, loc);
  Value after = counted.getAfterBody()->insertArgument(0u, index, loc);

  // The condition itself is the first operand.
  counted.getConditionOp()->insertOperands(1, before);
  scf::YieldOp yield = counted.getYieldOp();
  builder.setInsertionPoint(yield);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value next = arith::AddIOp::create(builder, loc, after, one);
  yield->insertOperands(0, next);

  loop.replaceAllUsesWith(counted.getResults().drop_front());
  loop.erase();
}

void mlir::autodiff::countWhileLoops(Operation *root) {
  SmallVector<scf::WhileOp> loops;
  root->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  llvm::for_each(loops, countIterations);
}

Value mlir::autodiff::getCounterBefore(scf::WhileOp loop) {
  return loop.getBeforeArguments().front();
}
Value mlir::autodiff::getCounterAfter(scf::WhileOp loop) {
  return loop.getAfterArguments().front();
}
Value mlir::autodiff::getCount(scf::WhileOp loop) {
  return loop.getResults().front();
}
