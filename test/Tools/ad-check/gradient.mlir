// RUN: ad-check %s @f --at="2;3,5" --print-gradient --expect-grad="15;10,6" | FileCheck %s
// RUN: ad-check %s @f --at="2;3,5" --expect-grad=";10,6" | FileCheck %s --check-prefix=PART
// RUN: sh -c 'ad-check %s @f --at="2;3,5" --expect-grad="15.1;10,6" > %t; test $? -eq 1'
// RUN: FileCheck %s --input-file %t --check-prefix=WRONG
// RUN: ad-check %s @scale --at="2;3,5" --print-gradient | FileCheck %s --check-prefix=MEMORY

// CHECK: gradient of arg 0: 15
// CHECK-NEXT: gradient of arg 1: 10 6
// CHECK: expected arg 0[0] {{.*}} ok
// CHECK: expected arg 1[0] {{.*}} ok
// CHECK: expected arg 1[1] {{.*}} ok
// CHECK: PASS
// PART-NOT: expected arg 0
// PART: expected arg 1[0] {{.*}} ok
// WRONG: expected arg 0[0] {{.*}} FAIL
func.func @f(%x: f64, %m: memref<2xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[%c0] : memref<2xf64>
  %1 = memref.load %m[%c1] : memref<2xf64>
  %2 = arith.mulf %0, %1 : f64
  %3 = arith.mulf %2, %x : f64
  return %3 : f64
}

// No result: the gradient of the sum of what the memory holds afterwards.
// MEMORY: gradient of arg 0: 3
// MEMORY-NEXT: gradient of arg 1: 2 1
func.func @scale(%x: f64, %m: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %m[%c0] : memref<2xf64>
  %1 = arith.mulf %0, %x : f64
  memref.store %1, %m[%c0] : memref<2xf64>
  return
}
