// RUN: npu-opt --npu-onnx-infer-shapes --convert-onnx-to-linalg --canonicalize --cse %s | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  // Backwards: forwards, then by a map.
  // CHECK: #[[MAP:.*]] = affine_map<(d0, d1) -> (d0, -d1 + 2)>
  // CHECK-LABEL: func.func @slice(
  func.func @slice(%x: tensor<4x9xf32>) -> !onnx.unknown {
    %starts = onnx.constant dense<[1, -1]> : tensor<2xi64>
    %ends = onnx.constant dense<[4, -100]> : tensor<2xi64>
    %axes = onnx.constant dense<[0, 1]> : tensor<2xi64>
    %steps = onnx.constant dense<[2, -3]> : tensor<2xi64>
    %0 = onnx.node "Slice"(%x, %starts, %ends, %axes, %steps) : (tensor<4x9xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> !onnx.unknown
    // CHECK: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[1, 2] [2, 3] [2, 3] : tensor<4x9xf32> to tensor<2x3xf32>
    // CHECK: linalg.generic {indexing_maps = [#[[MAP]], {{.*}} ins(%[[SLICE]] : tensor<2x3xf32>) outs(%{{.*}} : tensor<2x3xf32>)
    return %0 : !onnx.unknown
  }

  // The last part of an uneven split is smaller; elements have no sign.
  // CHECK-LABEL: func.func @split(
  func.func @split(%x: tensor<4x3xui8>) -> (!onnx.unknown, !onnx.unknown) {
    %0:2 = onnx.node "Split"(%x) {axis = 1 : i64, num_outputs = 2 : i64} : (tensor<4x3xui8>) -> (!onnx.unknown, !onnx.unknown)
    // CHECK: tensor.extract_slice %{{.*}}[0, 0] [4, 2] [1, 1] : tensor<4x3xi8> to tensor<4x2xi8>
    // CHECK: tensor.extract_slice %{{.*}}[0, 2] [4, 1] [1, 1] : tensor<4x3xi8> to tensor<4x1xi8>
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }

  // Inputs without elements are left out.
  // CHECK-LABEL: func.func @concat(
  func.func @concat(%x: tensor<4x3xf32>, %y: tensor<4x0xf32>, %z: tensor<4x2xf32>) -> !onnx.unknown {
    %0 = onnx.node "Concat"(%x, %y, %z) {axis = 1 : i64} : (tensor<4x3xf32>, tensor<4x0xf32>, tensor<4x2xf32>) -> !onnx.unknown
    // CHECK: tensor.concat dim(1) %{{.*}}, %{{.*}} : (tensor<4x3xf32>, tensor<4x2xf32>) -> tensor<4x5xf32>
    return %0 : !onnx.unknown
  }

  // Copies are a dimension of their own.
  // CHECK-LABEL: func.func @tile(
  func.func @tile(%x: tensor<4x3xf32>) -> !onnx.unknown {
    %r = onnx.constant dense<[1, 2]> : tensor<2xi64>
    %0 = onnx.node "Tile"(%x, %r) : (tensor<4x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // CHECK: tensor.expand_shape %{{.*}} output_shape [1, 4, 1, 3]
    // CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1x4x1x3xf32>) outs(%{{.*}} : tensor<1x4x2x3xf32>)
    // CHECK: tensor.collapse_shape %{{.*}} : tensor<1x4x2x3xf32> into tensor<4x6xf32>
    return %0 : !onnx.unknown
  }

  // Negative pads crop; computed values fill; others than constants are read by a table of indices.
  // CHECK-LABEL: func.func @pad(
  func.func @pad(%x: tensor<4x3xf32>, %v: tensor<f32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %p = onnx.constant dense<[-1, 0, 2, 1]> : tensor<4xi64>
    %c = onnx.constant dense<5.0> : tensor<1xf32>
    %0 = onnx.node "Pad"(%x, %p, %c) : (tensor<4x3xf32>, tensor<4xi64>, tensor<1xf32>) -> !onnx.unknown
    %1 = onnx.node "Pad"(%x, %p, %v) : (tensor<4x3xf32>, tensor<4xi64>, tensor<f32>) -> !onnx.unknown
    %2 = onnx.node "Pad"(%x, %p) {mode = "reflect"} : (tensor<4x3xf32>, tensor<4xi64>) -> !onnx.unknown
    // CHECK: %[[SLICE:.*]] = tensor.extract_slice %{{.*}}[1, 0] [3, 3] [1, 1]
    // CHECK: tensor.pad %[[SLICE]] low[0, 0] high[2, 1]
    // CHECK: %[[FILLED:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<f32>)
    // CHECK: tensor.insert_slice %[[SLICE]] into %[[FILLED]][0, 0] [3, 3] [1, 1]
    // CHECK: tensor.extract %[[SLICE]]
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  // CHECK-LABEL: func.func @depth_to_space(
  func.func @depth_to_space(%x: tensor<1x8x2x3xf32>) -> !onnx.unknown {
    %0 = onnx.node "DepthToSpace"(%x) {blocksize = 2 : i64} : (tensor<1x8x2x3xf32>) -> !onnx.unknown
    // CHECK: tensor.expand_shape %{{.*}} output_shape [1, 2, 2, 2, 2, 3]
    // CHECK: linalg.transpose {{.*}} permutation = [0, 3, 4, 1, 5, 2]
    // CHECK: tensor.collapse_shape {{.*}} into tensor<1x2x4x6xf32>
    return %0 : !onnx.unknown
  }
}
