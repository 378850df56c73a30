//===- CalleeEffects.cpp - what calls do to memory -----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is summarised by the MemoryFlow of its body, after all functions
// that it calls: an explicit stack walks the call graph in postorder. A
// function that is met again while it is still on the stack is recursive and
// gets the worst summary at once.
//
//===----------------------------------------------------------------------===//

#include "Analysis/CalleeEffects.h"
#include "Analysis/MemoryFlow.h"
#include "Dialect/Autodiff/IR/Autodiff.h"

using namespace mlir;
using namespace mlir::autodiff;

/// A cycle of calls that has not settled by then gets the worst summary.
static constexpr unsigned kMaxRounds = 8;

FunctionEffects CalleeEffects::getWorst(unsigned numArguments) {
  FunctionEffects effects;
  effects.reads.resize(numArguments, true);
  effects.writes.resize(numArguments, true);
  effects.captures.resize(numArguments, true);
  effects.readsGlobals = effects.writesGlobals = true;
  return effects;
}

/// The summary of a function that does nothing and never returns.
static FunctionEffects getNone(FunctionOpInterface function) {
  unsigned numArguments = function.getNumArguments();
  FunctionEffects effects;
  for (llvm::BitVector *bits :
       {&effects.reads, &effects.writes, &effects.captures})
    bits->resize(numArguments);
  effects.results.resize(function.getNumResults());
  for (FunctionEffects::Result &result : effects.results)
    result.arguments.resize(numArguments);
  return effects;
}

/// The summary of a function whose body is missing.
static FunctionEffects getUnknownBody(FunctionOpInterface function) {
  unsigned numArguments = function.getNumArguments();
  FunctionEffects effects = CalleeEffects::getWorst(numArguments);
  if (function->hasAttr(AutodiffDialect::kInactiveAttr))
    effects.captures.reset();
  for (unsigned i = 0; i != numArguments; ++i)
    if (function.getArgAttr(i, "llvm.nocapture"))
      effects.captures.reset(i);
  return effects;
}

FunctionOpInterface CalleeEffects::getCallee(CallOpInterface call) {
  auto symbol = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!symbol)
    return nullptr;
  Operation *found = tables.lookupNearestSymbolFrom(call, symbol);
  if (!found) {
    // Perhaps it is newer than the table.
    if (Operation *table = SymbolTable::getNearestSymbolTable(call))
      tables.invalidateSymbolTable(table);
    found = tables.lookupNearestSymbolFrom(call, symbol);
  }
  auto function = dyn_cast_or_null<FunctionOpInterface>(found);
  if (!function || function.getNumArguments() != call.getArgOperands().size() ||
      function.getNumResults() != call->getNumResults())
    return nullptr;
  return function;
}

const FunctionEffects &CalleeEffects::get(CallOpInterface call) {
  if (FunctionOpInterface callee = getCallee(call))
    return get(callee);
  unsigned numArguments = call.getArgOperands().size();
  std::unique_ptr<FunctionEffects> &effects = unknownCalls[numArguments];
  if (!effects)
    effects = std::make_unique<FunctionEffects>(getWorst(numArguments));
  return *effects;
}

const FunctionEffects &CalleeEffects::get(FunctionOpInterface function) {
  if (!summaries.contains(function))
    compute(function);
  return *summaries[function];
}

//===----------------------------------------------------------------------===//
// Call graph
//===----------------------------------------------------------------------===//

namespace {
/// A function on the stack of the depth-first search.
struct Frame {
  FunctionOpInterface function;
  /// Those still to be looked at.
  SmallVector<FunctionOpInterface> callees;
  /// Position of discovery, and the earliest one that can be reached.
  unsigned index, low;
};
} // namespace

void CalleeEffects::compute(FunctionOpInterface root) {
  SmallVector<Frame> stack;
  // Discovered and not yet in a finished component.
  llvm::DenseMap<Operation *, unsigned> indices;
  SmallVector<FunctionOpInterface> open;
  unsigned nextIndex = 0;
  auto push = [&](FunctionOpInterface function) {
    Frame frame{function, {}, nextIndex, nextIndex};
    ++nextIndex;
    function->walk([&](CallOpInterface call) {
      if (FunctionOpInterface callee = getCallee(call))
        frame.callees.push_back(callee);
    });
    indices[function] = frame.index;
    open.push_back(function);
    stack.push_back(std::move(frame));
  };

  push(root);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (!frame.callees.empty()) {
      FunctionOpInterface callee = frame.callees.pop_back_val();
      if (summaries.contains(callee))
        continue;
      if (auto it = indices.find(callee); it != indices.end())
        frame.low = std::min(frame.low, it->second);
      else
        push(callee);
      continue;
    }
    Frame done = std::move(frame);
    stack.pop_back();
    if (!stack.empty())
      stack.back().low = std::min(stack.back().low, done.low);
    if (done.low != done.index)
      continue;
    SmallVector<FunctionOpInterface> component;
    do {
      component.push_back(open.pop_back_val());
      indices.erase(component.back());
    } while (component.back() != done.function);
    computeComponent(component);
  }
}

