//===- Evaluator.cpp - function, tangents and gradients in numbers -------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include <map>

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

using Role = Slot::Role;

Evaluator::Evaluator(const Subject &subject, const Program &program,
                     ArrayRef<Wrapper> wrappers)
    : subject(subject), program(program), wrappers(wrappers) {}

const Wrapper &Evaluator::getWrapper(Mode mode, int64_t width) const {
  const Wrapper *found = llvm::find_if(wrappers, [&](const Wrapper &wrapper) {
    return wrapper.mode == mode &&
           (mode == Mode::Primal || wrapper.width == width);
  });
  assert(found != wrappers.end() && "asked for what was not compiled");
  return *found;
}

Evaluator::Outcome Evaluator::initialize(const Values &inputs) {
  Outcome outcome = runPrimal(inputs);
  auto append = [](std::vector<Coordinate> &coordinates, bool isResult,
                   unsigned index, size_t count) {
    for (size_t i = 0; i < count; ++i)
      coordinates.push_back({isResult, index, i});
  };
  for (const HostValue &result : outcome.results)
    resultLayouts.push_back(result.getLayoutPtr());
  for (unsigned i = 0; i < subject.arguments.size(); ++i)
    if (subject.isIndependent(i))
      append(independents, false, i, inputs[i].size());
  auto appendResults = [&](bool memory) {
    for (auto [i, type] : llvm::enumerate(subject.resultTypes))
      if (isActive(subject.results[i]) && isa<MemRefType>(type) == memory)
        append(dependents, true, i, outcome.results[i].size());
  };
  appendResults(/*memory=*/false);
  for (unsigned i = 0; i < subject.arguments.size(); ++i)
    if (subject.isIndependent(i) && subject.arguments[i].isMemory())
      append(dependents, false, i, inputs[i].size());
  numSeeds = dependents.size();
  appendResults(/*memory=*/true);
  return outcome;
}

/// A zeroed shadow of a value with the layout `primal`.
FailureOr<HostValue> Evaluator::createShadow(const Layout &primal,
                                             int64_t width) const {
  SmallVector<int64_t> dynamicSizes;
  if (auto shaped = dyn_cast<ShapedType>(primal.type))
    for (auto [size, actual] : llvm::zip(shaped.getShape(), primal.sizes))
      if (ShapedType::isDynamic(size))
        dynamicSizes.push_back(actual);
  FailureOr<std::shared_ptr<const Layout>> layout =
      Layout::get(subject.loc, getShadowType(primal.type, width), dynamicSizes);
  if (failed(layout))
    return failure();
  return HostValue(*layout);
}

/// Values for the input slots. `vectors` are tangents of the independents in
/// forward mode, seeds of the dependents in reverse mode, per lane.
Evaluator::Values Evaluator::createInputs(const Wrapper &wrapper,
                                          Outcome &outcome,
                                          ArrayRef<Vector> vectors) const {
  int64_t width = wrapper.width;
  // Shadows of arguments, shared like the arguments, and seeds of results.
  std::map<unsigned, HostValue> shadows, seeds;
  for (const Slot &slot : wrapper.inputs) {
    if (slot.role == Role::Primal)
      continue;
    bool isSeed = slot.role == Role::Seed;
    unsigned index =
        isSeed ? slot.index : subject.getRepresentative(slot.index);
    std::map<unsigned, HostValue> &map = isSeed ? seeds : shadows;
    if (map.count(index))
      continue;
    const Layout &primal =
        isSeed ? *resultLayouts[index] : outcome.arguments[index].getLayout();
    if (FailureOr<HostValue> shadow = createShadow(primal, width);
        succeeded(shadow))
      map[index] = *shadow;
  }
  ArrayRef<Coordinate> coordinates =
      wrapper.mode == Mode::Forward ? ArrayRef(independents)
                                    : ArrayRef(dependents).take_front(numSeeds);
  for (auto [position, coordinate] : llvm::enumerate(coordinates)) {
    auto &map = coordinate.isResult ? seeds : shadows;
    auto it = map.find(coordinate.index);
    if (it == map.end())
      continue;
    const Layout &primal =
        coordinate.isResult ? *resultLayouts[coordinate.index]
                            : outcome.arguments[coordinate.index].getLayout();
    for (int64_t lane = 0; lane < width; ++lane)
      it->second.setFloat(getLaneIndex(primal, width, lane, coordinate.scalar),
                          vectors[lane][position]);
  }
  Values inputs;
  for (const Slot &slot : wrapper.inputs)
    inputs.push_back(slot.role == Role::Primal ? outcome.arguments[slot.index]
                     : slot.role == Role::Seed
                         ? seeds[slot.index]
                         : shadows[subject.getRepresentative(slot.index)]);
  return inputs;
}

