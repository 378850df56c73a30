//===- CustomRules.cpp - attributes that steer differentiation -----------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The discardable attributes of functions (`autodiff.inactive`,
// `autodiff.rules`, `autodiff.noalias` on arguments) and `#autodiff.rule`.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::autodiff;

Attribute RuleAttr::parse(AsmParser &parser, Type) {
  SmallVector<Activity> args;
  FlatSymbolRefAttr tangent, augmented, adjoint;
  auto parseActivity = [&]() -> ParseResult {
    StringRef keyword;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<Activity> activity = symbolizeActivity(keyword);
    if (!activity)
      return parser.emitError(loc, "expected an activity, got '")
             << keyword << "'";
    args.push_back(*activity);
    return success();
  };
  if (parser.parseLess() || parser.parseKeyword("args") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseActivity))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    StringRef field;
    FlatSymbolRefAttr symbol;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&field) || parser.parseEqual() ||
        parser.parseAttribute(symbol))
      return {};
    FlatSymbolRefAttr *slot = field == "tangent"     ? &tangent
                              : field == "augmented" ? &augmented
                              : field == "adjoint"   ? &adjoint
                                                     : nullptr;
    if (!slot) {
      parser.emitError(loc,
                       "expected 'tangent', 'augmented' or 'adjoint', got '")
          << field << "'";
      return {};
    }
    *slot = symbol;
  }
  if (parser.parseGreater())
    return {};
  return RuleAttr::get(parser.getContext(), args, tangent, augmented, adjoint);
}

void RuleAttr::print(AsmPrinter &printer) const {
  printer << "<args = [";
  llvm::interleaveComma(getArgs(), printer, [&](Activity activity) {
    printer << stringifyActivity(activity);
  });
  printer << "]";
  if (getTangent())
    printer << ", tangent = " << getTangent();
  if (getAugmented())
    printer << ", augmented = " << getAugmented();
  if (getAdjoint())
    printer << ", adjoint = " << getAdjoint();
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {
/// Verifies one rule of a function.
class RuleVerifier {
public:
  RuleVerifier(FunctionOpInterface function, unsigned index, RuleAttr rule)
      : function(function), index(index), rule(rule) {}

  LogicalResult verify();

private:
  InFlightDiagnostic error() {
    return function.emitError()
           << "'" << AutodiffDialect::kRulesAttr << "': rule #" << index << " ";
  }
  LogicalResult verifyActivities();
  FailureOr<FunctionOpInterface> lookup(FlatSymbolRefAttr symbol,
                                        StringRef role);
  LogicalResult verifyType(FlatSymbolRefAttr symbol, StringRef role,
                           ArrayRef<Type> inputs, ArrayRef<Type> results);
  FailureOr<SmallVector<Type>> verifyAugmented();
  LogicalResult verifyAdjoint(ArrayRef<Type> tape);

  FunctionOpInterface function;
  unsigned index;
  RuleAttr rule;
};
} // namespace

LogicalResult RuleVerifier::verifyActivities() {
  ArrayRef<Type> types = function.getArgumentTypes();
  if (rule.getArgs().size() != types.size())
    return error() << "expects an activity for each of the " << types.size()
                   << " arguments, got " << rule.getArgs().size();
  for (auto [position, type, activity] :
       llvm::enumerate(types, rule.getArgs())) {
    if (activity == Activity::Const)
      continue;
    Activity expected =
        isDifferentiableReference(type) ? Activity::Dup : Activity::Active;
    if (!isDifferentiable(type))
      return error() << "expects 'const' for argument #" << position
                     << " of type " << type << ", which carries no derivative";
    if (activity != expected)
      return error() << "expects 'const' or '" << stringifyActivity(expected)
                     << "' for argument #" << position << " of type " << type
                     << ", got '" << stringifyActivity(activity) << "'";
  }
  return success();
}

FailureOr<FunctionOpInterface> RuleVerifier::lookup(FlatSymbolRefAttr symbol,
                                                    StringRef role) {
  auto found = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
      function, symbol);
  if (!found)
    return error() << "expects the name of a function as '" << role << "', but "
                   << symbol << " is not one";
  return found;
}

LogicalResult RuleVerifier::verifyType(FlatSymbolRefAttr symbol, StringRef role,
                                       ArrayRef<Type> inputs,
                                       ArrayRef<Type> results) {
  FailureOr<FunctionOpInterface> found = lookup(symbol, role);
  if (failed(found))
    return failure();
  MLIRContext *context = function.getContext();
  auto expected = FunctionType::get(context, inputs, results);
  auto got = FunctionType::get(context, found->getArgumentTypes(),
                               found->getResultTypes());
  if (expected == got)
    return success();
  return error() << "expects '" << role << "' " << symbol << " to be of type "
                 << expected << ", got " << got;
}

/// Returns the types of the tape.
FailureOr<SmallVector<Type>> RuleVerifier::verifyAugmented() {
  if (!rule.getAugmented())
    return SmallVector<Type>();
  FailureOr<FunctionOpInterface> found =
      lookup(rule.getAugmented(), "augmented");
  if (failed(found))
    return failure();
  ArrayRef<Type> inputs = function.getArgumentTypes();
  ArrayRef<Type> results = function.getResultTypes();
  ArrayRef<Type> returned = found->getResultTypes();
  if (found->getArgumentTypes() != inputs || returned.size() < results.size() ||
      returned.take_front(results.size()) != results)
    return error()
           << "expects 'augmented' " << rule.getAugmented()
           << " to take the arguments of the function and to return its "
              "results, then the tape; got "
           << FunctionType::get(function.getContext(),
                                found->getArgumentTypes(), returned);
  return llvm::to_vector(returned.drop_front(results.size()));
}

