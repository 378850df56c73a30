//===- Wrappers.cpp - functions through which the checker calls ----------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wrapper takes nothing but memrefs and returns nothing, so that the host can
// call it through the C interface with descriptors only:
//
//   memref argument        the memref itself
//   number, vector<nxT>    memref<T>, memref<nxT>: dense, read or written
//                          scalar by scalar, so that no padding matters
//   tensor argument        memref of the same shape
//   memref, tensor result  a cell memref<memref<...>> into which the
//                          descriptor is stored
//
//===----------------------------------------------------------------------===//

#include "Wrappers.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <map>

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

//===----------------------------------------------------------------------===//
// The request
//===----------------------------------------------------------------------===//

/// The activity to ask for: a returned reference has no seed.
static Activity getResultActivity(const Subject &subject, Mode mode,
                                  unsigned index) {
  Type type = subject.resultTypes[index];
  Activity activity = subject.results[index];
  if (mode == Mode::Reverse && isActive(activity) &&
      isDifferentiableReference(type))
    return activity == Activity::Active ? Activity::Const
                                        : Activity::ConstNoNeed;
  return activity;
}

/// The activity to ask for: forward mode knows only `dup`.
static Activity getArgumentActivity(const Argument &argument, Mode mode) {
  return mode == Mode::Forward && argument.activity == Activity::Active
             ? Activity::Dup
             : argument.activity;
}

static Wrapper getSlots(const Subject &subject, Mode mode, int64_t width) {
  using Role = Slot::Role;
  Wrapper wrapper;
  wrapper.mode = mode;
  wrapper.width = width;
  bool derivative = mode != Mode::Primal;
  for (auto [index, argument] : llvm::enumerate(subject.arguments)) {
    unsigned i = index;
    wrapper.inputs.push_back({Role::Primal, i, argument.type});
    if (derivative && hasShadow(getArgumentActivity(argument, mode)))
      wrapper.inputs.push_back(
          {Role::Shadow, i, getShadowType(argument.type, width)});
  }
  for (auto [index, type] : llvm::enumerate(subject.resultTypes)) {
    unsigned i = index;
    Activity activity = getResultActivity(subject, mode, i);
    if (!derivative || hasPrimalResult(activity))
      wrapper.outputs.push_back({Role::Primal, i, type});
    if (!derivative || !isActive(activity))
      continue;
    Type shadow = getShadowType(type, width);
    if (mode == Mode::Forward)
      wrapper.outputs.push_back({Role::Tangent, i, shadow});
    else
      wrapper.inputs.push_back({Role::Seed, i, shadow});
  }
  if (mode == Mode::Reverse)
    for (auto [index, argument] : llvm::enumerate(subject.arguments))
      if (argument.activity == Activity::Active)
        wrapper.outputs.push_back({Role::Gradient, unsigned(index),
                                   getShadowType(argument.type, width)});
  return wrapper;
}

static SmallVector<Type> getTypes(ArrayRef<Slot> slots) {
  return llvm::map_to_vector(slots, [](const Slot &slot) { return slot.type; });
}

/// The call or request with operands `inputs`, in the order of the slots.
static ValueRange emitRequest(OpBuilder &builder, const Subject &subject,
                              const Wrapper &wrapper, ValueRange inputs,
                              bool strongZero) {
  func::FuncOp function = subject.function;
  Location loc = subject.loc;
  if (wrapper.mode == Mode::Primal)
    return func::CallOp::create(builder, loc, function, inputs).getResults();
  SmallVector<Attribute> arguments, results;
  auto append = [&](SmallVector<Attribute> &attrs, Activity activity) {
    attrs.push_back(ActivityAttr::get(builder.getContext(), activity));
  };
  for (const Argument &argument : subject.arguments)
    append(arguments, getArgumentActivity(argument, wrapper.mode));
  for (unsigned i = 0; i < subject.results.size(); ++i)
    append(results, getResultActivity(subject, wrapper.mode, i));
  StringRef callee = function.getSymName();
  SmallVector<Type> types = getTypes(wrapper.outputs);
  if (wrapper.mode == Mode::Forward)
    return FwdDiffOp::create(builder, loc, types, callee, inputs,
                             builder.getArrayAttr(arguments),
                             builder.getArrayAttr(results), wrapper.width,
                             strongZero, arith::FastMathFlagsAttr())
        .getOutputs();
  return AutoDiffOp::create(builder, loc, types, callee, inputs,
                            builder.getArrayAttr(arguments),
                            builder.getArrayAttr(results), wrapper.width,
                            strongZero, arith::FastMathFlagsAttr())
      .getOutputs();
}

/// A fresh function at the end of `module`.
static func::FuncOp addFunction(ModuleOp module, const Twine &name,
                                TypeRange inputs, TypeRange results) {
  std::string unique = name.str();
  for (unsigned i = 0; module.lookupSymbol(unique); ++i)
    unique = (name + "_" + Twine(i)).str();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function =
      func::FuncOp::create(builder, module.getLoc(), unique,
                           builder.getFunctionType(inputs, results));
  function.addEntryBlock();
  return function;
}

//===----------------------------------------------------------------------===//
// The calling convention
//===----------------------------------------------------------------------===//

static MemRefType getBufferType(Type type) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return memref;
  if (auto shaped = dyn_cast<ShapedType>(type))
    return MemRefType::get(shaped.getShape(), shaped.getElementType());
  return MemRefType::get({}, type);
}