/// Sorts what a call returned and left in shadows into `outcome`.
void Evaluator::readOutputs(const Wrapper &wrapper, const Values &inputs,
                            const Values &outputs, Outcome &outcome) const {
  outcome.results.resize(subject.results.size());
  std::map<unsigned, HostValue> ofResults, ofArguments;
  for (auto [slot, value] : llvm::zip(wrapper.outputs, outputs)) {
    if (slot.role == Role::Primal)
      outcome.results[slot.index] = value;
    else
      (slot.role == Role::Tangent ? ofResults : ofArguments)[slot.index] =
          value;
  }
  if (wrapper.mode == Mode::Primal)
    return;
  for (auto [slot, value] : llvm::zip(wrapper.inputs, inputs))
    if (slot.role == Role::Shadow && subject.arguments[slot.index].isMemory())
      ofArguments[subject.getRepresentative(slot.index)] = value;
  ArrayRef<Coordinate> coordinates =
      wrapper.mode == Mode::Forward ? dependents : independents;
  for (int64_t lane = 0; lane < wrapper.width; ++lane) {
    Vector derivative;
    for (const Coordinate &coordinate : coordinates) {
      const Layout &primal =
          coordinate.isResult ? *resultLayouts[coordinate.index]
                              : outcome.arguments[coordinate.index].getLayout();
      HostValue &value =
          (coordinate.isResult ? ofResults : ofArguments)[coordinate.index];
      derivative.push_back(value.getFloat(
          getLaneIndex(primal, wrapper.width, lane, coordinate.scalar)));
    }
    outcome.derivatives.push_back(std::move(derivative));
  }
}

Evaluator::Outcome Evaluator::runPrimal(const Values &inputs) const {
  const Wrapper &wrapper = getWrapper(Mode::Primal, 1);
  Outcome outcome;
  outcome.arguments = cloneValues(inputs);
  readOutputs(wrapper, outcome.arguments,
              program.call(wrapper, outcome.arguments, outcome.newBlocks),
              outcome);
  return outcome;
}

Evaluator::Outcome Evaluator::runForward(const Values &inputs,
                                         ArrayRef<Vector> tangents) const {
  const Wrapper &wrapper = getWrapper(Mode::Forward, tangents.size());
  Outcome outcome;
  outcome.arguments = cloneValues(inputs);
  Values all = createInputs(wrapper, outcome, tangents);
  readOutputs(wrapper, all, program.call(wrapper, all, outcome.newBlocks),
              outcome);
  return outcome;
}

Evaluator::Outcome Evaluator::runReverse(const Values &inputs,
                                         ArrayRef<Vector> seeds) const {
  const Wrapper &wrapper = getWrapper(Mode::Reverse, seeds.size());
  Outcome outcome;
  outcome.arguments = cloneValues(inputs);
  Values all = createInputs(wrapper, outcome, seeds);
  readOutputs(wrapper, all, program.call(wrapper, all, outcome.newBlocks),
              outcome);
  return outcome;
}

Evaluator::Vector Evaluator::getIndependents(const Values &inputs) const {
  Vector vector;
  for (const Coordinate &coordinate : independents)
    vector.push_back(inputs[coordinate.index].getFloat(coordinate.scalar));
  return vector;
}

Evaluator::Vector Evaluator::getDependents(const Outcome &outcome) const {
  Vector vector;
  for (const Coordinate &coordinate : dependents) {
    const HostValue &value = coordinate.isResult
                                 ? outcome.results[coordinate.index]
                                 : outcome.arguments[coordinate.index];
    vector.push_back(value.getFloat(coordinate.scalar));
  }
  return vector;
}

void Evaluator::move(Values &inputs, ArrayRef<double> direction,
                     double step) const {
  for (auto [coordinate, component] : llvm::zip(independents, direction)) {
    if (component == 0)
      continue;
    HostValue &value = inputs[coordinate.index];
    value.setFloat(coordinate.scalar,
                   value.getFloat(coordinate.scalar) + step * component);
  }
}
