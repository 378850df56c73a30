//===- Report.h - the table that is printed ------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_REPORT_H
#define AUTODIFF_TOOLS_ADCHECK_REPORT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>

namespace mlir::autodiff::check {

/// Prints one row per quantity as it is checked and remembers the verdict.
class Report {
public:
  void printHeader(llvm::StringRef title);
  /// A row that passes if `error`, the absolute difference, is at most
  /// `allowed`. A value or reference that is not finite fails.
  void compare(const llvm::Twine &quantity, double value, double reference,
               double error, double allowed);
  void compare(const llvm::Twine &quantity, double value, double reference,
               double allowed);
  /// A row that has no numbers.
  void state(const llvm::Twine &quantity, bool passed,
             const llvm::Twine &remark = "");
  bool hasFailed() const { return failed; }

  /// Put before every quantity.
  std::string prefix;

private:
  bool failed = false;
};

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_REPORT_H
