//===- HostValue.cpp - values of the checked program in host memory ------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory is laid out as the LLVM lowering lays it out: elements of a memref are
// apart by the allocation size of their type, which for a vector is its size
// rounded up to a power of two; a vector of several dimensions is an array of
// one-dimensional vectors. Values that are not memory (numbers, vectors,
// tensors) are passed through dense buffers of scalars; see Wrappers.cpp.
//
//===----------------------------------------------------------------------===//

#include "HostValue.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <map>

using namespace mlir;
using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

/// Enough for every vector register; memory of a value starts at such a
/// boundary.
static constexpr size_t kAlignment = 4096;

Type check::getScalarType(Type type) {
  while (auto shaped = dyn_cast<ShapedType>(type))
    type = shaped.getElementType();
  return type;
}

unsigned check::getNumDynamicSizes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() ? shaped.getNumDynamicDims() : 0;
}

/// Bytes of a scalar, 0 if it is not supported.
static size_t getScalarBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() > 64 || integer.getWidth() == 0
               ? 0
               : llvm::PowerOf2Ceil(llvm::divideCeil(integer.getWidth(), 8));
  if (type.isF16() || type.isBF16() || type.isF32() || type.isF64())
    return cast<FloatType>(type).getWidth() / 8;
  return 0;
}

/// Appends the offsets of the scalars in a vector of `shape` that starts at
/// `base`; returns the bytes that the vector takes in an array.
static size_t addVectorOffsets(ArrayRef<int64_t> shape, size_t scalarBytes,
                               size_t base, std::vector<size_t> *offsets) {
  if (shape.empty()) {
    if (offsets)
      offsets->push_back(base);
    return scalarBytes;
  }
  size_t inner =
      shape.size() == 1
          ? scalarBytes
          : addVectorOffsets(shape.drop_front(), scalarBytes, base, nullptr);
  if (offsets)
    for (int64_t i = 0; i < shape.front(); ++i)
      addVectorOffsets(shape.drop_front(), scalarBytes, base + i * inner,
                       offsets);
  size_t bytes = inner * shape.front();
  return shape.size() == 1 ? llvm::PowerOf2Ceil(bytes) : bytes;
}

/// The shape of `shaped` with its dynamic dimensions filled in.
static SmallVector<int64_t> fillIn(ShapedType shaped,
                                   ArrayRef<int64_t> dynamicSizes) {
  SmallVector<int64_t> sizes(shaped.getShape());
  size_t next = 0;
  for (int64_t &size : sizes)
    if (ShapedType::isDynamic(size))
      size = next < dynamicSizes.size() ? dynamicSizes[next++] : 0;
  return sizes;
}

FailureOr<std::shared_ptr<const Layout>>
Layout::get(Location loc, Type type, ArrayRef<int64_t> dynamicSizes) {
  auto layout = std::make_shared<Layout>();
  layout->type = type;
  layout->scalar = getScalarType(type);
  size_t scalarBytes = getScalarBytes(layout->scalar);
  auto unsupported = [&]() -> FailureOr<std::shared_ptr<const Layout>> {
    return emitError(loc)
           << "cannot pass a value of type " << type
           << "; supported are integers up to 64 bits, f16, bf16, f32, f64, "
              "and vectors, tensors and strided memrefs of these";
  };
  if (!scalarBytes)
    return unsupported();
  SmallVector<int64_t> vectorShape;
  bool dense = true;
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable())
      return unsupported();
    layout->sizes.assign(vector.getShape().begin(), vector.getShape().end());
  } else if (auto shaped = dyn_cast<ShapedType>(type)) {
    if (!shaped.hasRank() || !isa<MemRefType, RankedTensorType>(type))
      return unsupported();
    layout->sizes = fillIn(shaped, dynamicSizes);
    if (auto vector = dyn_cast<VectorType>(shaped.getElementType())) {
      if (vector.isScalable() || layout->scalar.isInteger(1))
        return unsupported();
      vectorShape.assign(vector.getShape().begin(), vector.getShape().end());
    } else if (isa<ShapedType>(shaped.getElementType())) {
      return unsupported();
    }
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && !memref.getLayout().isIdentity()) {
      dense = false;
      if (failed(memref.getStridesAndOffset(layout->strides, layout->offset)))
        return unsupported();
    }
  }
  int64_t count = 1;
  for (int64_t size : layout->sizes)
    if (size < 0 || llvm::MulOverflow(count, size, count) || count > (1 << 26))
      return emitError(loc)
             << "a value of type " << type << " with these sizes is too large";
  layout->elementBytes = addVectorOffsets(vectorShape, scalarBytes, 0, nullptr);

  // Dynamic strides and offsets: with gaps, so that a wrong one shows.
  size_t rank = layout->sizes.size();
  if (dense)
    layout->strides.assign(rank, 1);
  int64_t extent = 1;
  for (size_t dim = rank; dim-- > 0;) {
    int64_t &stride = layout->strides[dim];
    if (dense)
      stride = extent;
    else if (ShapedType::isDynamic(stride))
      stride = extent + 1;
    extent = std::max(extent, std::abs(stride) * layout->sizes[dim]);
  }
  if (ShapedType::isDynamic(layout->offset))
    layout->offset = 3;
  // Negative strides would need an offset that the type does not tell.
  int64_t last = layout->offset;
  for (size_t dim = 0; dim < rank; ++dim) {
    if (layout->strides[dim] < 0)
      return unsupported();
    last += layout->strides[dim] * std::max<int64_t>(layout->sizes[dim] - 1, 0);
  }
  if (last > (1 << 26))
    return emitError(loc) << "a value of type " << type
                          << " with these sizes is too large";
  layout->bytes = (last + 1) * layout->elementBytes;

  SmallVector<int64_t> position(rank, 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t element = layout->offset;
    for (size_t dim = 0; dim < rank; ++dim)
      element += position[dim] * layout->strides[dim];
    addVectorOffsets(vectorShape, scalarBytes, element * layout->elementBytes,
                     &layout->offsets);
    for (size_t dim = rank; dim-- > 0;) {
      if (++position[dim] < layout->sizes[dim])
        break;
      position[dim] = 0;
    }
  }
  return std::shared_ptr<const Layout>(layout);
}

