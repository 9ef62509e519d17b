// RUN: npu-opt %s | FileCheck %s
// RUN: npu-opt %s | npu-opt | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt | FileCheck %s

// CHECK: util.func private @declared(%arg0: tensor<4xf32>, %arg1: index {name.attr}) -> (%arg0, tensor<?xi8> {name.attr})
util.func private @declared(tensor<4xf32>, index {name.attr}) -> (%arg0, tensor<?xi8> {name.attr})
// CHECK: util.func private @noArguments()
util.func private @noArguments()
// CHECK: util.func private @twoResults() -> (index, i64)
util.func private @twoResults() -> index, i64

// CHECK: util.func public @tied(%arg0: tensor<4xf32> {name.attr}, %arg1: tensor<8xi8>) -> (%arg0, %arg1 as tensor<2xi32>) attributes {inlining_policy = #util.inline.never, note} {
util.func public @tied(%a: tensor<4xf32> {name.attr}, %b: tensor<8xi8>) -> (%a, %b as tensor<2xi32>)
    attributes {inlining_policy = #util.inline.never, note} {
  // CHECK: util.call @tied(%arg0, %arg1) : (tensor<4xf32>, tensor<8xi8>) -> (%arg0, %arg1 as tensor<2xi32>)
  %0:2 = util.call @tied(%a, %b) : (tensor<4xf32>, tensor<8xi8>) -> (%a, %b as tensor<2xi32>)
  // CHECK: util.call @noArguments() {note} : () -> ()
  util.call @noArguments() {note} : () -> ()
  // CHECK: util.return %{{.*}}#0, %{{.*}}#1 : tensor<4xf32>, tensor<2xi32>
  util.return %0#0, %0#1 : tensor<4xf32>, tensor<2xi32>
}

// CHECK: util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"a", "b", {c = "[>", d = 1 : i64}>]> : !hal.device
util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"a", "b", {c = "[>", d = 1 : i64}>]> : !hal.device
// CHECK: util.global private @data {inlining_policy = #util.inline.never, other = #stream.something<[1, {2}]>} = dense<1> : tensor<4xi32>
util.global private @data {inlining_policy = #util.inline.never, other = #stream.something<[1, {2}]>} = dense<1> : tensor<4xi32>
// CHECK: util.global private @parameter = #flow.parameter.named<"model"::"w"> : tensor<4xf32>
util.global private @parameter = #flow.parameter.named<"model"::"w"> : tensor<4xf32>
// CHECK: util.global public mutable @state : tensor<4xf32>
util.global mutable @state : tensor<4xf32>
// CHECK: util.global private @other : tensor<4xf32> = #util.uninitialized
util.global private @other : tensor<4xf32> = #util.uninitialized
// CHECK: util.global private @four : i32
util.global private @four : i32

// CHECK: util.initializer {
// CHECK:   util.global.store %{{.*}}, @four : i32
util.initializer {
  %0 = arith.constant 4 : i32
  util.global.store %0, @four : i32
  util.return
}

// CHECK-LABEL: util.func public @uses
util.func public @uses(%t: tensor<4xf32>) {
  // CHECK: %data = util.global.load immutable @data : tensor<4xi32>
  %0 = util.global.load immutable @data : tensor<4xi32>
  // CHECK: %state = util.global.load @state : tensor<4xf32>
  %1 = util.global.load @state : tensor<4xf32>
  // CHECK: util.global.store %arg0, @state {note} : tensor<4xf32>
  util.global.store %t, @state {note} : tensor<4xf32>
  // CHECK: util.optimization_barrier %data, %state : tensor<4xi32>, tensor<4xf32>
  %2:2 = util.optimization_barrier %0, %1 : tensor<4xi32>, tensor<4xf32>
  // CHECK: util.unfoldable_constant dense<1.000000e+00> : tensor<4xf32>
  %3 = util.unfoldable_constant dense<1.0> : tensor<4xf32>
  // CHECK: util.unfoldable_constant 7 : i32
  %4 = util.unfoldable_constant 7 : i32
  util.return
}

// CHECK-LABEL: util.func public @hints
util.func public @hints(%a: index, %b: i32) {
  // CHECK: util.assume.int %arg0<umin = 16, umax = 128, udiv = 16> : index
  %0 = util.assume.int %a<umin = 16, umax = 128, udiv = 16> : index
  // CHECK: util.assume.int
  // CHECK-NEXT: %arg0[<umin = 0>, <udiv = 4>],
  // CHECK-NEXT: %arg1<umax = 7> {note}
  // CHECK-NEXT: : index, i32
  %1:2 = util.assume.int %a[<umin = 0>, <udiv = 4>], %b<umax = 7> {note} : index, i32
  // CHECK: util.align %arg0, %arg0 : index
  %2 = util.align %a, %a : index
  // CHECK: util.null : !hal.fence
  %3 = util.null : !hal.fence
  // CHECK: util.cast %arg1 : i32 to f32
  %4 = util.cast %b : i32 to f32
  // CHECK: %buffer_cst = util.buffer.constant {alignment = 64 : index, mime_type = "text/plain"} : !util.buffer = "text"
  %5 = util.buffer.constant {alignment = 64 : index, mime_type = "text/plain"} : !util.buffer = "text"
  // CHECK: util.buffer.constant "name" : !util.buffer = dense<1> : tensor<4xi32>
  %6 = util.buffer.constant "name" : !util.buffer = dense<1> : tensor<4xi32>
  // CHECK: util.unreachable "message"
  util.unreachable "message"
}

// CHECK-LABEL: util.func public @addresses
util.func public @addresses(%t: tensor<4xf32>) {
  // CHECK: %ptr_state = util.global.address @state : !util.ptr<tensor<4xf32>>
  %0 = util.global.address @state : !util.ptr<tensor<4xf32>>
  // CHECK: %ptr_data = util.global.address immutable @data : !util.ptr<tensor<4xi32>>
  %1 = util.global.address immutable @data : !util.ptr<tensor<4xi32>>
  // CHECK: util.global.load.indirect %ptr_state : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
  %2 = util.global.load.indirect %0 : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
  // CHECK: util.global.load.indirect immutable %ptr_data : !util.ptr<tensor<4xi32>> -> tensor<4xi32>
  %3 = util.global.load.indirect immutable %1 : !util.ptr<tensor<4xi32>> -> tensor<4xi32>
  // CHECK: util.global.store.indirect %arg0, %ptr_state : tensor<4xf32> -> !util.ptr<tensor<4xf32>>
  util.global.store.indirect %t, %0 : tensor<4xf32> -> !util.ptr<tensor<4xf32>>
  util.return
}
