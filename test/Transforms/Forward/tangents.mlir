// RUN: ad-opt %s --ad-differentiate --split-input-file | FileCheck %s

// What does not depend on an active input, or does not influence an active
// output, gets no tangent.
func.func @only_active(%x: f64, %c: f64) -> (f64, f64) {
  %0 = math.exp %c : f64
  %1 = arith.mulf %x, %0 : f64
  %2 = math.cos %x : f64
  return %1, %2 : f64, f64
}
func.func @call_only_active(%x: f64, %dx: f64, %c: f64) -> f64 {
  %0 = autodiff.fwddiff @only_active(dup(%x, %dx), const %c)
      returns (active_noneed, const_noneed) : (f64, f64, f64) -> f64
  return %0 : f64
}
// CHECK-LABEL: func.func private @only_active.forward(
// CHECK-SAME:    %[[X:.*]]: f64, %[[DX:.*]]: f64, %[[C:.*]]: f64)
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[C]] : f64
// CHECK-NEXT:    %[[Y:.*]] = arith.mulf %[[X]], %[[E]] : f64
// CHECK-NEXT:    %[[DY:.*]] = arith.mulf %[[DX]], %[[E]] : f64
// CHECK-NEXT:    %[[Z:.*]] = math.cos %[[X]] : f64
// CHECK-NEXT:    return %[[Y]], %[[DY]], %[[Z]]

// -----

// Derivative operations carry the flags of the primal, and those asked for.
func.func @flags(%x: f64) -> f64 {
  %0 = arith.mulf %x, %x fastmath<nnan> : f64
  %1 = math.sin %0 : f64
  return %1 : f64
}
func.func @call_flags(%x: f64, %dx: f64) -> (f64, f64) {
  %0 = autodiff.fwddiff @flags(dup(%x, %dx)) returns (active_noneed)
      : (f64, f64) -> f64
  %1 = autodiff.fwddiff @flags(dup(%x, %dx)) returns (active_noneed)
      {fastmath = #arith.fastmath<contract>} : (f64, f64) -> f64
  return %0, %1 : f64, f64
}
// CHECK-LABEL: func.func private @flags.forward_0(
// CHECK:         %[[Y:.*]] = arith.mulf %{{.*}} fastmath<nnan> : f64
// CHECK:         arith.addf {{.*}} fastmath<nnan,contract> : f64
// CHECK:         math.sin %[[Y]] : f64
// CHECK:         math.cos %[[Y]] fastmath<contract> : f64
// CHECK-LABEL: func.func private @flags.forward(
// CHECK:         arith.addf {{.*}} fastmath<nnan> : f64
// CHECK:         math.cos %{{[^ ]*}} : f64
// CHECK-LABEL: func.func @call_flags
// CHECK:         call @flags.forward(
// CHECK:         call @flags.forward_0(

// -----

// Of two values that a loop carries, one is active.
func.func @carried(%x: f64, %n: index) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %one, %b = %one)
      -> (f64, f64) {
    %1 = arith.mulf %a, %x : f64
    %2 = arith.addf %b, %one : f64
    scf.yield %1, %2 : f64, f64
  }
  return %0#0, %0#1 : f64, f64
}
func.func @call_carried(%x: f64, %dx: f64, %n: index) -> f64 {
  %0 = autodiff.fwddiff @carried(dup(%x, %dx), const %n)
      returns (active_noneed, const_noneed) : (f64, f64, index) -> f64
  return %0 : f64
}
// CHECK-LABEL: func.func private @carried.forward(
// CHECK:         %[[ZERO:.*]] = arith.constant 0.0
// CHECK:         %[[R:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %[[ONE:.*]], %{{.*}} = %[[ONE]], %{{.*}} = %[[ZERO]]) -> (f64, f64, f64)
// CHECK:         return %[[R]]#0, %[[R]]#2, %[[R]]#1

// -----

// A region without anything active in it stays as it is.
func.func @inactive_region(%x: f64, %m: memref<?xindex>, %n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  %0 = arith.addf %x, %x : f64
  return %0 : f64
}
func.func @call_inactive_region(%x: f64, %dx: f64, %m: memref<?xindex>,
                                %n: index) -> f64 {
  %0 = autodiff.fwddiff @inactive_region(dup(%x, %dx), const %m, const %n)
      returns (active_noneed) : (f64, f64, memref<?xindex>, index) -> f64
  return %0 : f64
}
// CHECK-LABEL: func.func private @inactive_region.forward(
// CHECK:         scf.for
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }

// -----

// Vector mode: tangents in memory have the directions innermost.
func.func @wide(%m: memref<?xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<?xf32>
  %1 = arith.mulf %0, %0 : f32
  memref.store %1, %m[%i] : memref<?xf32>
  return %1 : f32
}
func.func @call_wide(%m: memref<?xf32>, %dm: memref<?xvector<4xf32>>,
                     %i: index) -> vector<4xf32> {
  %0 = autodiff.fwddiff @wide(dup(%m, %dm), const %i) returns (active_noneed)
      {width = 4} : (memref<?xf32>, memref<?xvector<4xf32>>, index)
      -> vector<4xf32>
  return %0 : vector<4xf32>
}
// CHECK-LABEL: func.func private @wide.forward(
// CHECK-SAME:    %[[M:.*]]: memref<?xf32>, %[[DM:.*]]: memref<?xvector<4xf32>>, %[[I:.*]]: index) -> (f32, vector<4xf32>)
// CHECK:         %[[X:.*]] = memref.load %[[M]][%[[I]]]
// CHECK-NEXT:    %[[DX:.*]] = memref.load %[[DM]][%[[I]]] : memref<?xvector<4xf32>>
// CHECK:         memref.store %[[Y:.*]], %[[M]][%[[I]]]
// CHECK-NEXT:    memref.store %[[DY:.*]], %[[DM]][%[[I]]] : memref<?xvector<4xf32>>
// CHECK-NEXT:    return %[[Y]], %[[DY]]
