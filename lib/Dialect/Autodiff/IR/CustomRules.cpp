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

LogicalResult
AutodiffDialect::verifyOperationAttribute(Operation *op,
                                          NamedAttribute attribute) {
  return success();
}

LogicalResult
AutodiffDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                          unsigned argIndex,
                                          NamedAttribute attribute) {
  return success();
}
