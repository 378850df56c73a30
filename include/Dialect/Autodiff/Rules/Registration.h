//===- Registration.h - attaching the rules to upstream dialects ---------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_RULES_REGISTRATION_H
#define AUTODIFF_RULES_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::autodiff {

/// DifferentiableTypeInterface of the builtin types.
void registerBuiltinTypeModels(DialectRegistry &registry);
/// DifferentiableOpInterface of the operations in the rule table (arith, math).
void registerElementwiseRules(DialectRegistry &registry);
/// DifferentiableOpInterface of memref.
void registerMemRefRules(DialectRegistry &registry);
/// DifferentiableOpInterface of the control flow of scf.
void registerScfRules(DialectRegistry &registry);
/// DifferentiableOpInterface of the autodiff dialect's own operations.
void registerAutodiffRules(DialectRegistry &registry);

/// The dialect and all of the above: what a compiler calls to use the project.
void registerAutodiff(DialectRegistry &registry);

} // namespace mlir::autodiff

#endif // AUTODIFF_RULES_REGISTRATION_H