LogicalResult RuleVerifier::verifyAdjoint(ArrayRef<Type> tape) {
  if (!rule.getAdjoint()) {
    if (rule.getAugmented())
      return error() << "has 'augmented' without 'adjoint'";
    return success();
  }
  SmallVector<Type> inputs, results;
  for (auto [type, activity] :
       llvm::zip_equal(function.getArgumentTypes(), rule.getArgs())) {
    inputs.push_back(type);
    if (activity == Activity::Dup)
      inputs.push_back(type);
    if (activity == Activity::Active)
      results.push_back(type);
  }
  llvm::append_range(inputs, tape);
  llvm::copy_if(function.getResultTypes(), std::back_inserter(inputs),
                isDifferentiableByValue);
  return verifyType(rule.getAdjoint(), "adjoint", inputs, results);
}

LogicalResult RuleVerifier::verify() {
  if (failed(verifyActivities()))
    return failure();
  if (rule.getTangent()) {
    SmallVector<Type> inputs, results;
    for (auto [type, activity] :
         llvm::zip_equal(function.getArgumentTypes(), rule.getArgs())) {
      inputs.push_back(type);
      if (activity != Activity::Const)
        inputs.push_back(type);
    }
    for (Type type : function.getResultTypes()) {
      results.push_back(type);
      if (isDifferentiable(type))
        results.push_back(type);
    }
    if (failed(verifyType(rule.getTangent(), "tangent", inputs, results)))
      return failure();
  }
  FailureOr<SmallVector<Type>> tape = verifyAugmented();
  if (failed(tape))
    return failure();
  return verifyAdjoint(*tape);
}

static LogicalResult verifyRules(Operation *op, Attribute value) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError() << "'" << AutodiffDialect::kRulesAttr
                           << "' belongs on a function";
  auto rules = dyn_cast<ArrayAttr>(value);
  if (!rules || !llvm::all_of(rules, llvm::IsaPred<RuleAttr>))
    return op->emitError() << "'" << AutodiffDialect::kRulesAttr
                           << "' expects an array of #autodiff.rule, got "
                           << value;
  llvm::SmallDenseSet<Attribute> seen;
  for (auto [index, attr] : llvm::enumerate(rules)) {
    auto rule = cast<RuleAttr>(attr);
    if (failed(RuleVerifier(function, index, rule).verify()))
      return failure();
    auto key = RuleAttr::get(op->getContext(), rule.getArgs(), {}, {}, {});
    if (!seen.insert(key).second)
      return op->emitError()
             << "'" << AutodiffDialect::kRulesAttr << "': rule #" << index
             << " has the activities of an earlier one";
  }
  return success();
}

LogicalResult
AutodiffDialect::verifyOperationAttribute(Operation *op,
                                          NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == kRulesAttr)
    return verifyRules(op, attribute.getValue());
  if (name == kInactiveAttr || name == "autodiff.skip_check") {
    if (!isa<FunctionOpInterface>(op))
      return op->emitError() << "'" << name << "' belongs on a function";
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitError()
             << "'" << name << "' takes no value, got " << attribute.getValue();
    return success();
  }
  if (name == "autodiff.shadow_of" || name == "autodiff.shadow_level")
    return success();
  return op->emitError() << "unknown attribute '" << name
                         << "'; functions take 'autodiff.inactive', "
                            "'autodiff.rules' and 'autodiff.skip_check'";
}

/// Whether `value` is an array of `size` numbers (any number of them if it is
/// zero), integers unless `floats`.
static bool isNumbers(Attribute value, size_t size, bool floats) {
  auto array = dyn_cast<ArrayAttr>(value);
  return array && (size == 0 || array.size() == size) &&
         llvm::all_of(array, [&](Attribute element) {
           return isa<IntegerAttr>(element) ||
                  (floats && isa<FloatAttr>(element));
         });
}

LogicalResult
AutodiffDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                          unsigned argIndex,
                                          NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  auto error = [&]() -> InFlightDiagnostic {
    return op->emitError() << "'" << name << "' of argument #" << argIndex
                           << " ";
  };
  if (name == kNoAliasAttr) {
    // Also on pointers, after lowering.
    if (!isa<UnitAttr>(value))
      return error() << "takes no value, got " << value;
    return success();
  }
  if (name == "autodiff.domain")
    return isNumbers(value, 2, /*floats=*/true)
               ? success()
               : error() << "expects [low, high], got " << value;
  if (name == "autodiff.range")
    return isNumbers(value, 2, /*floats=*/false)
               ? success()
               : error() << "expects [low, high] of integers, got " << value;
  if (name == "autodiff.sizes")
    return isNumbers(value, 0, /*floats=*/false)
               ? success()
               : error() << "expects an array of integers, got " << value;
  if (name == "autodiff.value")
    return isa<IntegerAttr, FloatAttr>(value) ||
                   isNumbers(value, 0, /*floats=*/true)
               ? success()
               : error() << "expects a number or an array of numbers, got "
                         << value;
  if (name == "autodiff.alias")
    return isa<IntegerAttr>(value)
               ? success()
               : error() << "expects the number of an argument, got " << value;
  return error() << "is unknown; arguments take 'autodiff.noalias', and for "
                    "ad-check 'autodiff.domain', 'autodiff.range', "
                    "'autodiff.sizes', 'autodiff.value' and 'autodiff.alias'";
}
