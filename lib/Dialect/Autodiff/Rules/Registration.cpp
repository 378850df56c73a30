//===- Registration.cpp --------------------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/Rules/Registration.h"
#include "Dialect/Autodiff/IR/Autodiff.h"

using namespace mlir;

void mlir::autodiff::registerAutodiff(DialectRegistry &registry) {
  registry.insert<AutodiffDialect>();
  registerBuiltinTypeModels(registry);
  registerElementwiseRules(registry);
  registerMemRefRules(registry);
  registerScfRules(registry);
  registerAutodiffRules(registry);
}
