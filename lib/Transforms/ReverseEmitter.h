//===- ReverseEmitter.h - emitting the reverse sweep ---------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reverse sweep mirrors the blocks of the forward sweep. While the mirror
// of a block is being filled, a *frame* holds what is known there: the primals
// and shadows that were brought in, and the adjoints, which are SSA values.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_REVERSEEMITTER_H
#define AUTODIFF_TRANSFORMS_REVERSEEMITTER_H

#include "ReversePlan.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::autodiff {

class ReverseEmitter : public AdjointContext {
public:
  /// `tapes`: one value per slot of the plan, in scope in the reverse sweep.
  ReverseEmitter(Differentiator &differentiator, const ReversePlan &plan,
                 const ActivityAnalysis &activity, const ReversedCalls &calls,
                 const EmissionOptions &options, ArrayRef<Value> tapes);

  /// A primal of the forward sweep outside of all regions that is in scope
  /// under another name.
  void mapPrimal(Value primal, Value name);
  /// The shadow of an argument.
  void mapShadow(Value argument, Value shadow);

  /// Emits the reverse of `body`, the block of the function, before `end`.
  /// `seeds` holds a value or null per operand of the terminator. Returns the
  /// adjoints of `arguments`, those of the callee; null means zero. A failure
  /// has emitted a diagnostic.
  FailureOr<SmallVector<Value>> emit(Block *body,
                                     ArrayRef<BlockArgument> arguments,
                                     ArrayRef<Value> seeds, Operation *end);

  // AdjointContext:
  OpBuilder &getBuilder() override { return builder; }
  const EmissionOptions &getOptions() const override { return options; }
  bool isActive(Value value) const override { return activity.isActive(value); }
  Value getPrimal(Value value) override;
  Value getShadow(Value value) override;
  Value getAdjoint(Value value) override;
  void addToAdjoint(Value value, Value contribution) override;

  /// A zero adjoint of `value`.
  Value createZeroAdjoint(Value value);

private:
  /// What is known in the mirror of one block.
  struct Frame {
    Block *primal = nullptr;
    Block *reverse = nullptr;
    /// Where the mirror ends; null: at the end of the block.
    Operation *end = nullptr;
    /// The operation in the mirror whose regions are being filled; what is
    /// brought in meanwhile goes before it.
    Operation *open = nullptr;
    /// The iteration (index, from 0) if the block is the body of a loop.
    Value iteration;
    llvm::DenseMap<Value, Value> primals, shadows, adjoints;
    Frame *parent = nullptr;
  };
  class ShadowContext;

  // Frames.
  void enter(Frame &frame, Block *primal, Block *reverse, Value iteration);
  void leave(Frame &frame);
  Frame *getFrame(Value value) const {
    return frames.lookup(value.getParentBlock());
  }
  void setInsertionPoint(const Frame &frame);

  // Primals and shadows.
  Value lookupPrimal(Value value) const;
  void appendPrimalOperands(Value value, SmallVectorImpl<Value> &operands);
  void bringPrimal(Value value);
  Value readTape(const TapeSlot &slot, Value tape);
  Value lookupShadow(Value value);
  LogicalResult bringShadow(Value value);

  // Adjoints of operations.
  LogicalResult reverseBlock(Frame &frame);
  LogicalResult reverse(Operation *op);
  LogicalResult reverseFor(scf::ForOp loop);
  LogicalResult reverseWhile(scf::WhileOp loop);
  LogicalResult reverseIf(scf::IfOp branch);
  LogicalResult reverseIndexSwitch(scf::IndexSwitchOp branch);
  LogicalResult reverseBranch(Operation *branch, Operation *reverse,
                              ArrayRef<Value> captured,
                              ArrayRef<unsigned> positions);
  LogicalResult reverseCall(func::CallOp call);

  SmallVector<Value> getCaptured(Operation *op) const;
  SmallVector<Value> takeAdjoints(ValueRange values);
  void setAdjoints(Frame &frame, ValueRange values, ValueRange adjoints);
  void addToAdjoints(ValueRange values, ValueRange contributions);

  Differentiator &differentiator;
  const ReversePlan &plan;
  const ActivityAnalysis &activity;
  const ReversedCalls &calls;
  EmissionOptions options;
  SmallVector<Value> tapes;
  llvm::DenseMap<Value, unsigned> slotOf;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> mappedPrimals, mappedShadows;
  llvm::DenseMap<Block *, Frame *> frames;
  Frame *current = nullptr;
  /// A diagnostic has been emitted where no result could tell.
  bool hasFailed = false;
};

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_REVERSEEMITTER_H
