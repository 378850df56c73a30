//===- CustomRules.h - derivatives given by the user ---------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TRANSFORMS_CUSTOMRULES_H
#define AUTODIFF_TRANSFORMS_CUSTOMRULES_H

#include "Dialect/Autodiff/IR/Autodiff.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::autodiff {

/// Whether `function` is marked `autodiff.inactive`.
bool isInactiveFunction(FunctionOpInterface function);

/// The rule among `autodiff.rules` of `function` for calls with these
/// activities (`const`, `active`, `dup`): the one with exactly these, else the
/// first that differentiates more by-value arguments than asked for. Null if
/// there is none.
RuleAttr findCustomRule(FunctionOpInterface function, ArrayRef<Activity> args);

} // namespace mlir::autodiff

#endif // AUTODIFF_TRANSFORMS_CUSTOMRULES_H
