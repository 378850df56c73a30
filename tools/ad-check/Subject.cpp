//===- Subject.cpp - a function to check and how to draw its inputs ------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Directives are discardable attributes of the arguments of the function:
//
//   autodiff.domain = [lo, hi]   random floats (default 0.5 to 1.5)
//   autodiff.range = [lo, hi]    random integers (also contents of memory)
//   autodiff.value = v, [v, ...] these values instead of random ones
//   autodiff.sizes = [n, ...]    dynamic sizes (default 5, 4, 3, 2, 2, ...)
//   autodiff.alias = k           the memory of argument k
//
// An integer or index without directive is 3 as an argument and 0 to 2 in
// memory, an i1 is true, so that it may stand for a bound or an index of the
// default sizes.
//
//===----------------------------------------------------------------------===//

#include "Subject.h"
#include "Dialect/Autodiff/Interfaces/DifferentiableTypeInterface.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

/// The numbers in an attribute: a number, an array of numbers or a dense array.
static std::optional<std::vector<double>> readNumbers(Attribute attr) {
  std::vector<double> numbers;
  auto append = [&](auto range) {
    numbers.insert(numbers.end(), range.begin(), range.end());
    return numbers;
  };
  if (auto array = dyn_cast<ArrayAttr>(attr)) {
    for (Attribute element : array) {
      if (isa<ArrayAttr>(element))
        return std::nullopt;
      std::optional<std::vector<double>> inner = readNumbers(element);
      if (!inner)
        return std::nullopt;
      append(*inner);
    }
    return numbers;
  }
  if (auto array = dyn_cast<DenseF64ArrayAttr>(attr))
    return append(array.asArrayRef());
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attr))
    return append(array.asArrayRef());
  if (auto array = dyn_cast<DenseI32ArrayAttr>(attr))
    return append(array.asArrayRef());
  if (auto number = dyn_cast<FloatAttr>(attr)) {
    APFloat value = number.getValue();
    bool exact;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
    return std::vector<double>{value.convertToDouble()};
  }
  if (auto number = dyn_cast<BoolAttr>(attr))
    return std::vector<double>{number.getValue() ? 1.0 : 0.0};
  if (auto number = dyn_cast<IntegerAttr>(attr))
    if (number.getValue().getSignificantBits() <= 64)
      return std::vector<double>{
          static_cast<double>(number.getValue().getSExtValue())};
  return std::nullopt;
}

namespace {

/// Reads the directives on one argument.
class DirectiveReader {
public:
  DirectiveReader(func::FuncOp function, unsigned index)
      : function(function), index(index) {}

  /// The numbers of directive `name`, if it is there.
  FailureOr<std::optional<std::vector<double>>> read(StringRef name) {
    Attribute attr = function.getArgAttr(index, name);
    if (!attr)
      return std::optional<std::vector<double>>();
    std::optional<std::vector<double>> numbers = readNumbers(attr);
    if (!numbers || numbers->empty())
      return error(name) << "expected numbers, got " << attr;
    return numbers;
  }

  FailureOr<std::optional<Interval>> readInterval(StringRef name) {
    FailureOr<std::optional<std::vector<double>>> numbers = read(name);
    if (failed(numbers))
      return failure();
    if (!*numbers)
      return std::optional<Interval>();
    // Beyond 2^53 a double does not tell integers apart.
    if ((*numbers)->size() != 2 || !((**numbers)[0] <= (**numbers)[1]) ||
        !((**numbers)[0] >= -0x1p53) || !((**numbers)[1] <= 0x1p53))
      return error(name) << "expected [low, high], within 2^53 around zero";
    return std::optional<Interval>(Interval{(**numbers)[0], (**numbers)[1]});
  }

  InFlightDiagnostic error(StringRef name) {
    return emitError(function.getArgument(index).getLoc())
           << "'" << name << "' of argument #" << index << ": ";
  }

private:
  func::FuncOp function;
  unsigned index;
};

} // namespace