HostValue::HostValue(std::shared_ptr<const Layout> layout)
    : layout(std::move(layout)), storage(std::make_shared<std::vector<char>>(
                                     this->layout->bytes + kAlignment)) {}

char *HostValue::data() const {
  return reinterpret_cast<char *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(storage->data()), kAlignment));
}

std::vector<int64_t> HostValue::getDescriptor() const {
  auto address = static_cast<int64_t>(reinterpret_cast<uintptr_t>(data()));
  std::vector<int64_t> words = {address, address, layout->offset};
  words.insert(words.end(), layout->sizes.begin(), layout->sizes.end());
  words.insert(words.end(), layout->strides.begin(), layout->strides.end());
  return words;
}

uint64_t HostValue::getBits(size_t index) const {
  uint64_t bits = 0;
  std::memcpy(&bits, at(index), getScalarBytes(layout->scalar));
  return bits;
}

double HostValue::getFloat(size_t index) const {
  auto type = cast<FloatType>(layout->scalar);
  if (type.isF64())
    return llvm::bit_cast<double>(getBits(index));
  APFloat value(type.getFloatSemantics(),
                APInt(type.getWidth(), getBits(index)));
  bool exact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  return value.convertToDouble();
}

void HostValue::setFloat(size_t index, double number) {
  auto type = cast<FloatType>(layout->scalar);
  if (type.isF64()) {
    std::memcpy(at(index), &number, sizeof(number));
    return;
  }
  APFloat value(number);
  bool exact;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &exact);
  uint64_t bits = value.bitcastToAPInt().getZExtValue();
  std::memcpy(at(index), &bits, getScalarBytes(type));
}

int64_t HostValue::getInt(size_t index) const {
  unsigned width = layout->scalar.isIndex()
                       ? 64
                       : cast<IntegerType>(layout->scalar).getWidth();
  uint64_t bits = getBits(index);
  return width == 1 ? int64_t(bits & 1) : llvm::SignExtend64(bits, width);
}

void HostValue::setInt(size_t index, int64_t value) {
  uint64_t bits = value;
  if (auto integer = dyn_cast<IntegerType>(layout->scalar))
    bits &= llvm::maskTrailingOnes<uint64_t>(integer.getWidth());
  std::memcpy(at(index), &bits, getScalarBytes(layout->scalar));
}

std::vector<HostValue> check::cloneValues(ArrayRef<HostValue> values) {
  std::map<const void *, std::shared_ptr<std::vector<char>>> clones;
  std::vector<HostValue> result;
  for (const HostValue &value : values) {
    HostValue copy = value;
    if (value.layout) {
      std::shared_ptr<std::vector<char>> &clone = clones[value.getStorage()];
      if (!clone) {
        copy.storage =
            std::make_shared<std::vector<char>>(value.storage->size());
        std::memcpy(copy.data(), value.data(),
                    value.storage->size() - kAlignment);
        clone = copy.storage;
      }
      copy.storage = clone;
    }
    result.push_back(std::move(copy));
  }
  return result;
}

void check::convertScalars(const HostValue &from, HostValue &to) {
  for (size_t i = 0, e = from.size(); i < e; ++i) {
    if (from.getLayout().isFloat())
      to.setFloat(i, from.getFloat(i));
    else
      to.setInt(i, from.getInt(i));
  }
}

size_t check::getLaneIndex(const Layout &primal, int64_t width, int64_t lane,
                           size_t index) {
  if (!isa<MemRefType>(primal.type))
    return lane * primal.getNumScalars() + index;
  size_t inner = 1;
  if (auto vector =
          dyn_cast<VectorType>(cast<MemRefType>(primal.type).getElementType()))
    inner = vector.getNumElements();
  return (index / inner * width + lane) * inner + index % inner;
}
