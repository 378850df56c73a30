// RUN: ad-check %s @f --activity=active,const,const | FileCheck %s --check-prefix=VALUE
// RUN: ad-check %s @f --activity=const,dup,const --sizes=7 | FileCheck %s --check-prefix=MEMORY
// RUN: ad-check %s @f --activity=const,dup_noneed,const | FileCheck %s
// RUN: ad-check %s @g --result-activity=active,const | FileCheck %s --check-prefix=FIRST
// RUN: ad-check %s @g --result-activity=const_noneed,active_noneed | FileCheck %s

// CHECK: PASS
// VALUE: forward arg 0
// VALUE-NOT: arg 1
// VALUE: PASS
// MEMORY-NOT: arg 0
// MEMORY: reverse arg 1[6]
// MEMORY-NOT: arg 1[7]
// MEMORY: PASS
func.func @f(%x: f64, %m: memref<?xf64>, %i: index) -> f64 {
  %0 = memref.load %m[%i] : memref<?xf64>
  %1 = arith.mulf %0, %x : f64
  return %1 : f64
}
// The second result would make the first test of its input fail.
// FIRST: forward arg 0 1.0
// FIRST: PASS
func.func @g(%x: f64) -> (f64, f64) {
  %two = arith.constant 2.0 : f64
  %0 = arith.addf %x, %two : f64
  %1 = math.exp %x : f64
  return %0, %1 : f64, f64
}
