// RUN: npu-opt %s --npu-onnx-infer-shapes --convert-onnx-to-linalg | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 17 : i64}} {
  // CHECK-LABEL: func @branch
  // CHECK-SAME: (%[[X:.*]]: tensor<4xi8>, %[[C:.*]]: tensor<1xi1>)
  // CHECK: %[[P:.*]] = tensor.extract %[[C]][%{{.*}}] : tensor<1xi1>
  // CHECK: scf.if %[[P]] -> (tensor<4xi8>) {
  // CHECK: linalg.generic
  // CHECK: } else {
  // CHECK-NEXT: scf.yield %[[X]] : tensor<4xi8>
  func.func @branch(%x: tensor<4xui8>, %c: tensor<1xi1>) -> !onnx.unknown {
    %y = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<1xi1>) -> !onnx.unknown {
      onnx.yield %x : tensor<4xui8>
    }, {
      %n = onnx.node "Add"(%x, %x) : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
      onnx.yield %n : !onnx.unknown
    }
    return %y : !onnx.unknown
  }

  // What all iterations give lies one below the other.
  // CHECK-LABEL: func @counted
  // CHECK: %[[R:.*]]:2 = scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[V:.*]] = %{{.*}}, %[[ALL:.*]] = %{{.*}}) -> (tensor<2xf32>, tensor<1000x2xf32>) {
  // CHECK: %[[W:.*]] = linalg.generic
  // CHECK: %[[NEXT:.*]] = tensor.insert_slice %[[W]] into %[[ALL]][%[[I]], 0] [1, 2] [1, 1]
  // CHECK: scf.yield %[[W]], %[[NEXT]]
  func.func @counted(%x: tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %n = onnx.constant dense<1000> : tensor<i64>
    %t = onnx.constant dense<true> : tensor<i1>
    %y:2 = onnx.node "Loop"(%n, %t, %x) {body} : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    ^bb0(%i: !onnx.unknown, %c: !onnx.unknown, %v: !onnx.unknown):
      %w = onnx.node "Add"(%v, %x) : (!onnx.unknown, tensor<2xf32>) -> !onnx.unknown
      onnx.yield %c, %w, %w : !onnx.unknown, !onnx.unknown, !onnx.unknown
    }
    return %y#0, %y#1 : !onnx.unknown, !onnx.unknown
  }

  // CHECK-LABEL: func @until
  // CHECK: scf.while
  // CHECK: arith.cmpi slt
  // CHECK: scf.condition
  // CHECK: tensor.extract
  // CHECK: scf.yield
  func.func @until(%x: tensor<2xf32>, %n: tensor<i64>) -> !onnx.unknown {
    %t = onnx.constant dense<true> : tensor<i1>
    %most = onnx.constant dense<9.0> : tensor<f32>
    %axes = onnx.constant dense<0> : tensor<1xi64>
    %y = onnx.node "Loop"(%n, %t, %x) {body} : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> !onnx.unknown {
    ^bb0(%i: !onnx.unknown, %c: !onnx.unknown, %v: !onnx.unknown):
      %w = onnx.node "Add"(%v, %x) : (!onnx.unknown, tensor<2xf32>) -> !onnx.unknown
      %s = onnx.node "ReduceSum"(%w, %axes) {keepdims = 0 : i64} : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
      %go = onnx.node "Less"(%s, %most) : (!onnx.unknown, tensor<f32>) -> !onnx.unknown
      onnx.yield %go, %w : !onnx.unknown, !onnx.unknown
    }
    return %y : !onnx.unknown
  }
}
