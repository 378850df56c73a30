//===- Overwrites.cpp - what is still there when the reverse sweep comes -===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MemoryAnalysis::mayChangeAfter. The reverse sweep comes back to a read after
// all of the function has run. The read memory has changed if there is a write
//
//   * in the same iteration of all loops around both, after the read; or
//   * in a later iteration of a loop around both.
//
// Only loops inside the scope of the memory count: beyond it each iteration has
// memory of its own. Candidates are found by binary search in the writes, which
// are sorted by position: all those after the start of the outermost loop that
// counts. Each (up to a limit) is then compared precisely: two accesses through
// the same reference do not meet if one of their indices is always different,
// or is always greater in the later iteration. Indices are an induction
// variable or another value plus a constant, or are bounded by one, as those of
// triangular loops are. This is a dependence test (strong SIV, Goff, Kennedy &
// Tseng 1991) for each level of the loop nest.
//
//===----------------------------------------------------------------------===//

#include "Analysis/MemoryAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

/// More writes than this are not compared with the read one by one.
static constexpr unsigned kMaxComparisons = 32;

namespace {
/// `base` + `offset`; a null base is zero.
struct Index {
  Value base;
  int64_t offset = 0;
};

/// What is known of an index: it is the first of `lower` and of `upper`, at
/// least all of `lower`, and at most all of `upper`.
struct IndexRange {
  SmallVector<Index, 4> lower, upper;
  const Index &exact() const { return lower.front(); }
};
} // namespace

/// An access to one element.
struct MemoryAnalysis::Element {
  Value memref;
  SmallVector<IndexRange, 2> indices;
};

/// How many bounds are looked at for an index, to either side.
static constexpr unsigned kMaxBounds = 4;

static Index getIndex(Value value) {
  Index index{value, 0};
  // A few steps are enough for what front ends produce.
  for (unsigned step = 0; step != 8; ++step) {
    APInt constant;
    auto addOffset = [&](Value rest, bool negate) {
      if (constant.getSignificantBits() > 31)
        return false;
      int64_t offset = constant.getSExtValue();
      index.offset += negate ? -offset : offset;
      index.base = rest;
      return true;
    };
    if (matchPattern(index.base, m_ConstantInt(&constant))) {
      addOffset(Value(), false);
      break;
    }
    if (auto cast = index.base.getDefiningOp<arith::IndexCastOp>()) {
      // From an integer that is no wider: keeps values apart.
      auto type = dyn_cast<IntegerType>(cast.getIn().getType());
      if (!type || type.getWidth() > 64 || !cast.getType().isIndex())
        break;
      index.base = cast.getIn();
    } else if (auto add = index.base.getDefiningOp<arith::AddIOp>()) {
      if (!add.getType().isIndex())
        break;
      if (matchPattern(add.getRhs(), m_ConstantInt(&constant))) {
        if (!addOffset(add.getLhs(), false))
          break;
      } else if (matchPattern(add.getLhs(), m_ConstantInt(&constant))) {
        if (!addOffset(add.getRhs(), false))
          break;
      } else {
        break;
      }
    } else if (auto sub = index.base.getDefiningOp<arith::SubIOp>()) {
      if (!sub.getType().isIndex() ||
          !matchPattern(sub.getRhs(), m_ConstantInt(&constant)) ||
          !addOffset(sub.getLhs(), true))
        break;
    } else {
      break;
    }
  }
  return index;
}

/// Adds to `bounds`, which holds the index, what the loops whose induction
/// variables it and its bounds are made of say about it.
static void addBounds(SmallVectorImpl<Index> &bounds, bool upper) {
  auto add = [&](Value value, int64_t offset) {
    if (bounds.size() == kMaxBounds)
      return;
    Index bound = getIndex(value);
    bound.offset += offset;
    bounds.push_back(bound);
  };
  for (unsigned i = 0; i != bounds.size(); ++i) {
    Index bound = bounds[i];
    if (!bound.base)
      continue;
    if (auto variable = dyn_cast<BlockArgument>(bound.base)) {
      auto loop = dyn_cast<scf::ForOp>(variable.getOwner()->getParentOp());
      if (!loop || variable != loop.getInductionVar() || loop.getUnsignedCmp())
        continue;
      if (upper)
        add(loop.getUpperBound(), bound.offset - 1);
      else
        add(loop.getLowerBound(), bound.offset);
      continue;
    }
    Operation *op = bound.base.getDefiningOp();
    if (upper ? isa<arith::MinSIOp>(op) : isa<arith::MaxSIOp>(op))
      for (Value operand : op->getOperands())
        add(operand, bound.offset);
  }
}

static IndexRange getRange(Value value) {
  Index exact = getIndex(value);
  IndexRange range{{exact}, {exact}};
  addBounds(range.lower, /*upper=*/false);
  addBounds(range.upper, /*upper=*/true);
  return range;
}

/// Whether a range with the bounds `lower` is beyond one with the bounds
/// `upper` by at least `distance`, for bounds made of the same base that is
/// `usable`.
static bool isBeyond(ArrayRef<Index> lower, ArrayRef<Index> upper,
                     int64_t distance, llvm::function_ref<bool(Value)> usable) {
  return llvm::any_of(lower, [&](const Index &low) {
    return usable(low.base) && llvm::any_of(upper, [&](const Index &high) {
             return low.base == high.base &&
                    low.offset - high.offset >= distance;
           });
  });
}

