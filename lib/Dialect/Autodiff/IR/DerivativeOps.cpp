//===- DerivativeOps.cpp - requests for derivatives ----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly format and verification of `autodiff.fwddiff` and
// `autodiff.autodiff`. In the assembly every primal operand stands with its
// activity and shadow, every seed with its result:
//
//   %y, %dx = autodiff.autodiff @f(active %x, dup(%m, %dm), const %n)
//       returns (active(%seed)) : (...) -> (...)
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::autodiff;

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

static ParseResult parseActivity(OpAsmParser &parser, Activity &activity) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Activity> parsed = symbolizeActivity(keyword);
  if (!parsed)
    return parser.emitError(loc, "expected an activity, got '")
           << keyword << "'";
  activity = *parsed;
  return success();
}

static ArrayAttr getActivityArray(MLIRContext *context,
                                  ArrayRef<Activity> activities) {
  SmallVector<Attribute> attrs;
  for (Activity activity : activities)
    attrs.push_back(ActivityAttr::get(context, activity));
  return ArrayAttr::get(context, attrs);
}

template <typename OpTy>
static ParseResult parseDerivativeOp(OpAsmParser &parser,
                                     OperationState &result) {
  using Operand = OpAsmParser::UnresolvedOperand;
  FlatSymbolRefAttr callee;
  SmallVector<Operand> operands;
  SmallVector<Activity> argActivity, resultActivity;

  auto parseArgument = [&]() -> ParseResult {
    Activity activity;
    if (parseActivity(parser, activity))
      return failure();
    argActivity.push_back(activity);
    if (!hasShadow(activity))
      return parser.parseOperand(operands.emplace_back());
    return failure(
        parser.parseLParen() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseComma() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseRParen());
  };
  auto parseResult = [&]() -> ParseResult {
    Activity activity;
    if (parseActivity(parser, activity))
      return failure();
    resultActivity.push_back(activity);
    if (succeeded(parser.parseOptionalLParen()))
      return failure(parser.parseOperand(operands.emplace_back()) ||
                     parser.parseRParen());
    return success();
  };

  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(callee, OpTy::getCalleeAttrName(result.name),
                            result.attributes) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseArgument))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("returns")))
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                       parseResult))
      return failure();
  FunctionType type;
  if (parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  MLIRContext *context = parser.getContext();
  result.addAttribute(OpTy::getArgActivityAttrName(result.name),
                      getActivityArray(context, argActivity));
  result.addAttribute(OpTy::getResultActivityAttrName(result.name),
                      getActivityArray(context, resultActivity));
  result.addTypes(type.getResults());
  return success();
}

template <typename OpTy>
static void printDerivativeOp(OpTy op, OpAsmPrinter &printer, bool seeds) {
  printer << ' ' << op.getCalleeAttr() << '(';
  auto operands = op.getInputs();
  size_t next = 0;
  // The generic form may hold anything: never read past the operands.
  auto printNext = [&] {
    if (next < operands.size())
      printer << operands[next++];
  };
  llvm::interleaveComma(getActivities(op.getArgActivity()), printer,
                        [&](Activity activity) {
                          printer << stringifyActivity(activity);
                          printer << (hasShadow(activity) ? '(' : ' ');
                          printNext();
                          if (hasShadow(activity)) {
                            printer << ", ";
                            printNext();
                            printer << ')';
                          }
                        });
  printer << ')';
  if (!op.getResultActivity().empty()) {
    printer << " returns (";
    llvm::interleaveComma(getActivities(op.getResultActivity()), printer,
                          [&](Activity activity) {
                            printer << stringifyActivity(activity);
                            if (seeds && isActive(activity)) {
                              printer << '(';
                              printNext();
                              printer << ')';
                            }
                          });
    printer << ')';
  }
  SmallVector<StringRef> elided = {op.getCalleeAttrName(),
                                   op.getArgActivityAttrName(),
                                   op.getResultActivityAttrName()};
  if (op.getWidth() == 1)
    elided.push_back(op.getWidthAttrName());
  printer.printOptionalAttrDict(op->getAttrs(), elided);
  printer << " : ";
  printer.printFunctionalType(op);
}

