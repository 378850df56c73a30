//===- CustomRules.cpp - derivatives given by the user -------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CustomRules.h"

using namespace mlir;
using namespace mlir::autodiff;

bool mlir::autodiff::isInactiveFunction(FunctionOpInterface function) {
  return function->hasAttr(AutodiffDialect::kInactiveAttr);
}

/// A rule that differentiates a by-value argument serves where that argument
/// is constant, too: its gradient is not used.
static bool covers(ArrayRef<Activity> rule, ArrayRef<Activity> args) {
  return rule.size() == args.size() &&
         llvm::all_of(llvm::zip(rule, args), [](auto pair) {
           auto [has, wanted] = pair;
           return has == wanted ||
                  (has == Activity::Active && wanted == Activity::Const);
         });
}

RuleAttr mlir::autodiff::findCustomRule(FunctionOpInterface function,
                                        ArrayRef<Activity> args) {
  auto rules = function->getAttrOfType<ArrayAttr>(AutodiffDialect::kRulesAttr);
  if (!rules)
    return {};
  RuleAttr covering;
  for (Attribute attr : rules) {
    auto rule = dyn_cast<RuleAttr>(attr);
    if (!rule || !covers(rule.getArgs(), args))
      continue;
    if (rule.getArgs() == args)
      return rule;
    if (!covering)
      covering = rule;
  }
  return covering;
}