/// Whether the two are different elements, going by bases that are `usable`: of
/// the same value for both.
bool MemoryAnalysis::differ(const Element &read, const Element &write,
                            llvm::function_ref<bool(Value)> usable) {
  return llvm::any_of(llvm::zip(read.indices, write.indices), [&](auto pair) {
    auto &[readRange, writeRange] = pair;
    return isBeyond(writeRange.lower, readRange.upper, 1, usable) ||
           isBeyond(readRange.lower, writeRange.upper, 1, usable);
  });
}

static bool isDefinedIn(Operation *op, Value value) {
  return op->isAncestor(value.getParentBlock()->getParentOp());
}

/// Whether different indices are different memory.
static bool isInjective(Value memref) {
  for (unsigned step = 0; step != 8; ++step) {
    auto type = dyn_cast<MemRefType>(memref.getType());
    if (!type)
      return false;
    if (type.getLayout().isIdentity())
      return true;
    auto subview = memref.getDefiningOp<memref::SubViewOp>();
    if (!subview ||
        llvm::any_of(subview.getStaticStrides(), [](int64_t stride) {
          return ShapedType::isDynamic(stride) || stride < 1;
        }))
      return false;
    memref = subview.getSource();
  }
  return false;
}

/// The element that `op` accesses through `reference`; null if it cannot be
/// told.
const MemoryAnalysis::Element *
MemoryAnalysis::getElement(Operation *op, Value reference) const {
  auto load = dyn_cast<memref::LoadOp>(op);
  auto store = dyn_cast<memref::StoreOp>(op);
  if (!load && !store)
    return nullptr;
  auto [it, isNew] = elements.try_emplace(op);
  if (isNew) {
    Value memref = load ? load.getMemRef() : store.getMemRef();
    if (isInjective(memref)) {
      it->second = std::make_shared<Element>();
      it->second->memref = memref;
      for (Value index : load ? load.getIndices() : store.getIndices())
        it->second->indices.push_back(getRange(index));
    }
  }
  const Element *element = it->second.get();
  return element && element->memref == reference ? element : nullptr;
}

/// Whether the write in any later iteration of `loop` (of any other, if it has
/// no order) misses the element that is read.
bool MemoryAnalysis::missesInLaterIterations(Operation *loop,
                                             const Element &read,
                                             const Element &write) {
  if (isDefinedIn(loop, read.memref))
    return false;
  if (differ(read, write,
             [&](Value base) { return !base || !isDefinedIn(loop, base); }))
    return true;
  auto loopLike = dyn_cast<LoopLikeOpInterface>(loop);
  if (!loopLike)
    return false;
  std::optional<SmallVector<Value>> variables = loopLike.getLoopInductionVars();
  if (!variables || variables->empty())
    return false;
  // The induction variable grows by at least one.
  bool ascends = isa<scf::ForOp>(loop);
  return llvm::all_of(*variables, [&](Value variable) {
    auto isVariable = [&](Value base) { return base == variable; };
    return llvm::any_of(llvm::zip(read.indices, write.indices), [&](auto pair) {
      auto &[readRange, writeRange] = pair;
      if (ascends)
        return isBeyond(writeRange.lower, readRange.upper, 0, isVariable);
      return isVariable(readRange.exact().base) &&
             isVariable(writeRange.exact().base) &&
             readRange.exact().offset == writeRange.exact().offset;
    });
  });
}

bool MemoryAnalysis::mayChangeAfter(Operation *read, Value reference,
                                    bool ignoreFrees) const {
  const AliasClass *aliasClass = lookup(reference);
  const MemoryFlow::Interval *at = flow.getInterval(read);
  if (!aliasClass || !at)
    return true;

  // The loops that count, innermost first.
  SmallVector<Operation *> loops;
  for (Operation *op = read->getParentOp(); op && op != aliasClass->scope;
       op = op->getParentOp()) {
    if (flow.isLoop(op))
      loops.push_back(op);
    if (op == function)
      break;
  }
  unsigned start = at->begin;
  if (!loops.empty())
    start = std::min(start, flow.getInterval(loops.back())->begin);
  auto candidates = [&](ArrayRef<MemoryAccess> accesses) {
    return ArrayRef<MemoryAccess>(
        llvm::partition_point(accesses,
                              [&](const MemoryAccess &access) {
                                return access.position < start;
                              }),
        accesses.end());
  };

  const Element *element = getElement(read, reference);
  auto mayHit = [&](MemoryAccess write) {
    if (auto it = replacedOps.find(write.op); it != replacedOps.end())
      write.op = it->second;
    if (write.op->isAncestor(read))
      return true;
    const Element *target = nullptr;
    if (element && write.reference == reference)
      target = getElement(write.op, reference);
    // Later iterations of the loops around both.
    for (Operation *loop : loops)
      if (flow.getInterval(loop)->contains(write.position) &&
          !(target && missesInLaterIterations(loop, *element, *target)))
        return true;
    // The same iteration.
    if (write.position < at->begin ||
        insideMutuallyExclusiveRegions(read, write.op))
      return false;
    return !(target && differ(*element, *target, [](Value) { return true; }));
  };
  auto anyHits = [&](ArrayRef<MemoryAccess> accesses) {
    accesses = candidates(accesses);
    return accesses.size() > kMaxComparisons || llvm::any_of(accesses, mayHit);
  };
  return anyHits(aliasClass->writes) ||
         (!ignoreFrees && anyHits(aliasClass->frees));
}
