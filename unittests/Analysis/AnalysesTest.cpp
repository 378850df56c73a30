//===- AnalysesTest.cpp - what the engines ask the analyses --------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answers about given IR are tested by test/Analysis; here, what happens
// when the IR changes after the analyses were made, and their size limits.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ActivityAnalysis.h"
#include "Analysis/MemoryAnalysis.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

class AnalysesTest : public testing::Test {
protected:
  AnalysesTest() {
    DialectRegistry registry;
    registerAutodiff(registry);
    registry.insert<arith::ArithDialect, func::FuncDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Parses a module and returns its function @f.
  func::FuncOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return module->lookupSymbol<func::FuncOp>("f");
  }

  template <typename OpTy> OpTy find(func::FuncOp function) {
    OpTy found;
    function.walk([&](OpTy op) { found = op; });
    EXPECT_TRUE(found);
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr StringRef kCall = R"mlir(
  func.func @set(%a: memref<f64>, %x: f64) -> (memref<f64>, f64) {
    memref.store %x, %a[] : memref<f64>
    return %a, %x : memref<f64>, f64
  }
  func.func @f(%a: memref<f64>, %b: memref<f64> {autodiff.noalias}, %x: f64)
      -> f64 {
    %0 = memref.load %a[] : memref<f64>
    %1:2 = call @set(%a, %x) : (memref<f64>, f64) -> (memref<f64>, f64)
    return %1#1 : f64
  })mlir";

TEST_F(AnalysesTest, ReplacedCall) {
  func::FuncOp function = parse(kCall);
  CalleeEffects callees;
  MemoryAnalysis memory(function, callees);
  auto activity = ActivityAnalysis::compute(
      function, {Activity::Const, Activity::Const, Activity::Active},
      {Activity::Active}, callees);
  ASSERT_TRUE(succeeded(activity));
  auto load = find<memref::LoadOp>(function);
  auto call = find<func::CallOp>(function);
  EXPECT_EQ(memory.lookup(call.getResult(0)),
            memory.lookup(function.getArgument(0)));
  EXPECT_TRUE((*activity)->isActive(call.getResult(1)));

  OpBuilder builder(call);
  auto replacement =
      func::CallOp::create(builder, call.getLoc(), call.getCallee(),
                           call.getResultTypes(), call.getOperands());
  memory.replace(call, replacement);
  (*activity)->replace(call, replacement);
  call.replaceAllUsesWith(replacement);
  call.erase();

  EXPECT_EQ(memory.lookup(replacement.getResult(0)),
            memory.lookup(function.getArgument(0)));
  EXPECT_TRUE((*activity)->isActive(replacement.getResult(1)));
  EXPECT_TRUE((*activity)->isActive(replacement));
  // The write of the erased call still counts.
  EXPECT_TRUE(memory.mayChangeAfter(load, load.getMemRef()));
  EXPECT_FALSE(memory.mayChangeAfter(load, function.getArgument(1)));
}

TEST_F(AnalysesTest, OperationsThatCameLater) {
  func::FuncOp function = parse(kCall);
  CalleeEffects callees;
  MemoryAnalysis memory(function, callees);
  auto call = find<func::CallOp>(function);
  OpBuilder builder(call);
  Value reference = function.getArgument(1);
  auto load =
      memref::LoadOp::create(builder, call.getLoc(), reference, ValueRange());
  auto alloc = memref::AllocOp::create(builder, call.getLoc(),
                                       cast<MemRefType>(reference.getType()));
  // Nothing is known about them.
  EXPECT_TRUE(memory.mayChangeAfter(load, reference));
  EXPECT_EQ(memory.lookup(alloc), nullptr);
  EXPECT_TRUE(memory.mayChangeAfter(call, alloc));
}

TEST_F(AnalysesTest, FunctionsThatCameLater) {
  func::FuncOp function = parse(kCall);
  CalleeEffects callees;
  auto call = find<func::CallOp>(function);
  EXPECT_TRUE(callees.get(call).writes.test(0));
  // Another function takes the place of the callee.
  OpBuilder builder(function);
  auto newer = func::FuncOp::create(
      builder, function.getLoc(), "newer",
      module->lookupSymbol<func::FuncOp>("set").getFunctionType());
  builder.setInsertionPointToStart(newer.addEntryBlock());
  func::ReturnOp::create(builder, newer.getLoc(), newer.getArguments());
  call.setCallee("newer");
  EXPECT_FALSE(callees.get(call).writes.test(0));
}

TEST_F(AnalysesTest, IgnoredFrees) {
  func::FuncOp function = parse(R"mlir(
  func.func @f(%a: memref<f64>) -> f64 {
    %0 = memref.load %a[] : memref<f64>
    memref.dealloc %a : memref<f64>
    return %0 : f64
  })mlir");
  CalleeEffects callees;
  MemoryAnalysis memory(function, callees);
  auto load = find<memref::LoadOp>(function);
  EXPECT_TRUE(memory.mayChangeAfter(load, load.getMemRef()));
  EXPECT_FALSE(memory.mayChangeAfter(load, load.getMemRef(),
                                     /*ignoreFrees=*/true));
}

/// A loop that reads an element of its own and writes it `count` times.
std::string getWrites(unsigned count) {
  std::string text = R"mlir(
  func.func @f(%a: memref<?xf64>, %x: f64, %n: index) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    scf.for %i = %zero to %n step %one {
)mlir";
  for (unsigned i = 0; i != count; ++i)
    text += "memref.store %x, %a[%i] : memref<?xf64>\n";
  return text + R"mlir(
      %0 = memref.load %a[%i] : memref<?xf64>
    }
    return
  })mlir";
}

TEST_F(AnalysesTest, ManyWrites) {
  for (unsigned count : {0u, 1u, 32u}) {
    func::FuncOp function = parse(getWrites(count));
    CalleeEffects callees;
    MemoryAnalysis memory(function, callees);
    auto load = find<memref::LoadOp>(function);
    EXPECT_FALSE(memory.mayChangeAfter(load, load.getMemRef())) << count;
  }
  // Beyond the limit the answer is the safe one.
  func::FuncOp function = parse(getWrites(33));
  CalleeEffects callees;
  MemoryAnalysis memory(function, callees);
  auto load = find<memref::LoadOp>(function);
  EXPECT_TRUE(memory.mayChangeAfter(load, load.getMemRef()));
}

TEST_F(AnalysesTest, ManyGlobals) {
  // A call that may write to any global, and more globals than are told apart.
  std::string text = "func.func private @unknown()\n";
  std::string body;
  for (unsigned i = 0; i != 40; ++i) {
    std::string name = "@g" + std::to_string(i);
    text += "memref.global \"private\" " + name + " : memref<f64>\n";
    body += "  %" + std::to_string(i) + " = memref.get_global " + name +
            " : memref<f64>\n";
  }
  func::FuncOp function = parse(text + "func.func @f() -> f64 {\n" + body +
                                "  %x = memref.load %7[] : memref<f64>\n"
                                "  call @unknown() : () -> ()\n"
                                "  return %x : f64\n}");
  CalleeEffects callees;
  MemoryAnalysis memory(function, callees);
  auto load = find<memref::LoadOp>(function);
  EXPECT_TRUE(memory.mayChangeAfter(load, load.getMemRef()));
  EXPECT_EQ(memory.getClasses().size(), 1u);
}

} // namespace
