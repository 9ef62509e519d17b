// RUN: npu-opt --npu-util-fold-globals %s --split-input-file | FileCheck %s

// Every store writes one constant: it becomes the initial value.
// CHECK:       util.global public mutable @step = 11 : i32
// CHECK-LABEL: util.func public @reset() {
// CHECK-NEXT:    util.return
// CHECK-NEXT:  }
util.global public mutable @step : i32
util.func public @reset() {
  %c11_i32 = arith.constant 11 : i32
  util.global.store %c11_i32, @step : i32
  util.return
}

// -----

// What is only ever stored with loads of another global, whenever that changes, is that global.
// CHECK:       util.global private mutable @front : tensor<5xf32>
// CHECK-LABEL: util.func public @push(%arg0: tensor<5xf32>) {
// CHECK-NEXT:    util.global.store %arg0, @front : tensor<5xf32>
// CHECK-NEXT:    util.return
// CHECK-NEXT:  }
// CHECK-LABEL: util.func public @pop() -> tensor<5xf32> {
// CHECK-NEXT:    %[[V0:.*]] = util.global.load @front : tensor<5xf32>
// CHECK-NEXT:    util.return %[[V0]] : tensor<5xf32>
// CHECK-NEXT:  }
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

// What only initializers store is immutable.
// CHECK:       util.global private @origin : tensor<2xi64>
// CHECK-LABEL: util.func private @draw() -> tensor<2xi64>
// CHECK-NEXT:  util.initializer {
// CHECK-NEXT:    %[[V1:.*]] = util.call @draw() : () -> tensor<2xi64>
// CHECK-NEXT:    util.global.store %[[V1]], @origin : tensor<2xi64>
// CHECK-NEXT:    util.return
// CHECK-NEXT:  }
// CHECK-LABEL: util.func public @read() -> tensor<2xi64> {
// CHECK-NEXT:    %[[V2:.*]] = util.global.load immutable @origin : tensor<2xi64>
// CHECK-NEXT:    util.return %[[V2]] : tensor<2xi64>
// CHECK-NEXT:  }
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

// Loads of a constant become the constant, unless it must not be inlined.
// CHECK:       util.global private @table {inlining_policy = #util.inline.never} = dense<[7, 1, 4]> : tensor<3xi8>
// CHECK-LABEL: util.func public @use() -> (f32, tensor<3xi8>) {
// CHECK-NEXT:    %[[V3:.*]] = arith.constant 1.250000e-01 : f32
// CHECK-NEXT:    %[[V4:.*]] = util.global.load immutable @table : tensor<3xi8>
// CHECK-NEXT:    util.return %[[V3]], %[[V4]] : f32, tensor<3xi8>
// CHECK-NEXT:  }
util.global private @slope = 1.250000e-01 : f32
util.global private @table {inlining_policy = #util.inline.never} = dense<[7, 1, 4]> : tensor<3xi8>
util.func public @use() -> (f32, tensor<3xi8>) {
  %slope = util.global.load @slope : f32
  %table = util.global.load @table : tensor<3xi8>
  util.return %slope, %table : f32, tensor<3xi8>
}

// -----

// What is never loaded goes, and what fed it.
// CHECK-LABEL: util.func public @note(%arg0: i32) -> i32 {
// CHECK-NEXT:    util.return %arg0 : i32
// CHECK-NEXT:  }
util.global private mutable @log : i32
util.func public @note(%arg0: i32) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  util.global.store %0, @log : i32
  util.return %arg0 : i32
}

// -----

// Equal constants are one.
// CHECK:       util.global private @w0 {inlining_policy = #util.inline.never} = dense<[3, 8]> : tensor<2xi16>
// CHECK-LABEL: util.func public @both() -> (tensor<2xi16>, tensor<2xi16>) {
// CHECK-NEXT:    %[[V5:.*]] = util.global.load immutable @w0 : tensor<2xi16>
// CHECK-NEXT:    %[[V6:.*]] = util.global.load immutable @w0 : tensor<2xi16>
// CHECK-NEXT:    util.return %[[V5]], %[[V6]] : tensor<2xi16>, tensor<2xi16>
// CHECK-NEXT:  }
util.global private @w0 {inlining_policy = #util.inline.never} = dense<[3, 8]> : tensor<2xi16>
util.global private @w1 {inlining_policy = #util.inline.never} = dense<[3, 8]> : tensor<2xi16>
util.func public @both() -> (tensor<2xi16>, tensor<2xi16>) {
  %w0 = util.global.load @w0 : tensor<2xi16>
  %w1 = util.global.load @w1 : tensor<2xi16>
  util.return %w0, %w1 : tensor<2xi16>, tensor<2xi16>
}

// -----

// A copy that is made only sometimes is no copy.
// CHECK-LABEL: util.func public @pop
// CHECK-NEXT:    util.global.load @back
util.global private mutable @front : i32
util.global private mutable @back : i32
util.func public @push(%arg0: i32) {
  util.global.store %arg0, @front : i32
  util.return
}
util.func public @sync() {
  %front = util.global.load @front : i32
  util.global.store %front, @back : i32
  util.return
}
util.func public @pop() -> i32 {
  %back = util.global.load @back : i32
  util.return %back : i32
}
util.func public @peek() -> i32 {
  %front = util.global.load @front : i32
  util.return %front : i32
}

// -----

// The store is kept if there is an initial value, even the same one.
// CHECK:         util.global private mutable @step = 11 : i32
// CHECK:         util.global.store %{{.*}}, @step
util.global private mutable @step = 11 : i32
util.func public @reset() -> i32 {
  %0 = util.global.load @step : i32
  %c11_i32 = arith.constant 11 : i32
  util.global.store %c11_i32, @step : i32
  util.return %0 : i32
}

// -----

// What an attribute or an address refers to stays, and so does what is public.
// CHECK-DAG:     util.global private @dev = #hal.device.target<"npu"> : !hal.device
// CHECK-DAG:     util.global private mutable @cell = 1 : i32
// CHECK-DAG:     util.global public @seen = 2 : i32
// CHECK-NOT:     @unseen
module attributes {stream.affinity.default = #hal.device.affinity<@dev>} {
  util.global private @dev = #hal.device.target<"npu"> : !hal.device
  util.global private mutable @cell = 1 : i32
  util.global public @seen = 2 : i32
  util.global private @unseen = 3 : i32
  util.func public @address() -> !util.ptr<i32> {
    %0 = util.global.address @cell : !util.ptr<i32>
    util.return %0 : !util.ptr<i32>
  }
}

// -----

// A constant with an attribute of another dialect is not inlined; a parameter is, as a constant of
// the dialect that it belongs to.
// CHECK-LABEL: util.func public @use
// CHECK-DAG:     flow.tensor.constant #flow.parameter.named<"net"::"w"> : tensor<4xf32>
// CHECK-DAG:     util.global.load immutable @tagged
util.global private @tagged {stream.affinity = #hal.device.affinity<@dev>} = 4 : i32
util.global private @w = #flow.parameter.named<"net"::"w"> : tensor<4xf32>
util.global private @dev = #hal.device.target<"npu"> : !hal.device
util.func public @use() -> (i32, tensor<4xf32>) {
  %0 = util.global.load @tagged : i32
  %1 = util.global.load @w : tensor<4xf32>
  util.return %0, %1 : i32, tensor<4xf32>
}