static LogicalResult readDirectives(func::FuncOp function, unsigned index,
                                    Argument &argument) {
  DirectiveReader reader(function, index);
  auto domain = reader.readInterval("autodiff.domain");
  auto range = reader.readInterval("autodiff.range");
  auto values = reader.read("autodiff.value");
  auto sizes = reader.read("autodiff.sizes");
  auto alias = reader.read("autodiff.alias");
  if (failed(domain) || failed(range) || failed(values) || failed(sizes) ||
      failed(alias))
    return failure();
  argument.domain = domain->value_or(argument.domain);
  argument.range = *range;
  if (*values)
    argument.values = **values;
  if (*sizes)
    for (double size : **sizes) {
      if (!(size >= 0 && size <= 1e9))
        return reader.error("autodiff.sizes") << "expected sizes, got " << size;
      argument.sizes.push_back(static_cast<int64_t>(size));
    }
  if (*alias) {
    double target = (*alias)->front();
    if (!(target >= 0 && target < index) ||
        function.getArgument(target).getType() != argument.type ||
        !argument.isMemory())
      return reader.error("autodiff.alias")
             << "expected the number of an earlier argument that is memory of "
                "the same type";
    argument.alias = static_cast<unsigned>(target);
  }
  return success();
}

/// What a user most likely wants to differentiate with respect to.
static Activity getDefaultActivity(Type type) {
  if (!isDifferentiable(type))
    return Activity::Const;
  return isDifferentiableReference(type) ? Activity::Dup : Activity::Active;
}

static LogicalResult checkActivity(func::FuncOp function, unsigned index,
                                   Type type, Activity activity,
                                   bool isResult) {
  auto error = [&] {
    return function.emitError()
           << (isResult ? "result #" : "argument #") << index << " of type "
           << type << " cannot be '" << stringifyActivity(activity) << "'";
  };
  if (activity == Activity::Const)
    return success();
  bool differentiable = isDifferentiable(type);
  bool reference = differentiable && isDifferentiableReference(type);
  if (isResult)
    return activity == Activity::ConstNoNeed ||
                   (isActive(activity) && differentiable)
               ? success()
               : error();
  return differentiable && (reference ? hasShadow(activity)
                                      : activity == Activity::Active)
             ? success()
             : error();
}

/// Activities as the command line says or by default.
static LogicalResult setActivities(Subject &subject, const Options &options) {
  func::FuncOp function = subject.function;
  if (options.activity &&
      options.activity->size() != function.getNumArguments())
    return function.emitError()
           << "expected " << function.getNumArguments()
           << " activities, one per argument, got " << options.activity->size();
  if (options.resultActivity &&
      options.resultActivity->size() != function.getNumResults())
    return function.emitError() << "expected " << function.getNumResults()
                                << " activities, one per result, got "
                                << options.resultActivity->size();
  for (auto [index, argument] : llvm::enumerate(subject.arguments)) {
    argument.activity = options.activity ? (*options.activity)[index]
                                         : getDefaultActivity(argument.type);
    if (failed(checkActivity(function, index, argument.type, argument.activity,
                             /*isResult=*/false)))
      return failure();
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    Activity activity = options.resultActivity
                            ? (*options.resultActivity)[index]
                        : isDifferentiable(type) ? Activity::Active
                                                 : Activity::Const;
    if (failed(checkActivity(function, index, type, activity,
                             /*isResult=*/true)))
      return failure();
    subject.results.push_back(activity);
    // Sizes do not matter yet; the type does.
    SmallVector<int64_t> sizes(getNumDynamicSizes(type), 0);
    if (failed(Layout::get(function.getLoc(), type, sizes)))
      return failure();
  }
  return success();
}