ParseResult FwdDiffOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseDerivativeOp<FwdDiffOp>(parser, result);
}
void FwdDiffOp::print(OpAsmPrinter &printer) {
  printDerivativeOp(*this, printer, /*seeds=*/false);
}
ParseResult AutoDiffOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseDerivativeOp<AutoDiffOp>(parser, result);
}
void AutoDiffOp::print(OpAsmPrinter &printer) {
  printDerivativeOp(*this, printer, /*seeds=*/true);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {
/// Walks the operands (or results) that the activities ask for, comparing each
/// type with the one expected.
class Signature {
public:
  Signature(Operation *op, TypeRange actual, StringRef what)
      : op(op), actual(actual), what(what) {}

  LogicalResult expect(Type expected, const Twine &role) {
    if (next >= actual.size()) {
      ++next;
      return op->emitOpError()
             << "expects " << role << " of type " << expected << " as " << what
             << " #" << next - 1 << ", but there are only " << actual.size()
             << " " << what << "s";
    }
    Type got = actual[next++];
    if (got == expected)
      return success();
    return op->emitOpError()
           << "expects " << what << " #" << next - 1 << " to be " << role
           << " of type " << expected << ", got " << got;
  }

  LogicalResult finish() {
    if (next == actual.size())
      return success();
    return op->emitOpError() << "expects " << next << " " << what
                             << "s for these activities, got " << actual.size();
  }

private:
  Operation *op;
  TypeRange actual;
  StringRef what;
  size_t next = 0;
};
} // namespace

/// The activity must suit the mode and the type of argument `index`.
static LogicalResult verifyArgument(Operation *op, size_t index, Type type,
                                    Activity activity, bool reverse) {
  auto error = [&] {
    return op->emitOpError()
           << "argument #" << index << " of type " << type << " cannot be '"
           << stringifyActivity(activity) << "': ";
  };
  if (activity == Activity::ConstNoNeed || activity == Activity::ActiveNoNeed)
    return error() << "this activity is for results";
  if (activity == Activity::Const)
    return success();
  if (!isDifferentiable(type))
    return error() << "the type carries no derivative, expected 'const'";
  if (!reverse)
    return hasShadow(activity)
               ? success()
               : error() << "forward mode takes a tangent, expected 'dup'";
  bool reference = isDifferentiableReference(type);
  if (reference && activity == Activity::Active)
    return error() << "memory is differentiated through a shadow, expected "
                      "'dup', 'dup_noneed' or 'const'";
  if (!reference && hasShadow(activity))
    return error() << "the gradient of a value is returned, expected 'active' "
                      "or 'const'";
  return success();
}

/// The activity must suit the mode and the type of result `index`.
static LogicalResult verifyResult(Operation *op, size_t index, Type type,
                                  Activity activity, bool reverse) {
  auto error = [&] {
    return op->emitOpError()
           << "result #" << index << " of type " << type << " cannot be '"
           << stringifyActivity(activity) << "': ";
  };
  if (hasShadow(activity))
    return error() << "expected 'active', 'const', 'active_noneed' or "
                      "'const_noneed'";
  if (!isActive(activity))
    return success();
  if (!isDifferentiable(type))
    return error() << "the type carries no derivative, expected 'const' or "
                      "'const_noneed'";
  if (reverse && isDifferentiableReference(type))
    return error() << "a returned reference takes no seed, expected 'const' or "
                      "'const_noneed'";
  return success();
}

template <typename OpTy>
static LogicalResult verifyDerivativeOp(OpTy op, SymbolTableCollection &tables,
                                        bool reverse) {
  auto callee = tables.lookupNearestSymbolFrom<FunctionOpInterface>(
      op, op.getCalleeAttr());
  if (!callee)
    return op.emitOpError() << "expects the name of a function, but "
                            << op.getCalleeAttr() << " is not one";
  TypeRange arguments = callee.getArgumentTypes();
  TypeRange results = callee.getResultTypes();
  SmallVector<Activity> argActivity = getActivities(op.getArgActivity());
  SmallVector<Activity> resultActivity = getActivities(op.getResultActivity());
  int64_t width = op.getWidth();
  if (argActivity.size() != arguments.size())
    return op.emitOpError()
           << "expects an activity for each of the " << arguments.size()
           << " arguments of " << op.getCalleeAttr() << ", got "
           << argActivity.size();
  if (resultActivity.size() != results.size())
    return op.emitOpError()
           << "expects an activity for each of the " << results.size()
           << " results of " << op.getCalleeAttr() << ", got "
           << resultActivity.size();
  if (width < 1)
    return op.emitOpError() << "expects a width of at least 1, got " << width;

  auto isComplex = [](Type type) {
    return isa<ComplexType>(getElementTypeOrSelf(type));
  };
  if (width > 1 &&
      (llvm::any_of(arguments, isComplex) || llvm::any_of(results, isComplex)))
    return op.emitOpError() << "has width " << width
                            << ", but complex numbers have no vector mode: no "
                               "vector holds them";

  Signature operands(op, op.getInputs().getTypes(), "operand");
  for (auto [index, type, activity] : llvm::enumerate(arguments, argActivity)) {
    if (failed(verifyArgument(op, index, type, activity, reverse)) ||
        failed(operands.expect(type, "argument #" + Twine(index))))
      return failure();
    if (hasShadow(activity) &&
        failed(operands.expect(getShadowType(type, width),
                               (reverse ? "the shadow of argument #"
                                        : "the tangent of argument #") +
                                   Twine(index))))
      return failure();
  }
  Signature outputs(op, op.getOutputs().getTypes(), "result");
  for (auto [index, type, activity] :
       llvm::enumerate(results, resultActivity)) {
    if (failed(verifyResult(op, index, type, activity, reverse)))
      return failure();
    if (hasPrimalResult(activity) &&
        failed(outputs.expect(type, "result #" + Twine(index) + " of " +
                                        op.getCallee())))
      return failure();
    if (!isActive(activity))
      continue;
    Type shadow = getShadowType(type, width);
    if (failed(reverse ? operands.expect(shadow,
                                         "the seed of result #" + Twine(index))
                       : outputs.expect(shadow, "the tangent of result #" +
                                                    Twine(index))))
      return failure();
  }
  if (reverse)
    for (auto [index, type, activity] : llvm::enumerate(arguments, argActivity))
      if (activity == Activity::Active &&
          failed(outputs.expect(getShadowType(type, width),
                                "the gradient of argument #" + Twine(index))))
        return failure();
  return success(succeeded(operands.finish()) && succeeded(outputs.finish()));
}

LogicalResult FwdDiffOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyDerivativeOp(*this, tables, /*reverse=*/false);
}
LogicalResult AutoDiffOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyDerivativeOp(*this, tables, /*reverse=*/true);
}

LogicalResult StopGradientOp::verify() {
  if (isDifferentiableReference(getInput().getType()))
    return emitOpError() << "takes a value, got the reference "
                         << getInput().getType()
                         << "; stop the gradient of what is loaded from it";
  return success();
}
