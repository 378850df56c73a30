//===- Options.cpp - the command line of ad-check ------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

namespace cl = llvm::cl;

static cl::OptionCategory category("ad-check options");

static cl::opt<std::string> fileName(cl::Positional, cl::desc("<file.mlir>"),
                                     cl::init("-"), cl::cat(category));
static cl::opt<std::string>
    functionName(cl::Positional, cl::desc("[@function]"), cl::cat(category));
static cl::opt<bool> all("all",
                         cl::desc("Check every public function with a body"),
                         cl::cat(category));
static cl::opt<std::string>
    activity("activity",
             cl::desc("Activities of the arguments: const, active, dup, "
                      "dup_noneed; default: every float and memref of floats"),
             cl::value_desc("a1,a2,..."), cl::cat(category));
static cl::opt<std::string> resultActivity(
    "result-activity",
    cl::desc("Activities of the results: const, active, const_noneed, "
             "active_noneed; default: every float"),
    cl::value_desc("a1,a2,..."), cl::cat(category));
static cl::list<int64_t> sizes("sizes",
                               cl::desc("Dynamic sizes, argument by argument"),
                               cl::CommaSeparated, cl::value_desc("n1,n2,..."),
                               cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Seed of the random inputs"),
                              cl::init(1), cl::cat(category));
static cl::opt<int64_t> width("width",
                              cl::desc("Also check vector mode of this width"),
                              cl::init(1), cl::cat(category));
static cl::opt<bool> secondOrder("second-order",
                                 cl::desc("Also check second derivatives"),
                                 cl::cat(category));
static cl::opt<bool> strongZero("strong-zero",
                                cl::desc("Ask for strong_zero derivatives"),
                                cl::cat(category));
static cl::opt<std::string>
    at("at", cl::desc("Values of the arguments instead of random ones"),
       cl::value_desc("v,v;v;..."), cl::cat(category));
static cl::opt<std::string> expectGradient(
    "expect-grad",
    cl::desc("Expected gradient per argument, for seeds that are all 1"),
    cl::value_desc("v,v;v;..."), cl::cat(category));
static cl::opt<bool> printGradient("print-gradient",
                                   cl::desc("Print the gradient for seeds that "
                                            "are all 1"),
                                   cl::cat(category));
static cl::opt<double>
    tolerance("tolerance",
              cl::desc("Relative tolerance of comparisons with finite "
                       "differences, instead of that of the float type"),
              cl::cat(category));
static cl::opt<std::string>
    mode("mode", cl::desc("What to check: forward, reverse or both"),
         cl::init("both"), cl::cat(category));
static cl::opt<std::string>
    order("order",
          cl::desc("Differentiate before or after optimisation: before, after"),
          cl::init("before"), cl::cat(category));
static cl::opt<unsigned> timeout("timeout",
                                 cl::desc("Seconds per function, 0: no limit"),
                                 cl::init(120), cl::cat(category));

static std::nullopt_t usageError(const Twine &message) {
  llvm::errs() << "ad-check: error: " << message << "\n";
  return std::nullopt;
}

static std::optional<SmallVector<Activity>> parseActivities(StringRef text) {
  SmallVector<Activity> activities;
  SmallVector<StringRef> words;
  text.split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    std::optional<Activity> activity = symbolizeActivity(word.trim());
    if (!activity)
      return usageError("expected an activity (const, active, dup, dup_noneed, "
                        "const_noneed, active_noneed), got '" +
                        word + "'");
    activities.push_back(*activity);
  }
  return activities;
}

static std::optional<ArgumentNumbers> parseNumbers(StringRef text) {
  ArgumentNumbers numbers;
  SmallVector<StringRef> arguments;
  text.split(arguments, ';');
  for (StringRef argument : arguments) {
    numbers.emplace_back();
    SmallVector<StringRef> words;
    argument.split(words, ',', -1, /*KeepEmpty=*/false);
    for (StringRef word : words) {
      double number;
      if (word.trim().getAsDouble(number, /*AllowInexact=*/true))
        return usageError("expected a number, got '" + word + "'");
      numbers.back().push_back(number);
    }
  }
  return numbers;
}

/// What cannot be checked by types.
static std::optional<Options> checkAndFill() {
  Options options;
  options.file = fileName;
  StringRef name = functionName;
  name.consume_front("@");
  options.function = name.str();
  options.all = all;
  if (all && !name.empty())
    return usageError("--all and the name of a function exclude each other");
  if (activity.getNumOccurrences() &&
      !(options.activity = parseActivities(activity)))
    return std::nullopt;
  if (resultActivity.getNumOccurrences() &&
      !(options.resultActivity = parseActivities(resultActivity)))
    return std::nullopt;
  for (int64_t size : sizes)
    if (size < 0)
      return usageError("expected sizes of at least 0, got " + Twine(size));
  options.sizes.assign(sizes.begin(), sizes.end());
  options.seed = seed;
  if (width < 1 || width > 64)
    return usageError("expected a width of 1 to 64, got " + Twine(width));
  options.width = width;
  options.secondOrder = secondOrder;
  options.strongZero = strongZero;
  if (at.getNumOccurrences() && !(options.at = parseNumbers(at)))
    return std::nullopt;
  if (expectGradient.getNumOccurrences() &&
      !(options.expectedGradient = parseNumbers(expectGradient)))
    return std::nullopt;
  options.printGradient = printGradient;
  if (tolerance.getNumOccurrences())
    options.tolerance = tolerance;
  if (mode != "both" && mode != "forward" && mode != "reverse")
    return usageError("expected --mode=forward, reverse or both, got '" +
                      Twine(mode) + "'");
  options.forward = mode != "reverse";
  options.reverse = mode != "forward";
  if (!options.reverse && (options.printGradient || options.expectedGradient))
    return usageError("a gradient needs --mode=reverse or both");
  if (options.secondOrder && mode != "both")
    return usageError("--second-order needs --mode=both");
  if (order != "before" && order != "after")
    return usageError("expected --order=before or after, got '" + Twine(order) +
                      "'");
  options.optimizeFirst = order == "after";
  options.timeout = timeout;
  return options;
}

std::optional<Options> check::parseCommandLine(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Compares derivatives of the functions of an MLIR file with each "
          "other and with finite differences\n",
          &stream))
    return usageError(StringRef(errors).trim());
  return checkAndFill();
}
