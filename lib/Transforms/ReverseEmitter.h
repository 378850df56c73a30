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
  SmallVector<Value> getCaptured(Operation *op) const override;
  FailureOr<SmallVector<Value>> getAdjoints(ValueRange values) override;
  void setAdjoint(Value value, Value adjoint) override {
    current->adjoints[value] = adjoint;
  }
  LogicalResult reverseBlock(Block &primal, Block &mirror, ValueRange iteration,
                             llvm::function_ref<void()> begin,
                             llvm::function_ref<LogicalResult()> end) override;

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
    /// The number of the iteration (index, from 0) per dimension if the block
    /// belongs to a loop.
    SmallVector<Value> iteration;
    llvm::DenseMap<Value, Value> primals, shadows, adjoints;
    Frame *parent = nullptr;
  };
  class ShadowContext;

  // Frames.
  void enter(Frame &frame, Block *primal, Block *reverse, ValueRange iteration);
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
  LogicalResult reverseOperations(Frame &frame);
  LogicalResult reverse(Operation *op);
  LogicalResult reverseCall(func::CallOp call);

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
