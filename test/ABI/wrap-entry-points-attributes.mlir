// RUN: npu-opt --npu-abi-wrap-entry-points %s --split-input-file | FileCheck %s

// The caller sees another type, gives its buffer away, and says where things are and how the function
// is declared.
// CHECK-LABEL: util.func public @all(
// CHECK-SAME:    iree.reflection = {iree.abi.declaration = "f(x)", some.key = 4 : i32}
// CHECK:         hal.tensor.import on(#hal.device.affinity<@a>) consume %arg0 "input0" : !hal.buffer_view -> tensor<4xi32> as tensor<4xf32>
// CHECK:         hal.tensor.export on(#hal.device.affinity<@b>) %{{.*}} "output0" : tensor<2x2xi32> as tensor<4xf32> -> !hal.buffer_view
// CHECK-LABEL: util.func private @_all
// CHECK-SAME:    attributes {hal.abi.convention = #hal.abi.convention<synchronous>} {
util.func public @all(%arg0: tensor<4xf32> {iree.abi.encoding = tensor<4xi32>, iree.abi.consume})
    -> (tensor<4xf32> {iree.abi.encoding = tensor<2x2xi32>, iree.abi.affinity = #hal.device.affinity<@b>})
    attributes {iree.abi.affinity = #hal.device.affinity<@a>, iree.abi.declaration = "f(x)",
                iree.reflection = {some.key = 4 : i32}} {
  util.return %arg0 : tensor<4xf32>
}

// -----

// The result goes in the caller's buffer, temporaries in another.
// CHECK-LABEL: util.func public @into(%arg0: !hal.buffer_view, %arg1: !hal.buffer {{.*}}, %arg2: !hal.buffer {{.*}})
// CHECK:         %[[R:.*]] = util.call @_into(%{{.*}}, %arg1, %arg2)
// CHECK-NEXT:    %[[T:.*]] = hal.tensor.transients %[[R]] : tensor<4xf32> from %arg2 : !hal.buffer
// CHECK-NEXT:    %[[A:.*]] = hal.tensor.alias %[[T]] : tensor<4xf32> to %arg1 : !hal.buffer
// CHECK-NEXT:    hal.tensor.export %[[A]] "output0"
util.func public @into(%arg0: tensor<4xf32>, %arg1: !hal.buffer {iree.abi.output = 0 : index},
                       %arg2: !hal.buffer {iree.abi.transients}) -> tensor<4xf32> {
  util.return %arg0 : tensor<4xf32>
}

// -----

// What is wrapped already stays as it is.
// CHECK-LABEL: util.func public @wrapped(%arg0: tensor<4xf32>)
util.func public @wrapped(%arg0: tensor<4xf32>) attributes {iree.abi.stub} {
  util.return
}
