//===- KeepCustomRules.cpp - calls that must stay calls ------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CustomRules.h"
#include "Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::autodiff {
#define GEN_PASS_DEF_KEEPCUSTOMRULESPASS
#include "Transforms/Passes.h.inc"
} // namespace mlir::autodiff

using namespace mlir;
using namespace mlir::autodiff;

namespace {

struct KeepCustomRulesPass
    : autodiff::impl::KeepCustomRulesPassBase<KeepCustomRulesPass> {
  void runOnOperation() override {
    getOperation()->walk([](func::FuncOp function) {
      if (isInactiveFunction(function) ||
          function->hasAttr(AutodiffDialect::kRulesAttr))
        function.setNoInline(true);
    });
  }
};

} // namespace