static bool callsItself(FunctionOpInterface function, CalleeEffects &effects) {
  return function
      ->walk([&](CallOpInterface call) {
        return effects.getCallee(call) == function ? WalkResult::interrupt()
                                                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void CalleeEffects::computeComponent(ArrayRef<FunctionOpInterface> component) {
  auto set = [&](FunctionOpInterface function, FunctionEffects effects) {
    summaries[function] = std::make_unique<FunctionEffects>(std::move(effects));
  };
  if (component.size() == 1) {
    FunctionOpInterface function = component.front();
    if (function.isExternal())
      return set(function, getUnknownBody(function));
    if (!callsItself(function, *this))
      return set(function, summarize(function, MemoryFlow(function, *this)));
  }

  for (FunctionOpInterface function : component)
    set(function, getNone(function));
  for (unsigned round = 0; round != kMaxRounds; ++round) {
    bool changed = false;
    for (FunctionOpInterface function : component) {
      FunctionEffects effects =
          summarize(function, MemoryFlow(function, *this));
      // Which results belong together need not settle.
      for (FunctionEffects::Result &result : effects.results)
        result.group = 0;
      if (effects == *summaries[function])
        continue;
      changed = true;
      set(function, std::move(effects));
    }
    if (!changed)
      return;
  }
  for (FunctionOpInterface function : component)
    set(function, getWorst(function.getNumArguments()));
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

FunctionEffects CalleeEffects::summarize(FunctionOpInterface function,
                                         const MemoryFlow &flow) {
  FunctionEffects effects = getNone(function);

  // By piece, not by class: whether two arguments overlap is for the caller to
  // know.
  struct Origin {
    SmallVector<unsigned, 1> arguments;
    bool outside = false, fresh = false;
    bool isRead = false, isWritten = false;
  };
  SmallVector<Origin> origins(flow.getNumPieces());
  auto originOf = [&](unsigned node) -> Origin & {
    return origins[flow.getPiece(node)];
  };
  for (BlockArgument argument : flow.getArguments())
    originOf(*flow.getNode(argument))
        .arguments.push_back(argument.getArgNumber());
  for (const MemoryFlow::Global &global : flow.getGlobals())
    originOf(global.node).outside = true;
  for (auto [op, node] : flow.getAllocations())
    originOf(node).fresh = true;
  Origin &unknown = originOf(MemoryFlow::kUnknown);
  unknown.outside = true;
  for (unsigned argument : unknown.arguments)
    effects.captures.set(argument);

  for (const MemoryFlow::Access &access : flow.getAccesses()) {
    if (access.kind == MemoryFlow::AccessKind::ScopeEnd)
      continue;
    bool isRead = access.kind == MemoryFlow::AccessKind::Read;
    if (access.node == MemoryFlow::kOutside)
      (isRead ? effects.readsGlobals : effects.writesGlobals) = true;
    else
      (isRead ? originOf(access.node).isRead
              : originOf(access.node).isWritten) = true;
  }
  for (const Origin &origin : origins) {
    effects.readsGlobals |= origin.outside && origin.isRead;
    effects.writesGlobals |= origin.outside && origin.isWritten;
    for (unsigned argument : origin.arguments) {
      if (origin.isRead)
        effects.reads.set(argument);
      if (origin.isWritten)
        effects.writes.set(argument);
    }
  }

  // With several returns, results are not told apart.
  bool oneReturn = function.getFunctionBody().hasOneBlock();
  for (Block &block : function.getFunctionBody()) {
    if (block.empty() || block.back().getNumSuccessors() != 0)
      continue;
    for (auto [result, operand] :
         llvm::zip(effects.results, block.back().getOperands())) {
      std::optional<unsigned> node = flow.getNode(operand);
      if (!node)
        continue;
      const Origin &origin = originOf(*node);
      for (unsigned argument : origin.arguments)
        result.arguments.set(argument);
      result.fromOutside |= origin.outside;
      result.isFresh |= origin.fresh;
      result.group = oneReturn ? flow.getPiece(*node) : 0;
    }
  }
  return effects;
}
