// RUN: npu-opt %s --npu-onnx-pipeline | FileCheck %s

// CHECK-DAG: #[[$FLIP:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, -d3 + 2)>
// CHECK-DAG: #[[$WINDOW:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 * 2 + d3)>
// CHECK-DAG: #[[$GROUPS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9) -> (d0, d1, d6, d3 + d7, d4 + d8, d5 + d9)>

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  // Only the middle of the filter meets the input.
  // CHECK-LABEL: func @trimmed
  // CHECK: arith.constant dense<2.000000e+00> : tensor<1x1x1xf32>
  // CHECK-NOT: tensor.pad
  // CHECK: linalg.conv_2d_nchw_fchw
  func.func @trimmed(%x: tensor<1x1x1xf32>) -> !onnx.unknown {
    %w = onnx.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
    %0 = onnx.node "Conv"(%x, %w) {pads = array<i64: 1, 1>} : (tensor<1x1x1xf32>, tensor<1x1x3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // What no window reaches is neither padded nor read.
  // CHECK-LABEL: func @reach
  // CHECK: tensor.pad %{{.*}} low[0, 0, 1] high[0, 0, 0] {
  // CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [1, 1, 3] [1, 1, 1]
  // CHECK-NOT: tensor.pad
  // CHECK: return
  func.func @reach(%x: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "Conv"(%x, %w) {pads = array<i64: 1, 1>, strides = array<i64: 2>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> !onnx.unknown
    %1 = onnx.node "Conv"(%x, %w) {pads = array<i64: 0, 1>, strides = array<i64: 4>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  // CHECK-LABEL: func @groups
  // CHECK: linalg.generic {indexing_maps = [#[[$GROUPS]]
  // CHECK: linalg.depthwise_conv_2d_nchw_chw
  func.func @groups(%x: tensor<1x4x5x5x5xf32>, %w: tensor<6x2x2x2x2xf32>, %d: tensor<1x4x5x5xf32>, %k: tensor<4x1x3x3xf32>)
      -> (!onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "Conv"(%x, %w) {group = 2 : i64} : (tensor<1x4x5x5x5xf32>, tensor<6x2x2x2x2xf32>) -> !onnx.unknown
    %1 = onnx.node "Conv"(%d, %k) {group = 4 : i64} : (tensor<1x4x5x5xf32>, tensor<4x1x3x3xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  // The elements of the input are two apart, and the filter is turned round; now if it is known.
  // CHECK-LABEL: func @transposed
  // CHECK-DAG: arith.constant dense<{{\[\[\[}}[3.000000e+00, 2.000000e+00, 1.000000e+00]]]]> : tensor<1x1x1x3xf32>
  // CHECK-DAG: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 2] [1, 1, 4] [1, 1, 2] : tensor<1x1x4xf32> into tensor<1x1x11xf32>
  // CHECK: linalg.conv_2d_nchw_fchw
  // CHECK: linalg.generic {indexing_maps = [#[[$FLIP]]
  // CHECK: linalg.conv_2d_nchw_fchw
  func.func @transposed(%x: tensor<1x1x4xf32>, %v: tensor<1x1x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %w = onnx.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
    %0 = onnx.node "ConvTranspose"(%x, %w) {strides = array<i64: 2>} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> !onnx.unknown
    %1 = onnx.node "ConvTranspose"(%x, %v) : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  // CHECK-LABEL: func @pools
  // CHECK: linalg.generic {indexing_maps = [#[[$WINDOW]]
  // CHECK: arith.maxui
  // CHECK: linalg.index 2
  // CHECK: arith.select
  func.func @pools(%x: tensor<1x1x5xui8>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "MaxPool"(%x) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x5xui8>) -> !onnx.unknown
    %1, %2 = onnx.node "MaxPool"(%x) {kernel_shape = array<i64: 2>} : (tensor<1x1x5xui8>) -> (!onnx.unknown, !onnx.unknown)
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  // How many elements count differs between the windows.
  // CHECK-LABEL: func @average
  // CHECK: %[[COUNTS:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 2.000000e+00, 1.000000e+00]> : tensor<4xf32>
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[COUNTS]] : tensor<1x1x4xf32>, tensor<4xf32>)
  // CHECK: arith.divf
  // CHECK: %[[COUNT:.*]] = arith.constant 2.000000e+00
  // CHECK-NEXT: arith.divf %{{.*}}, %[[COUNT]]
  func.func @average(%x: tensor<1x1x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "AveragePool"(%x) {kernel_shape = array<i64: 2>, pads = array<i64: 1, 1>} : (tensor<1x1x3xf32>) -> !onnx.unknown
    %1 = onnx.node "AveragePool"(%x) {kernel_shape = array<i64: 2>, pads = array<i64: 1, 1>, count_include_pad = 1 : i64} : (tensor<1x1x3xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}
