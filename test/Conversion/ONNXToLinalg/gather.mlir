// RUN: npu-opt --npu-onnx-infer-shapes --convert-onnx-to-linalg --canonicalize --cse %s | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  // Indices wrap; one known index is a slice.
  // CHECK-LABEL: func.func @gather(
  func.func @gather(%x: tensor<4x3xf32>, %i: tensor<5xi32>) -> (!onnx.unknown, !onnx.unknown) {
    %c = onnx.constant dense<-1> : tensor<i64>
    %0 = onnx.node "Gather"(%x, %i) : (tensor<4x3xf32>, tensor<5xi32>) -> !onnx.unknown
    %1 = onnx.node "Gather"(%x, %c) : (tensor<4x3xf32>, tensor<i64>) -> !onnx.unknown
    // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
    // CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : i32
    // CHECK: ^bb0(%[[IN:.*]]: i32
    // CHECK: %[[END:.*]] = arith.addi %[[IN]], %[[FOUR]]
    // CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[IN]], %[[ZERO]]
    // CHECK: %[[WRAPPED:.*]] = arith.select %[[NEGATIVE]], %[[END]], %[[IN]]
    // CHECK: %[[INDEX:.*]] = arith.index_cast %[[WRAPPED]]
    // CHECK: tensor.extract %{{.*}}[%[[INDEX]], %{{.*}}] : tensor<4x3xf32>
    // CHECK: tensor.extract_slice %{{.*}}[3, 0] [1, 3] [1, 1]
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  // Every element looks at all updates.
  // CHECK-LABEL: func.func @scatter(
  func.func @scatter(%x: tensor<4x3xui8>, %i: tensor<2x1xi64>, %u: tensor<2x3xui8>) -> !onnx.unknown {
    %0 = onnx.node "ScatterND"(%x, %i, %u) {reduction = "max"} : (tensor<4x3xui8>, tensor<2x1xi64>, tensor<2x3xui8>) -> !onnx.unknown
    // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<2xi64>, tensor<2x3xi8>) outs(%{{.*}} : tensor<4x3xi8>)
    // CHECK: ^bb0(%{{.*}}: i64, %[[UPDATE:.*]]: i8, %[[OLD:.*]]: i8)
    // CHECK: %[[HIT:.*]] = arith.cmpi eq
    // CHECK: %[[NEW:.*]] = arith.maxui %[[OLD]], %[[UPDATE]]
    // CHECK: arith.select %[[HIT]], %[[NEW]], %[[OLD]]
    return %0 : !onnx.unknown
  }

  // Updates reach as far as the indices do.
  // CHECK-LABEL: func.func @scatter_elements(
  func.func @scatter_elements(%x: tensor<4x3xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf32>) -> !onnx.unknown {
    %0 = onnx.node "ScatterElements"(%x, %i, %u) {axis = 1 : i64} : (tensor<4x3xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> !onnx.unknown
    // CHECK: %[[PART:.*]] = tensor.extract_slice %[[X:.*]][0, 0] [2, 3] [1, 1]
    // CHECK: %[[NEW:.*]] = linalg.generic {{.*}} outs(%[[PART]] : tensor<2x3xf32>)
    // CHECK: tensor.insert_slice %[[NEW]] into %[[X]][0, 0] [2, 3] [1, 1]
    return %0 : !onnx.unknown
  }

  // Sorted runs are merged, and no more kept of each than is wanted. Nine elements are sixteen runs of one.
  // CHECK-LABEL: func.func @top_k(
  func.func @top_k(%x: tensor<9xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %k = onnx.constant dense<2> : tensor<1xi64>
    %0:2 = onnx.node "TopK"(%x, %k) : (tensor<9xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
    // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x8x2xi64>)
    // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x4x2xi64>)
    // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x2x2xi64>)
    // CHECK: %[[PLACES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x1x2xi64>)
    // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x1xf32>)
    // CHECK: tensor.extract %[[PLACES]]
    // CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x1xi64>)
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }

  // Longer ranges than are folded.
  // CHECK-LABEL: func.func @range(
  func.func @range() -> !onnx.unknown {
    %a = onnx.constant dense<1.0> : tensor<f32>
    %b = onnx.constant dense<2000001.0> : tensor<f32>
    %0 = onnx.node "Range"(%a, %b, %a) : (tensor<f32>, tensor<f32>, tensor<f32>) -> !onnx.unknown
    // CHECK: linalg.index 0
    // CHECK: arith.sitofp
    // CHECK: arith.addf
    return %0 : !onnx.unknown
  }

  // A larger matrix than is folded.
  // CHECK-LABEL: func.func @eye(
  func.func @eye(%x: tensor<2000x1000xi64>) -> !onnx.unknown {
    %0 = onnx.node "EyeLike"(%x) {k = -1 : i64} : (tensor<2000x1000xi64>) -> !onnx.unknown
    // CHECK: linalg.index 0
    // CHECK: linalg.index 1
    // CHECK: arith.cmpi eq
    // CHECK: arith.extui
    return %0 : !onnx.unknown
  }

  // The diagonal may be computed.
  // CHECK-LABEL: func.func @trilu(
  func.func @trilu(%x: tensor<3x3xf32>, %k: tensor<i64>) -> !onnx.unknown {
    %0 = onnx.node "Trilu"(%x, %k) {upper = 0 : i64} : (tensor<3x3xf32>, tensor<i64>) -> !onnx.unknown
    // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x3xf32>, tensor<i64>)
    // CHECK: arith.cmpi sle
    // CHECK: arith.select
    return %0 : !onnx.unknown
  }
}
