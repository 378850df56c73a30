// RUN: ad-opt %s --ad-print-memory --split-input-file --allow-unregistered-dialect -o /dev/null | FileCheck %s

// What a caller knows of a call.

// CHECK-LABEL: memory of @copy
// CHECK: effects: reads #0 writes #1{{$}}
func.func @copy(%from: memref<f64>, %to: memref<f64>) {
  %0 = memref.load %from[] : memref<f64>
  memref.store %0, %to[] : memref<f64>
  return
}

// Through any number of calls.

// CHECK-LABEL: memory of @copy_back
// CHECK: effects: reads #1 writes #0{{$}}
func.func @copy_back(%to: memref<f64>, %from: memref<f64>) {
  call @copy(%from, %to) : (memref<f64>, memref<f64>) -> ()
  return
}

// CHECK-LABEL: memory of @frees
// CHECK: effects: writes #0{{$}}
func.func @frees(%a: memref<f64>) {
  memref.dealloc %a : memref<f64>
  return
}

// A call writes to what its callee writes to.

// CHECK-LABEL: memory of @caller
// CHECK: class %arg0: argument
// CHECK: 'source': memref.load reads %arg0, kept
// CHECK: class %alloc: allocation
// CHECK: 'target': memref.load reads %alloc, may change
// CHECK: effects: reads #0{{$}}
func.func @caller(%a: memref<f64>) {
  %m = memref.alloc() : memref<f64>
  %0 = memref.load %a[] : memref<f64> loc("source")
  %1 = memref.load %m[] : memref<f64> loc("target")
  call @copy(%a, %m) : (memref<f64>, memref<f64>) -> ()
  return
}

// -----

// Without a body anything may happen; also by way of other calls.

func.func private @unknown(memref<f64>)
func.func private @unknown_nothing()
func.func private @inactive(memref<f64>) attributes {autodiff.inactive}
func.func private @forgets(memref<f64> {llvm.nocapture})

// CHECK-LABEL: memory of @calls_unknown
// CHECK: class %arg0 %arg1: argument unknown
// CHECK: effects: reads #0 writes #0 captures #0 reads globals writes globals
func.func @calls_unknown(%a: memref<f64>, %b: memref<f64>) {
  call @unknown(%a) : (memref<f64>) -> ()
  return
}

// CHECK-LABEL: memory of @keeps
// CHECK: class %alloc: allocation
// CHECK: 'before_kept': memref.load reads %alloc, kept
// CHECK-LABEL: memory of @lets_escape
// CHECK: class %alloc: allocation unknown
// CHECK: 'before_escape': memref.load reads %alloc, may change
func.func @keeps() {
  %m = memref.alloc() : memref<f64>
  call @inactive(%m) : (memref<f64>) -> ()
  call @forgets(%m) : (memref<f64>) -> ()
  %0 = memref.load %m[] : memref<f64> loc("before_kept")
  call @unknown_nothing() : () -> ()
  return
}

func.func @lets_escape() {
  %m = memref.alloc() : memref<f64>
  call @unknown(%m) : (memref<f64>) -> ()
  %0 = memref.load %m[] : memref<f64> loc("before_escape")
  call @unknown_nothing() : () -> ()
  return
}

// Even an inactive function writes to memory.

// CHECK-LABEL: memory of @calls_inactive
// CHECK: 'before_inactive': memref.load reads %arg0, may change
// CHECK: effects: reads #0 writes #0 reads globals writes globals
func.func @calls_inactive(%a: memref<f64>) {
  %0 = memref.load %a[] : memref<f64> loc("before_inactive")
  call @inactive(%a) : (memref<f64>) -> ()
  return
}

// -----

// Recursion, of one and of several.

// CHECK-LABEL: memory of @recursive
// CHECK: effects: writes #1{{$}}
func.func @recursive(%a: memref<f64>, %b: memref<f64>, %x: f64) {
  memref.store %x, %b[] : memref<f64>
  call @recursive(%a, %b, %x) : (memref<f64>, memref<f64>, f64) -> ()
  return
}

// CHECK-LABEL: memory of @even
// CHECK: effects: reads #0 #1 writes #0 #1 #2{{$}}
// CHECK-LABEL: memory of @odd
// CHECK: effects: reads #0 #1 writes #0 #1 #2{{$}}
func.func @even(%a: memref<f64>, %b: memref<f64>, %c: memref<f64>) {
  memref.copy %a, %b : memref<f64> to memref<f64>
  call @odd(%b, %a, %c) : (memref<f64>, memref<f64>, memref<f64>) -> ()
  return
}
func.func @odd(%a: memref<f64>, %b: memref<f64>, %c: memref<f64>) {
  memref.dealloc %c : memref<f64>
  call @even(%a, %b, %c) : (memref<f64>, memref<f64>, memref<f64>) -> ()
  return
}

// A cycle that reaches an unknown function.

