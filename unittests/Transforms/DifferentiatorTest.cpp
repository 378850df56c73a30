//===- DifferentiatorTest.cpp - derivative functions of a module ---------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms/Differentiator.h"
#include "Dialect/Autodiff/Rules/Registration.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::autodiff;

namespace {

class DifferentiatorTest : public testing::Test {
protected:
  DifferentiatorTest() {
    DialectRegistry registry;
    registerAutodiff(registry);
    registry.insert<arith::ArithDialect, func::FuncDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  void parse(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
  }

  /// Lowers the requests; returns the text of the first error, if any.
  std::string run() {
    std::string error;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (error.empty())
        error = diagnostic.str();
    });
    if (succeeded(Differentiator(module->getOperation()).run()))
      EXPECT_TRUE(succeeded(verify(module->getOperation())));
    else
      EXPECT_FALSE(error.empty());
    return error;
  }

  unsigned countFunctions() {
    return llvm::range_size(module->getOps<func::FuncOp>());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// @f0 calls @f1, which calls @f2, and so on `length` times.
std::string makeCallChain(unsigned length, StringRef request) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (unsigned i = 0; i < length; ++i)
    os << "func.func private @f" << i << "(%x: f64) -> f64 {\n"
       << "  %0 = arith.mulf %x, %x : f64\n"
       << "  %1 = func.call @f" << i + 1 << "(%0) : (f64) -> f64\n"
       << "  return %1 : f64\n}\n";
  os << "func.func private @f" << length << "(%x: f64) -> f64 {\n"
     << "  return %x : f64\n}\n"
     << "func.func @request(%x: f64) -> f64 {\n  %0 = " << request
     << " : (f64, f64) -> f64\n  return %0 : f64\n}\n";
  return text;
}

constexpr StringRef kForward =
    "autodiff.fwddiff @f0(dup(%x, %x)) returns (active_noneed)";
constexpr StringRef kReverse =
    "autodiff.autodiff @f0(active %x) returns (active_noneed(%x))";

// Forward mode does not go down the calls on the stack.
TEST_F(DifferentiatorTest, LongCallChainForward) {
  parse(makeCallChain(10000, kForward));
  EXPECT_EQ(run(), "");
  EXPECT_EQ(countFunctions(), 2 * 10001u + 1);
}

TEST_F(DifferentiatorTest, CallChainReverse) {
  parse(makeCallChain(200, kReverse));
  EXPECT_EQ(run(), "");
}

TEST_F(DifferentiatorTest, LongCallChainReverse) {
  parse(makeCallChain(5000, kReverse));
  EXPECT_NE(run().find("calls are nested more than"), std::string::npos);
}

// Each function differentiates the one before it.
TEST_F(DifferentiatorTest, LongRequestChain) {
  std::string text = "func.func private @f0(%x: f64) -> f64 {\n"
                     "  return %x : f64\n}\n";
  llvm::raw_string_ostream os(text);
  const unsigned length = 2000;
  for (unsigned i = 0; i < length; ++i)
    os << "func.func private @f" << i + 1 << "(%x: f64) -> f64 {\n"
       << "  %0 = autodiff.fwddiff @f" << i
       << "(const %x) returns (const) : (f64) -> f64\n"
       << "  return %0 : f64\n}\n";
  parse(text);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(countFunctions(), 2 * length + 1);
}

// Every field takes part in the key.
TEST_F(DifferentiatorTest, Keys) {
  parse("func.func private @f(%x: f64, %m: memref<f64>) -> f64 {\n"
        "  return %x : f64\n}\n");
  DerivativeRequest request;
  request.callee = module->lookupSymbol<func::FuncOp>("f");
  request.mode = DerivativeMode::Split;
  request.args = {Activity::Active, Activity::Dup};
  request.results = {Activity::Active};
  request.preservedArgs.resize(2);
  std::vector<DerivativeRequest> requests(7, request);
  requests[1].mode = DerivativeMode::Reverse;
  requests[2].args[0] = Activity::Const;
  requests[3].results[0] = Activity::Const;
  requests[4].options.width = 2;
  requests[5].options.strongZero = true;
  requests[6].options.fastmath = arith::FastMathFlags::nnan;
  requests.push_back(request);
  requests.back().preservedArgs.set(1);
  std::set<std::string> keys;
  for (const DerivativeRequest &each : requests)
    keys.insert(each.getKey());
  EXPECT_EQ(keys.size(), requests.size());
  EXPECT_EQ(requests.front().getKey(), request.getKey());
}

} // namespace
