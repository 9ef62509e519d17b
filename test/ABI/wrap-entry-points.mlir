// RUN: npu-opt --npu-import-public --npu-abi-wrap-entry-points %s --split-input-file | FileCheck %s

// A tensor is imported and exported, a scalar passes through; the count is of all arguments.
// CHECK-LABEL: util.func public @scale(%arg0: i32, %arg1: !hal.buffer_view) -> (!hal.buffer_view, i32) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @scale(%input0: i32, %input1: tensor<6x10xf32>) -> (%output0: tensor<6x10xf32>, %output1: i32)"}}
// CHECK:         %[[T:.*]] = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<6x10xf32>
// CHECK:         %[[R:.*]]:2 = util.call @_scale(%arg0, %[[T]])
// CHECK:         %[[B:.*]] = hal.tensor.export %[[R]]#0 "output0" : tensor<6x10xf32> -> !hal.buffer_view
// CHECK:         util.return %[[B]], %[[R]]#1
// CHECK:       util.func private @_scale({{.*}}) -> (tensor<6x10xf32>, i32) attributes {hal.abi.convention = #hal.abi.convention<synchronous>}
func.func @scale(%arg0: i32, %arg1: tensor<6x10xf32>) -> (tensor<6x10xf32>, i32) {
  return %arg1, %arg0 : tensor<6x10xf32>, i32
}

// -----

// Dynamic sizes come from the buffer view, the name from the attribute.
// CHECK-LABEL: util.func public @clip(
// CHECK-SAME:    sync func @clip(%image: tensor<?x48x?xf16>) -> (%output0: tensor<?x48x?xf16>)
// CHECK:         %[[D0:.*]] = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
// CHECK:         %[[D2:.*]] = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[2] : index
// CHECK:         hal.tensor.import %arg0 "image" : !hal.buffer_view -> tensor<?x48x?xf16>{%[[D0]], %[[D2]]}
// CHECK:         tensor.dim
// CHECK:         tensor.dim
// CHECK:         hal.tensor.export {{.*}} "output0" : tensor<?x48x?xf16>{%{{.*}}, %{{.*}}} -> !hal.buffer_view
util.func public @clip(%arg0: tensor<?x48x?xf16> {iree.abi.name = "image"}) -> tensor<?x48x?xf16> {
  util.return %arg0 : tensor<?x48x?xf16>
}

// -----

// A declaration works on buffer views; its callers use a wrapper.
// CHECK-LABEL: util.func private @gain(%arg0: !hal.buffer_view, %arg1: f32) -> !hal.buffer_view attributes {iree.abi.stub}
// CHECK:       util.func private @_gain(%arg0: tensor<6xf32>, %arg1: f32) -> tensor<6xf32>
// CHECK:         hal.tensor.export %arg0 : tensor<6xf32> -> !hal.buffer_view
// CHECK:         util.call @gain(
// CHECK:         hal.tensor.import {{.*}} : !hal.buffer_view -> tensor<6xf32>
// CHECK:       util.func private @inner
// CHECK:         util.call @_gain(%arg0, %arg1)
util.func private @gain(tensor<6xf32>, f32) -> tensor<6xf32>
util.func private @inner(%arg0: tensor<6xf32>, %arg1: f32) -> tensor<6xf32> {
  %0 = util.call @gain(%arg0, %arg1) : (tensor<6xf32>, f32) -> tensor<6xf32>
  util.return %0 : tensor<6xf32>
}
