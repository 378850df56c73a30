//===- Heap.cpp - the heap of the checked code ---------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checked code allocates here, so that mistakes show which would go
// unnoticed by chance on a fresh heap:
//
//   * new blocks hold NaNs (as integers: -1), so that a shadow that is not
//     zeroed spoils the derivative,
//   * freed blocks are overwritten and not handed out again, so that what is
//     read from them is not the old value,
//   * blocks are fenced, so that a write past their end is found when they are
//     freed,
//   * blocks are counted, so that a derivative that does not free its tape is
//     found by comparison with the primal.
//
//===----------------------------------------------------------------------===//

#include "Heap.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>
#include <deque>

using namespace mlir::autodiff;
using namespace mlir::autodiff::check;

namespace {

/// Lies in front of every block, at its end behind its last byte.
constexpr uint64_t kFence = 0xfadedfacade0ddba;

struct Header {
  void *allocation;
  size_t size;
  uint64_t freed;
  uint64_t fence;
};

/// Freed blocks that are kept, and how much of them.
constexpr size_t kQuarantineBytes = size_t(64) << 20;

struct Heap {
  int64_t live = 0;
  std::string error;
  std::deque<Header *> quarantine;
  size_t quarantined = 0;
};

} // namespace

/// One heap per process; each function is checked in a process of its own.
static Heap heap;

static void *allocate(size_t size, size_t alignment) {
  alignment = std::max<size_t>(alignment, 64);
  void *allocation = nullptr;
  if (size > (size_t(1) << 46) ||
      posix_memalign(&allocation, alignment,
                     llvm::alignTo(sizeof(Header), alignment) + size +
                         sizeof(kFence)) != 0)
    return nullptr;
  char *block = static_cast<char *>(allocation) +
                llvm::alignTo(sizeof(Header), alignment);
  Header header = {allocation, size, 0, kFence};
  std::memcpy(block - sizeof(Header), &header, sizeof(Header));
  std::memset(block, 0xff, size);
  std::memcpy(block + size, &kFence, sizeof(kFence));
  ++heap.live;
  return block;
}

static void complain(const char *what) {
  if (heap.error.empty())
    heap.error = what;
}

extern "C" {

static void *checkedMalloc(size_t size) { return allocate(size, 64); }

static void *checkedAlignedAlloc(size_t alignment, size_t size) {
  return allocate(size, alignment);
}

static void *checkedCalloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return nullptr;
  void *block = allocate(bytes, 64);
  if (block)
    std::memset(block, 0, bytes);
  return block;
}

static void checkedFree(void *block) {
  if (!block)
    return;
  auto *header =
      reinterpret_cast<Header *>(static_cast<char *>(block) - sizeof(Header));
  if (header->fence != kFence)
    return complain("frees memory that it did not allocate");
  if (header->freed)
    return complain("frees memory twice");
  uint64_t fence;
  std::memcpy(&fence, static_cast<char *>(block) + header->size, sizeof(fence));
  if (fence != kFence)
    complain("writes past the end of its memory");
  --heap.live;
  header->freed = 1;
  std::memset(block, 0xff, header->size);
  heap.quarantine.push_back(header);
  heap.quarantined += header->size;
  while (heap.quarantined > kQuarantineBytes) {
    Header *oldest = heap.quarantine.front();
    heap.quarantine.pop_front();
    heap.quarantined -= oldest->size;
    std::free(oldest->allocation);
  }
}

static void *checkedRealloc(void *block, size_t size) {
  void *result = allocate(size, 64);
  if (block && result) {
    auto *header =
        reinterpret_cast<Header *>(static_cast<char *>(block) - sizeof(Header));
    if (header->fence == kFence)
      std::memcpy(result, block, std::min(size, header->size));
    checkedFree(block);
  }
  return result;
}

} // extern "C"

int64_t check::getNumLiveBlocks() { return heap.live; }

std::string check::takeHeapError() { return std::exchange(heap.error, {}); }

std::vector<std::pair<llvm::StringRef, void *>> check::getHeapFunctions() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  return {{"malloc", address(&checkedMalloc)},
          {"aligned_alloc", address(&checkedAlignedAlloc)},
          {"calloc", address(&checkedCalloc)},
          {"realloc", address(&checkedRealloc)},
          {"free", address(&checkedFree)}};
}
