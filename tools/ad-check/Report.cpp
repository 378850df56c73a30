//===- Report.cpp - the table that is printed ----------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace mlir::autodiff::check;

void Report::printHeader(llvm::StringRef title) {
  llvm::outs() << title << "\n"
               << llvm::format("  %-34s %17s %17s %9s  %s\n", "quantity",
                               "value", "reference", "error", "verdict");
  // What follows may crash.
  llvm::outs().flush();
}

void Report::compare(const llvm::Twine &quantity, double value,
                     double reference, double error, double allowed) {
  bool passed =
      std::isfinite(value) && std::isfinite(reference) && error <= allowed;
  failed |= !passed;
  double scale = std::max(std::abs(value), std::abs(reference));
  llvm::outs() << llvm::format(
      "  %-34s %17.9e %17.9e %9.1e  %s\n", (prefix + quantity.str()).c_str(),
      value, reference,
      scale > 0 && std::isfinite(scale) ? error / scale : error,
      passed ? "ok" : "FAIL");
  llvm::outs().flush();
}

void Report::compare(const llvm::Twine &quantity, double value,
                     double reference, double allowed) {
  compare(quantity, value, reference, std::abs(value - reference), allowed);
}

void Report::state(const llvm::Twine &quantity, bool passed,
                   const llvm::Twine &remark) {
  failed |= !passed;
  std::string text = remark.str();
  llvm::outs() << llvm::format("  %-34s %-45s  %s\n",
                               (prefix + quantity.str()).c_str(), text.c_str(),
                               passed ? "ok" : "FAIL");
  llvm::outs().flush();
}
