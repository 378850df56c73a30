//===- MemoryAnalysis.cpp - alias classes --------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins the pieces of MemoryFlow that may overlap although no reference flows
// between them, and sorts the accesses by class.
//
//===----------------------------------------------------------------------===//

#include "Analysis/MemoryAnalysis.h"
#include "Dialect/Autodiff/IR/Autodiff.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"

using namespace mlir;
using namespace mlir::autodiff;

static constexpr unsigned kNoClass = ~0u;
/// Above this number of classes that come from outside, an access to unnamed
/// memory is no longer noted at each: they become one.
static constexpr unsigned kMaxOutsideClasses = 16;

/// The scalar type that memory of `type` is made of, or null if it may overlap
/// memory of any type.
static Type getMemoryKey(Type type) {
  if (auto memref = dyn_cast<BaseMemRefType>(type)) {
    type = memref.getElementType();
    while (true) {
      if (auto vector = dyn_cast<VectorType>(type))
        type = vector.getElementType();
      else if (auto complex = dyn_cast<ComplexType>(type))
        type = complex.getElementType();
      else
        break;
    }
    // What memref.view makes everything from.
    if (type.isInteger(8))
      return nullptr;
  }
  return type;
}

static bool isNoAlias(FunctionOpInterface function, BlockArgument argument) {
  unsigned index = argument.getArgNumber();
  return function.getArgAttr(index, AutodiffDialect::kNoAliasAttr) ||
         function.getArgAttr(index, "llvm.noalias");
}

MemoryAnalysis::MemoryAnalysis(FunctionOpInterface function,
                               CalleeEffects &callees, ArrayRef<Activity> args)
    : function(function), flow(function, callees) {
  partition(args);
  collectOrigins();
  collectAccesses();
  findScopes();
}

void MemoryAnalysis::partition(ArrayRef<Activity> args) {
  llvm::IntEqClasses joined(flow.getNumNodes());
  for (const MemoryFlow::Join &join : flow.getJoins())
    joined.join(join.a, join.b);

  // Arguments and mutable globals, by the type of their memory; what is `const`
  // by activity is promised not to overlap with what is not.
  llvm::MapVector<std::pair<Type, unsigned>, unsigned> byKey;
  SmallVector<unsigned> arguments, globals;
  bool anyType = flow.hasUnknown();
  auto add = [&](BlockArgument argument, unsigned node) {
    Type key = getMemoryKey(argument.getType());
    anyType |= !key;
    unsigned isConst = !args.empty() &&
                       args[argument.getArgNumber()] == Activity::Const &&
                       isDifferentiable(argument.getType());
    auto [it, isNew] = byKey.insert({{key, isConst}, node});
    if (!isNew)
      joined.join(node, it->second);
  };
  for (BlockArgument argument : flow.getArguments())
    if (!isNoAlias(function, argument)) {
      arguments.push_back(*flow.getNode(argument));
      add(argument, arguments.back());
    }
  for (const MemoryFlow::Global &global : flow.getGlobals()) {
    if (!global.isMutable)
      continue;
    globals.push_back(global.node);
    Type key = getMemoryKey(global.type);
    anyType |= !key && !arguments.empty();
    // Two globals do not overlap; an argument may be either.
    if (auto it = byKey.find({key, 0}); it != byKey.end())
      joined.join(global.node, it->second);
  }

  llvm::DenseSet<unsigned> outside;
  for (unsigned node : llvm::concat<unsigned>(arguments, globals))
    outside.insert(joined.findLeader(node));
  bool hasOutsideAccess =
      llvm::any_of(flow.getAccesses(), [](const MemoryFlow::Access &access) {
        return access.node == MemoryFlow::kOutside;
      });
  if (anyType || (hasOutsideAccess && outside.size() > kMaxOutsideClasses)) {
    auto all = llvm::concat<unsigned>(arguments, globals);
    for (unsigned node : all)
      joined.join(node,
                  flow.hasUnknown() ? MemoryFlow::kUnknown : *all.begin());
  }

  // Number the classes by their first reference in the text.
  joined.compress();
  SmallVector<unsigned> number(joined.getNumClasses(), kNoClass);
  classOfNode.assign(flow.getNumNodes(), kNoClass);
  for (unsigned node = 1; node < flow.getNumNodes(); ++node) {
    unsigned &id = number[joined[node]];
    if (id == kNoClass) {
      id = classes.size();
      classes.emplace_back();
    }
    classOfNode[node] = id;
    AliasClass &aliasClass = classes[id];
    aliasClass.members.push_back(flow.getReference(node));
    aliasClass.passesThroughRegion |= flow.getChoices().contains(node);
  }
  classOfNode[MemoryFlow::kUnknown] = number[joined[MemoryFlow::kUnknown]];
}

