// What is computed of elements before windows of them are reduced, on the NPU: local response normalization, norms of windows, and others.

// RUN: npu-run %s --check --function=lrn | FileCheck %s
// RUN: npu-run %s --check --function=lrn --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=lrn --target=npu-v1:sramBytes=32768 | FileCheck %s
// RUN: npu-run %s --check --function=lrn_even | FileCheck %s
// RUN: npu-run %s --check --function=lrn_half | FileCheck %s
// RUN: npu-run %s --check --function=lp_1 | FileCheck %s
// RUN: npu-run %s --check --function=lp_2 | FileCheck %s
// RUN: npu-run %s --check --function=lp_3 | FileCheck %s
// RUN: npu-run %s --check --function=network | FileCheck %s
// RUN: npu-run %s --check --function=network --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=unsigned | FileCheck %s
// RUN: npu-run %s --check --function=padded_with_one | FileCheck %s
// RUN: npu-run %s --check --function=distances | FileCheck %s
// RUN: npu-run %s --check --function=hardmax | FileCheck %s

// CHECK: on the host: none
// CHECK: matches host

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
func.func @lrn(%x: tensor<2x32x9x11xf32>) -> !onnx.unknown {
  %0 = onnx.node "LRN"(%x) {size = 5 : i64, alpha = 1.0 : f32, beta = 0.75 : f32, bias = 2.0 : f32} : (tensor<2x32x9x11xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

func.func @lrn_even(%x: tensor<1x7x5xf32>) -> !onnx.unknown {
  %0 = onnx.node "LRN"(%x) {size = 4 : i64, alpha = 0.5 : f32} : (tensor<1x7x5xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

func.func @lrn_half(%x: tensor<1x16x8x8xf16>) -> !onnx.unknown {
  %0 = onnx.node "LRN"(%x) {size = 3 : i64, alpha = 1.0 : f32} : (tensor<1x16x8x8xf16>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

func.func @lp_1(%x: tensor<1x8x13x10xf32>) -> !onnx.unknown {
  %0 = onnx.node "LpPool"(%x) {p = 1 : i64, kernel_shape = array<i64: 3, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 0, 0, 1>} : (tensor<1x8x13x10xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

func.func @lp_2(%x: tensor<1x8x13x10xf32>) -> !onnx.unknown {
  %0 = onnx.node "LpPool"(%x) {p = 2 : i64, kernel_shape = array<i64: 3, 3>, dilations = array<i64: 2, 1>, auto_pad = "SAME_UPPER"} : (tensor<1x8x13x10xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

func.func @lp_3(%x: tensor<2x4x24xf32>) -> !onnx.unknown {
  %0 = onnx.node "LpPool"(%x) {p = 3 : i64, kernel_shape = array<i64: 4>, strides = array<i64: 3>} : (tensor<2x4x24xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// As AlexNet begins: what is normalized is padded and pooled.
func.func @network(%x: tensor<1x3x35x35xf32>, %w: tensor<16x3x5x5xf32>, %b: tensor<16xf32>) -> !onnx.unknown {
  %0 = onnx.node "Conv"(%x, %w, %b) {kernel_shape = array<i64: 5, 5>, strides = array<i64: 2, 2>} : (tensor<1x3x35x35xf32>, tensor<16x3x5x5xf32>, tensor<16xf32>) -> !onnx.unknown
  %1 = onnx.node "Relu"(%0) : (!onnx.unknown) -> !onnx.unknown
  %2 = onnx.node "LRN"(%1) {size = 5 : i64, alpha = 0.1 : f32, beta = 0.75 : f32, bias = 1.0 : f32} : (!onnx.unknown) -> !onnx.unknown
  %3 = onnx.node "MaxPool"(%2) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>} : (!onnx.unknown) -> !onnx.unknown
  return %3 : !onnx.unknown
}

func.func @hardmax(%x: tensor<6x10x4xf32>) -> !onnx.unknown {
  %0 = onnx.node "Hardmax"(%x) {axis = 1 : i64} : (tensor<6x10x4xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// Sums of unsigned bytes, as an average over them has.
func.func @unsigned(%x: tensor<12x20xi8>) -> tensor<4x20xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<4x20xi32>
  %window = tensor.empty() : tensor<3xi8>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<4x20xi32>) -> tensor<4x20xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 * 3 + d2, d1)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : tensor<12x20xi8>, tensor<3xi8>) outs(%init : tensor<4x20xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %1 = arith.extui %a : i8 to i32
    %2 = arith.addi %sum, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<4x20xi32>
  return %0 : tensor<4x20xi32>
}

// What pads is no neutral element, and is computed with.
func.func @padded_with_one(%x: tensor<10x24xf32>) -> tensor<10x24xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<10x24xf32>
  %window = tensor.empty() : tensor<3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<10x24xf32>) -> tensor<10x24xf32>
  %padded = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<10x24xf32> to tensor<12x24xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 + d2, d1)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %window : tensor<12x24xf32>, tensor<3xf32>) outs(%init : tensor<10x24xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %1 = arith.addf %a, %one : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %sum : f32
    linalg.yield %3 : f32
  } -> tensor<10x24xf32>
  return %0 : tensor<10x24xf32>
}

// The largest distance of two signals in each window.
func.func @distances(%x: tensor<40x32xf32>, %y: tensor<40x32xf32>) -> tensor<10x32xf32> {
  %least = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<10x32xf32>
  %window = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%least : f32) outs(%empty : tensor<10x32xf32>) -> tensor<10x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 * 4 + d2, d1)>, affine_map<(d0, d1, d2) -> (d0 * 4 + d2, d1)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y, %window : tensor<40x32xf32>, tensor<40x32xf32>, tensor<4xf32>) outs(%init : tensor<10x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %max: f32):
    %1 = arith.subf %a, %b : f32
    %2 = math.absf %1 : f32
    %3 = arith.maximumf %max, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<10x32xf32>
  return %0 : tensor<10x32xf32>
}
}
