//===- Printing.cpp - the analyses as text -------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line per class, access and value, with the names of the IR, so that tests
// and people can read them next to it.
//
//===----------------------------------------------------------------------===//

#include "ActivityBuilder.h"
#include "Analysis/MemoryAnalysis.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::autodiff;

/// The name of a named location, or the line, of `op`.
static void printPlace(raw_ostream &os, Operation *op) {
  Location loc = op->getLoc();
  if (auto name = dyn_cast<NameLoc>(loc))
    os << "'" << name.getName().getValue() << "'";
  else if (auto line = dyn_cast<FileLineColLoc>(loc))
    os << "line " << line.getLine();
  else
    os << loc;
}

void MemoryAnalysis::print(raw_ostream &os) const {
  AsmState state(function);
  auto printAccess = [&](const MemoryAccess &access, StringRef what) {
    os << "    ";
    printPlace(os, access.op);
    os << ": " << access.op->getName() << " " << what;
    if (access.reference) {
      os << " ";
      access.reference.printAsOperand(os, state);
    }
  };
  for (const AliasClass &aliasClass : classes) {
    os << "  class";
    for (Value member : aliasClass.members) {
      os << " ";
      member.printAsOperand(os, state);
    }
    os << ":";
    if (!aliasClass.arguments.empty())
      os << " argument";
    if (!aliasClass.allocations.empty())
      os << " allocation";
    for (SymbolRefAttr symbol : aliasClass.globals)
      os << " " << symbol;
    if (aliasClass.hasMutableGlobal)
      os << " mutable";
    if (aliasClass.hasUnknownOrigin)
      os << " unknown";
    if (aliasClass.passesThroughRegion)
      os << " chosen";
    if (aliasClass.scope) {
      os << " within ";
      printPlace(os, aliasClass.scope);
    }
    os << "\n";
    for (const MemoryAccess &access : aliasClass.reads) {
      printAccess(access, "reads");
      Value reference =
          access.reference ? access.reference : aliasClass.members.front();
      bool changes = mayChangeAfter(access.op, reference);
      bool changesUnfreed =
          mayChangeAfter(access.op, reference, /*ignoreFrees=*/true);
      os << (!changes          ? ", kept"
             : !changesUnfreed ? ", kept until freed"
                               : ", may change")
         << "\n";
    }
    for (const MemoryAccess &access : aliasClass.writes) {
      printAccess(access, "writes");
      os << "\n";
    }
    for (const MemoryAccess &access : aliasClass.frees) {
      printAccess(access, "frees");
      os << "\n";
    }
  }
  FunctionEffects effects = getEffects();
  os << "  effects:";
  auto printBits = [&](StringRef what, const llvm::BitVector &bits) {
    if (bits.none())
      return;
    os << " " << what;
    for (unsigned bit : bits.set_bits())
      os << " #" << bit;
  };
  printBits("reads", effects.reads);
  printBits("writes", effects.writes);
  printBits("captures", effects.captures);
  if (effects.readsGlobals)
    os << " reads globals";
  if (effects.writesGlobals)
    os << " writes globals";
  os << "\n";
}

void ActivityAnalysis::print(raw_ostream &os) const {
  AsmState state(function);
  auto printValue = [&](Value value) {
    if (!carriesDerivatives(value.getType()))
      return;
    bool isVariedNode = isVaried(value), isUsefulNode = isUseful(value);
    os << "  ";
    value.printAsOperand(os, state);
    os << (isVariedNode && isUsefulNode ? ": active"
           : isVariedNode               ? ": varied"
           : isUsefulNode               ? ": useful"
                                        : ": constant")
       << "\n";
  };
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value result : op->getResults())
      printValue(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          printValue(argument);
  });
}
