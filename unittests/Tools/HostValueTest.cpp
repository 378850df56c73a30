//===- HostValueTest.cpp -------------------------------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValue.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::autodiff::check;

namespace {

struct HostValueTest : testing::Test {
  MLIRContext context;
  Builder builder{&context};

  HostValue create(Type type, ArrayRef<int64_t> sizes = {}) {
    FailureOr<std::shared_ptr<const Layout>> layout =
        Layout::get(builder.getUnknownLoc(), type, sizes);
    EXPECT_TRUE(succeeded(layout));
    return HostValue(*layout);
  }
  bool isSupported(Type type) {
    ScopedDiagnosticHandler silence(&context,
                                    [](Diagnostic &) { return success(); });
    SmallVector<int64_t> sizes(getNumDynamicSizes(type), 1);
    return succeeded(Layout::get(builder.getUnknownLoc(), type, sizes));
  }
};

TEST_F(HostValueTest, RoundsToTheScalarType) {
  HostValue half = create(builder.getF16Type());
  half.setFloat(0, 0.1);
  EXPECT_EQ(half.getBits(0), 0x2e66u);
  EXPECT_EQ(half.getFloat(0), 0.0999755859375);
  HostValue brain = create(builder.getBF16Type());
  brain.setFloat(0, 1.00390625); // halfway: to even
  EXPECT_EQ(brain.getBits(0), 0x3f80u);
}

TEST_F(HostValueTest, Integers) {
  HostValue byte = create(builder.getIntegerType(8));
  byte.setInt(0, -3);
  EXPECT_EQ(byte.getInt(0), -3);
  EXPECT_EQ(byte.getBits(0), 0xfdu);
  HostValue flag = create(builder.getI1Type());
  flag.setInt(0, 1);
  EXPECT_EQ(flag.getInt(0), 1);
}

// A vector of three takes the room of four in memory, and none of it as a
// value.
TEST_F(HostValueTest, VectorsInMemoryArePadded) {
  auto vector = VectorType::get({3}, builder.getF32Type());
  HostValue memory =
      create(MemRefType::get({ShapedType::kDynamic}, vector), {2});
  EXPECT_EQ(memory.size(), 6u);
  EXPECT_EQ(memory.getLayout().elementBytes, 16u);
  EXPECT_EQ(memory.getLayout().offsets[3], 16u);
  EXPECT_EQ(create(vector).getLayout().bytes, 12u);
}

TEST_F(HostValueTest, StridedMemory) {
  auto layout = StridedLayoutAttr::get(&context, 5, {10, 2});
  HostValue value =
      create(MemRefType::get({2, 3}, builder.getF64Type(), layout));
  EXPECT_EQ(value.getLayout().offsets[0], 5u * 8);
  EXPECT_EQ(value.getLayout().offsets[5], (5u + 10 + 2 * 2) * 8);
  std::vector<int64_t> descriptor = value.getDescriptor();
  EXPECT_EQ(ArrayRef(descriptor).drop_front(2),
            ArrayRef<int64_t>({5, 2, 3, 10, 2}));
}

TEST_F(HostValueTest, CopiesOfSharedMemoryShareAgain) {
  HostValue first = create(MemRefType::get({2}, builder.getF64Type()));
  first.setFloat(1, 7);
  HostValue second = first;
  std::vector<HostValue> clones = cloneValues({first, second});
  clones[0].setFloat(0, 3);
  EXPECT_EQ(clones[1].getFloat(0), 3);
  EXPECT_EQ(clones[1].getFloat(1), 7);
  EXPECT_EQ(first.getFloat(0), 0);
}

// memref<2xvector<3xf64>> at width 2 is memref<2xvector<2x3xf64>>; a value has
// its lanes outermost.
TEST_F(HostValueTest, Lanes) {
  auto vector = VectorType::get({3}, builder.getF64Type());
  HostValue memory = create(MemRefType::get({2}, vector));
  EXPECT_EQ(getLaneIndex(memory.getLayout(), 2, 0, 4), 2u * 3 + 1);
  EXPECT_EQ(getLaneIndex(memory.getLayout(), 2, 1, 4), 3u * 3 + 1);
  EXPECT_EQ(getLaneIndex(create(vector).getLayout(), 2, 1, 2), 5u);
}

TEST_F(HostValueTest, UnsupportedTypes) {
  EXPECT_FALSE(isSupported(ComplexType::get(builder.getF64Type())));
  EXPECT_FALSE(isSupported(builder.getIntegerType(65)));
  EXPECT_FALSE(isSupported(Float128Type::get(&context)));
  EXPECT_FALSE(isSupported(UnrankedMemRefType::get(builder.getF64Type(), {})));
  EXPECT_FALSE(isSupported(UnrankedTensorType::get(builder.getF64Type())));
  EXPECT_FALSE(isSupported(
      VectorType::get({4}, builder.getF64Type(), ArrayRef<bool>{true})));
  EXPECT_FALSE(isSupported(
      MemRefType::get({1}, MemRefType::get({1}, builder.getF64Type()))));
  EXPECT_FALSE(isSupported(MemRefType::get({int64_t(1) << 40, int64_t(1) << 40},
                                           builder.getF64Type())));
  EXPECT_TRUE(isSupported(
      MemRefType::get({ShapedType::kDynamic, 0}, builder.getF64Type())));
}

} // namespace
