// RUN: npu-opt --split-input-file --npu-abi-wrap-entry-points %s | FileCheck %s --match-full-lines --strict-whitespace

// 1.1 Export, synchronous, a tensor and a scalar.
//      CHECK:module {
// CHECK-NEXT:  util.func public @scale(%arg0: !hal.buffer_view, %arg1: i32) -> (!hal.buffer_view, i32) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @scale(%input0: tensor<6x10xf32>, %input1: i32) -> (%output0: tensor<6x10xf32>, %output1: i32)"}} {
// CHECK-NEXT:    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<6x10xf32>
// CHECK-NEXT:    %1:2 = util.call @_scale(%0, %arg1) : (tensor<6x10xf32>, i32) -> (tensor<6x10xf32>, i32)
// CHECK-NEXT:    %2 = hal.tensor.export %1#0 "output0" : tensor<6x10xf32> -> !hal.buffer_view
// CHECK-NEXT:    util.return %2, %1#1 : !hal.buffer_view, i32
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func private @_scale(%arg0: tensor<6x10xf32>, %arg1: i32) -> (tensor<6x10xf32>, i32) attributes {hal.abi.convention = #hal.abi.convention<synchronous>} {
// CHECK-NEXT:    util.return %arg0, %arg1 : tensor<6x10xf32>, i32
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @scale(%arg0: tensor<6x10xf32>, %arg1: i32) -> (tensor<6x10xf32>, i32) {
  util.return %arg0, %arg1 : tensor<6x10xf32>, i32
}

// -----

// 1.2 Export, dynamic dimensions and a given name.
//      CHECK:module {
// CHECK-NEXT:  util.func public @clip(%arg0: !hal.buffer_view {iree.abi.name = "image"}) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @clip(%image: tensor<?x48x?xf16>) -> (%output0: tensor<?x48x?xf16>)"}} {
// CHECK-NEXT:    %0 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
// CHECK-NEXT:    %1 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[2] : index
// CHECK-NEXT:    %2 = hal.tensor.import %arg0 "image" : !hal.buffer_view -> tensor<?x48x?xf16>{%0, %1}
// CHECK-NEXT:    %3 = util.call @_clip(%2) : (tensor<?x48x?xf16>) -> tensor<?x48x?xf16>
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %dim = tensor.dim %3, %c0 : tensor<?x48x?xf16>
// CHECK-NEXT:    %c2 = arith.constant 2 : index
// CHECK-NEXT:    %dim_0 = tensor.dim %3, %c2 : tensor<?x48x?xf16>
// CHECK-NEXT:    %4 = hal.tensor.export %3 "output0" : tensor<?x48x?xf16>{%dim, %dim_0} -> !hal.buffer_view
// CHECK-NEXT:    util.return %4 : !hal.buffer_view
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func private @_clip(%arg0: tensor<?x48x?xf16> {iree.abi.name = "image"}) -> tensor<?x48x?xf16> attributes {hal.abi.convention = #hal.abi.convention<synchronous>} {
// CHECK-NEXT:    util.return %arg0 : tensor<?x48x?xf16>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @clip(%arg0: tensor<?x48x?xf16> {iree.abi.name = "image"}) -> tensor<?x48x?xf16> {
  util.return %arg0 : tensor<?x48x?xf16>
}

// -----

// 1.3 Import.
//      CHECK:module {
// CHECK-NEXT:  util.func private @host_gain(%arg0: !hal.buffer_view, %arg1: f32) -> !hal.buffer_view attributes {iree.abi.stub}
// CHECK-NEXT:  util.func private @_host_gain(%arg0: tensor<6x10xf32>, %arg1: f32) -> tensor<6x10xf32> attributes {hal.abi.convention = #hal.abi.convention<synchronous>} {
// CHECK-NEXT:    %0 = hal.tensor.export %arg0 : tensor<6x10xf32> -> !hal.buffer_view
// CHECK-NEXT:    %1 = util.call @host_gain(%0, %arg1) : (!hal.buffer_view, f32) -> !hal.buffer_view
// CHECK-NEXT:    %2 = hal.tensor.import %1 : !hal.buffer_view -> tensor<6x10xf32>
// CHECK-NEXT:    util.return %2 : tensor<6x10xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func private @inner(%arg0: tensor<6x10xf32>, %arg1: f32) -> tensor<6x10xf32> {
// CHECK-NEXT:    %0 = util.call @_host_gain(%arg0, %arg1) : (tensor<6x10xf32>, f32) -> tensor<6x10xf32>
// CHECK-NEXT:    util.return %0 : tensor<6x10xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func private @host_gain(%arg0: tensor<6x10xf32>, %arg1: f32) -> tensor<6x10xf32>
util.func private @inner(%arg0: tensor<6x10xf32>, %arg1: f32) -> tensor<6x10xf32> {
  %0 = util.call @host_gain(%arg0, %arg1) : (tensor<6x10xf32>, f32) -> tensor<6x10xf32>
  util.return %0 : tensor<6x10xf32>
}

// -----

// 1.5 Import, coarse fences.
//      CHECK:module {
// CHECK-NEXT:  util.func private @host_gain(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub}
// CHECK-NEXT:  util.func private @_host_gain(%arg0: tensor<6x10xf32>) -> tensor<6x10xf32> attributes {hal.abi.convention = #hal.abi.convention<coarse_fences>} {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %device_0 = hal.devices.get %c0 : !hal.device
// CHECK-NEXT:    %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
// CHECK-NEXT:    %0 = hal.tensor.barrier join(%arg0 : tensor<6x10xf32>) => %fence : !hal.fence
// CHECK-NEXT:    %fence_0 = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
// CHECK-NEXT:    %1 = hal.tensor.export %0 : tensor<6x10xf32> -> !hal.buffer_view
// CHECK-NEXT:    %2 = util.call @host_gain(%1, %fence, %fence_0) : (!hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
// CHECK-NEXT:    %3 = hal.tensor.import wait(%fence_0) => %2 : !hal.buffer_view -> tensor<6x10xf32>
// CHECK-NEXT:    util.return %3 : tensor<6x10xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func private @host_gain(%arg0: tensor<6x10xf32>) -> tensor<6x10xf32> attributes {iree.abi.model = "coarse-fences"}
