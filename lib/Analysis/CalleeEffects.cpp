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
#include "Analysis/MemoryAnalysis.h"
#include "Dialect/Autodiff/IR/Autodiff.h"

using namespace mlir;
using namespace mlir::autodiff;

FunctionEffects CalleeEffects::getWorst(unsigned numArguments) {
  FunctionEffects effects;
  effects.reads.resize(numArguments, true);
  effects.writes.resize(numArguments, true);
  effects.captures.resize(numArguments, true);
  effects.readsGlobals = effects.writesGlobals = true;
  return effects;
}

/// The summary of a function whose body is missing or not to be looked at.
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
  std::unique_ptr<FunctionEffects> &effects = unknownCalls[call];
  if (!effects)
    effects = std::make_unique<FunctionEffects>(
        getWorst(call.getArgOperands().size()));
  return *effects;
}

const FunctionEffects &CalleeEffects::get(FunctionOpInterface function) {
  if (!summaries.contains(function))
    compute(function);
  return *summaries[function];
}

namespace {
/// A function on the stack, with those of its callees still to be looked at.
struct Frame {
  FunctionOpInterface function;
  SmallVector<FunctionOpInterface> callees;
};
} // namespace

void CalleeEffects::compute(FunctionOpInterface root) {
  SmallVector<Frame> stack;
  llvm::DenseSet<Operation *> onStack;
  auto push = [&](FunctionOpInterface function) {
    Frame frame{function, {}};
    function->walk([&](CallOpInterface call) {
      if (FunctionOpInterface callee = getCallee(call))
        frame.callees.push_back(callee);
    });
    onStack.insert(function);
    stack.push_back(std::move(frame));
  };
  auto set = [&](FunctionOpInterface function, FunctionEffects effects) {
    summaries[function] = std::make_unique<FunctionEffects>(std::move(effects));
  };

  push(root);
  while (!stack.empty()) {
    if (!stack.back().callees.empty()) {
      FunctionOpInterface callee = stack.back().callees.pop_back_val();
      if (summaries.contains(callee))
        continue;
      if (callee.isExternal() || onStack.contains(callee))
        set(callee, getUnknownBody(callee));
      else
        push(callee);
      continue;
    }
    FunctionOpInterface function = stack.pop_back_val().function;
    onStack.erase(function);
    if (summaries.contains(function))
      continue;
    set(function, function.isExternal()
                      ? getUnknownBody(function)
                      : MemoryAnalysis(function, *this).getEffects());
  }
}
