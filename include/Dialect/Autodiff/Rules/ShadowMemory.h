//===- ShadowMemory.h - operations on whole shadows ----------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_RULES_SHADOWMEMORY_H
#define AUTODIFF_RULES_SHADOWMEMORY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace mlir::autodiff {

/// Stores zeros in every element of `shadow`, a memref of floats, vectors of
/// floats, complex numbers or integers.
void fillWithZeros(OpBuilder &builder, Location loc, Value shadow);

/// Adds the elements of `source` to those of `target` and clears `source`; both
/// are shadows of memrefs of type `primal`, and they do not overlap.
void moveInto(OpBuilder &builder, Location loc, Type primal, Value source,
              Value target);

} // namespace mlir::autodiff

#endif // AUTODIFF_RULES_SHADOWMEMORY_H
