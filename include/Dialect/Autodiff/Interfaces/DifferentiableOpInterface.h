//===- DifferentiableOpInterface.h ---------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative rule of an operation, and the contexts through which a rule
// speaks to the engine. Rules do not know the engine: they see these classes.
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_INTERFACES_DIFFERENTIABLEOPINTERFACE_H
#define AUTODIFF_INTERFACES_DIFFERENTIABLEOPINTERFACE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::autodiff {

/// How derivative code is to be emitted; the same for a whole derivative.
struct EmissionOptions {
  /// Number of directions (forward) or adjoints (reverse) carried at once.
  int64_t width = 1;
  /// A zero tangent or adjoint times an infinite partial is zero.
  bool strongZero = false;
  /// Fast-math flags for derivative operations, besides those of the primal.
  arith::FastMathFlags fastmath = arith::FastMathFlags::none;
  /// Which shadows mutable globals have: those of a derivative are other than
  /// those of the derivative that it differentiates.
  unsigned globalLevel = 1;
};

/// Which values are active: they depend on an active input and influence an
/// active output.
class ActivityQuery {
public:
  virtual ~ActivityQuery();
  /// For a by-reference value: whether the memory it refers to is active.
  virtual bool isActive(Value value) const = 0;
};

/// Receives what the adjoint of an operation needs in the reverse sweep.
class AdjointNeeds {
public:
  virtual ~AdjointNeeds();
  virtual bool isActive(Value value) const = 0;
  /// `emitAdjoint` will ask for the primal of `value`.
  virtual void needPrimal(Value value) = 0;
  /// `emitAdjoint` will ask for the shadow of the by-reference `value`.
  virtual void needShadow(Value value) = 0;
};

/// Emission of tangents, one operation at a time, in program order. The primal
/// operation stays where it is, so that its operands and results can be used.
class TangentContext {
public:
  virtual ~TangentContext();
  virtual OpBuilder &getBuilder() = 0;
  virtual const EmissionOptions &getOptions() const = 0;
  /// The value of `primal`, usable at the builder. Forward mode returns it as
  /// it is; the reverse sweep, which emits tangents of views and allocations to
  /// get their shadows, returns what it kept or recomputed.
  virtual Value getPrimal(Value primal) = 0;
  SmallVector<Value> getPrimals(ValueRange primals) {
    return llvm::map_to_vector(primals,
                               [&](Value value) { return getPrimal(value); });
  }
  /// The tangent (by value) or shadow (by reference) of `primal`; null if
  /// `primal` is not active, which means zero.
  virtual Value getTangent(Value primal) = 0;
  /// Whether `primal` has, or is going to have, a tangent. A result that is
  /// active must be given one by `setTangent`.
  virtual bool isActive(Value primal) const = 0;
  virtual void setTangent(Value primal, Value tangent) = 0;

  // For operations with regions:

  /// The tangent of `primal`, a zero if it has none. Null after a diagnostic.
  virtual Value getTangentOrZero(Value primal) = 0;
  /// Replaces `op` by an operation that has `operands` and `results` besides
  /// those of `op`, after them, and the regions of `op`.
  virtual Operation *extend(Operation *op, ArrayRef<Value> operands,
                            ArrayRef<Type> results) = 0;
  /// Emits the tangents of all operations in `block` but its terminator.
  virtual LogicalResult emitBlock(Block &block) = 0;
};

/// Emission of adjoints, one operation at a time, against program order.
class AdjointContext {
public:
  virtual ~AdjointContext();
  virtual OpBuilder &getBuilder() = 0;
  virtual const EmissionOptions &getOptions() const = 0;
  virtual bool isActive(Value value) const = 0;
  /// The value that `value` had in the forward sweep, usable here. It must
  /// have been announced by `collectAdjointNeeds`.
  virtual Value getPrimal(Value value) = 0;
  SmallVector<Value> getPrimals(ValueRange values) {
    return llvm::map_to_vector(values,
                               [&](Value value) { return getPrimal(value); });
  }
  /// The shadow of the by-reference `value`, announced like a primal.
  virtual Value getShadow(Value value) = 0;
  /// What has been accumulated for the by-value `value`; null means zero.
  virtual Value getAdjoint(Value value) = 0;
  /// Adds to the adjoint of the by-value `value`; nothing if it is inactive.
  virtual void addToAdjoint(Value value, Value contribution) = 0;

  // For operations with regions:

  /// The active by-value values from above that are used in the regions of
  /// `op`: blocks that mirror those of `op` add to their adjoints.
  virtual SmallVector<Value> getCaptured(Operation *op) const = 0;
  /// The adjoints of `values`, zeros where nothing has been accumulated; fails
  /// with a diagnostic if a zero cannot be built.
  virtual FailureOr<SmallVector<Value>> getAdjoints(ValueRange values) = 0;
  /// `adjoint` is from here on what has been accumulated for `value`.
  virtual void setAdjoint(Value value, Value adjoint) = 0;
  void setAdjoints(ValueRange values, ValueRange adjoints) {
    for (auto [value, adjoint] : llvm::zip_equal(values, adjoints))
      setAdjoint(value, adjoint);
  }
  void addToAdjoints(ValueRange values, ValueRange contributions) {
    for (auto [value, contribution] : llvm::zip_equal(values, contributions))
      addToAdjoint(value, contribution);
  }
  /// Emits the adjoints of the operations in `primal`, a block of the operation
  /// that is being reversed, at the end of `mirror`, a block without terminator
  /// inside an operation that has been created at the builder. Inside the
  /// mirror no adjoints are known but those that `begin` gives; after the
  /// adjoints `end` takes what it wants and creates the terminator.
  /// `iteration` holds the number of the iteration (index, from 0) per
  /// dimension of the iteration space, if the operation has one.
  virtual LogicalResult
  reverseBlock(Block &primal, Block &mirror, ValueRange iteration,
               llvm::function_ref<void()> begin,
               llvm::function_ref<LogicalResult()> end) = 0;
};

} // namespace mlir::autodiff

#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h.inc"

#endif // AUTODIFF_INTERFACES_DIFFERENTIABLEOPINTERFACE_H
