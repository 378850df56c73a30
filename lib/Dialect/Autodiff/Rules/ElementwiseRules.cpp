//===- ElementwiseRules.cpp - the rule table at work ---------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attaches the rules that ad-tblgen made of Rules/*.td to the operations of
// arith and math.
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Dialect/Autodiff/Rules/InactiveModel.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "Dialect/Autodiff/Rules/ScalarBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

/// How one operand and one result depend on each other.
struct Contribution {
  /// Null if they do not. The arrays hold the primals that are used.
  Value (*emit)(ScalarBuilder &builder, ArrayRef<Value> operands,
                ArrayRef<Value> results, Value d);
  /// The operands and results whose primals are used, a bit each.
  unsigned operands, results;
};

struct Rule {
  unsigned numOperands, numResults;
  /// Per operand, per result.
  const Contribution *contributions;

  const Contribution &get(unsigned operand, unsigned result) const {
    return contributions[operand * numResults + result];
  }
};

/// Why an operation has no rule.
struct Refusal {
  const char *reason;
};

#define GET_RULE_DEFINITIONS
#include "Dialect/Autodiff/Rules/Rules.cpp.inc"

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Emits contributions of one operation. `getPrimal` gives the primal of an
/// operand or result.
class Emitter {
public:
  Emitter(Operation *op, const Rule &rule, OpBuilder &builder,
          const EmissionOptions &options,
          llvm::function_ref<Value(Value)> getPrimal)
      : op(op), rule(rule), builder(builder), options(options),
        getPrimal(getPrimal), flags(options.fastmath) {
    if (auto primal = dyn_cast<arith::ArithFastMathInterface>(op))
      if (auto attr = primal.getFastMathFlagsAttr())
        flags = flags | attr.getValue();
  }

  /// Whether the engine's width can be had for this operation.
  LogicalResult checkWidth() const {
    if (options.width == 1 || !isa<TensorType>(op->getResult(0).getType()))
      return success();
    InFlightDiagnostic error = op->emitError()
                               << "'" << op->getName()
                               << "' on tensors has no vector mode (width "
                               << options.width << ")";
    error.attachNote() << "bufferize before differentiating, or use width 1";
    return error;
  }

  /// The contribution for `d`; null if there is none.
  Value emit(unsigned operand, unsigned result, Type target, Value d) {
    const Contribution &contribution = rule.get(operand, result);
    if (!contribution.emit)
      return {};
    SmallVector<Value> operands(rule.numOperands), results(rule.numResults);
    for (unsigned i = 0; i < rule.numOperands; ++i)
      if (contribution.operands & (1u << i))
        operands[i] = getPrimal(op->getOperand(i));
    for (unsigned i = 0; i < rule.numResults; ++i)
      if (contribution.results & (1u << i))
        results[i] = getPrimal(op->getResult(i));
    ScalarBuilder scalars(builder, op->getLoc(), flags,
                          op->getOperand(operand).getType(), target, d);
    Value value = contribution.emit(scalars, operands, results, d);
    bool usesPrimals = contribution.operands || contribution.results;
    if (!options.strongZero || !usesPrimals)
      return value;
    // A zero that comes in stays zero, whatever the partial derivative is.
    Value zero = scalars.zeroLike(d);
    Value isZero = scalars.equal(d, zero);
    return scalars.select(isZero, scalars.zeroLike(value), value);
  }

  Value add(Value lhs, Value rhs) {
    if (!lhs)
      return rhs;
    return arith::AddFOp::create(builder, op->getLoc(), lhs, rhs, flags);
  }

private:
  Operation *op;
  const Rule &rule;
  OpBuilder &builder;
  const EmissionOptions &options;
  llvm::function_ref<Value(Value)> getPrimal;
  arith::FastMathFlags flags;
};

void collectNeeds(Operation *op, const Rule &rule, AdjointNeeds &needs) {
  for (unsigned i = 0; i < rule.numOperands; ++i) {
    if (!needs.isActive(op->getOperand(i)))
      continue;
    for (unsigned j = 0; j < rule.numResults; ++j) {
      if (!needs.isActive(op->getResult(j)))
        continue;
      const Contribution &contribution = rule.get(i, j);
      for (unsigned k = 0; k < rule.numOperands; ++k)
        if (contribution.operands & (1u << k))
          needs.needPrimal(op->getOperand(k));
      for (unsigned k = 0; k < rule.numResults; ++k)
        if (contribution.results & (1u << k))
          needs.needPrimal(op->getResult(k));
    }
  }
}

