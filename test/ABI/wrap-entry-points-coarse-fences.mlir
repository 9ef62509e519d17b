// RUN: npu-opt --npu-abi-wrap-entry-points=invocation-model=coarse-fences %s --split-input-file | FileCheck %s

// The wait fence comes before the signal fence; one barrier joins all tensors.
// CHECK-LABEL: util.func public @turn(%arg0: !hal.buffer_view, %arg1: i32, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @turn(%input0: tensor<6x10xf32>, %input1: i32) -> (%output0: tensor<6x10xf32>, %output1: tensor<6x10xf32>)", iree.abi.model = "coarse-fences"}} {
// CHECK-NEXT:    %[[V0:.*]] = hal.tensor.import wait(%arg2) => %arg0 "input0" : !hal.buffer_view -> tensor<6x10xf32>
// CHECK-NEXT:    %[[V1:.*]]:2 = util.call @_turn(%[[V0]], %arg1) : (tensor<6x10xf32>, i32) -> (tensor<6x10xf32>, tensor<6x10xf32>)
// CHECK-NEXT:    %[[V2:.*]]:2 = hal.tensor.barrier join(%[[V1]]#0, %[[V1]]#1 : tensor<6x10xf32>, tensor<6x10xf32>) => %arg3 : !hal.fence
// CHECK-NEXT:    %[[V3:.*]] = hal.tensor.export %[[V2]]#0 "output0" : tensor<6x10xf32> -> !hal.buffer_view
// CHECK-NEXT:    %[[V4:.*]] = hal.tensor.export %[[V2]]#1 "output1" : tensor<6x10xf32> -> !hal.buffer_view
// CHECK-NEXT:    util.return %[[V3]], %[[V4]] : !hal.buffer_view, !hal.buffer_view
// CHECK-NEXT:  }
// CHECK-LABEL: util.func private @_turn(%arg0: tensor<6x10xf32>, %arg1: i32) -> (tensor<6x10xf32>, tensor<6x10xf32>) attributes {hal.abi.convention = #hal.abi.convention<coarse_fences>} {
// CHECK-NEXT:    util.return %arg0, %arg0 : tensor<6x10xf32>, tensor<6x10xf32>
// CHECK-NEXT:  }
util.func public @turn(%arg0: tensor<6x10xf32>, %arg1: i32) -> (tensor<6x10xf32>, tensor<6x10xf32>) {
  util.return %arg0, %arg0 : tensor<6x10xf32>, tensor<6x10xf32>
}

// -----

// The attribute says the same of one function.
// CHECK-LABEL: util.func private @host_gain(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub}
// CHECK-LABEL: util.func private @_host_gain(%arg0: tensor<6x10xf32>) -> tensor<6x10xf32> attributes {hal.abi.convention = #hal.abi.convention<coarse_fences>} {
// CHECK-NEXT:    %[[V5:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V6:.*]] = hal.devices.get %[[V5]] : !hal.device
// CHECK-NEXT:    %[[V7:.*]] = hal.fence.create device(%[[V6]] : !hal.device) flags("None") : !hal.fence
// CHECK-NEXT:    %[[V8:.*]] = hal.tensor.barrier join(%arg0 : tensor<6x10xf32>) => %[[V7]] : !hal.fence
// CHECK-NEXT:    %[[V9:.*]] = hal.fence.create device(%[[V6]] : !hal.device) flags("None") : !hal.fence
// CHECK-NEXT:    %[[V10:.*]] = hal.tensor.export %[[V8]] : tensor<6x10xf32> -> !hal.buffer_view
// CHECK-NEXT:    %[[V11:.*]] = util.call @host_gain(%[[V10]], %[[V7]], %[[V9]]) : (!hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
// CHECK-NEXT:    %[[V12:.*]] = hal.tensor.import wait(%[[V9]]) => %[[V11]] : !hal.buffer_view -> tensor<6x10xf32>
// CHECK-NEXT:    util.return %[[V12]] : tensor<6x10xf32>
// CHECK-NEXT:  }
util.func private @host_gain(%arg0: tensor<6x10xf32>) -> tensor<6x10xf32> attributes {iree.abi.model = "coarse-fences"}

// -----

// What a function says counts more than the option.
// CHECK-LABEL: util.func public @now(%arg0: !hal.buffer_view) -> !hal.buffer_view
// CHECK-SAME:    sync func @now
// CHECK-NOT:     fence
util.func public @now(%arg0: tensor<4xf32>) -> tensor<4xf32> attributes {iree.abi.model = "sync"} {
  util.return %arg0 : tensor<4xf32>
}

// -----

// Scalars stay where they are among the results.
// CHECK-LABEL: util.func public @mixed(%arg0: !hal.buffer_view {iree.abi.name = "x"}, %arg1: i32, %arg2: !hal.fence, %arg3: !hal.fence) -> (i32, !hal.buffer_view)
// CHECK:         %[[R:.*]]:2 = util.call @_mixed
// CHECK-NEXT:    %[[B:.*]] = hal.tensor.barrier join(%[[R]]#1 : tensor<4xf32>) => %arg3
// CHECK-NEXT:    %[[E:.*]] = hal.tensor.export %[[B]] "output1"
// CHECK-NEXT:    util.return %[[R]]#0, %[[E]] : i32, !hal.buffer_view
util.func public @mixed(%arg0: tensor<4xf32> {iree.abi.name = "x"}, %arg1: i32) -> (i32, tensor<4xf32>) {
  util.return %arg1, %arg0 : i32, tensor<4xf32>
}

// -----

// Without tensors to wait for the signal is given at once.
// CHECK-LABEL: util.func public @scalars(%arg0: i32, %arg1: !hal.fence, %arg2: !hal.fence) -> i32
// CHECK-NEXT:    %[[R:.*]] = util.call @_scalars(%arg0)
// CHECK-NEXT:    hal.fence.signal<%arg2 : !hal.fence>
// CHECK-NEXT:    util.return %[[R]]
util.func public @scalars(%arg0: i32) -> i32 {
  util.return %arg0 : i32
}

// -----

// A declared function without tensors waits for nothing, and is waited for.
// CHECK-LABEL: util.func private @_effect(%arg0: i32)
// CHECK:         %[[W:.*]] = util.null : !hal.fence
// CHECK:         %[[S:.*]] = hal.fence.create
// CHECK:         util.call @effect(%arg0, %[[W]], %[[S]])
// CHECK:         %[[T:.*]] = arith.constant -1 : i32
// CHECK:         hal.fence.await until([%[[S]]]) timeout_millis(%[[T]])
// CHECK-LABEL: util.func private @_pure(%arg0: tensor<4xf32>)
// CHECK:         %[[W:.*]] = hal.fence.create
// CHECK:         hal.tensor.barrier join(%arg0 : tensor<4xf32>) => %[[W]]
// CHECK:         %[[S:.*]] = util.null : !hal.fence
// CHECK:         util.call @pure(%{{.*}}, %[[W]], %[[S]])
// CHECK-NEXT:    util.return
util.func private @effect(i32)
util.func private @pure(tensor<4xf32>) attributes {nosideeffects}
