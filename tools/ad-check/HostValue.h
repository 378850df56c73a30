//===- HostValue.h - values of the checked program in host memory --------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_HOSTVALUE_H
#define AUTODIFF_TOOLS_ADCHECK_HOSTVALUE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include <memory>
#include <optional>
#include <vector>

namespace mlir::autodiff::check {

/// Where the scalars of a value of some type lie. Scalars are numbered row by
/// row: dimensions of the memref or tensor first, then those of the vector that
/// is its element.
struct Layout {
  /// Of `type`, whose dynamic dimensions are `dynamicSizes` in order. Emits an
  /// error at `loc` if the type is not supported.
  static FailureOr<std::shared_ptr<const Layout>>
  get(Location loc, Type type, ArrayRef<int64_t> dynamicSizes);

  size_t getNumScalars() const { return offsets.size(); }
  bool isFloat() const { return isa<FloatType>(scalar); }

  Type type;
  Type scalar;
  /// Of memory: as in its descriptor, in elements.
  SmallVector<int64_t> sizes, strides;
  int64_t offset = 0;
  /// Bytes from one element to the next, and of everything.
  size_t elementBytes = 0, bytes = 0;
  /// In bytes, per scalar.
  std::vector<size_t> offsets;
};

/// Number of dynamic dimensions of `type`.
unsigned getNumDynamicSizes(Type type);

/// The scalar of a value of `type`: what is inside of memrefs, tensors and
/// vectors.
Type getScalarType(Type type);

/// A value and the memory that holds it. Copies share the memory; so do
/// arguments that alias.
class HostValue {
public:
  HostValue() = default;
  explicit HostValue(std::shared_ptr<const Layout> layout);

  const Layout &getLayout() const { return *layout; }
  std::shared_ptr<const Layout> getLayoutPtr() const { return layout; }
  size_t size() const { return layout->getNumScalars(); }

  double getFloat(size_t index) const;
  /// Rounds to the scalar type.
  void setFloat(size_t index, double value);
  int64_t getInt(size_t index) const;
  void setInt(size_t index, int64_t value);
  /// The bits of a scalar, and whether they are the same.
  uint64_t getBits(size_t index) const;

  char *data() const;
  const void *getStorage() const { return storage.get(); }
  /// The words of the descriptor of a memref to this memory.
  std::vector<int64_t> getDescriptor() const;

private:
  friend std::vector<HostValue> cloneValues(ArrayRef<HostValue> values);
  char *at(size_t index) const { return data() + layout->offsets[index]; }

  std::shared_ptr<const Layout> layout;
  std::shared_ptr<std::vector<char>> storage;
};

/// Copies with memory of their own; what shared memory shares memory again.
std::vector<HostValue> cloneValues(ArrayRef<HostValue> values);

/// The scalars of `value` in a value of `layout`, converted.
void convertScalars(const HostValue &from, HostValue &to);

/// A shadow of width `width` of a value of `primal` type holds, per scalar of
/// the primal, one number per lane: the index of that of `lane`.
size_t getLaneIndex(const Layout &primal, int64_t width, int64_t lane,
                    size_t index);

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_HOSTVALUE_H
