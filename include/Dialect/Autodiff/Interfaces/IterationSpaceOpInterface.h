//===- IterationSpaceOpInterface.h ---------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_INTERFACES_ITERATIONSPACEOPINTERFACE_H
#define AUTODIFF_INTERFACES_ITERATIONSPACEOPINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "Dialect/Autodiff/Interfaces/IterationSpaceOpInterface.h.inc"

#endif // AUTODIFF_INTERFACES_ITERATIONSPACEOPINTERFACE_H
