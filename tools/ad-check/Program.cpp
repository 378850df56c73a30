//===- Program.cpp - a compiled module -----------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Differentiates, lowers and compiles a module in this process, and calls what
// came out of it.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Heap.h"
#include "Transforms/Pipeline.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include <cstring>

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

Program::Program() = default;
Program::~Program() = default;

static LogicalResult lower(ModuleOp module, const Options &options) {
  PassManager manager(module.getContext());
  PipelineOptions pipeline;
  pipeline.order = options.optimizeFirst ? DifferentiationOrder::After
                                         : DifferentiationOrder::Before;
  pipeline.lowerToLLVM = true;
  buildPipeline(manager, pipeline);
  return manager.run(module);
}

/// The mutable globals of `module`, made public so that they can be found in
/// the machine code, and how many bytes they have.
static std::vector<std::pair<std::string, size_t>>
exposeMutableGlobals(ModuleOp module) {
  std::vector<std::pair<std::string, size_t>> globals;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    if (global.getConstant() || global.isExternal())
      continue;
    FailureOr<std::shared_ptr<const Layout>> layout =
        Layout::get(global.getLoc(), global.getType(), {});
    if (failed(layout))
      continue;
    SymbolTable::setSymbolVisibility(global, SymbolTable::Visibility::Public);
    globals.emplace_back(global.getSymName().str(), (*layout)->bytes);
  }
  return globals;
}

/// Rounding from f64 to bf16, which older C runtimes lack. Returned as the
/// compiler returns a bf16: in the low half of a vector register.
static float truncateToBFloat16(double number) {
  APFloat value(number);
  bool exact;
  value.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &exact);
  auto bits = static_cast<uint32_t>(value.bitcastToAPInt().getZExtValue());
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

FailureOr<std::unique_ptr<Program>> Program::compile(ModuleOp module,
                                                     ArrayRef<Wrapper> wrappers,
                                                     const Options &options) {
  std::vector<std::pair<std::string, size_t>> globals =
      exposeMutableGlobals(module);
  if (failed(lower(module, options)))
    return failure();

  auto emitError = [&](llvm::Error error) {
    module.emitError() << "cannot compile: "
                       << llvm::toString(std::move(error));
    return failure();
  };
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return emitError(builder.takeError());
  auto machine = builder->createTargetMachine();
  if (!machine)
    return emitError(machine.takeError());
  auto optimize = makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0,
                                            machine->get());
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = optimize;
  engineOptions.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Default;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, engineOptions);
  if (!engine)
    return emitError(engine.takeError());
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    symbols[interner("__truncdfbf2")] = {
        llvm::orc::ExecutorAddr::fromPtr(&truncateToBFloat16),
        llvm::JITSymbolFlags::Exported};
    for (auto [name, address] : getHeapFunctions())
      symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                 llvm::JITSymbolFlags::Exported};
    return symbols;
  });

  std::unique_ptr<Program> program(new Program);
  for (const Wrapper &wrapper : wrappers) {
    auto function = (*engine)->lookupPacked("_mlir_ciface_" + wrapper.name);
    if (!function)
      return emitError(function.takeError());
    program->functions[wrapper.name] = *function;
  }
  for (const auto &[name, bytes] : globals) {
    auto address = (*engine)->lookup(name);
    if (!address)
      return emitError(address.takeError());
    char *data = static_cast<char *>(*address);
    program->globals.push_back({data, {data, data + bytes}});
  }
  program->engine = std::move(*engine);
  return program;
}

/// The value in the memory that `words`, the descriptor of a memref or tensor
/// of this type, tells.
static HostValue readReturned(Type type, ArrayRef<int64_t> words) {
  auto shaped = cast<ShapedType>(type);
  size_t rank = shaped.getRank();
  ArrayRef<int64_t> sizes = words.slice(3, rank);
  ArrayRef<int64_t> strides = words.slice(3 + rank, rank);
  SmallVector<int64_t> dynamicSizes;
  for (size_t dim = 0; dim < rank; ++dim)
    if (shaped.isDynamicDim(dim))
      dynamicSizes.push_back(sizes[dim]);
  if (auto memref = dyn_cast<MemRefType>(type))
    type = MemRefType::get(memref.getShape(), memref.getElementType());
  Location loc = UnknownLoc::get(type.getContext());
  FailureOr<std::shared_ptr<const Layout>> layout =
      Layout::get(loc, type, dynamicSizes);
  if (failed(layout))
    return HostValue();
  HostValue value(*layout);
  const char *base = reinterpret_cast<const char *>(words[1]);
  size_t bytes = (*layout)->elementBytes;
  SmallVector<int64_t> position(rank, 0);
  for (size_t i = 0, e = (*layout)->bytes / bytes; i < e && value.size() != 0;
       ++i) {
    int64_t element = words[2];
    for (size_t dim = 0; dim < rank; ++dim)
      element += position[dim] * strides[dim];
    std::memcpy(value.data() + i * bytes, base + element * int64_t(bytes),
                bytes);
    for (size_t dim = rank; dim-- > 0;) {
      if (++position[dim] < sizes[dim])
        break;
      position[dim] = 0;
    }
  }
  return value;
}

std::vector<HostValue> Program::call(const Wrapper &wrapper,
                                     ArrayRef<HostValue> inputs,
                                     int64_t &newBlocks) const {
  // Descriptors, the cells for returned descriptors, and pointers to pointers:
  // the packed interface takes the address of each argument.
  std::vector<std::vector<int64_t>> descriptors, cells(wrapper.outputs.size());
  std::vector<HostValue> outputs(wrapper.outputs.size());
  for (const HostValue &input : inputs)
    descriptors.push_back(input.getDescriptor());
  for (auto [i, slot] : llvm::enumerate(wrapper.outputs)) {
    if (isa<MemRefType, TensorType>(slot.type)) {
      cells[i].resize(3 + 2 * cast<ShapedType>(slot.type).getRank());
      auto address =
          static_cast<int64_t>(reinterpret_cast<uintptr_t>(cells[i].data()));
      descriptors.push_back({address, address, 0});
      continue;
    }
    Location loc = UnknownLoc::get(slot.type.getContext());
    FailureOr<std::shared_ptr<const Layout>> layout =
        Layout::get(loc, slot.type, {});
    if (failed(layout))
      return {};
    outputs[i] = HostValue(*layout);
    descriptors.push_back(outputs[i].getDescriptor());
  }
  std::vector<void *> pointers, packed;
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  for (void *&pointer : pointers)
    packed.push_back(&pointer);
  for (const Global &global : globals)
    std::memcpy(global.address, global.initial.data(), global.initial.size());
  int64_t before = getNumLiveBlocks();
  functions.lookup(wrapper.name)(packed.data());
  newBlocks = getNumLiveBlocks() - before;
  for (auto [i, slot] : llvm::enumerate(wrapper.outputs))
    if (!cells[i].empty())
      outputs[i] = readReturned(slot.type, cells[i]);
  return outputs;
}
