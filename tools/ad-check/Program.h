//===- Program.h - a compiled module -------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_PROGRAM_H
#define AUTODIFF_TOOLS_ADCHECK_PROGRAM_H

#include "Wrappers.h"

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace mlir::autodiff::check {

/// Machine code of the wrappers of a module. Calls do not know of each other:
/// each finds the globals as the module initialises them.
class Program {
public:
  /// Differentiates `module`, which holds `wrappers`, and compiles them. Errors
  /// have been emitted.
  static FailureOr<std::unique_ptr<Program>>
  compile(ModuleOp module, ArrayRef<Wrapper> wrappers, const Options &options);
  ~Program();

  /// Calls the wrapper; `inputs` has a value per input slot, memory in it is
  /// changed as the callee changes it. Returns a value per output slot.
  /// `newBlocks` becomes the number of blocks on the heap that it leaves.
  std::vector<HostValue> call(const Wrapper &wrapper,
                              ArrayRef<HostValue> inputs,
                              int64_t &newBlocks) const;

private:
  Program();

  std::unique_ptr<ExecutionEngine> engine;
  llvm::StringMap<void (*)(void **)> functions;
  /// Memory that the module shares between calls, and what is in it at first.
  struct Global {
    char *address;
    std::vector<char> initial;
  };
  std::vector<Global> globals;
};

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_PROGRAM_H
