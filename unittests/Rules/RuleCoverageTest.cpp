//===- RuleCoverageTest.cpp - every float operation is in the table ------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableOpInterface.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

/// The operations of arith that take and give integers only.
const llvm::StringSet<> integerOps = {"arith.addi",
                                      "arith.addui_extended",
                                      "arith.andi",
                                      "arith.ceildivsi",
                                      "arith.ceildivui",
                                      "arith.cmpi",
                                      "arith.divsi",
                                      "arith.divui",
                                      "arith.extsi",
                                      "arith.extui",
                                      "arith.floordivsi",
                                      "arith.index_cast",
                                      "arith.index_castui",
                                      "arith.maxsi",
                                      "arith.maxui",
                                      "arith.minsi",
                                      "arith.minui",
                                      "arith.muli",
                                      "arith.mulsi_extended",
                                      "arith.mului_extended",
                                      "arith.ori",
                                      "arith.remsi",
                                      "arith.remui",
                                      "arith.shli",
                                      "arith.shrsi",
                                      "arith.shrui",
                                      "arith.subi",
                                      "arith.trunci",
                                      "arith.xori"};

TEST(RuleCoverageTest, EveryFloatOperationIsInTheTable) {
  DialectRegistry registry;
  registerAutodiff(registry);
  MLIRContext context(registry);
  context
      .loadDialect<AutodiffDialect, arith::ArithDialect, math::MathDialect>();
  unsigned numRules = 0;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    StringRef dialect = name.getDialectNamespace();
    if (dialect != "arith" && dialect != "math")
      continue;
    bool hasRule = name.hasInterface<DifferentiableOpInterface>();
    bool isInteger = integerOps.contains(name.getStringRef());
    EXPECT_NE(hasRule, isInteger)
        << name.getStringRef().str()
        << " must be either in Rules/*.td or among the integer operations here";
    numRules += hasRule;
  }
  EXPECT_GT(numRules, 60u);
}

} // namespace
