//===- Candidate.cpp - a function compiled for checking ------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "Heap.h"
#include "PromoteFloats.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

/// The same subject in a copy of its module in which floats are f64.
static Subject promoteSubject(const Subject &subject, ModuleOp module) {
  Subject promoted = subject;
  promoted.function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      module, promoted.function.getSymNameAttr());
  for (Argument &argument : promoted.arguments)
    argument.type = promoteType(argument.type);
  for (Type &type : promoted.resultTypes)
    type = promoteType(type);
  return promoted;
}

/// `inputs` in the types of `subject`.
static FailureOr<Evaluator::Values>
promoteInputs(const Subject &subject, const Evaluator::Values &inputs) {
  Evaluator::Values promoted;
  for (auto [argument, input] : llvm::zip(subject.arguments, inputs)) {
    if (argument.alias) {
      promoted.push_back(promoted[*argument.alias]);
      continue;
    }
    SmallVector<int64_t> dynamicSizes;
    if (auto shaped = dyn_cast<ShapedType>(argument.type))
      for (auto [size, actual] :
           llvm::zip(shaped.getShape(), input.getLayout().sizes))
        if (ShapedType::isDynamic(size))
          dynamicSizes.push_back(actual);
    auto layout = Layout::get(argument.loc, argument.type, dynamicSizes);
    if (failed(layout))
      return failure();
    promoted.emplace_back(*layout);
    convertScalars(input, promoted.back());
  }
  return promoted;
}

/// Removes what `function` does not reach, so that it cannot disturb the check,
/// nor lower its precision.
static LogicalResult keepOnly(ModuleOp module, func::FuncOp function) {
  for (auto symbol : module.getOps<SymbolOpInterface>())
    symbol.setVisibility(symbol == function ? SymbolTable::Visibility::Public
                                            : SymbolTable::Visibility::Private);
  PassManager manager(module.getContext());
  manager.addPass(createSymbolDCEPass());
  return manager.run(module);
}

/// A function of the module that has the name of a library function would take
/// its place in the machine code, also where `math.sin` calls `sin`.
static LogicalResult renameLibraryFunctions(ModuleOp module) {
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    std::string name = function.getName().str();
    if (function.isExternal() ||
        !llvm::sys::DynamicLibrary::SearchForAddressOfSymbol(name))
      continue;
    do
      name += "_";
    while (module.lookupSymbol(name));
    auto attr = StringAttr::get(module.getContext(), name);
    if (failed(SymbolTable::replaceAllSymbolUses(function, attr, module)))
      return function.emitError() << "cannot be renamed";
    function.setSymNameAttr(attr);
  }
  return success();
}

static bool containsTensors(ModuleOp module) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return module
      .walk([&](Operation *op) {
        bool found = llvm::any_of(op->getResultTypes(), isTensor) ||
                     llvm::any_of(op->getOperandTypes(), isTensor);
        return found ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<std::unique_ptr<Candidate>> Candidate::create(ModuleOp module,
                                                        const Subject &subject,
                                                        const Options &options,
                                                        Random &random) {
  auto candidate = std::make_unique<Candidate>(subject);
  FailureOr<Evaluator::Values> inputs = subject.draw(random);
  if (failed(inputs))
    return failure();
  candidate->inputs = std::move(*inputs);

  if (failed(keepOnly(module, subject.function)) ||
      failed(renameLibraryFunctions(module)))
    return failure();
  candidate->shortest = getShortestFloat(module);
  candidate->hasTensors = containsTensors(module);
  OwningOpRef<ModuleOp> reference;
  if (!candidate->shortest.isF64())
    reference = promoteFloats(module);
  if (reference) {
    candidate->promoted = true;
    candidate->referenceSubject = promoteSubject(subject, *reference);
    FailureOr<Evaluator::Values> promoted =
        promoteInputs(candidate->referenceSubject, candidate->inputs);
    if (failed(promoted))
      return failure();
    candidate->referenceInputs = std::move(*promoted);
    candidate->referenceWrappers.push_back(
        addWrapper(*reference, candidate->referenceSubject, Mode::Primal, 1,
                   options.strongZero));
    auto program =
        Program::compile(*reference, candidate->referenceWrappers, options);
    if (failed(program))
      return failure();
    candidate->referenceProgram = std::move(*program);
    candidate->referenceEvaluator = std::make_unique<Evaluator>(
        candidate->referenceSubject, *candidate->referenceProgram,
        candidate->referenceWrappers);
  }

  auto add = [&](Mode mode, int64_t width) {
    candidate->wrappers.push_back(
        addWrapper(module, subject, mode, width, options.strongZero));
  };
  add(Mode::Primal, 1);
  if (options.forward)
    add(Mode::Forward, 1);
  if (options.reverse)
    add(Mode::Reverse, 1);
  if (options.width > 1 && options.forward)
    add(Mode::Forward, options.width);
  if (options.width > 1 && options.reverse)
    add(Mode::Reverse, options.width);
  auto program = Program::compile(module, candidate->wrappers, options);
  if (failed(program))
    return failure();
  candidate->program = std::move(*program);
  candidate->evaluator = std::make_unique<Evaluator>(
      candidate->subject, *candidate->program, candidate->wrappers);
  return candidate;
}

LogicalResult Candidate::initialize() {
  primal = evaluator->initialize(inputs);
  if (referenceEvaluator)
    referenceEvaluator->initialize(referenceInputs);
  std::string error = takeHeapError();
  if (!error.empty())
    return emitError(subject.loc) << "the primal " << error;
  if (evaluator->getIndependents().empty())
    return emitError(subject.loc)
           << "nothing to differentiate: no active argument";
  if (evaluator->getDependents().empty())
    return emitError(subject.loc)
           << "nothing to differentiate: no active result";
  return success();
}
