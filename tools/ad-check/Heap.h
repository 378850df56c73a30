//===- Heap.h - the heap of the checked code -----------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_HEAP_H
#define AUTODIFF_TOOLS_ADCHECK_HEAP_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mlir::autodiff::check {

/// Number of blocks that the checked code has allocated and not freed.
int64_t getNumLiveBlocks();

/// What the checked code did to its heap that it must not, empty if nothing,
/// since the last time this was asked.
std::string takeHeapError();

/// malloc and its like, by name.
std::vector<std::pair<llvm::StringRef, void *>> getHeapFunctions();

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_HEAP_H
