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
/// The activities of one request.
struct Request {
  SmallVector<Activity> args, results;
  bool operator==(const Request &other) const {
    return args == other.args && results == other.results;
  }
};

/// Per function, the different requests that name it.
using Requests = llvm::DenseMap<Operation *, SmallVector<Request, 1>>;

struct PrintMemoryPass
    : mlir::autodiff::impl::PrintMemoryPassBase<PrintMemoryPass> {
  void runOnOperation() override;
};

struct PrintActivityPass
    : mlir::autodiff::impl::PrintActivityPassBase<PrintActivityPass> {
  void runOnOperation() override;
};
} // namespace

static Requests collectRequests(Operation *root) {
  SymbolTableCollection tables;
  Requests requests;
  auto add = [&](auto op) {
    auto function = tables.lookupNearestSymbolFrom<FunctionOpInterface>(
        op, op.getCalleeAttr());
    if (!function)
      return;
    Request request{getActivities(op.getArgActivity()),
                    getActivities(op.getResultActivity())};
    // What the verifier would refuse.
    if (request.args.size() != function.getNumArguments() ||
        request.results.size() != function.getNumResults())
      return;
    if (!llvm::is_contained(requests[function], request))
      requests[function].push_back(request);
  };
  root->walk([&](Operation *op) {
    if (auto forward = dyn_cast<FwdDiffOp>(op))
      add(forward);
    else if (auto reverse = dyn_cast<AutoDiffOp>(op))
      add(reverse);
  });
  return requests;
}

static void printOne(Activity activity) {
  llvm::outs() << stringifyActivity(activity);
}

static void printHeading(FunctionOpInterface function,
                         ArrayRef<Activity> args) {
  llvm::outs() << "@" << SymbolTable::getSymbolName(function).getValue() << "(";
  llvm::interleaveComma(args, llvm::outs(), printOne);
  llvm::outs() << ")";
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void PrintMemoryPass::runOnOperation() {
  CalleeEffects callees;
  Requests requests = collectRequests(getOperation());
  forEachFunction(getOperation(), [&](FunctionOpInterface function) {
    auto it = requests.find(function);
    if (it == requests.end()) {
      llvm::outs() << "memory of @"
                   << SymbolTable::getSymbolName(function).getValue() << "\n";
      MemoryAnalysis(function, callees).print(llvm::outs());
      return;
    }
    SmallVector<SmallVector<Activity>> done;
    for (const Request &request : it->second) {
      if (llvm::is_contained(done, request.args))
        continue;
      done.push_back(request.args);
      llvm::outs() << "memory of ";
      printHeading(function, request.args);
      llvm::outs() << "\n";
      MemoryAnalysis(function, callees, request.args).print(llvm::outs());
    }
  });
  markAllAnalysesPreserved();
}

//===----------------------------------------------------------------------===//
// Activity
//===----------------------------------------------------------------------===//

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
  llvm::outs() << "activity of ";
  printHeading(function, request.args);
  llvm::outs() << " returns (";
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
  Requests requests = collectRequests(getOperation());
  forEachFunction(getOperation(), [&](FunctionOpInterface function) {
    SmallVector<Request, 1> asked = requests.lookup(function);
    if (asked.empty())
      asked.push_back(getDefaultRequest(function));
    for (const Request &request : asked)
      if (failed(printActivity(function, request, callees)))
        signalPassFailure();
  });
  markAllAnalysesPreserved();
}
