//===- BuiltinTypesTest.cpp - shadows of the builtin types ---------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

class BuiltinTypesTest : public testing::Test {
protected:
  BuiltinTypesTest() {
    DialectRegistry registry;
    registerAutodiff(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<AutodiffDialect>();
  }

  std::string getShadow(StringRef type, int64_t width) {
    std::string text;
    llvm::raw_string_ostream(text)
        << getShadowType(parseType(type, &context), width);
    return text;
  }

  MLIRContext context;
};

TEST_F(BuiltinTypesTest, IntegersCarryNoDerivative) {
  for (StringRef type : {"i32", "index", "i1", "vector<4xi32>", "tensor<2xi64>",
                         "memref<?xindex>", "memref<?xi8>"})
    EXPECT_FALSE(isDifferentiable(parseType(type, &context))) << type.str();
}

TEST_F(BuiltinTypesTest, FloatsAreByValue) {
  for (StringRef type : {"f16", "bf16", "f32", "f64", "vector<4xf32>",
                         "tensor<?xf64>", "complex<f32>"})
    EXPECT_TRUE(isDifferentiableByValue(parseType(type, &context)))
        << type.str();
}

TEST_F(BuiltinTypesTest, MemoryIsByReference) {
  for (StringRef type :
       {"memref<f64>", "memref<?x3xf32>", "memref<2xvector<4xf64>>",
        "!autodiff.tape<1 x f64>", "!autodiff.stack<f32>"})
    EXPECT_TRUE(isDifferentiableReference(parseType(type, &context)))
        << type.str();
}

TEST_F(BuiltinTypesTest, WidthOneKeepsTheType) {
  for (StringRef type : {"f64", "vector<3xf32>", "tensor<?x2xf64>",
                         "memref<?xf64>", "!autodiff.tape<2 x f64>"})
    EXPECT_EQ(getShadow(type, 1), type.str());
}

TEST_F(BuiltinTypesTest, DirectionsComeFirstInAValueAndInnermostInMemory) {
  EXPECT_EQ(getShadow("f64", 3), "vector<3xf64>");
  EXPECT_EQ(getShadow("vector<2xf32>", 3), "vector<3x2xf32>");
  EXPECT_EQ(getShadow("tensor<?xf64>", 3), "tensor<3x?xf64>");
  EXPECT_EQ(getShadow("memref<?xf64>", 3), "memref<?xvector<3xf64>>");
  EXPECT_EQ(getShadow("!autodiff.stack<f64>", 3),
            "!autodiff.stack<vector<3xf64>>");
}

TEST_F(BuiltinTypesTest, AddingALiteralZeroAddsNothing) {
  OpBuilder builder(&context);
  auto module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToStart(module.getBody());
  Type type = builder.getF64Type();
  Location loc = builder.getUnknownLoc();
  Value zero = createZero(builder, loc, type, 1);
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(1.0));
  EXPECT_EQ(createAdd(builder, loc, type, zero, one), one);
  EXPECT_EQ(createAdd(builder, loc, type, one, Value()), one);
  Value sum = createAdd(builder, loc, type, one, one);
  EXPECT_TRUE(sum.getDefiningOp<arith::AddFOp>());
  module->erase();
}

} // namespace
