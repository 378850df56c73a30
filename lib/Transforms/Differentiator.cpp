//===- Differentiator.cpp - derivative functions of a module -------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Requests are lowered function by function, in a depth-first order of calls
// and requests: before a callee is differentiated, the requests in it, and in
// what it calls, are lowered. So nested requests give higher derivatives,
// innermost first. Derivatives are memoised by a canonical key. A callee with
// rules of its own is differentiated through a function that does nothing but
// call it: only calls know about rules.
//
//===----------------------------------------------------------------------===//

#include "Transforms/Differentiator.h"
#include "CustomRules.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "MutableGlobals.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::autodiff;

/// The reverse engine goes down the calls of a function recursively.
static constexpr unsigned kMaxCallDepth = 300;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

std::string DerivativeRequest::getKey() const {
  std::string key;
  llvm::raw_string_ostream os(key);
  func::FuncOp function = callee;
  os << '@' << function.getSymName() << ' '
     << (mode == DerivativeMode::Forward   ? "forward"
         : mode == DerivativeMode::Reverse ? "reverse"
                                           : "split")
     << " (";
  llvm::interleaveComma(
      args, os, [&](Activity activity) { os << stringifyActivity(activity); });
  os << ") -> (";
  llvm::interleaveComma(results, os, [&](Activity activity) {
    os << stringifyActivity(activity);
  });
  os << ") width " << options.width;
  if (options.strongZero)
    os << " strong_zero";
  if (options.fastmath != arith::FastMathFlags::none)
    os << " fastmath<" << arith::stringifyFastMathFlags(options.fastmath)
       << '>';
  if (options.globalLevel != 1)
    os << " globals of level " << options.globalLevel;
  if (mode == DerivativeMode::Split) {
    os << " preserved [";
    llvm::interleaveComma(preservedArgs.set_bits(), os);
    os << ']';
  }
  return key;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

Differentiator::Differentiator(Operation *module)
    : module(module), symbolTable(module) {}

func::FuncOp Differentiator::lookup(StringRef name) {
  return symbolTable.lookup<func::FuncOp>(name);
}

func::FuncOp Differentiator::createFunction(func::FuncOp near, StringRef prefix,
                                            FunctionType type) {
  OpBuilder builder(near);
  builder.setInsertionPointAfter(near);
  auto function = func::FuncOp::create(builder, near.getLoc(), prefix, type);
  function.setPrivate();
  symbolTable.insert(function);
  // Or the summaries would have to look for it.
  callees.getSymbolTables().getSymbolTable(module).insert(function);
  return function;
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

/// What cannot be differentiated in any mode.
LogicalResult Differentiator::checkCallee(func::FuncOp callee, Location loc) {
  if (callee.isExternal()) {
    bool hasRules = callee->hasAttr(AutodiffDialect::kRulesAttr);
    InFlightDiagnostic error =
        emitError(loc) << "cannot differentiate '" << callee.getSymName()
                       << "', which has no body and no derivative rule"
                       << (hasRules ? " for these activities" : "");
    error.attachNote(callee.getLoc())
        << "give it autodiff.rules, or mark it autodiff.inactive if it carries "
           "no derivative";
    return error;
  }
  // Functions that the differentiator made itself have no requests in them.
  auto it = lowered.find(callee);
  if (it != lowered.end() && !it->second)
    return emitError(loc) << "the derivative of '" << callee.getSymName()
                          << "' is asked for in the function itself";
  return success();
}

/// Notes that the reverse engine is at work on `request`.
LogicalResult Differentiator::enter(const DerivativeRequest &request,
                                    StringRef key, Location loc) {
  func::FuncOp callee = request.callee;
  if (!inProgress.insert(key).second) {
    InFlightDiagnostic error =
        emitError(loc) << "cannot differentiate '" << callee.getSymName()
                       << "' in reverse mode, which calls itself";
    error.attachNote(callee.getLoc())
        << "turn the recursion into a loop, give the function autodiff.rules, "
           "or use forward mode";
    return error;
  }
  if (inProgress.size() <= kMaxCallDepth)
    return success();
  InFlightDiagnostic error = emitError(loc)
                             << "cannot differentiate '" << callee.getSymName()
                             << "' in reverse mode: calls are nested more than "
                             << kMaxCallDepth << " deep";
  error.attachNote(callee.getLoc()) << "inline some of the calls";
  return error;
}

FailureOr<func::FuncOp>
Differentiator::getForward(const DerivativeRequest &request) {
  func::FuncOp callee = request.callee;
  func::FuncOp function =
      createFunction(callee, (callee.getSymName() + ".forward").str(),
                     getForwardType(request));
  derivatives[request.getKey()] = function;
  pending.emplace_back(request, function);
  if (fillsIn)
    return function;
  fillsIn = true;
  llvm::scope_exit done([&] { fillsIn = false; });
  while (!pending.empty()) {
    auto [next, derivative] = pending.pop_back_val();
    if (failed(emitForwardDerivative(*this, next, derivative)))
      return failure();
  }
  return function;
}

FailureOr<func::FuncOp>
Differentiator::getDerivative(const DerivativeRequest &request, Location loc) {
  std::string key = request.getKey();
  auto known = derivatives.find(key);
  if (known != derivatives.end())
    return known->second;
  if (failed(checkCallee(request.callee, loc)))
    return failure();
  if (request.mode == DerivativeMode::Forward)
    return getForward(request);
  if (failed(enter(request, key, loc)))
    return failure();
  llvm::scope_exit done([&] { inProgress.erase(key); });
  FailureOr<func::FuncOp> derivative =
      createReverseDerivative(*this, request, loc);
  if (succeeded(derivative))
    derivatives[key] = *derivative;
  return derivative;
}

FailureOr<SplitDerivative>
Differentiator::getSplit(const DerivativeRequest &request, Location loc) {
  std::string key = request.getKey();
  auto known = splits.find(key);
  if (known != splits.end())
    return known->second;
  if (failed(checkCallee(request.callee, loc)) ||
      failed(enter(request, key, loc)))
    return failure();
  llvm::scope_exit done([&] { inProgress.erase(key); });
  FailureOr<SplitDerivative> split = createSplitDerivative(*this, request, loc);
  if (succeeded(split))
    splits[key] = *split;
  return split;
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

namespace {

/// A request operation, read.
struct RequestOp {
  Operation *op;
  DerivativeRequest request;
  /// As written: with the `_noneed` forms.
  SmallVector<Activity> args, results;
  /// The primal operand of each argument, its shadow or null, the seeds.
  SmallVector<Value> primals, shadows, seeds;
};

} // namespace

static Activity dropNoNeed(Activity activity) {
  switch (activity) {
  case Activity::DupNoNeed:
    return Activity::Dup;
  case Activity::ConstNoNeed:
    return Activity::Const;
  case Activity::ActiveNoNeed:
    return Activity::Active;
  default:
    return activity;
  }
}

template <typename OpTy>
static RequestOp readRequest(OpTy op, func::FuncOp callee,
                             DerivativeMode mode) {
  RequestOp read;
  read.op = op;
  read.args = getActivities(op.getArgActivity());
  read.results = getActivities(op.getResultActivity());
  read.request.callee = callee;
  read.request.mode = mode;
  llvm::transform(read.args, std::back_inserter(read.request.args), dropNoNeed);
  llvm::transform(read.results, std::back_inserter(read.request.results),
                  dropNoNeed);
  read.request.options.width = op.getWidth();
  read.request.options.strongZero = op.getStrongZero();
  if (std::optional<arith::FastMathFlags> flags = op.getFastmath())
    read.request.options.fastmath = *flags;
  auto operands = op.getInputs().begin();
  for (Activity activity : read.args) {
    read.primals.push_back(*operands++);
    read.shadows.push_back(hasShadow(activity) ? Value(*operands++) : Value());
  }
  read.seeds.assign(operands, op.getInputs().end());
  return read;
}

/// Replaces a request by a call of `derivative`, whose results are all primals
/// and derivatives.
static void replaceByCall(const RequestOp &read, func::FuncOp derivative,
                          SymbolTable &symbolTable, CalleeEffects &callees) {
  OpBuilder builder(read.op);
  // Nobody can seed the tangents of globals; reverse mode clears the shadows
  // itself, between its sweeps.
  if (read.request.mode == DerivativeMode::Forward)
    for (memref::GlobalOp global :
         getMutableGlobals(read.request.callee, callees))
      clearShadowGlobal(
          builder, getShadowGlobal(symbolTable, global, read.request.options));
  SmallVector<Value> operands(read.op->getOperands());
  auto call =
      func::CallOp::create(builder, read.op->getLoc(), derivative, operands);
  bool forward = read.request.mode == DerivativeMode::Forward;
  SmallVector<Value> results;
  unsigned next = 0;
  for (Activity activity : read.results) {
    if (hasPrimalResult(activity))
      results.push_back(call.getResult(next));
    ++next;
    if (forward && isActive(activity))
      results.push_back(call.getResult(next++));
  }
  llvm::append_range(results, call.getResults().drop_front(next));
  read.op->replaceAllUsesWith(results);
  read.op->erase();
}

static FlatSymbolRefAttr getRequestedCallee(Operation *op) {
  if (auto forward = dyn_cast<FwdDiffOp>(op))
    return forward.getCalleeAttr();
  return cast<AutoDiffOp>(op).getCalleeAttr();
}

LogicalResult Differentiator::lowerRequest(Operation *op) {
  FlatSymbolRefAttr symbol = getRequestedCallee(op);
  auto callee = tables.lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
  if (!callee || callee->getParentOp() != module) {
    InFlightDiagnostic error = op->emitError()
                               << "differentiates " << symbol
                               << ", which is no func.func of this module";
    error.attachNote() << "only func.func can be differentiated";
    return error;
  }
  if (isInactiveFunction(callee)) {
    InFlightDiagnostic error = op->emitError()
                               << "differentiates " << symbol
                               << ", which is marked autodiff.inactive";
    error.attachNote(callee.getLoc()) << "remove the mark";
    return error;
  }
  if (callee->hasAttr(AutodiffDialect::kRulesAttr))
    callee = getCaller(callee, op->getLoc());
  RequestOp read =
      isa<FwdDiffOp>(op)
          ? readRequest(cast<FwdDiffOp>(op), callee, DerivativeMode::Forward)
          : readRequest(cast<AutoDiffOp>(op), callee, DerivativeMode::Reverse);
  read.request.options.globalLevel =
      getGlobalLevel(getMutableGlobals(callee, callees));
  FailureOr<func::FuncOp> derivative =
      getDerivative(read.request, op->getLoc());
  if (failed(derivative))
    return failure();
  replaceByCall(read, *derivative, symbolTable, callees);
  return success();
}

func::FuncOp Differentiator::getCaller(func::FuncOp callee, Location loc) {
  func::FuncOp &caller = callers[callee];
  if (caller)
    return caller;
  caller = createFunction(callee, (callee.getSymName() + ".call").str(),
                          callee.getFunctionType());
  OpBuilder builder = OpBuilder::atBlockEnd(caller.addEntryBlock());
  auto call = func::CallOp::create(builder, loc, callee, caller.getArguments());
  func::ReturnOp::create(builder, loc, call.getResults());
  return caller;
}

namespace {
/// A function on the stack of the depth-first search.
struct Frame {
  func::FuncOp function;
  SmallVector<Operation *> requests;
  /// Called or differentiated; still to be looked at.
  SmallVector<func::FuncOp> callees;
};
} // namespace

/// Lowers the requests in `root` and in all that it calls or differentiates,
/// callees first.
LogicalResult Differentiator::lowerRequestsFrom(func::FuncOp root) {
  SmallVector<Frame> stack;
  auto push = [&](func::FuncOp function) {
    if (!lowered.try_emplace(function, false).second)
      return;
    Frame frame{function, {}, {}};
    function.walk([&](Operation *op) {
      FlatSymbolRefAttr callee;
      if (auto call = dyn_cast<func::CallOp>(op))
        callee = call.getCalleeAttr();
      else if (isa<AutoDiffOp, FwdDiffOp>(op))
        callee = getRequestedCallee(op);
      if (!callee)
        return;
      if (isa<AutoDiffOp, FwdDiffOp>(op))
        frame.requests.push_back(op);
      if (func::FuncOp known = lookup(callee.getValue()))
        frame.callees.push_back(known);
    });
    stack.push_back(std::move(frame));
  };
  push(root);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (!frame.callees.empty()) {
      push(frame.callees.pop_back_val());
      continue;
    }
    for (Operation *op : frame.requests)
      if (failed(lowerRequest(op)))
        return failure();
    lowered[frame.function] = true;
    stack.pop_back();
  }
  return success();
}

LogicalResult Differentiator::run() {
  SmallVector<func::FuncOp> functions(
      module->getRegion(0).getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (failed(lowerRequestsFrom(function)))
      return failure();
  // Requests elsewhere, in functions of other dialects or nested modules.
  SmallVector<Operation *> requests;
  module->walk([&](Operation *op) {
    if (isa<AutoDiffOp, FwdDiffOp>(op))
      requests.push_back(op);
  });
  for (Operation *op : requests)
    if (failed(lowerRequest(op)))
      return failure();
  return success();
}
