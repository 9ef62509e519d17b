// RUN: npu-opt %s --npu-onnx-infer-shapes | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 17 : i64}} {
  // The branch of a condition that a shape gives is all that is left. It may use values around it.
  // CHECK-LABEL: func @known
  // CHECK-NEXT: %[[Y:.*]] = onnx.node "Relu"(%arg0)
  // CHECK-NEXT: return %[[Y]] : tensor<2x3xf32>
  func.func @known(%x: tensor<2x3xf32>) -> !onnx.unknown {
    %zero = onnx.constant dense<0> : tensor<i64>
    %two = onnx.constant dense<2> : tensor<i64>
    %s = onnx.node "Shape"(%x) : (tensor<2x3xf32>) -> !onnx.unknown
    %d = onnx.node "Gather"(%s, %zero) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    %c = onnx.node "Equal"(%d, %two) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    %y = onnx.node "If"(%c) {else_branch, then_branch} : (!onnx.unknown) -> !onnx.unknown {
      %n = onnx.node "NotSupported"(%x) : (tensor<2x3xf32>) -> !onnx.unknown
      onnx.yield %n : !onnx.unknown
    }, {
      %r = onnx.node "Relu"(%x) : (tensor<2x3xf32>) -> !onnx.unknown
      onnx.yield %r : !onnx.unknown
    }
    return %y : !onnx.unknown
  }

  // CHECK-LABEL: func @computed
  // CHECK: %[[Y:.*]] = onnx.node "If"(%arg1) {else_branch, then_branch} : (tensor<i1>) -> tensor<2x3xf32> {
  // CHECK-NEXT: onnx.node "Neg"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: return %[[Y]] : tensor<2x3xf32>
  func.func @computed(%x: tensor<2x3xf32>, %c: tensor<i1>) -> !onnx.unknown {
    %y = onnx.node "If"(%c) {else_branch, then_branch} : (tensor<i1>) -> !onnx.unknown {
      %n = onnx.node "Neg"(%x) : (tensor<2x3xf32>) -> !onnx.unknown
      onnx.yield %n : !onnx.unknown
    }, {
      onnx.yield %x : tensor<2x3xf32>
    }
    return %y : !onnx.unknown
  }

  // A few iterations are written one after the other. What they give is put together, and shapes may change.
  // CHECK-LABEL: func @few
  // CHECK-NOT: "Loop"
  // CHECK: onnx.node "Concat"(%arg0, %arg0) {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  // CHECK: onnx.node "Concat"({{.*}}) {axis = 0 : i64} : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
  // CHECK: return %{{.*}} : tensor<6xf32>
  func.func @few(%x: tensor<2xf32>) -> !onnx.unknown {
    %n = onnx.constant dense<2> : tensor<i64>
    %t = onnx.constant dense<true> : tensor<i1>
    %y = onnx.node "Loop"(%n, %t, %x) {body} : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> !onnx.unknown {
    ^bb0(%i: !onnx.unknown, %c: !onnx.unknown, %v: !onnx.unknown):
      %go = onnx.node "Identity"(%c) : (!onnx.unknown) -> !onnx.unknown
      %w = onnx.node "Concat"(%v, %x) {axis = 0 : i64} : (!onnx.unknown, tensor<2xf32>) -> !onnx.unknown
      onnx.yield %go, %w : !onnx.unknown, !onnx.unknown
    }
    return %y : !onnx.unknown
  }

  // Many stay a loop.
  // CHECK-LABEL: func @many
  // CHECK: onnx.node "Loop"({{.*}}) {body} : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (tensor<2xf32>, tensor<1000x2xf32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<2xf32>):
  func.func @many(%x: tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %n = onnx.constant dense<1000> : tensor<i64>
    %t = onnx.constant dense<true> : tensor<i1>
    %y:2 = onnx.node "Loop"(%n, %t, %x) {body} : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown) {
    ^bb0(%i: !onnx.unknown, %c: !onnx.unknown, %v: !onnx.unknown):
      %w = onnx.node "Add"(%v, %x) : (!onnx.unknown, tensor<2xf32>) -> !onnx.unknown
      onnx.yield %c, %w, %w : !onnx.unknown, !onnx.unknown, !onnx.unknown
    }
    return %y#0, %y#1 : !onnx.unknown, !onnx.unknown
  }

  // Of sequences only the tensors are left.
  // CHECK-LABEL: func @sequence
  // CHECK-NOT: Sequence
  // CHECK: onnx.node "Concat"{{.*}}(%arg1, %arg1, %arg0) {axis = 0 : i64}
  func.func @sequence(%x: tensor<2xf32>, %z: tensor<2xf32>) -> !onnx.unknown {
    %first = onnx.constant dense<0> : tensor<i64>
    %s0 = onnx.node "SequenceConstruct"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> !onnx.unknown
    %s1 = onnx.node "SequenceErase"(%s0) : (!onnx.unknown) -> !onnx.unknown
    %s2 = onnx.node "SequenceInsert"(%s1, %z, %first) : (!onnx.unknown, tensor<2xf32>, tensor<i64>) -> !onnx.unknown
    %a = onnx.node "SequenceAt"(%s2, %first) : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
    %s3 = onnx.node "SequenceInsert"(%s2, %a, %first) : (!onnx.unknown, !onnx.unknown, tensor<i64>) -> !onnx.unknown
    %y = onnx.node "ConcatFromSequence"(%s3) {axis = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}
