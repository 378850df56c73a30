//===- CustomRules.h - derivatives given by the user ---------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_CUSTOMRULES_H
#define AUTODIFF_TRANSFORMS_CUSTOMRULES_H

#include "Analysis/CalleeEffects.h"
#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::autodiff {

/// Whether `function` is marked `autodiff.inactive`.
bool isInactiveFunction(FunctionOpInterface function);

/// The activities of the operands of `call` in which rules are written.
SmallVector<Activity> getRuleActivities(func::CallOp call,
                                        const ActivityQuery &activity);

/// The rule among `autodiff.rules` of `function` for calls with these
/// activities (`const`, `active`, `dup`): the one with exactly these, else the
/// first that differentiates more by-value arguments than asked for. Null if
/// there is none.
RuleAttr findCustomRule(FunctionOpInterface function, ArrayRef<Activity> args);

/// The function that forward mode calls in the place of `call`, a call of
/// `callee`, which has `rule`. A failure has emitted a diagnostic.
FailureOr<func::FuncOp> getRuleTangent(func::CallOp call, func::FuncOp callee,
                                       RuleAttr rule,
                                       const EmissionOptions &options,
                                       SymbolTable &symbols);

/// The functions that reverse mode calls in the place of `call`.
struct RuleAdjoint {
  /// The callee itself if the rule names none.
  func::FuncOp augmented;
  func::FuncOp adjoint;
};
FailureOr<RuleAdjoint> getRuleAdjoint(func::CallOp call, func::FuncOp callee,
                                      RuleAttr rule,
                                      const EmissionOptions &options,
                                      SymbolTable &symbols);

/// What an inactive function writes to memory has no derivative, so it must not
/// write to memory that has one. A function without a body is trusted. A
/// failure has emitted a diagnostic.
LogicalResult checkInactiveCall(func::CallOp call, func::FuncOp callee,
                                const ActivityQuery &activity,
                                CalleeEffects &callees);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_CUSTOMRULES_H
