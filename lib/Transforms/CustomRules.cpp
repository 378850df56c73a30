//===- CustomRules.cpp - derivatives given by the user -------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules are found by the activities of a call, and what they name is held
// against the types that `#autodiff.rule` documents before anything is emitted.
//
//===----------------------------------------------------------------------===//

#include "CustomRules.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"

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

//===----------------------------------------------------------------------===//
// The functions of a rule
//===----------------------------------------------------------------------===//

namespace {
/// A call of a function, and the rule of that function which serves it.
class RuleUse {
public:
  RuleUse(func::CallOp call, func::FuncOp callee, RuleAttr rule,
          SymbolTable &symbols)
      : call(call), callee(callee), rule(rule), symbols(symbols) {}

  InFlightDiagnostic fail(const Twine &what);
  LogicalResult check(const EmissionOptions &options);
  func::FuncOp lookup(FlatSymbolRefAttr name, StringRef role);
  LogicalResult expect(func::FuncOp function, StringRef role, TypeRange inputs,
                       TypeRange results);

private:
  func::CallOp call;
  func::FuncOp callee;
  RuleAttr rule;
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

/// Activities that fit the types, and a width that rules have.
LogicalResult RuleUse::check(const EmissionOptions &options) {
  if (options.width != 1)
    return fail("has width 1, but the derivative is asked for with width " +
                Twine(options.width));
  for (auto [index, type, activity] :
       llvm::enumerate(callee.getArgumentTypes(), rule.getArgs())) {
    if (activity == Activity::Const ||
        (activity == Activity::Active && isDifferentiableByValue(type)) ||
        (activity == Activity::Dup && isDifferentiableReference(type)))
      continue;
    return fail("gives argument #" + Twine(index) + " the activity '" +
                stringifyActivity(activity) + "', which its type cannot have");
  }
  return success();
}

func::FuncOp RuleUse::lookup(FlatSymbolRefAttr name, StringRef role) {
  auto function = symbols.lookup<func::FuncOp>(name.getAttr());
  if (!function)
    fail("names @" + name.getValue() + " as '" + role +
         "', which is no func.func of this module");
  return function;
}

LogicalResult RuleUse::expect(func::FuncOp function, StringRef role,
                              TypeRange inputs, TypeRange results) {
  if (TypeRange(function.getArgumentTypes()) == inputs &&
      TypeRange(function.getResultTypes()) == results)
    return success();
  InFlightDiagnostic error =
      fail("names @" + function.getSymName() + " as '" + role +
           "', which does not have the type that this needs");
  error.attachNote(function.getLoc())
      << "expected " << FunctionType::get(call.getContext(), inputs, results)
      << ", got " << function.getFunctionType();
  return error;
}

FailureOr<func::FuncOp>
mlir::autodiff::getRuleTangent(func::CallOp call, func::FuncOp callee,
                               RuleAttr rule, const EmissionOptions &options,
                               SymbolTable &symbols) {
  RuleUse use(call, callee, rule, symbols);
  if (failed(use.check(options)))
    return failure();
  if (!rule.getTangent())
    return use.fail("for these activities has no 'tangent', which forward mode "
                    "calls");
  func::FuncOp tangent = use.lookup(rule.getTangent(), "tangent");
  if (!tangent)
    return failure();
  SmallVector<Type> inputs, results;
  for (auto [type, activity] :
       llvm::zip_equal(callee.getArgumentTypes(), rule.getArgs())) {
    inputs.push_back(type);
    if (activity != Activity::Const)
      inputs.push_back(getShadowType(type, /*width=*/1));
  }
  for (Type type : callee.getResultTypes()) {
    results.push_back(type);
    if (isDifferentiable(type))
      results.push_back(getShadowType(type, /*width=*/1));
  }
  if (failed(use.expect(tangent, "tangent", inputs, results)))
    return failure();
  return tangent;
}

FailureOr<RuleAdjoint>
mlir::autodiff::getRuleAdjoint(func::CallOp call, func::FuncOp callee,
                               RuleAttr rule, const EmissionOptions &options,
                               SymbolTable &symbols) {
  RuleUse use(call, callee, rule, symbols);
  if (failed(use.check(options)))
    return failure();
  if (!rule.getAdjoint())
    return use.fail("for these activities has no 'adjoint', which reverse mode "
                    "calls");
  RuleAdjoint functions{callee, use.lookup(rule.getAdjoint(), "adjoint")};
  if (rule.getAugmented())
    functions.augmented = use.lookup(rule.getAugmented(), "augmented");
  if (!functions.adjoint || !functions.augmented)
    return failure();
  // Whatever the augmented primal returns beyond the primal results is tape.
  TypeRange primals = callee.getResultTypes();
  TypeRange returned = functions.augmented.getResultTypes();
  SmallVector<Type> expected(primals);
  if (returned.size() > primals.size())
    llvm::append_range(expected, returned.drop_front(primals.size()));
  if (failed(use.expect(functions.augmented, "augmented",
                        callee.getArgumentTypes(), expected)))
    return failure();
  SmallVector<Type> inputs, gradients;
  for (auto [type, activity] :
       llvm::zip_equal(callee.getArgumentTypes(), rule.getArgs())) {
    inputs.push_back(type);
    if (activity == Activity::Dup)
      inputs.push_back(getShadowType(type, /*width=*/1));
    if (activity == Activity::Active)
      gradients.push_back(getShadowType(type, /*width=*/1));
  }
  llvm::append_range(inputs, returned.drop_front(primals.size()));
  for (Type type : primals)
    if (isDifferentiableByValue(type))
      inputs.push_back(getShadowType(type, /*width=*/1));
  if (failed(use.expect(functions.adjoint, "adjoint", inputs, gradients)))
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
