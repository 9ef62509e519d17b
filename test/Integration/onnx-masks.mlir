// Masks do not take the products that they are for to the host: those of constants are folded, comparisons of i64 with constants run on the NPU, and
// what computes with i64 is a dispatch of the host beside the kernel.

// RUN: npu-run %s --check --function=causal | FileCheck %s --check-prefixes=CHECK,CONSTANT
// RUN: npu-run %s --check --function=where | FileCheck %s --check-prefixes=CHECK,COMPUTED
// RUN: npu-run %s --check --function=added "--input=2x4x8xf32=random(1)" "--input=2x4xi64=1 1 1 0 1 0 0 0" | FileCheck %s --check-prefixes=CHECK,ADDED

// CONSTANT: on the NPU: 1 of 1 dispatches, [[M:[1-9][0-9]*]] of [[M]] MACs
// ADDED: on the NPU: 2 of 3 dispatches, [[M:[1-9][0-9]*]] of [[M]] MACs
// COMPUTED: on the NPU: 2 of 2 dispatches, [[M:[1-9][0-9]*]] of [[M]] MACs
// CHECK: matches host

module attributes {onnx.opset = {ai.onnx = 17 : i64}} {
// Positions that come later, from their numbers.
func.func @causal(%x: tensor<2x4x8xf32>) -> !onnx.unknown {
  %zero = onnx.constant dense<0> : tensor<i64>
  %one = onnx.constant dense<1> : tensor<i64>
  %axis = onnx.constant dense<1> : tensor<1xi64>
  %low = onnx.constant dense<-1.0e9> : tensor<f32>
  %none = onnx.constant dense<0.0> : tensor<f32>
  %s = onnx.node "Shape"(%x) : (tensor<2x4x8xf32>) -> !onnx.unknown
  %n = onnx.node "Gather"(%s, %one) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  %columns = onnx.node "Range"(%zero, %n, %one) : (tensor<i64>, !onnx.unknown, tensor<i64>) -> !onnx.unknown
  %rows = onnx.node "Unsqueeze"(%columns, %axis) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
  %later = onnx.node "Greater"(%columns, %rows) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %mask = onnx.node "Where"(%later, %low, %none) : (!onnx.unknown, tensor<f32>, tensor<f32>) -> !onnx.unknown
  %t = onnx.node "Transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x4x8xf32>) -> !onnx.unknown
  %p = onnx.node "MatMul"(%x, %t) : (tensor<2x4x8xf32>, !onnx.unknown) -> !onnx.unknown
  %y = onnx.node "Add"(%p, %mask) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %y : !onnx.unknown
}

// A condition on i64 that is smaller than what it selects.
func.func @where(%x: tensor<2x4x8xf32>, %m: tensor<2x4xi64>) -> !onnx.unknown {
  %zero = onnx.constant dense<0> : tensor<i64>
  %axis = onnx.constant dense<1> : tensor<1xi64>
  %low = onnx.constant dense<-1.0e9> : tensor<f32>
  %row = onnx.node "Unsqueeze"(%m, %axis) : (tensor<2x4xi64>, tensor<1xi64>) -> !onnx.unknown
  %isOut = onnx.node "Equal"(%row, %zero) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  %t = onnx.node "Transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x4x8xf32>) -> !onnx.unknown
  %p = onnx.node "MatMul"(%x, %t) : (tensor<2x4x8xf32>, !onnx.unknown) -> !onnx.unknown
  %y = onnx.node "Where"(%isOut, %low, %p) : (!onnx.unknown, tensor<f32>, !onnx.unknown) -> !onnx.unknown
  return %y : !onnx.unknown
}

// As BERT is exported: (1 - mask) * -10000, after a scale.
func.func @added(%x: tensor<2x4x8xf32>, %m: tensor<2x4xi64>) -> !onnx.unknown {
  %one = onnx.constant dense<1.0> : tensor<f32>
  %axis = onnx.constant dense<1> : tensor<1xi64>
  %low = onnx.constant dense<-1.0e4> : tensor<f32>
  %scale = onnx.constant dense<0.25> : tensor<f32>
  %row = onnx.node "Unsqueeze"(%m, %axis) : (tensor<2x4xi64>, tensor<1xi64>) -> !onnx.unknown
  %f = onnx.node "Cast"(%row) {to = 1 : i64} : (!onnx.unknown) -> !onnx.unknown
  %out = onnx.node "Sub"(%one, %f) : (tensor<f32>, !onnx.unknown) -> !onnx.unknown
  %mask = onnx.node "Mul"(%out, %low) : (!onnx.unknown, tensor<f32>) -> !onnx.unknown
  %t = onnx.node "Transpose"(%x) {perm = array<i64: 0, 2, 1>} : (tensor<2x4x8xf32>) -> !onnx.unknown
  %p = onnx.node "MatMul"(%x, %t) : (tensor<2x4x8xf32>, !onnx.unknown) -> !onnx.unknown
  %scaled = onnx.node "Mul"(%p, %scale) : (!onnx.unknown, tensor<f32>) -> !onnx.unknown
  %y = onnx.node "Add"(%scaled, %mask) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %y : !onnx.unknown
}
}
