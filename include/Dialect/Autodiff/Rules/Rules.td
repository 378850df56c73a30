//===- Rules.td - the rule table -----------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_RULES_TD
#define AUTODIFF_RULES_TD

include "Dialect/Autodiff/Rules/ArithRules.td"
include "Dialect/Autodiff/Rules/MathRules.td"

#endif // AUTODIFF_RULES_TD