FailureOr<Subject> Subject::get(func::FuncOp function, const Options &options) {
  Subject subject(function);
  size_t nextSize = 0;
  for (BlockArgument value : function.getArguments()) {
    Argument argument{value.getType(), value.getLoc()};
    if (failed(readDirectives(function, value.getArgNumber(), argument)))
      return failure();
    // The command line's sizes stand for all dynamic dimensions in order.
    unsigned count = getNumDynamicSizes(argument.type);
    if (!options.sizes.empty()) {
      argument.sizes.clear();
      for (unsigned i = 0; i < count && nextSize < options.sizes.size(); ++i)
        argument.sizes.push_back(options.sizes[nextSize++]);
    }
    subject.arguments.push_back(std::move(argument));
  }
  if (nextSize < options.sizes.size())
    return function.emitError()
           << "got " << options.sizes.size() << " sizes, but there are only "
           << nextSize << " dynamic dimensions";
  if (failed(setActivities(subject, options)))
    return failure();
  if (options.at) {
    if (options.at->size() > subject.arguments.size())
      return function.emitError()
             << "got values of " << options.at->size() << " arguments for "
             << subject.arguments.size();
    for (auto [numbers, argument] : llvm::zip(*options.at, subject.arguments))
      if (!numbers.empty())
        argument.values = numbers;
  }
  return subject;
}

unsigned Subject::getRepresentative(unsigned index) const {
  while (arguments[index].alias)
    index = *arguments[index].alias;
  return index;
}

bool Subject::isIndependent(unsigned index) const {
  return arguments[index].isActive() && !arguments[index].alias;
}

/// Fills `value` with what `argument` asks for.
static void fill(HostValue &value, const Argument &argument, Random &random) {
  const Layout &layout = value.getLayout();
  for (size_t i = 0, e = value.size(); i < e; ++i) {
    if (!argument.values.empty()) {
      double number = argument.values[i % argument.values.size()];
      if (layout.isFloat())
        value.setFloat(i, number);
      else
        value.setInt(i, std::isnan(number) ? 0
                                           : static_cast<int64_t>(std::clamp(
                                                 number, -0x1p62, 0x1p62)));
      continue;
    }
    if (layout.isFloat()) {
      value.setFloat(i,
                     random.uniform(argument.domain.low, argument.domain.high));
      continue;
    }
    Interval range = argument.range.value_or(
        layout.scalar.isInteger(1)       ? Interval{1, 1}
        : isa<ShapedType>(argument.type) ? Interval{0, 2}
                                         : Interval{3, 3});
    auto low = static_cast<int64_t>(range.low);
    auto count = static_cast<uint64_t>(static_cast<int64_t>(range.high) - low);
    value.setInt(i, low + static_cast<int64_t>(random.next() % (count + 1)));
  }
}

FailureOr<std::vector<HostValue>> Subject::draw(Random &random) const {
  std::vector<HostValue> values;
  std::vector<SmallVector<int64_t>> allSizes;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    SmallVector<int64_t> sizes;
    unsigned count = getNumDynamicSizes(argument.type);
    if (argument.sizes.size() > count)
      return emitError(argument.loc)
             << "got " << argument.sizes.size() << " sizes for " << count
             << " dynamic dimensions of " << argument.type;
    for (unsigned i = 0; i < count; ++i)
      sizes.push_back(i < argument.sizes.size()
                          ? argument.sizes[i]
                          : std::max<int64_t>(5 - int64_t(i), 2));
    if (std::optional<unsigned> from =
            argument.alias ? argument.alias : argument.sizesOf)
      sizes = allSizes[*from];
    allSizes.push_back(sizes);
    if (argument.alias) {
      values.push_back(values[*argument.alias]);
      continue;
    }
    FailureOr<std::shared_ptr<const Layout>> layout =
        Layout::get(argument.loc, argument.type, sizes);
    if (failed(layout))
      return failure();
    values.emplace_back(*layout);
    fill(values.back(), argument, random);
  }
  return values;
}
