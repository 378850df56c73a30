// What cannot be checked ends with exit code 2 and says why.
// RUN: sh -c 'ad-check %s > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=MANY
// RUN: sh -c 'ad-check %s @missing > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=MISSING
// RUN: sh -c 'ad-check %s @external > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=EXTERNAL
// RUN: sh -c 'ad-check %s @f --all > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s.missing > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f --activity=hot > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=ACTIVITY
// RUN: sh -c 'ad-check %s @f --activity=active,active > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=COUNT
// RUN: sh -c 'ad-check %s @f --activity=dup > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=TYPE
// RUN: sh -c 'ad-check %s @f --activity=active_noneed > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f --result-activity=dup > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @i --activity=active > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @i > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=NOTHING
// RUN: sh -c 'ad-check %s @f --activity=const > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f --sizes=3 > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=SIZES
// RUN: sh -c 'ad-check %s @f --sizes=-1 > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f --width=0 > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f --width=x > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f --at=1,y > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f "--at=1;2" > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f "--expect-grad=1,2" > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f "--expect-grad=" > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f --mode=sideways > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @f --order=never > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @complex > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=COMPLEX
// RUN: sh -c 'ad-check %s @complex_result > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @unranked > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @pointer > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @large > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=LARGE
// RUN: sh -c 'ad-check %s @bad_domain > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=DOMAIN
// RUN: sh -c 'ad-check %s @bad_sizes > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @bad_alias > %t 2>&1; test $? -eq 2'
// RUN: FileCheck %s --input-file %t --check-prefix=ALIAS
// RUN: sh -c 'ad-check %s @calls_external > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @odd_f80 > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @odd_f8 > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @odd_i128 > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @odd_none > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @odd_tuple > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @odd_function > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @odd_layout > %t 2>&1; test $? -eq 2'
// RUN: sh -c 'ad-check %s @odd_space > %t 2>&1; test $? -eq 2'
// RUN: ad-check %s @f --seed=7 | FileCheck %s

// MANY: functions; name one of them, or give --all
// MISSING: no func.func named @missing
// CHECK: PASS @f
// ACTIVITY: expected an activity {{.*}}, got 'hot'
// COUNT: expected 1 activities, one per argument, got 2
// TYPE: argument #0 of type 'f64' cannot be 'dup'
// SIZES: got 1 sizes, but there are only 0 dynamic dimensions
func.func @f(%x: f64) -> f64 {
  %0 = arith.mulf %x, %x : f64
  return %0 : f64
}
// NOTHING: nothing to differentiate: no active argument
func.func @i(%x: i32) -> i32 {
  return %x : i32
}
// EXTERNAL: has no body to check
func.func private @external(f64) -> f64
func.func @calls_external(%x: f64) -> f64 {
  %0 = func.call @external(%x) : (f64) -> f64
  return %0 : f64
}
// COMPLEX: cannot pass a value of type 'complex<f64>'
func.func @complex(%x: complex<f64>) -> complex<f64> {
  return %x : complex<f64>
}
func.func @complex_result(%x: f64) -> complex<f64> {
  %0 = complex.create %x, %x : complex<f64>
  return %0 : complex<f64>
}
func.func @unranked(%x: f64, %m: memref<*xf64>) -> f64 {
  return %x : f64
}
func.func @pointer(%x: f64, %p: !llvm.ptr) -> f64 {
  return %x : f64
}
// LARGE: is too large
func.func @large(%m: memref<100000x100000x1000000x100000000xf64>) {
  return
}
// DOMAIN: 'autodiff.domain' of argument #0: expected [low, high]
func.func @bad_domain(%x: f64 {autodiff.domain = [2.0, 1.0]}) -> f64 {
  return %x : f64
}
func.func @bad_sizes(%x: memref<2xf64> {autodiff.sizes = [1, 2]}) {
  return
}
// ALIAS: expected the number of an earlier argument
func.func @bad_alias(%x: memref<2xf64> {autodiff.alias = 0}) {
  return
}
func.func @odd_f80(%x: f80) {
  return
}
func.func @odd_f8(%x: f8E5M2) {
  return
}
func.func @odd_i128(%x: f64, %i: i128) {
  return
}
func.func @odd_none(%x: f64, %i: none) {
  return
}
func.func @odd_tuple(%x: f64, %i: tuple<f64, i32>) {
  return
}
func.func @odd_function(%x: f64, %i: (f64) -> f64) {
  return
}
func.func @odd_layout(%x: f64, %m: memref<4xf64, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>) {
  return
}
func.func @odd_space(%m: memref<4xf64, "gpu">) {
  return
}
