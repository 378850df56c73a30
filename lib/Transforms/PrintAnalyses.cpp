//===- PrintAnalyses.cpp - what the analyses found, as text --------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--ad-print-memory` and `--ad-print-activity`: per function, what the engines
// would be told. Activity is printed for each request in the module that names
// the function; for a function that none names, with everything active that can
// be.
//
//===----------------------------------------------------------------------===//

#include "Analysis/ActivityAnalysis.h"
#include "Analysis/MemoryAnalysis.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "Transforms/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/Pass.h"

namespace mlir::autodiff {
#define GEN_PASS_DEF_PRINTACTIVITYPASS
#define GEN_PASS_DEF_PRINTMEMORYPASS
#include "Transforms/Passes.h.inc"
} // namespace mlir::autodiff

using namespace mlir;
using namespace mlir::autodiff;

/// Functions with a body, in the order of the text.
static void
forEachFunction(Operation *root,
                llvm::function_ref<void(FunctionOpInterface)> callback) {
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (!function.isExternal())
      callback(function);
  });
}

namespace {
struct PrintMemoryPass
    : mlir::autodiff::impl::PrintMemoryPassBase<PrintMemoryPass> {
  void runOnOperation() override {
    CalleeEffects callees;
    forEachFunction(getOperation(), [&](FunctionOpInterface function) {
      MemoryAnalysis(function, callees).print(llvm::outs());
    });
    markAllAnalysesPreserved();
  }
};

/// The activities of one request.
struct Request {
  SmallVector<Activity> args, results;
  bool operator==(const Request &other) const {
    return args == other.args && results == other.results;
  }
};

struct PrintActivityPass
    : mlir::autodiff::impl::PrintActivityPassBase<PrintActivityPass> {
  void runOnOperation() override;
};
} // namespace

static Request getDefaultRequest(FunctionOpInterface function) {
  Request request;
  for (Type type : function.getArgumentTypes())
    request.args.push_back(isDifferentiableReference(type) ? Activity::Dup
                           : isDifferentiable(type)        ? Activity::Active
                                                           : Activity::Const);
  for (Type type : function.getResultTypes())
    request.results.push_back(isDifferentiable(type) ? Activity::Active
                                                     : Activity::Const);
  return request;
}

static LogicalResult printActivity(FunctionOpInterface function,
                                   const Request &request,
                                   CalleeEffects &callees) {
  if (request.args.size() != function.getNumArguments() ||
      request.results.size() != function.getNumResults())
    return failure();
  auto name =
      function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  auto printOne = [](Activity activity) {
    llvm::outs() << stringifyActivity(activity);
  };
  llvm::outs() << "activity of @" << (name ? name.getValue() : "") << "(";
  llvm::interleaveComma(request.args, llvm::outs(), printOne);
  llvm::outs() << ") returns (";
  llvm::interleaveComma(request.results, llvm::outs(), printOne);
  llvm::outs() << ")\n";
  FailureOr<std::unique_ptr<ActivityAnalysis>> analysis =
      ActivityAnalysis::compute(function, request.args, request.results,
                                callees);
  if (failed(analysis))
    return failure();
  (*analysis)->print(llvm::outs());
  return success();
}

void PrintActivityPass::runOnOperation() {
  CalleeEffects callees;
  SymbolTableCollection tables;
  llvm::MapVector<Operation *, SmallVector<Request, 1>> requests;
  auto add = [&](auto op) {
    auto function = tables.lookupNearestSymbolFrom<FunctionOpInterface>(
        op, op.getCalleeAttr());
    if (!function)
      return;
    Request request{getActivities(op.getArgActivity()),
                    getActivities(op.getResultActivity())};
    if (!llvm::is_contained(requests[function], request))
      requests[function].push_back(request);
  };
  getOperation()->walk([&](Operation *op) {
    if (auto forward = dyn_cast<FwdDiffOp>(op))
      add(forward);
    else if (auto reverse = dyn_cast<AutoDiffOp>(op))
      add(reverse);
  });
  forEachFunction(getOperation(), [&](FunctionOpInterface function) {
    auto it = requests.find(function);
    if (it == requests.end()) {
      if (failed(printActivity(function, getDefaultRequest(function), callees)))
        signalPassFailure();
      return;
    }
    for (const Request &request : it->second)
      if (failed(printActivity(function, request, callees)))
        signalPassFailure();
  });
  markAllAnalysesPreserved();
}
