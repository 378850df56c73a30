//===- ReversePlan.h - how each needed value reaches the reverse sweep ---===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_REVERSEPLAN_H
#define AUTODIFF_TRANSFORMS_REVERSEPLAN_H

#include "Dialect/Autodiff/Interfaces/IterationSpaceOpInterface.h"
#include "ReverseNeeds.h"

namespace mlir::autodiff {

/// How the reverse sweep gets the primal of a value.
enum class Keep {
  /// It is in scope: combined mode, defined outside of all regions.
  Direct,
  /// It counts the iterations of a loop.
  Iteration,
  /// Its operation is executed again (an unchanged memory location read again).
  Recompute,
  /// It is kept on a tape.
  Tape,
  /// Split mode, outside of all regions: the augmented primal returns it.
  Returned,
};

/// A value kept on a tape of its own.
struct TapeSlot {
  Value value;
  /// True: one slot per iteration of `loops`, in one buffer allocated before
  /// the outermost. False: a growing stack.
  bool indexed;
  /// The loops around the value, outermost first.
  SmallVector<IterationSpaceOpInterface> loops;
  /// The operation outside of all regions before which the tape is created.
  Operation *outermost;
};

class ReversePlan {
public:
  /// `split`: the reverse sweep becomes a function of its own. `preservedArgs`:
  /// by-reference arguments whose memory stays as the function leaves it. A
  /// failure has emitted a diagnostic.
  static FailureOr<ReversePlan>
  compute(func::FuncOp function, const ActivityAnalysis &activity,
          const MemoryAnalysis &memory, const ReversedCalls &calls,
          const ForwardShadows &shadows, bool split,
          const llvm::BitVector &preservedArgs);

  /// How a needed value is kept.
  Keep getKeep(Value value) const { return keeps.lookup(value); }
  const ReverseNeeds &getNeeds() const { return needs; }
  ArrayRef<TapeSlot> getSlots() const { return slots; }
  /// The slots of values defined in `block`.
  ArrayRef<unsigned> getSlotsIn(Block *block) const;
  /// Split mode: the values that the augmented primal returns.
  ArrayRef<Value> getReturned() const { return returned.getArrayRef(); }
  /// Split mode: the arguments that the adjoint takes.
  llvm::BitVector getAdjointArgs(func::FuncOp function) const;
  /// Releases of memory that the reverse sweep still reads; to be done after
  /// it.
  ArrayRef<Operation *> getDelayedFrees() const {
    return delayedFrees.getArrayRef();
  }

  void print(raw_ostream &os) const;

private:
  friend class ReversePlanner;
  ReverseNeeds needs;
  llvm::MapVector<Value, Keep> keeps;
  SmallVector<TapeSlot> slots;
  llvm::DenseMap<Block *, SmallVector<unsigned>> slotsInBlock;
  llvm::SetVector<Value> returned;
  llvm::SetVector<Operation *> delayedFrees;
};

/// Whether `value` can be computed before `op` (which stands outside of all
/// regions) by a few operations without effects.
bool canHoistBefore(Value value, Operation *op);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_REVERSEPLAN_H
