// Ops that are given the sizes of their results tell them.
// RUN: npu-opt %s --resolve-shaped-type-result-dims | FileCheck %s

func.func private @extern(tensor<?xf32>) -> tensor<?xf32>

// CHECK-LABEL: util.func public @flow_ops
// CHECK-NOT:     tensor.dim
// CHECK:         util.return %arg1, %arg2, %arg1, %arg2, %arg1, %arg2, %arg1, %arg2, %arg1
util.func public @flow_ops(%x: tensor<?xf32>, %a: index, %b: index, %v: f32) -> (index, index, index, index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %0 = flow.dispatch @ex::@entry(%x) : (tensor<?xf32>{%a}) -> tensor<?xf32>{%a}
  %d0 = tensor.dim %0, %c0 : tensor<?xf32>
  %1 = flow.tensor.reshape %x : tensor<?xf32>{%a} -> tensor<?x1xf32>{%b}
  %d1 = tensor.dim %1, %c0 : tensor<?x1xf32>
  %2 = flow.tensor.tie_shape %x : tensor<?xf32>{%a}
  %d2 = tensor.dim %2, %c0 : tensor<?xf32>
  %3 = flow.tensor.splat %v : tensor<?xf32>{%b}
  %d3 = tensor.dim %3, %c0 : tensor<?xf32>
  %4 = flow.tensor.update %3, %x[%c0] : tensor<?xf32>{%b} -> %x as tensor<?xf32>{%a}
  %d4 = tensor.dim %4, %c0 : tensor<?xf32>
  %5 = flow.tensor.slice %x[%c0 for %b] : tensor<?xf32>{%a} -> tensor<?xf32>{%b}
  %d5 = tensor.dim %5, %c0 : tensor<?xf32>
  %6 = flow.tensor.empty : tensor<?xf32>{%a}
  %d6 = tensor.dim %6, %c0 : tensor<?xf32>
  %7 = flow.tensor.clone %3 : tensor<?xf32>{%b}
  %d7 = tensor.dim %7, %c0 : tensor<?xf32>
  %8 = flow.call @extern(%x) : (tensor<?xf32>{%a}) -> tensor<?xf32>{%a}
  %d8 = tensor.dim %8, %c0 : tensor<?xf32>
  util.return %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %d8 : index, index, index, index, index, index, index, index, index
}

// Of several results, static ones and values that are not tensors have no size among the operands.
// CHECK-LABEL: util.func public @several
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK:         util.return %[[C4]], %arg1, %arg2
util.func public @several(%x: tensor<4xf32>, %a: index, %b: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:4 = flow.dispatch @ex::@entry(%x) : (tensor<4xf32>) -> (tensor<4x?xf32>{%a}, index, tensor<?xf32>{%b}, tensor<8xf32>)
  %d0 = tensor.dim %0#0, %c0 : tensor<4x?xf32>
  %d1 = tensor.dim %0#0, %c1 : tensor<4x?xf32>
  %d2 = tensor.dim %0#2, %c0 : tensor<?xf32>
  util.return %d0, %d1, %d2 : index, index, index
}

// CHECK-LABEL: util.func public @hal_ops
// CHECK-NOT:     tensor.dim
// CHECK:         util.return %arg2, %arg2, %arg2
util.func public @hal_ops(%view: !hal.buffer_view, %buffer: !hal.buffer, %a: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %0 = hal.tensor.import %view : !hal.buffer_view -> tensor<?xf32>{%a}
  %d0 = tensor.dim %0, %c0 : tensor<?xf32>
  %1 = hal.tensor.alias %0 : tensor<?xf32>{%a} to %buffer : !hal.buffer
  %d1 = tensor.dim %1, %c0 : tensor<?xf32>
  %2 = hal.dispatch.extern "entry"(%0) : (tensor<?xf32>{%a}) -> tensor<?xf32>{%a}
    layout(#hal.pipeline.layout<bindings = []>) objects({})
  %d2 = tensor.dim %2, %c0 : tensor<?xf32>
  util.return %d0, %d1, %d2 : index, index, index
}
