//===- AutodiffDialect.cpp -----------------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dialect/Autodiff/IR/Autodiff.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::autodiff;

#include "Dialect/Autodiff/IR/AutodiffDialect.cpp.inc"
#include "Dialect/Autodiff/IR/AutodiffEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Dialect/Autodiff/IR/AutodiffAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "Dialect/Autodiff/IR/AutodiffTypes.cpp.inc"

#define GET_OP_CLASSES
#include "Dialect/Autodiff/IR/AutodiffOps.cpp.inc"

namespace {
/// Requests and tapes mean the same wherever they stand.
struct AutodiffInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void AutodiffDialect::initialize() {
  addInterfaces<AutodiffInlinerInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Dialect/Autodiff/IR/AutodiffAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "Dialect/Autodiff/IR/AutodiffTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Dialect/Autodiff/IR/AutodiffOps.cpp.inc"
      >();
}

SmallVector<Activity> mlir::autodiff::getActivities(ArrayAttr attrs) {
  return llvm::map_to_vector(attrs.getAsRange<ActivityAttr>(),
                             [](ActivityAttr attr) { return attr.getValue(); });
}
