//===- Random.h - reproducible random numbers ----------------------------===//
//
// Part of the Autodiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef AUTODIFF_TOOLS_ADCHECK_RANDOM_H
#define AUTODIFF_TOOLS_ADCHECK_RANDOM_H

#include <cstdint>

namespace mlir::autodiff::check {

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every system.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }
  /// Away from zero, of either sign.
  double signedUniform() {
    double size = uniform(0.5, 1.5);
    return next() & 1 ? -size : size;
  }

private:
  uint64_t state;
};

} // namespace mlir::autodiff::check

#endif // AUTODIFF_TOOLS_ADCHECK_RANDOM_H
