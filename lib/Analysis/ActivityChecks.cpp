//===- ActivityChecks.cpp - memory that cannot carry a derivative --------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The user decides which arguments have a shadow, and a type decides whether a
// reference has one. Where memory turns out to carry derivatives against that,
// a derivative would get lost without a word: it is an error.
//
//===----------------------------------------------------------------------===//

#include "ActivityBuilder.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::autodiff;

LogicalResult ActivityBuilder::checkConstArguments() {
  for (auto [argument, activity] : llvm::zip(function.getArguments(), args)) {
    if (activity != Activity::Const ||
        !isDifferentiableReference(argument.getType()) ||
        !isActiveNode(*nodeOf(argument)))
      continue;
    if (failed(checkMixing(argument)) || failed(checkStores(argument)))
      return failure();
    return emitError(argument.getLoc())
           << "memory of the 'const' argument #" << argument.getArgNumber()
           << " may carry derivatives; pass it as 'dup'";
  }
  return success();
}

/// A reference to `constArgument` gets at `op` to where it cannot be followed.
static LogicalResult emitEscape(Operation *op, BlockArgument constArgument) {
  InFlightDiagnostic diag =
      op->emitError() << "lets memory of the 'const' argument #"
                      << constArgument.getArgNumber()
                      << " escape to where derivatives may be stored in it";
  if (isa<CallOpInterface>(op))
    diag.attachNote() << "if the callee keeps no reference to it, mark the "
                         "callee 'autodiff.inactive' or its argument "
                         "'llvm.nocapture'";
  diag.attachNote(constArgument.getLoc())
      << "or pass the argument as 'dup', with a zeroed shadow";
  return failure();
}

/// `constArgument` is in an active piece: does it share it with memory that is
/// active from the start?
LogicalResult ActivityBuilder::checkMixing(BlockArgument constArgument) {
  SmallVector<unsigned> active;
  for (auto [argument, activity] : llvm::zip(function.getArguments(), args))
    if (std::optional<unsigned> node = flow.getNode(argument))
      if (activity != Activity::Const)
        active.push_back(*node);
  for (const MemoryFlow::Global &global : flow.getGlobals())
    if (global.isMutable)
      active.push_back(global.node);
  active.push_back(MemoryFlow::kUnknown);
  unsigned node = *flow.getNode(constArgument);
  llvm::erase_if(active, [&](unsigned other) {
    return flow.getPiece(other) != flow.getPiece(node);
  });
  if (active.empty())
    return success();

  // Replay the joins to find the one that connects them.
  llvm::IntEqClasses classes(flow.getNumNodes());
  for (unsigned other : llvm::drop_begin(active))
    classes.join(active.front(), other);
  for (const MemoryFlow::Join &join : flow.getJoins()) {
    classes.join(join.a, join.b);
    if (classes.findLeader(node) != classes.findLeader(active.front()))
      continue;
    if (join.b == MemoryFlow::kUnknown)
      return emitEscape(join.op, constArgument);
    InFlightDiagnostic diag = join.op->emitError()
                              << "memory of the 'const' argument #"
                              << constArgument.getArgNumber()
                              << " mixes with memory that carries derivatives";
    diag.attachNote(constArgument.getLoc())
        << "pass the argument as 'dup', with a zeroed shadow";
    return failure();
  }
  return success();
}

/// `constArgument` is in an active piece that is not active from the start:
/// something varied is stored there.
LogicalResult ActivityBuilder::checkStores(BlockArgument constArgument) {
  unsigned piece = *nodeOf(constArgument);
  for (const MemoryFlow::Access &access : flow.getAccesses()) {
    if (access.kind != AccessKind::Write ||
        access.node == MemoryFlow::kOutside ||
        flow.getPiece(access.node) != piece)
      continue;
    auto hub = analysis.operations.find(access.op);
    if (hub == analysis.operations.end() || !analysis.varied.test(hub->second))
      continue;
    InFlightDiagnostic diag =
        access.op->emitError()
        << "stores a value that carries a derivative in the memory of the "
           "'const' argument #"
        << constArgument.getArgNumber() << ", from where it is used";
    diag.attachNote(constArgument.getLoc())
        << "pass the argument as 'dup', with a zeroed shadow";
    return failure();
  }
  return success();
}

/// A shadow cannot be found through a reference that has none.
LogicalResult ActivityBuilder::checkViews() {
  for (const MemoryFlow::Join &join : flow.getJoins()) {
    Value result = flow.getReference(join.a),
          source = flow.getReference(join.b);
    if (!source || !carriesDerivatives(result.getType()) ||
        carriesDerivatives(source.getType()) ||
        !isActiveNode(flow.getPiece(join.a)))
      continue;
    InFlightDiagnostic diag =
        join.op->emitError()
        << "memory that carries derivatives is reached through "
        << source.getType() << ", which carries none";
    diag.attachNote() << "give the memory a floating-point element type";
    return failure();
  }
  return success();
}

/// What is written as another type is lost to the shadow, and what is read as
/// another type takes no derivative along.
LogicalResult ActivityBuilder::checkAccesses() {
  for (const MemoryFlow::Access &access : flow.getAccesses()) {
    if (access.node == MemoryFlow::kOutside ||
        (access.kind != AccessKind::Read && access.kind != AccessKind::Write))
      continue;
    unsigned piece = flow.getPiece(access.node);
    Type type = flow.getReference(access.node).getType();
    // In unknown memory, data of all types is together.
    if (carriesDerivatives(type) || !differentiablePieces.test(piece) ||
        !isActiveNode(piece) || piece == flow.getPiece(MemoryFlow::kUnknown) ||
        hasNoDerivative(access.op))
      continue;
    InFlightDiagnostic diag = access.op->emitError()
                              << "memory that carries derivatives is accessed "
                                 "as "
                              << type << ", which carries none";
    diag.attachNote() << "access it as its floating-point type";
    return failure();
  }
  return success();
}

/// The shadow of a reference that is loaded is loaded from the shadow of what
/// it is loaded from.
LogicalResult ActivityBuilder::checkLoadedReferences() {
  for (const MemoryFlow::Access &access : flow.getAccesses()) {
    if (access.kind != AccessKind::Read || isa<CallOpInterface>(access.op))
      continue;
    std::optional<unsigned> from = nodeOf(access);
    for (Value result : access.op->getResults()) {
      if (!isReference(result.getType()) || !analysis.isActive(result) ||
          (from && isActiveNode(*from)))
        continue;
      InFlightDiagnostic diag = access.op->emitError()
                                << "loads a reference to memory that may carry "
                                   "derivatives from memory that carries none";
      diag.attachNote() << "pass the memory of references as 'dup'";
      return failure();
    }
  }
  return success();
}
