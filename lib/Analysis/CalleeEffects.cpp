//===- CalleeEffects.cpp - what calls do to memory -----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/CalleeEffects.h"
#include "Analysis/MemoryAnalysis.h"

using namespace mlir;
using namespace mlir::autodiff;

FunctionEffects CalleeEffects::getWorst(unsigned numArguments,
                                        unsigned numResults) {
  FunctionEffects worst;
  worst.reads.resize(numArguments, true);
  worst.writes.resize(numArguments, true);
  worst.readsGlobals = worst.writesGlobals = true;
  worst.results.resize(numResults);
  for (FunctionEffects::Result &result : worst.results) {
    result.arguments.resize(numArguments, true);
    result.unknown = true;
  }
  return worst;
}

const FunctionEffects &CalleeEffects::get(FunctionOpInterface function) {
  auto [it, isNew] = summaries.try_emplace(function);
  if (!isNew)
    return *it->second;
  // A recursive call that asks meanwhile gets the worst.
  auto owned = std::make_unique<FunctionEffects>(
      getWorst(function.getNumArguments(), function.getNumResults()));
  FunctionEffects &effects = *owned;
  it->second = std::move(owned);
  if (!function.isExternal())
    effects = MemoryAnalysis(function, *this).getEffects();
  return effects;
}

const FunctionEffects &CalleeEffects::get(CallOpInterface call) {
  CallInterfaceCallable callable = call.getCallableForCallee();
  auto symbol = dyn_cast<SymbolRefAttr>(callable);
  if (symbol)
    if (auto function =
            tables.lookupNearestSymbolFrom<FunctionOpInterface>(call, symbol))
      if (function.getNumArguments() == call.getArgOperands().size() &&
          function.getNumResults() == call->getNumResults())
        return get(function);
  auto [it, isNew] = unknownCalls.try_emplace(call);
  if (isNew)
    it->second = std::make_unique<FunctionEffects>(
        getWorst(call.getArgOperands().size(), call->getNumResults()));
  return *it->second;
}
