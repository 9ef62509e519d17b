// RUN: npu-opt --npu-util-fuse-globals %s --split-input-file | FileCheck %s

// Two globals are always set together to the same value.
// CHECK:       util.global private mutable @a : i32
// CHECK-NOT:   @b
// CHECK-LABEL: util.func public @set
// CHECK-NEXT:    util.global.store %arg0, @a
// CHECK-NEXT:    util.return
// CHECK-LABEL: util.func public @get
// CHECK-NEXT:    %[[A:.*]] = util.global.load @a
// CHECK-NEXT:    %[[B:.*]] = util.global.load @a
// CHECK-NEXT:    util.return %[[A]], %[[B]]
util.global private mutable @a : i32
util.global private mutable @b : i32
util.func public @set(%arg0: i32) {
  util.global.store %arg0, @a : i32
  util.global.store %arg0, @b : i32
  util.return
}
util.func public @get() -> (i32, i32) {
  %0 = util.global.load @a : i32
  %1 = util.global.load @b : i32
  util.return %0, %1 : i32, i32
}

// -----

// The order of the stores does not matter, other globals between them neither.
// CHECK-NOT:   @b
// CHECK:       util.func public @swap
util.global private mutable @a : i32
util.global private mutable @b : i32
util.global private mutable @c : i32
util.func public @set(%arg0: i32, %arg1: i32) -> i32 {
  util.global.store %arg0, @a : i32
  util.global.store %arg1, @c : i32
  util.global.store %arg0, @b : i32
  %0 = util.global.load @b : i32
  util.return %0 : i32
}
util.func public @swap(%arg0: i32) -> (i32, i32) {
  util.global.store %arg0, @b : i32
  util.global.store %arg0, @a : i32
  %0 = util.global.load @a : i32
  %1 = util.global.load @c : i32
  util.return %0, %1 : i32, i32
}

// -----

// One store without its twin, a call between two stores, another initial value: these stay.
// CHECK-DAG:   util.global private mutable @a
// CHECK-DAG:   util.global private mutable @b
// CHECK-DAG:   util.global private mutable @c
// CHECK-DAG:   util.global private mutable @d
// CHECK-DAG:   util.global private mutable @e
util.global private mutable @a : i32
util.global private mutable @b : i32
util.global private mutable @c : i32
util.global private mutable @d : i32
util.global private mutable @e = 5 : i32
util.func private @tick()
util.func public @set(%arg0: i32, %arg1: i32) {
  util.global.store %arg0, @a : i32
  util.global.store %arg0, @b : i32
  util.global.store %arg0, @e : i32
  util.global.store %arg1, @c : i32
  util.call @tick() : () -> ()
  util.global.store %arg1, @d : i32
  util.return
}
util.func public @more(%arg0: i32) -> (i32, i32, i32, i32, i32) {
  util.global.store %arg0, @a : i32
  %0 = util.global.load @a : i32
  %1 = util.global.load @b : i32
  %2 = util.global.load @c : i32
  %3 = util.global.load @d : i32
  %4 = util.global.load @e : i32
  util.return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}

// -----

// Between the stores somebody sees that the values differ.
// CHECK:       util.global private mutable @b
util.global private mutable @a : i32
util.global private mutable @b : i32
util.func public @set(%arg0: i32) -> (i32, i32) {
  util.global.store %arg0, @a : i32
  %0 = util.global.load @b : i32
  util.global.store %arg0, @b : i32
  %1 = util.global.load @a : i32
  util.return %0, %1 : i32, i32
}
