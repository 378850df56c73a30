#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
using namespace mlir;
using namespace mlir::autodiff;
namespace {
template <typename C, typename O>
using Model = DifferentiableOpInterface::ExternalModel<C, O>;
struct Add : Model<Add, arith::AddFOp> {
  LogicalResult emitTangent(Operation *op, TangentContext &c) const { return success(); }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &c) const {
    Value d = c.getAdjoint(op->getResult(0)); if (!d) return success();
    c.addToAdjoint(op->getOperand(0), d); c.addToAdjoint(op->getOperand(1), d); return success(); }
};
struct Mul : Model<Mul, arith::MulFOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &n) const {
    if (n.isActive(op->getOperand(0))) n.needPrimal(op->getOperand(1));
    if (n.isActive(op->getOperand(1))) n.needPrimal(op->getOperand(0)); }
  LogicalResult emitTangent(Operation *op, TangentContext &c) const { return success(); }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &c) const {
    Value d = c.getAdjoint(op->getResult(0)); if (!d) return success();
    for (int i = 0; i < 2; ++i) if (c.isActive(op->getOperand(i)))
      c.addToAdjoint(op->getOperand(i), arith::MulFOp::create(c.getBuilder(), op->getLoc(), d, c.getPrimal(op->getOperand(1-i))));
    return success(); }
};
struct Sin : Model<Sin, math::SinOp> {
  void collectAdjointNeeds(Operation *op, AdjointNeeds &n) const { n.needPrimal(op->getOperand(0)); }
  LogicalResult emitTangent(Operation *op, TangentContext &c) const { return success(); }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &c) const {
    Value d = c.getAdjoint(op->getResult(0)); if (!d) return success();
    Value cs = math::CosOp::create(c.getBuilder(), op->getLoc(), c.getPrimal(op->getOperand(0)));
    c.addToAdjoint(op->getOperand(0), arith::MulFOp::create(c.getBuilder(), op->getLoc(), d, cs));
    return success(); }
};
struct Cmp : Model<Cmp, arith::CmpFOp> {
  bool isInactive(Operation *) const { return true; }
  LogicalResult emitTangent(Operation *op, TangentContext &c) const { return success(); }
  LogicalResult emitAdjoint(Operation *op, AdjointContext &c) const { return success(); }
};
}
void mlir::autodiff::registerElementwiseRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *, math::MathDialect *) {
    arith::AddFOp::attachInterface<Add>(*context);
    arith::CmpFOp::attachInterface<Cmp>(*context);
    arith::MulFOp::attachInterface<Mul>(*context);
    math::SinOp::attachInterface<Sin>(*context);
  });
}
