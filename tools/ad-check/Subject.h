//===- Subject.h - a function to check and how to draw its inputs --------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_SUBJECT_H
#define AUTODIFF_TOOLS_ADCHECK_SUBJECT_H

#include "HostValue.h"
#include "Options.h"
#include "Random.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::autodiff::check {

struct Interval {
  double low, high;
};

/// An argument: how it takes part, and which values it is given.
struct Argument {
  Type type;
  Location loc;
  Activity activity = Activity::Const;
  /// Of random floats.
  Interval domain = {0.5, 1.5};
  /// Of random integers; both ends are possible.
  std::optional<Interval> range = std::nullopt;
  /// Used instead of random numbers, again and again.
  std::vector<double> values = {};
  /// Of dynamic dimensions; may be fewer.
  std::vector<int64_t> sizes = {};
  /// Shares the memory of this earlier argument.
  std::optional<unsigned> alias = std::nullopt;
  /// Has the dynamic sizes of this earlier argument.
  std::optional<unsigned> sizesOf = std::nullopt;

  bool isMemory() const { return isa<MemRefType>(type); }
  bool isActive() const { return activity != Activity::Const; }
};

/// A function together with what is asked about it.
struct Subject {
  /// Gone once its module has been compiled.
  func::FuncOp function;
  /// The same as a handle whose methods are not const.
  func::FuncOp getFunction() const { return function; }
  Location loc;
  std::vector<Argument> arguments;
  SmallVector<Type> resultTypes;
  SmallVector<Activity> results;

  explicit Subject(func::FuncOp function)
      : function(function), loc(function.getLoc()),
        resultTypes(function.getResultTypes()) {}

  /// Reads the directives on the arguments, as given by the command line where
  /// it says something. Errors are emitted at the function.
  static FailureOr<Subject> get(func::FuncOp function, const Options &options);

  /// Random inputs. Emits an error if the sizes do not fit.
  FailureOr<std::vector<HostValue>> draw(Random &random) const;

  /// Whether the scalars of argument `index` are inputs of the derivative, and
  /// not those of an earlier argument.
  bool isIndependent(unsigned index) const;
  /// The argument whose memory `index` uses.
  unsigned getRepresentative(unsigned index) const;
};

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_SUBJECT_H
