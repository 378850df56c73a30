//===- ReverseNeeds.cpp - what the reverse sweep asks of the forward sweep ===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the active operations: each rule announces the primals and
// shadows its adjoint will use, control flow announces its bounds, conditions
// and counts. Shadows are closed under the operations that make them: the
// shadow of a view needs the shadow of its source and the view's offsets, that
// of an allocation its sizes.
//
// This is the "to be recorded" analysis (TBR) of Hascoët, Naumann and Pascual
// (2005) in SSA form: what is not announced is not kept.
//
//===----------------------------------------------------------------------===//

#include "ReverseNeeds.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

class Collector : public AdjointNeeds {
public:
  Collector(func::FuncOp function, const ActivityAnalysis &activity,
            const ReversedCalls &calls, const ForwardShadows &shadows)
      : function(function), activity(activity), calls(calls) {
    needs.forwardShadows = shadows;
  }

  LogicalResult run();
  ReverseNeeds take() { return std::move(needs); }

  bool isActive(Value value) const override { return activity.isActive(value); }
  void needPrimal(Value value) override { needs.primals.insert(value); }
  void needShadow(Value value) override {
    if (Value shadow = needs.forwardShadows.lookup(value))
      needPrimal(shadow);
    else
      needs.shadows.insert(value);
  }

private:
  bool isLeafReversed(Operation *op) const;
  LogicalResult checkRegions(Operation *op) const;
  LogicalResult collectFrom(Operation *op);
  void collectFromCall(func::CallOp call, const ReversedCall &reversed);
  void capture(Operation *op);
  LogicalResult closeShadows();

  func::FuncOp function;
  const ActivityAnalysis &activity;
  const ReversedCalls &calls;
  ReverseNeeds needs;
};

/// Whether `op` itself, regions aside, has an adjoint.
bool Collector::isLeafReversed(Operation *op) const {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  if (isa<func::CallOp>(op))
    return calls.contains(op);
  if (!activity.isActive(op))
    return false;
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  return !rule || !rule.isInactive();
}

LogicalResult Collector::checkRegions(Operation *op) const {
  for (Region &region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock()) {
      InFlightDiagnostic error =
          op->emitError() << "cannot differentiate '" << op->getName()
                          << "' with unstructured control flow in reverse mode";
      error.attachNote() << "lift it first with --lift-cf-to-scf";
      return error;
    }
  return success();
}

/// Puts every active by-value operand of `op` among the captured values of the
/// region operations between it and its definition.
void Collector::capture(Operation *op) {
  for (Value operand : op->getOperands()) {
    if (!isDifferentiableByValue(operand.getType()) ||
        !activity.isActive(operand))
      continue;
    Region *defined = operand.getParentRegion();
    for (Region *region = op->getParentRegion(); region != defined;
         region = region->getParentRegion())
      needs.captured[region->getParentOp()].insert(operand);
  }
}

void Collector::collectFromCall(func::CallOp call,
                                const ReversedCall &reversed) {
  for (auto [index, operand] : llvm::enumerate(call.getOperands())) {
    if (reversed.adjointArgs.test(index))
      needPrimal(operand);
    if (reversed.args[index] == Activity::Dup)
      needShadow(operand);
  }
  for (Value tape : call.getResults().drop_front(reversed.seeded.size()))
    needPrimal(tape);
}

LogicalResult Collector::collectFrom(Operation *op) {
  if (failed(checkRegions(op)))
    return failure();
  capture(op);
  if (auto call = dyn_cast<func::CallOp>(op)) {
    collectFromCall(call, calls.find(op)->second);
    return success();
  }
  if (auto rule = dyn_cast<DifferentiableOpInterface>(op)) {
    rule.collectAdjointNeeds(*this);
    return success();
  }
  InFlightDiagnostic error = op->emitError()
                             << "no derivative rule for '" << op->getName()
                             << "' in reverse mode";
  if (op->getNumRegions() != 0)
    error.attachNote() << "lower it to scf.for, scf.if or scf.while before "
                          "differentiating";
  else
    error.attachNote() << "implement DifferentiableOpInterface for it, or move "
                          "it to a function with a rule (autodiff.rules) or "
                          "without a derivative (autodiff.inactive)";
  return error;
}

/// References whose shadows can be made where they are wanted: arguments,
/// globals, allocations and views.
LogicalResult Collector::closeShadows() {
  for (size_t i = 0; i < needs.shadows.size(); ++i) {
    Value reference = needs.shadows[i];
    Operation *op = reference.getDefiningOp();
    if (!op && reference.getParentBlock() == &function.front())
      continue;
    if (isa_and_nonnull<memref::GetGlobalOp>(op))
      continue;
    bool isSelect = isa_and_nonnull<arith::SelectOp>(op);
    if (!op || op->getNumRegions() != 0 || isa<func::CallOp>(op) ||
        (!isSelect && !isa<DifferentiableOpInterface>(op))) {
      InFlightDiagnostic error =
          emitError(reference.getLoc())
          << "active memory of type " << reference.getType()
          << (op ? " comes out of '" + op->getName().getStringRef().str() + "'"
                 : std::string(" is carried by a region argument"))
          << ", which reverse mode cannot follow";
      error.attachNote() << "let the loop or branch work on memory that is "
                            "allocated outside of it, or inline the call";
      return error;
    }
    for (Value operand : op->getOperands()) {
      if (!isDifferentiableReference(operand.getType())) {
        needs.primals.insert(operand);
      } else if (activity.isActive(operand)) {
        needShadow(operand);
      } else if (isSelect) {
        InFlightDiagnostic error =
            op->emitError() << "selects between active memory and memory "
                               "that carries no derivative";
        error.attachNote() << "pass both as 'dup'";
        return error;
      }
    }
  }
  return success();
}

LogicalResult Collector::run() {
  if (failed(checkRegions(function)))
    return failure();
  SmallVector<Operation *> order;
  function.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { order.push_back(op); });
  for (Operation *op : order) {
    if (!isLeafReversed(op))
      continue;
    for (Operation *parent = op;
         parent != function && needs.reversed.insert(parent).second;
         parent = parent->getParentOp())
      ;
  }
  for (Operation *op : order) {
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      if (needs.reversed.contains(op->getParentOp()))
        capture(op);
    } else if (needs.reversed.contains(op) && failed(collectFrom(op))) {
      return failure();
    }
  }
  return closeShadows();
}

} // namespace

FailureOr<ReverseNeeds> mlir::autodiff::collectReverseNeeds(
    func::FuncOp function, const ActivityAnalysis &activity,
    const ReversedCalls &calls, const ForwardShadows &shadows) {
  Collector collector(function, activity, calls, shadows);
  if (failed(collector.run()))
    return failure();
  return collector.take();
}