/// `arith.select` chooses between references, too.
LogicalResult emitReferenceTangent(arith::SelectOp select,
                                   TangentContext &context) {
  Value yes = context.getTangent(select.getTrueValue());
  Value no = context.getTangent(select.getFalseValue());
  if (!yes || !no) {
    InFlightDiagnostic error =
        select.emitError() << "selects between active memory and memory that "
                              "carries no derivative";
    error.attachNote() << "pass both as 'dup'";
    return error;
  }
  context.setTangent(
      select, arith::SelectOp::create(context.getBuilder(), select.getLoc(),
                                      context.getPrimal(select.getCondition()),
                                      yes, no));
  return success();
}

LogicalResult emitRuleTangent(Operation *op, const Rule &rule,
                              TangentContext &context) {
  auto getPrimal = [&](Value value) { return context.getPrimal(value); };
  Emitter emitter(op, rule, context.getBuilder(), context.getOptions(),
                  getPrimal);
  if (failed(emitter.checkWidth()))
    return failure();
  for (unsigned j = 0; j < rule.numResults; ++j) {
    Value result = op->getResult(j);
    if (!context.isActive(result))
      continue;
    if (isDifferentiableReference(result.getType()))
      return emitReferenceTangent(cast<arith::SelectOp>(op), context);
    Value tangent;
    for (unsigned i = 0; i < rule.numOperands; ++i)
      if (Value d = context.getTangent(op->getOperand(i)))
        if (Value value = emitter.emit(i, j, result.getType(), d))
          tangent = emitter.add(tangent, value);
    if (tangent)
      context.setTangent(result, tangent);
  }
  return success();
}

LogicalResult emitRuleAdjoint(Operation *op, const Rule &rule,
                              AdjointContext &context) {
  auto getPrimal = [&](Value value) { return context.getPrimal(value); };
  Emitter emitter(op, rule, context.getBuilder(), context.getOptions(),
                  getPrimal);
  if (failed(emitter.checkWidth()))
    return failure();
  for (unsigned i = 0; i < rule.numOperands; ++i) {
    Value operand = op->getOperand(i);
    if (!context.isActive(operand) ||
        !isDifferentiableByValue(operand.getType()))
      continue;
    for (unsigned j = 0; j < rule.numResults; ++j) {
      Value result = op->getResult(j);
      Value d = context.isActive(result) ? context.getAdjoint(result) : Value();
      if (!d)
        continue;
      context.addToAdjoint(operand, emitter.emit(i, j, operand.getType(), d));
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

template <typename OpTy, const Rule &rule>
struct RuleModel
    : DifferentiableOpInterface::ExternalModel<RuleModel<OpTy, rule>, OpTy> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &needs) const {
    if (isDifferentiableByValue(op->getResult(0).getType()))
      collectNeeds(op, rule, needs);
  }
  LogicalResult emitTangent(Operation *op, TangentContext &context) const {
    return emitRuleTangent(op, rule, context);
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &context) const {
    return emitRuleAdjoint(op, rule, context);
  }
};

template <typename OpTy, const Refusal &refusal>
struct RefusedModel
    : DifferentiableOpInterface::ExternalModel<RefusedModel<OpTy, refusal>,
                                               OpTy> {
  LogicalResult refuse(Operation *op) const {
    InFlightDiagnostic error = op->emitError()
                               << "'" << op->getName()
                               << "' of an active value is not differentiated";
    error.attachNote() << refusal.reason;
    return error;
  }
  LogicalResult emitTangent(Operation *op, TangentContext &) const {
    return refuse(op);
  }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &) const {
    return refuse(op);
  }
};

template <typename OpTy, const Rule &rule>
void attachRule(MLIRContext *context) {
  OpTy::template attachInterface<RuleModel<OpTy, rule>>(*context);
}
template <typename OpTy> void attachInactive(MLIRContext *context) {
  OpTy::template attachInterface<InactiveModel<OpTy>>(*context);
}
template <typename OpTy, const Refusal &refusal>
void attachRefused(MLIRContext *context) {
  OpTy::template attachInterface<RefusedModel<OpTy, refusal>>(*context);
}

} // namespace

void mlir::autodiff::registerElementwiseRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    // Partial derivatives may take operations that the primal does not use.
    context->loadDialect<math::MathDialect, tensor::TensorDialect,
                         vector::VectorDialect>();
#define GET_RULES_OF_ARITH
#include "Dialect/Autodiff/Rules/Rules.cpp.inc"
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    context->loadDialect<arith::ArithDialect>();
#define GET_RULES_OF_MATH
#include "Dialect/Autodiff/Rules/Rules.cpp.inc"
  });
}
