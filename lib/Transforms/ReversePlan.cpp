//===- ReversePlan.cpp - how each needed value reaches the reverse sweep -===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReversePlan.h"

using namespace mlir;
using namespace mlir::autodiff;

bool mlir::autodiff::canHoistBefore(Value value, Operation *op) {
  SmallVector<Value> worklist = {value};
  unsigned seen = 0;
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    Operation *definition = current.getDefiningOp();
    if (current.getParentBlock() == op->getBlock() &&
        (!definition || definition->isBeforeInBlock(op)))
      continue;
    if (!definition || ++seen > 16 || !isPure(definition) ||
        definition->getNumRegions() != 0)
      return false;
    llvm::append_range(worklist, definition->getOperands());
  }
  return true;
}

ArrayRef<unsigned> ReversePlan::getSlotsIn(Block *block) const {
  auto it = slotsInBlock.find(block);
  return it == slotsInBlock.end() ? ArrayRef<unsigned>() : it->second;
}

llvm::BitVector ReversePlan::getAdjointArgs(func::FuncOp function) const {
  llvm::BitVector used(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (keeps.contains(argument))
      used.set(argument.getArgNumber());
  return used;
}

static StringRef getName(Keep keep) {
  switch (keep) {
  case Keep::Direct:
    return "in scope";
  case Keep::Iteration:
    return "loop counter";
  case Keep::Recompute:
    return "recomputed";
  case Keep::Tape:
    return "taped";
  case Keep::Returned:
    return "returned by the augmented primal";
  }
  llvm_unreachable("all cases covered");
}

void ReversePlan::print(raw_ostream &os) const {
  llvm::DenseMap<Value, const TapeSlot *> slotOf;
  for (const TapeSlot &slot : slots)
    slotOf[slot.value] = &slot;
  for (auto [value, keep] : keeps) {
    os << "  " << value.getLoc() << ": ";
    if (Operation *op = value.getDefiningOp())
      os << op->getName();
    else
      os << "argument #" << cast<BlockArgument>(value).getArgNumber();
    os << " : " << value.getType() << " is " << getName(keep);
    if (const TapeSlot *slot = slotOf.lookup(value)) {
      if (slot->indexed)
        os << ", one slot per iteration of " << slot->loops.size()
           << " loop(s)";
      else
        os << ", on a stack";
    }
    os << "\n";
  }
  for (Operation *free : delayedFrees)
    os << "  " << free->getLoc() << ": " << free->getName()
       << " is delayed until after the reverse sweep\n";
}