func.func private @unknown(memref<f64>)

// CHECK-LABEL: memory of @leaks
// CHECK: effects: reads #0 writes #0 captures #0 reads globals writes globals
func.func @leaks(%a: memref<f64>, %b: memref<f64>) {
  call @leaks_later(%b, %a) : (memref<f64>, memref<f64>) -> ()
  return
}
// CHECK-LABEL: memory of @leaks_later
// CHECK: effects: reads #1 writes #1 captures #1 reads globals writes globals
func.func @leaks_later(%a: memref<f64>, %b: memref<f64>) {
  call @leaks(%b, %a) : (memref<f64>, memref<f64>) -> ()
  call @unknown(%b) : (memref<f64>) -> ()
  return
}

// What a recursive function returns.

// CHECK-LABEL: memory of @returns_either
// CHECK-LABEL: memory of @takes_either
// CHECK: class %alloc: allocation
// CHECK: class %alloc_0 %0: allocation chosen
func.func @returns_either(%a: memref<f64>, %b: memref<f64>, %c: i1) -> memref<f64> {
  %0 = scf.if %c -> memref<f64> {
    %1 = func.call @returns_either(%a, %b, %c)
        : (memref<f64>, memref<f64>, i1) -> memref<f64>
    scf.yield %1 : memref<f64>
  } else {
    scf.yield %b : memref<f64>
  }
  return %0 : memref<f64>
}
func.func @takes_either(%c: i1) {
  %m = memref.alloc() : memref<f64>
  %n = memref.alloc() : memref<f64>
  %0 = call @returns_either(%m, %n, %c)
      : (memref<f64>, memref<f64>, i1) -> memref<f64>
  return
}

// -----

// A function that is called through a value.

// CHECK-LABEL: memory of @indirect
// CHECK: effects: reads #0 writes #0 captures #0 reads globals writes globals
func.func @indirect(%a: memref<f64>, %f: (memref<f64>) -> ()) {
  call_indirect %f(%a) : (memref<f64>) -> ()
  return
}

// -----

memref.global "private" @state : memref<f64> = dense<1.0>

// CHECK-LABEL: memory of @sets
// CHECK: effects: writes globals
func.func @sets(%x: f64) {
  %0 = memref.get_global @state : memref<f64>
  memref.store %x, %0[] : memref<f64>
  return
}

// An argument may be the global, memory of one's own is not.

// CHECK-LABEL: memory of @calls_sets
// CHECK: 'argument': memref.load reads %arg0, may change
// CHECK: 'unaliased': memref.load reads %arg1, kept
// CHECK: 'own': memref.load reads %alloc, kept
// CHECK: effects: reads #0 #1 writes globals
func.func @calls_sets(%a: memref<f64>, %b: memref<f64> {autodiff.noalias},
                      %x: f64) {
  %m = memref.alloc() : memref<f64>
  %0 = memref.load %a[] : memref<f64> loc("argument")
  %1 = memref.load %b[] : memref<f64> loc("unaliased")
  %2 = memref.load %m[] : memref<f64> loc("own")
  call @sets(%x) : (f64) -> ()
  return
}

// -----

// References that are returned.

func.func @second(%a: memref<f64>, %b: memref<f64>) -> memref<f64> {
  return %b : memref<f64>
}

func.func @makes(%x: f64) -> memref<f64> {
  %m = memref.alloc() : memref<f64>
  memref.store %x, %m[] : memref<f64>
  return %m : memref<f64>
}

func.func @twice() -> (memref<f64>, memref<f64>, memref<f64>) {
  %m = memref.alloc() : memref<f64>
  %n = memref.alloc() : memref<f64>
  return %m, %n, %m : memref<f64>, memref<f64>, memref<f64>
}

func.func @either(%c: i1) -> (memref<f64>, memref<f64>) {
  %m = memref.alloc() : memref<f64>
  %n = memref.alloc() : memref<f64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %m, %m : memref<f64>, memref<f64>
^bb2:
  return %m, %n : memref<f64>, memref<f64>
}

// CHECK-LABEL: memory of @takes
// CHECK: class %alloc: allocation
// CHECK: class %alloc_0 %0: allocation chosen
// CHECK: class %1: allocation
// CHECK: class %2#0 %2#2: allocation
// CHECK: class %2#1: allocation
// CHECK: class %3#0 %3#1: allocation
func.func @takes(%x: f64, %c: i1) {
  %m = memref.alloc() : memref<f64>
  %n = memref.alloc() : memref<f64>
  %0 = call @second(%m, %n) : (memref<f64>, memref<f64>) -> memref<f64>
  %1 = call @makes(%x) : (f64) -> memref<f64>
  %2:3 = call @twice() : () -> (memref<f64>, memref<f64>, memref<f64>)
  %3:2 = call @either(%c) : (i1) -> (memref<f64>, memref<f64>)
  return
}
