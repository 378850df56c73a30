//===- Wrappers.h - functions through which the checker calls ------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_WRAPPERS_H
#define AUTODIFF_TOOLS_ADCHECK_WRAPPERS_H

#include "Subject.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::autodiff::check {

enum class Mode { Primal, Forward, Reverse };

/// What goes into or comes out of a call, in the order of the operands and
/// results of the request: the role, and the argument or result of the subject
/// that it belongs to.
struct Slot {
  enum class Role { Primal, Shadow, Seed, Tangent, Gradient };
  Role role;
  unsigned index;
  Type type;
};

/// A function that calls the subject or asks for its derivative.
struct Wrapper {
  std::string name;
  Mode mode = Mode::Primal;
  int64_t width = 1;
  SmallVector<Slot> inputs, outputs;
};

/// Adds to `module`, which holds the function of `subject`, a function that the
/// host can call.
Wrapper addWrapper(ModuleOp module, const Subject &subject, Mode mode,
                   int64_t width, bool strongZero);

/// Adds an ordinary function that asks for the derivative of `subject`, and
/// tells how to check it in turn. Its arguments and results are `slots`.
Subject addDerivativeFunction(ModuleOp module, const Subject &subject,
                              Mode mode, bool strongZero, Wrapper &slots);

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_WRAPPERS_H
