//===- PromoteFloatsTest.cpp ---------------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PromoteFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::autodiff::check;

namespace {

struct PromoteFloatsTest : testing::Test {
  PromoteFloatsTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        memref::MemRefDialect>();
  }
  OwningOpRef<ModuleOp> parse(StringRef text) {
    return parseSourceString<ModuleOp>(text, &context);
  }
  MLIRContext context;
};

TEST_F(PromoteFloatsTest, TypesConstantsAndConversions) {
  OwningOpRef<ModuleOp> module = parse(R"(
    memref.global constant @table : memref<2xbf16> = dense<[1.0, 2.0]>
    func.func @f(%x: f32, %v: vector<2xf16>) -> f64 {
      %c = arith.constant 0.1 : f32
      %0 = arith.addf %x, %c : f32
      %1 = arith.extf %0 : f32 to f64
      return %1 : f64
    })");
  OwningOpRef<ModuleOp> promoted = promoteFloats(*module);
  ASSERT_TRUE(promoted);
  EXPECT_TRUE(getShortestFloat(*promoted).isF64());
  auto function = promoted->lookupSymbol<func::FuncOp>("f");
  EXPECT_TRUE(function.getArgumentTypes()[0].isF64());
  promoted->walk([](arith::ExtFOp op) { ADD_FAILURE(); });
  promoted->walk([](arith::ConstantOp op) {
    // The value of the f32 constant, not of the decimal number.
    EXPECT_EQ(cast<FloatAttr>(op.getValue()).getValueAsDouble(), double(0.1f));
  });
}

TEST_F(PromoteFloatsTest, BitsHaveNoCopy) {
  OwningOpRef<ModuleOp> module = parse(R"(
    func.func @f(%x: f32) -> i32 {
      %0 = arith.bitcast %x : f32 to i32
      return %0 : i32
    })");
  EXPECT_FALSE(promoteFloats(*module));
}

TEST_F(PromoteFloatsTest, ShortestFloat) {
  EXPECT_TRUE(getShortestFloat(*parse("func.func private @f(f32)")).isF64());
  EXPECT_TRUE(getShortestFloat(*parse(R"(
    func.func @f(%x: f64, %y: memref<2xf16>) -> f64 {
      %0 = arith.truncf %x : f64 to bf16
      return %x : f64
    })"))
                  .isBF16());
}

} // namespace
