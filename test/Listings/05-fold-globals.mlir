// RUN: npu-opt --split-input-file --npu-util-fold-globals %s | FileCheck %s --match-full-lines --strict-whitespace

// 5.1 Rule 1, every store writes one constant: it becomes the initial value.
//      CHECK:module {
// CHECK-NEXT:  util.global public mutable @step = 11 : i32
// CHECK-NEXT:  util.func public @reset() {
// CHECK-NEXT:    util.return
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global public mutable @step : i32
util.func public @reset() {
  %c11_i32 = arith.constant 11 : i32
  util.global.store %c11_i32, @step : i32
  util.return
}

// -----

// 5.2 Rule 2, a global only ever stored with loads of another one is that other one.
//      CHECK:module {
// CHECK-NEXT:  util.global private mutable @front : tensor<5xf32>
// CHECK-NEXT:  util.func public @push(%arg0: tensor<5xf32>) {
// CHECK-NEXT:    util.global.store %arg0, @front : tensor<5xf32>
// CHECK-NEXT:    util.return
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func public @pop() -> tensor<5xf32> {
// CHECK-NEXT:    %front = util.global.load @front : tensor<5xf32>
// CHECK-NEXT:    util.return %front : tensor<5xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private mutable @front : tensor<5xf32>
util.global private mutable @back : tensor<5xf32>
util.func public @push(%arg0: tensor<5xf32>) {
  util.global.store %arg0, @front : tensor<5xf32>
  %front = util.global.load @front : tensor<5xf32>
  util.global.store %front, @back : tensor<5xf32>
  util.return
}
util.func public @pop() -> tensor<5xf32> {
  %back = util.global.load @back : tensor<5xf32>
  util.return %back : tensor<5xf32>
}

// -----

// 5.3 Rule 3, stored in initializers only: immutable.
//      CHECK:module {
// CHECK-NEXT:  util.global private @origin : tensor<2xi64>
// CHECK-NEXT:  util.func private @draw() -> tensor<2xi64>
// CHECK-NEXT:  util.initializer {
// CHECK-NEXT:    %0 = util.call @draw() : () -> tensor<2xi64>
// CHECK-NEXT:    util.global.store %0, @origin : tensor<2xi64>
// CHECK-NEXT:    util.return
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func public @read() -> tensor<2xi64> {
// CHECK-NEXT:    %origin = util.global.load immutable @origin : tensor<2xi64>
// CHECK-NEXT:    util.return %origin : tensor<2xi64>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private mutable @origin : tensor<2xi64>
util.func private @draw() -> tensor<2xi64>
util.initializer {
  %0 = util.call @draw() : () -> tensor<2xi64>
  util.global.store %0, @origin : tensor<2xi64>
  util.return
}
util.func public @read() -> tensor<2xi64> {
  %origin = util.global.load @origin : tensor<2xi64>
  util.return %origin : tensor<2xi64>
}

// -----

// 5.4 Rule 4, constant immutable global: loads become constants; `inline.never` stops it.
//      CHECK:module {
// CHECK-NEXT:  util.global private @table {inlining_policy = #util.inline.never} = dense<[7, 1, 4]> : tensor<3xi8>
// CHECK-NEXT:  util.func public @use() -> (f32, tensor<3xi8>) {
// CHECK-NEXT:    %cst = arith.constant 1.250000e-01 : f32
// CHECK-NEXT:    %table = util.global.load immutable @table : tensor<3xi8>
// CHECK-NEXT:    util.return %cst, %table : f32, tensor<3xi8>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private @slope = 1.250000e-01 : f32
util.global private @table {inlining_policy = #util.inline.never} = dense<[7, 1, 4]> : tensor<3xi8>
util.func public @use() -> (f32, tensor<3xi8>) {
  %slope = util.global.load @slope : f32
  %table = util.global.load @table : tensor<3xi8>
  util.return %slope, %table : f32, tensor<3xi8>
}

// -----

// 5.5 Rule 5, never loaded: the global and its stores go, and what fed them with the next round of patterns.
//      CHECK:module {
// CHECK-NEXT:  util.func public @note(%arg0: i32) -> i32 {
// CHECK-NEXT:    util.return %arg0 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private mutable @log : i32
util.func public @note(%arg0: i32) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  util.global.store %0, @log : i32
  util.return %arg0 : i32
}

// -----

// 5.6 Rule 6, immutable globals with equal type, value and attributes are merged.
//      CHECK:module {
// CHECK-NEXT:  util.global private @w0 {inlining_policy = #util.inline.never} = dense<[3, 8]> : tensor<2xi16>
// CHECK-NEXT:  util.func public @both() -> (tensor<2xi16>, tensor<2xi16>) {
// CHECK-NEXT:    %w0 = util.global.load immutable @w0 : tensor<2xi16>
// CHECK-NEXT:    %w0_0 = util.global.load immutable @w0 : tensor<2xi16>
// CHECK-NEXT:    util.return %w0, %w0_0 : tensor<2xi16>, tensor<2xi16>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private @w0 {inlining_policy = #util.inline.never} = dense<[3, 8]> : tensor<2xi16>
util.global private @w1 {inlining_policy = #util.inline.never} = dense<[3, 8]> : tensor<2xi16>
util.func public @both() -> (tensor<2xi16>, tensor<2xi16>) {
  %w0 = util.global.load @w0 : tensor<2xi16>
  %w1 = util.global.load @w1 : tensor<2xi16>
  util.return %w0, %w1 : tensor<2xi16>, tensor<2xi16>
}
