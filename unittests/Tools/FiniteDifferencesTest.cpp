//===- FiniteDifferencesTest.cpp -----------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FiniteDifferences.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::autodiff::check;

/// The derivative of `function` at `x`, and whether its error is as estimated.
template <typename Function>
static DifferenceQuotients differentiate(Function function, double x,
                                         double step = 0.1) {
  return differentiateNumerically(
      [&](double h) { return std::vector<double>{function(x + h)}; }, step);
}

TEST(FiniteDifferencesTest, SmoothFunctions) {
  DifferenceQuotients quotients =
      differentiate([](double x) { return std::sin(x); }, 1.0);
  EXPECT_NEAR(quotients.value[0], std::cos(1.0), 1e-12);
  EXPECT_LT(quotients.error[0], 1e-11);
  EXPECT_LE(std::abs(quotients.value[0] - std::cos(1.0)),
            10 * quotients.error[0]);
}

TEST(FiniteDifferencesTest, FastFunctionsNeedSmallSteps) {
  DifferenceQuotients quotients =
      differentiate([](double x) { return std::sin(100 * x); }, 1.0);
  EXPECT_NEAR(quotients.value[0], 100 * std::cos(100.0), 1e-8);
}

TEST(FiniteDifferencesTest, StepsOutsideOfTheDomainAreLeftOut) {
  DifferenceQuotients quotients =
      differentiate([](double x) { return std::log(x); }, 0.01);
  EXPECT_NEAR(quotients.value[0], 100, 1e-6);
}

TEST(FiniteDifferencesTest, KinksAndJumpsNearby) {
  EXPECT_NEAR(
      differentiate([](double x) { return std::abs(x); }, 0.01).value[0], 1,
      1e-10);
  EXPECT_NEAR(
      differentiate([](double x) { return std::floor(x) + x * x; }, 1.02)
          .value[0],
      2.04, 1e-9);
}

TEST(FiniteDifferencesTest, JumpsAtThePointDoNotConverge) {
  DifferenceQuotients quotients =
      differentiate([](double x) { return x < 1 ? 0.0 : 1.0; }, 1.0);
  EXPECT_GT(quotients.error[0], 1.0);
}

TEST(FiniteDifferencesTest, NowhereFinite) {
  DifferenceQuotients quotients =
      differentiate([](double) { return std::nan(""); }, 1.0);
  EXPECT_TRUE(std::isnan(quotients.value[0]));
  EXPECT_TRUE(std::isnan(quotients.error[0]));
}

TEST(FiniteDifferencesTest, EachFunctionHasItsOwnBestStep) {
  DifferenceQuotients quotients = differentiateNumerically(
      [](double h) {
        return std::vector<double>{std::exp(h), 1e6 * std::cos(50 * (1 + h)),
                                   7.0};
      },
      0.1);
  EXPECT_NEAR(quotients.value[0], 1, 1e-12);
  EXPECT_NEAR(quotients.value[1], -50e6 * std::sin(50.0), 1e-2);
  EXPECT_EQ(quotients.value[2], 0);
}
