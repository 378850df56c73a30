//===- InlineCalls.cpp - calls that reverse mode inlines -----------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A callee is split into an augmented primal and an adjoint. The augmented
// primal takes no shadows: those of memory are wanted in the reverse sweep
// only, and whose they are is known there. That is not so where
//
//   * the callee returns memory: its shadow would be a result of the adjoint,
//     which the caller wants earlier,
//   * a loop or branch of the callee carries memory: which shadow goes with it
//     is known in the forward sweep only (see ForwardShadows.cpp).
//
// Calls of such functions, and of functions that call them, are inlined; then
// all allocations and arguments are in sight. Recursive calls are left alone:
// reverse mode has a diagnostic for them.
//
//===----------------------------------------------------------------------===//

#include "InlineCalls.h"
#include "CustomRules.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

class CallInliner {
public:
  explicit CallInliner(Differentiator &differentiator)
      : differentiator(differentiator) {}

  void run(func::FuncOp function);

private:
  /// A call, and the inlined call that brought it (an index of `inlined`, or
  /// -1).
  struct Site {
    func::CallOp call;
    int origin;
  };
  struct Inlined {
    Operation *callee;
    int origin;
  };

  func::FuncOp getCallee(func::CallOp call);
  bool carriesMemory(func::FuncOp function);
  void find(func::FuncOp function);
  bool isRecursive(func::FuncOp callee, int origin) const;
  void inlineCall(Site site, func::FuncOp callee);

  Differentiator &differentiator;
  /// Functions reachable by calls, and their callers among them.
  llvm::MapVector<Operation *, SmallVector<Operation *>> callers;
  llvm::DenseSet<Operation *> unsplittable;
  std::vector<Inlined> inlined;
  SmallVector<Site> sites;
};

/// The function that `call` may be replaced by; null if there is none.
func::FuncOp CallInliner::getCallee(func::CallOp call) {
  func::FuncOp callee = differentiator.lookup(call.getCallee());
  if (!callee || callee.isExternal() || isInactiveFunction(callee) ||
      callee->hasAttr(AutodiffDialect::kRulesAttr) ||
      !callee.getBody().hasOneBlock())
    return {};
  return callee;
}

bool CallInliner::carriesMemory(func::FuncOp function) {
  if (llvm::any_of(function.getResultTypes(), isDifferentiableReference))
    return true;
  Block *entry = &function.front();
  return function
      .walk([&](Block *block) {
        if (block == entry)
          return WalkResult::advance();
        bool carries =
            llvm::any_of(block->getArgumentTypes(), isDifferentiableReference);
        carries |= llvm::any_of(block->getParentOp()->getResultTypes(),
                                isDifferentiableReference);
        return carries ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Finds what is reachable from `function` and cannot be split.
void CallInliner::find(func::FuncOp function) {
  SmallVector<func::FuncOp> open = {function};
  while (!open.empty()) {
    func::FuncOp caller = open.pop_back_val();
    caller.walk([&](func::CallOp call) {
      func::FuncOp callee = getCallee(call);
      if (!callee)
        return;
      auto [it, isNew] = callers.insert({callee, {}});
      if (caller != function)
        it->second.push_back(caller);
      if (isNew)
        open.push_back(callee);
    });
  }
  SmallVector<Operation *> found;
  for (auto &[callee, unused] : callers)
    if (carriesMemory(cast<func::FuncOp>(callee)))
      found.push_back(callee);
  while (!found.empty()) {
    Operation *callee = found.pop_back_val();
    if (unsplittable.insert(callee).second)
      llvm::append_range(found, callers.lookup(callee));
  }
}

bool CallInliner::isRecursive(func::FuncOp callee, int origin) const {
  for (; origin >= 0; origin = inlined[origin].origin)
    if (inlined[origin].callee == callee)
      return true;
  return false;
}

void CallInliner::inlineCall(Site site, func::FuncOp callee) {
  inlined.push_back({callee, site.origin});
  int origin = static_cast<int>(inlined.size()) - 1;
  OpBuilder builder(site.call);
  IRMapping mapping;
  Block &body = callee.front();
  mapping.map(body.getArguments(), site.call.getOperands());
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping)->walk([&](func::CallOp call) {
      sites.push_back({call, origin});
    });
  SmallVector<Value> results;
  for (Value result : body.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(result));
  site.call->replaceAllUsesWith(results);
  site.call->erase();
}

void CallInliner::run(func::FuncOp function) {
  find(function);
  if (unsplittable.empty())
    return;
  function.walk([&](func::CallOp call) { sites.push_back({call, -1}); });
  while (!sites.empty()) {
    Site site = sites.pop_back_val();
    func::FuncOp callee = getCallee(site.call);
    if (callee && unsplittable.contains(callee) &&
        !isRecursive(callee, site.origin))
      inlineCall(site, callee);
  }
}

} // namespace

void mlir::autodiff::inlineUnsplittableCalls(func::FuncOp function,
                                             Differentiator &differentiator) {
  CallInliner(differentiator).run(function);
}