static bool isReturnedByDescriptor(Type type) {
  return isa<MemRefType, TensorType>(type);
}

static MemRefType getOutputType(Type type) {
  MemRefType buffer = getBufferType(type);
  return isReturnedByDescriptor(type) ? MemRefType::get({}, buffer) : buffer;
}

namespace {

/// Moves values between buffers and the types of the subject.
class Transfer {
public:
  Transfer(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value load(Value buffer, Type type) {
    if (isa<MemRefType>(type))
      return buffer;
    if (isa<TensorType>(type))
      return bufferization::ToTensorOp::create(builder, loc, type, buffer,
                                               /*restrict=*/true);
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return memref::LoadOp::create(builder, loc, buffer);
    Value result =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(vector));
    forEachElement(vector, [&](ArrayRef<int64_t> position) {
      Value element =
          memref::LoadOp::create(builder, loc, buffer, createIndices(position));
      result =
          vector::InsertOp::create(builder, loc, element, result, position);
    });
    return result;
  }

  void store(Value value, Value buffer) {
    Type type = value.getType();
    if (isa<TensorType>(type))
      value = bufferization::ToBufferOp::create(builder, loc,
                                                getBufferType(type), value,
                                                /*read_only=*/true);
    auto vector = dyn_cast<VectorType>(type);
    if (!vector) {
      memref::StoreOp::create(builder, loc, value, buffer);
      return;
    }
    forEachElement(vector, [&](ArrayRef<int64_t> position) {
      Value element = vector::ExtractOp::create(builder, loc, value, position);
      memref::StoreOp::create(builder, loc, element, buffer,
                              createIndices(position));
    });
  }

private:
  template <typename Callback>
  void forEachElement(VectorType type, Callback callback) {
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
      callback(delinearize(i, strides));
  }

  SmallVector<Value> createIndices(ArrayRef<int64_t> position) {
    return llvm::map_to_vector(position, [&](int64_t index) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, index);
    });
  }

  OpBuilder &builder;
  Location loc;
};

} // namespace

Wrapper check::addWrapper(ModuleOp module, const Subject &subject, Mode mode,
                          int64_t width, bool strongZero) {
  Wrapper wrapper = getSlots(subject, mode, width);
  SmallVector<Type> types;
  for (const Slot &slot : wrapper.inputs)
    types.push_back(getBufferType(slot.type));
  for (const Slot &slot : wrapper.outputs)
    types.push_back(getOutputType(slot.type));
  StringRef modeName = mode == Mode::Primal    ? "primal"
                       : mode == Mode::Forward ? "forward"
                                               : "reverse";
  func::FuncOp function = addFunction(
      module, "__ad_check_" + modeName + "_" + Twine(width), types, {});
  wrapper.name = function.getName().str();
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    UnitAttr::get(module.getContext()));

  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  Transfer transfer(builder, subject.loc);
  SmallVector<Value> inputs;
  for (auto [slot, buffer] : llvm::zip(wrapper.inputs, function.getArguments()))
    inputs.push_back(transfer.load(buffer, slot.type));
  ValueRange outputs =
      emitRequest(builder, subject, wrapper, inputs, strongZero);
  for (auto [value, buffer] :
       llvm::zip(outputs, function.getArguments().drop_front(inputs.size())))
    transfer.store(value, buffer);
  func::ReturnOp::create(builder, subject.loc);
  return wrapper;
}

Subject check::addDerivativeFunction(ModuleOp module, const Subject &subject,
                                     Mode mode, bool strongZero,
                                     Wrapper &slots) {
  slots = getSlots(subject, mode, /*width=*/1);
  StringRef suffix = mode == Mode::Forward ? "__tangent" : "__gradient";
  func::FuncOp function =
      addFunction(module, subject.getFunction().getName() + suffix,
                  getTypes(slots.inputs), getTypes(slots.outputs));
  slots.name = function.getName().str();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  ValueRange outputs =
      emitRequest(builder, subject, slots, function.getArguments(), strongZero);
  func::ReturnOp::create(builder, subject.loc, outputs);

  Subject derived(function);
  // The argument of the derived function that holds the primal or the shadow
  // of an argument of the subject.
  std::map<std::pair<bool, unsigned>, unsigned> place;
  for (auto [i, slot] : llvm::enumerate(slots.inputs)) {
    bool isShadow = slot.role == Slot::Role::Shadow;
    Argument argument{slot.type, subject.loc};
    if (slot.role == Slot::Role::Seed) {
      argument.activity = Activity::Active;
    } else {
      const Argument &primal = subject.arguments[slot.index];
      place[{isShadow, slot.index}] = i;
      if (slot.role == Slot::Role::Primal)
        argument = primal;
      if (isShadow) {
        argument.sizesOf = place.at({false, slot.index});
        argument.activity =
            primal.isMemory() ? Activity::Dup : Activity::Active;
      }
      argument.alias = std::nullopt;
      if (primal.alias) {
        auto it = place.find({isShadow, *primal.alias});
        if (it != place.end())
          argument.alias = it->second;
      }
    }
    derived.arguments.push_back(std::move(argument));
  }
  for (const Slot &slot : slots.outputs)
    derived.results.push_back(isDifferentiable(slot.type) ? Activity::Active
                                                          : Activity::Const);
  return derived;
}