void MemoryAnalysis::collectOrigins() {
  auto classOf = [&](unsigned node) -> AliasClass & {
    return classes[classOfNode[node]];
  };
  for (BlockArgument argument : flow.getArguments()) {
    AliasClass &aliasClass = classOf(*flow.getNode(argument));
    aliasClass.arguments.push_back(argument);
    aliasClass.isOutside |= !isNoAlias(function, argument);
  }
  for (auto [op, node] : flow.getAllocations())
    classOf(node).allocations.push_back(op);
  for (const MemoryFlow::Global &global : flow.getGlobals()) {
    AliasClass &aliasClass = classOf(global.node);
    aliasClass.globals.push_back(global.symbol);
    aliasClass.hasMutableGlobal |= global.isMutable;
    aliasClass.isOutside |= global.isMutable;
  }
  for (unsigned node : flow.getLoadedReferences())
    classOf(node).hasUnknownOrigin = true;
  if (unsigned id = classOfNode[MemoryFlow::kUnknown]; id != kNoClass) {
    classes[id].hasUnknownOrigin = true;
    classes[id].isOutside = true;
  }
}

void MemoryAnalysis::collectAccesses() {
  SmallVector<AliasClass *> outside;
  for (AliasClass &aliasClass : classes)
    if (aliasClass.isOutside)
      outside.push_back(&aliasClass);
  auto add = [](AliasClass &aliasClass, const MemoryFlow::Access &access,
                Value reference) {
    MemoryAccess entry{access.op, reference, access.position};
    switch (access.kind) {
    case MemoryFlow::AccessKind::Read:
      aliasClass.reads.push_back(entry);
      break;
    // Stack memory cannot be kept beyond its scope, unlike memory that is
    // freed: for the reverse sweep its end is an overwrite.
    case MemoryFlow::AccessKind::ScopeEnd:
    case MemoryFlow::AccessKind::Write:
      aliasClass.writes.push_back(entry);
      break;
    case MemoryFlow::AccessKind::Free:
      aliasClass.frees.push_back(entry);
      break;
    }
  };
  for (const MemoryFlow::Access &access : flow.getAccesses()) {
    if (access.node != MemoryFlow::kOutside) {
      add(classes[classOfNode[access.node]], access,
          flow.getReference(access.node));
      continue;
    }
    for (AliasClass *aliasClass : outside)
      add(*aliasClass, access, Value());
  }
  auto byPosition = [](const MemoryAccess &a, const MemoryAccess &b) {
    return a.position < b.position;
  };
  for (AliasClass &aliasClass : classes)
    for (auto *accesses :
         {&aliasClass.reads, &aliasClass.writes, &aliasClass.frees})
      llvm::sort(*accesses, byPosition);
}

void MemoryAnalysis::findScopes() {
  auto enclosing = [&](Operation *op) {
    do
      op = op == function ? nullptr : op->getParentOp();
    while (op && !flow.isStructuredLoop(op));
    return op;
  };
  for (AliasClass &aliasClass : classes) {
    if (aliasClass.isOutside || aliasClass.passesThroughRegion ||
        !aliasClass.arguments.empty() || !aliasClass.globals.empty() ||
        aliasClass.allocations.empty())
      continue;
    Operation *scope = enclosing(aliasClass.allocations.front());
    for (Operation *allocation : llvm::drop_begin(aliasClass.allocations)) {
      unsigned position = flow.getInterval(allocation)->begin;
      while (scope && !flow.getInterval(scope)->contains(position))
        scope = enclosing(scope);
    }
    aliasClass.scope = scope;
  }
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

std::optional<unsigned> MemoryAnalysis::getClassId(Value reference) const {
  if (auto it = replaced.find(reference); it != replaced.end())
    return it->second;
  std::optional<unsigned> node = flow.getNode(reference);
  if (!node || classOfNode[*node] == kNoClass)
    return std::nullopt;
  return classOfNode[*node];
}

const AliasClass *MemoryAnalysis::lookup(Value reference) const {
  std::optional<unsigned> id = getClassId(reference);
  return id ? &classes[*id] : nullptr;
}

ArrayRef<AliasClass> MemoryAnalysis::getClasses() const { return classes; }

void MemoryAnalysis::replace(Value from, Value to) {
  if (std::optional<unsigned> id = getClassId(from))
    replaced[to] = *id;
}

void MemoryAnalysis::replace(Operation *from, Operation *to) {
  replacedOps[from] = to;
  for (auto [result, replacement] :
       llvm::zip(from->getResults(), to->getResults()))
    replace(result, replacement);
}

FunctionEffects MemoryAnalysis::getEffects() const {
  return CalleeEffects::summarize(function, flow);
}
