//===- CustomRules.cpp - derivatives given by the user -------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules are found by the activities of a call. That what they name has the type
// that `#autodiff.rule` documents has been verified.
//
//===----------------------------------------------------------------------===//

#include "CustomRules.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

bool mlir::autodiff::isInactiveFunction(FunctionOpInterface function) {
  return function->hasAttr(AutodiffDialect::kInactiveAttr);
}

SmallVector<Activity>
mlir::autodiff::getRuleActivities(func::CallOp call,
                                  const ActivityQuery &activity) {
  return llvm::map_to_vector(call.getOperands(), [&](Value operand) {
    if (!activity.isActive(operand))
      return Activity::Const;
    return isDifferentiableReference(operand.getType()) ? Activity::Dup
                                                        : Activity::Active;
  });
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

//===----------------------------------------------------------------------===//
// The functions of a rule
//===----------------------------------------------------------------------===//

namespace {
/// A call of a function, and the rule of that function which serves it.
class RuleUse {
public:
  RuleUse(func::CallOp call, func::FuncOp callee, SymbolTable &symbols)
      : call(call), callee(callee), symbols(symbols) {}

  InFlightDiagnostic fail(const Twine &what);
  LogicalResult checkWidth(const EmissionOptions &options);
  func::FuncOp lookup(FlatSymbolRefAttr name, StringRef role);

private:
  func::CallOp call;
  func::FuncOp callee;
  SymbolTable &symbols;
};
} // namespace

InFlightDiagnostic RuleUse::fail(const Twine &what) {
  InFlightDiagnostic error = call.emitError()
                             << "the derivative rule of '"
                             << callee.getSymName() << "' " << what;
  error.attachNote(callee.getLoc()) << "the rule is given here";
  return error;
}

LogicalResult RuleUse::checkWidth(const EmissionOptions &options) {
  if (options.width == 1)
    return success();
  return fail("has width 1, but the derivative is asked for with width " +
              Twine(options.width));
}

func::FuncOp RuleUse::lookup(FlatSymbolRefAttr name, StringRef role) {
  auto function = symbols.lookup<func::FuncOp>(name.getAttr());
  if (!function)
    fail("names @" + name.getValue() + " as '" + role +
         "', which is no func.func of this module");
  return function;
}

FailureOr<func::FuncOp>
mlir::autodiff::getRuleTangent(func::CallOp call, func::FuncOp callee,
                               RuleAttr rule, const EmissionOptions &options,
                               SymbolTable &symbols) {
  RuleUse use(call, callee, symbols);
  if (failed(use.checkWidth(options)))
    return failure();
  if (!rule.getTangent())
    return use.fail("for these activities has no 'tangent', which forward mode "
                    "calls");
  func::FuncOp tangent = use.lookup(rule.getTangent(), "tangent");
  if (!tangent)
    return failure();
  return tangent;
}

FailureOr<RuleAdjoint>
mlir::autodiff::getRuleAdjoint(func::CallOp call, func::FuncOp callee,
                               RuleAttr rule, const EmissionOptions &options,
                               SymbolTable &symbols) {
  RuleUse use(call, callee, symbols);
  if (failed(use.checkWidth(options)))
    return failure();
  if (!rule.getAdjoint())
    return use.fail("for these activities has no 'adjoint', which reverse mode "
                    "calls");
  RuleAdjoint functions{callee, use.lookup(rule.getAdjoint(), "adjoint")};
  if (rule.getAugmented())
    functions.augmented = use.lookup(rule.getAugmented(), "augmented");
  if (!functions.adjoint || !functions.augmented)
    return failure();
  return functions;
}

//===----------------------------------------------------------------------===//
// Inactive functions
//===----------------------------------------------------------------------===//

LogicalResult mlir::autodiff::checkInactiveCall(func::CallOp call,
                                                func::FuncOp callee,
                                                const ActivityQuery &activity,
                                                CalleeEffects &callees) {
  if (callee.isExternal())
    return success();
  for (auto [index, operand] : llvm::enumerate(call.getOperands())) {
    if (!isDifferentiableReference(operand.getType()) ||
        !activity.isActive(operand) || !callees.get(callee).writes.test(index))
      continue;
    InFlightDiagnostic error =
        call.emitError() << "'" << callee.getSymName()
                         << "' is marked autodiff.inactive, but may write to "
                            "memory that carries derivatives";
    error.attachNote(callee.getLoc())
        << "remove the mark, or give it autodiff.rules";
    return error;
  }
  return success();
}
