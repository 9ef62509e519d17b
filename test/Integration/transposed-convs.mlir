// Transposed convolutions as torch-mlir, StableHLO and the import of ONNX write them, without products with zeros.

// RUN: npu-run %s --check --function=channels_last --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=channels_last --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=integers --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=integers --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=integers --target=npu-tiny | FileCheck %s
// RUN: npu-run %s --check --function=filter_rows --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=filter_rows --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=one_way --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=line --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=volume --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=one_feature --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=one_row --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=far --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=cut --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=few_taps --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=torch --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=torch --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=torch_arguments --target=npu-v1 | FileCheck %s

// CHECK: on the host: none
// CHECK: matches host

// The products of the dense input, in two dispatches: the features of all phases, and what puts them together.
// RUN: npu-run %s --timing-only --function=channels_last | FileCheck %s --check-prefix=DENSE
// DENSE: on the NPU: 2 of 2 dispatches, 5760 of 5760 MACs
// DENSE: M=30 N=24 K=8

// RUN: npu-run %s --timing-only --function=integers | FileCheck %s --check-prefix=TAPS
// TAPS: kernel=2x2

// StableHLO's order; all of the filter's taps are in some phase.
func.func @channels_last(%x: tensor<1x5x6x8xf32>) -> tensor<1x10x12x6xf32> {
  %w = arith.constant dense<[[[[-1.0, 4.0, -2.0, 1.0, 3.0, -3.0], [-4.0, 3.0, 0.0, 4.0, -1.0, -1.0], [3.0, 4.0, 4.0, 3.0, 2.0, -2.0], [-1.0, -2.0, 4.0, 2.0, -4.0, -3.0], [-2.0, -4.0, 0.0, -4.0, 0.0, 3.0], [2.0, 2.0, 2.0, 3.0, -2.0, 1.0], [-3.0, -4.0, -2.0, 3.0, -1.0, 0.0], [2.0, 0.0, 2.0, 4.0, 2.0, 1.0]], [[4.0, 2.0, -1.0, 1.0, -4.0, 0.0], [-2.0, 1.0, 4.0, -3.0, -1.0, 0.0], [0.0, -3.0, -3.0, 3.0, 3.0, -3.0], [1.0, -3.0, 2.0, -2.0, -4.0, 0.0], [2.0, 2.0, -3.0, -4.0, -4.0, 2.0], [1.0, 4.0, 0.0, 4.0, -1.0, -4.0], [0.0, -4.0, -3.0, -3.0, 4.0, -4.0], [-1.0, 2.0, 0.0, 0.0, -2.0, -4.0]]], [[[1.0, 1.0, 1.0, -2.0, 2.0, 2.0], [3.0, 4.0, 2.0, 4.0, -3.0, 4.0], [0.0, 2.0, -1.0, 0.0, 2.0, 0.0], [4.0, 0.0, 4.0, 1.0, -4.0, 2.0], [1.0, -4.0, 2.0, -2.0, -4.0, 1.0], [3.0, 1.0, 1.0, 0.0, 3.0, -4.0], [-4.0, -4.0, 1.0, 0.0, 3.0, 0.0], [1.0, -2.0, 1.0, -2.0, 1.0, 1.0]], [[0.0, 0.0, 2.0, -3.0, -4.0, -2.0], [0.0, 4.0, -1.0, 0.0, -1.0, 1.0], [-2.0, 2.0, -3.0, -3.0, 1.0, 1.0], [-1.0, 3.0, -2.0, -3.0, 1.0, -1.0], [3.0, 0.0, -1.0, -3.0, -4.0, 4.0], [-1.0, 1.0, -2.0, 0.0, 1.0, -3.0], [1.0, -2.0, 2.0, 0.0, 4.0, 0.0], [3.0, 1.0, 2.0, 0.0, 2.0, 2.0]]]]> : tensor<2x2x8x6xf32>
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x11x13x8xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x11x13x8xf32>) -> tensor<1x11x13x8xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 1, 1, 0] [1, 5, 6, 8] [1, 2, 2, 1] : tensor<1x5x6x8xf32> into tensor<1x11x13x8xf32>
  %r = tensor.empty() : tensor<1x10x12x6xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<1x10x12x6xf32>) -> tensor<1x10x12x6xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%spread, %w : tensor<1x11x13x8xf32>, tensor<2x2x8x6xf32>) outs(%init : tensor<1x10x12x6xf32>) -> tensor<1x10x12x6xf32>
  return %0 : tensor<1x10x12x6xf32>
}

// Four and three taps at strides of two, from which other elements of the dense input begin.
func.func @integers(%x: tensor<1x5x6x8xi8>) -> tensor<1x10x12x6xi32> {
  %w = arith.constant dense<[[[[-4, 2, -2, -1, -4, 3], [4, 2, 4, -1, -4, 3], [4, 0, 4, 1, -1, -3], [0, -3, -1, -4, -4, 4], [-1, 2, -4, -4, 3, -3], [-2, 4, 0, -1, -4, 4], [4, 2, -4, -3, 1, -2], [0, 4, 3, -4, 1, -1]], [[-1, -3, 4, -3, -2, -1], [0, -2, -4, 3, 2, -4], [0, -1, 0, 4, 4, 2], [-4, 3, 1, -4, -4, -2], [-4, -3, -4, -3, 3, -4], [-3, 4, 4, 3, 1, -2], [1, -3, 1, 2, 2, 0], [1, 0, -1, 1, 2, -3]], [[-2, 4, -4, 2, -3, -2], [-4, 1, 3, 4, 2, -4], [2, -4, 1, 3, 1, 2], [2, 3, -4, -1, -1, 4], [0, -3, 2, -1, 2, -2], [-4, 1, 1, 4, 0, -3], [3, -3, 4, 2, -3, 1], [4, -3, -4, 3, -2, -1]]], [[[2, -4, 4, -3, -3, 2], [-2, -4, 1, -3, -4, -3], [3, 0, 0, -3, -4, 4], [4, -1, -3, 4, -3, 4], [-4, 4, 1, -2, -3, -1], [-2, -1, 3, 2, 0, 1], [2, 1, 4, 2, -3, 2], [4, -1, 2, -2, 2, 4]], [[3, -2, 2, -2, -2, -3], [3, 3, 4, 3, -2, -2], [0, -1, -2, 4, 1, -1], [4, 0, 2, 0, -1, 0], [-4, 0, 3, 2, -1, -2], [1, -1, 1, 3, -2, 2], [3, -1, 3, 4, -4, 3], [-3, 2, -4, 3, -1, -1]], [[-3, -1, 0, -1, -1, 0], [-2, -2, -4, 0, -2, -4], [1, -2, 2, -3, -3, -3], [-3, 0, 0, -4, 1, 3], [1, -4, -4, 1, 1, 2], [2, 3, -3, -1, 3, 2], [-2, 4, 1, -3, 0, -3], [2, -3, 3, 4, 0, -3]]], [[[4, 1, 1, 3, 0, 0], [-3, 1, 4, 4, -3, 3], [4, 1, -4, 0, -2, -2], [-2, 1, 3, -3, -3, 4], [-2, 1, 2, 4, 0, -2], [3, 3, 0, -2, -3, -3], [-2, 4, 4, 2, 1, -3], [0, 0, 2, -4, -2, -4]], [[3, 4, 0, -1, 4, 1], [1, 2, 3, 4, -3, 1], [3, -3, -2, 0, -3, -3], [-3, -2, -1, 2, 2, -2], [-2, 2, -1, 4, 4, -2], [-2, -1, 0, 1, 0, -4], [3, 2, 2, 1, 4, 0], [3, 4, 0, 3, -4, -1]], [[-4, -3, -1, 3, -2, 4], [3, -1, -1, 4, -1, -4], [4, 3, -3, 0, -2, -2], [3, -3, -4, -4, 1, -1], [4, -3, 3, 4, -4, 1], [1, 1, 1, -2, -3, -4], [-3, 1, -1, -3, -1, 2], [-1, 3, 1, -3, -4, 2]]], [[[-3, -1, -2, 2, 3, 3], [-3, 4, 2, -1, 3, 0], [-4, 3, 3, 2, 3, -2], [3, -4, 0, 1, 1, 3], [4, 1, 2, -1, -4, -1], [0, 1, -2, 3, 4, -1], [-2, -1, -4, -2, 2, 4], [-2, -4, -2, -3, -2, 3]], [[3, -2, -4, -4, 2, 3], [1, 2, -4, -4, -1, 2], [-4, 2, 3, -4, -1, -1], [-3, 2, 3, -1, -2, 1], [-3, 1, -3, -4, 0, 0], [3, 0, 3, -1, 4, 0], [-4, 1, 1, 1, -3, -4], [2, -3, -4, -3, -4, -3]], [[-4, -2, 4, -4, 3, -4], [-1, 4, 1, -1, 3, 1], [3, 1, -4, 2, 0, 2], [-3, 0, -2, 2, -3, 4], [2, 4, 1, 4, 2, -2], [2, 4, 1, -2, 1, 2], [3, -1, 3, 3, 1, 0], [-2, 4, 2, 3, -4, -2]]]]> : tensor<4x3x8x6xi8>
  %z = arith.constant 0 : i8
  %az = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x13x14x8xi8>
  %zeros = linalg.fill ins(%z : i8) outs(%e : tensor<1x13x14x8xi8>) -> tensor<1x13x14x8xi8>
  %spread = tensor.insert_slice %x into %zeros[0, 2, 2, 0] [1, 5, 6, 8] [1, 2, 2, 1] : tensor<1x5x6x8xi8> into tensor<1x13x14x8xi8>
  %r = tensor.empty() : tensor<1x10x12x6xi32>
  %init = linalg.fill ins(%az : i32) outs(%r : tensor<1x10x12x6xi32>) -> tensor<1x10x12x6xi32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%spread, %w : tensor<1x13x14x8xi8>, tensor<4x3x8x6xi8>) outs(%init : tensor<1x10x12x6xi32>) -> tensor<1x10x12x6xi32>
  return %0 : tensor<1x10x12x6xi32>
}

// Two images, other strides for rows and columns, a filter that is an argument.
func.func @filter_rows(%x: tensor<2x4x5x6xf32>, %w: tensor<5x4x4x6xf32>) -> tensor<2x10x14x5xf32> {
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x13x17x6xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<2x13x17x6xf32>) -> tensor<2x13x17x6xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 3, 0, 0] [2, 4, 5, 6] [1, 2, 3, 1] : tensor<2x4x5x6xf32> into tensor<2x13x17x6xf32>
  %r = tensor.empty() : tensor<2x10x14x5xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<2x10x14x5xf32>) -> tensor<2x10x14x5xf32>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%spread, %w : tensor<2x13x17x6xf32>, tensor<5x4x4x6xf32>) outs(%init : tensor<2x10x14x5xf32>) -> tensor<2x10x14x5xf32>
  return %0 : tensor<2x10x14x5xf32>
}

// Rows are padded, and only columns are spread.
func.func @one_way(%x: tensor<1x3x6x7xf32>) -> tensor<1x4x6x13xf32> {
  %w = arith.constant dense<[[[[-2.0, -4.0, 3.0, -3.0], [-3.0, 1.0, -1.0, -4.0], [-4.0, 3.0, 3.0, 1.0]], [[1.0, -4.0, -3.0, -1.0], [2.0, -3.0, 1.0, 0.0], [-3.0, 3.0, -3.0, -1.0]], [[-1.0, -4.0, -2.0, -2.0], [-4.0, -3.0, -1.0, 0.0], [-1.0, -1.0, 4.0, 4.0]]], [[[2.0, 4.0, 1.0, 4.0], [-1.0, 3.0, -2.0, -3.0], [-4.0, -3.0, -4.0, -3.0]], [[-1.0, 0.0, -3.0, -3.0], [3.0, 2.0, -1.0, -3.0], [3.0, 1.0, 2.0, 3.0]], [[-3.0, 0.0, 3.0, 2.0], [-1.0, -3.0, 4.0, -4.0], [3.0, 0.0, -3.0, 1.0]]], [[[1.0, -1.0, 3.0, -3.0], [4.0, 1.0, 2.0, -3.0], [4.0, -1.0, -1.0, 1.0]], [[-4.0, 1.0, -1.0, 2.0], [3.0, -3.0, 0.0, -1.0], [1.0, -2.0, -1.0, -1.0]], [[3.0, 4.0, 2.0, 1.0], [-1.0, 2.0, 3.0, 2.0], [3.0, -4.0, 0.0, -4.0]]], [[[-2.0, -3.0, -4.0, -2.0], [0.0, 4.0, 4.0, -4.0], [3.0, -4.0, -1.0, -1.0]], [[0.0, 3.0, 2.0, -4.0], [1.0, 3.0, -1.0, 0.0], [-2.0, -3.0, 3.0, 0.0]], [[2.0, 3.0, -3.0, -1.0], [-2.0, 3.0, 0.0, 2.0], [1.0, -2.0, 2.0, 0.0]]]]> : tensor<4x3x3x4xf32>
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x8x16xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x8x16xf32>) -> tensor<1x3x8x16xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 1, 1] [1, 3, 6, 7] [1, 1, 1, 2] : tensor<1x3x6x7xf32> into tensor<1x3x8x16xf32>
  %r = tensor.empty() : tensor<1x4x6x13xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<1x4x6x13xf32>) -> tensor<1x4x6x13xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%spread, %w : tensor<1x3x8x16xf32>, tensor<4x3x3x4xf32>) outs(%init : tensor<1x4x6x13xf32>) -> tensor<1x4x6x13xf32>
  return %0 : tensor<1x4x6x13xf32>
}

// Audio: strides of four.
func.func @line(%x: tensor<1x4x9xf32>) -> tensor<1x3x33xf32> {
  %w = arith.constant dense<[[[3.0, 3.0, 4.0, 4.0, -1.0, 1.0, 0.0, 0.0], [-4.0, 3.0, 1.0, 1.0, 0.0, -1.0, 4.0, -4.0], [-4.0, -2.0, 4.0, -2.0, 4.0, -4.0, -2.0, -4.0], [-4.0, -1.0, 3.0, 1.0, 1.0, 4.0, -4.0, 3.0]], [[-2.0, -1.0, -4.0, 0.0, 2.0, 1.0, -4.0, 4.0], [-3.0, 3.0, 0.0, 0.0, -1.0, 3.0, 2.0, 0.0], [1.0, -4.0, -4.0, 2.0, -4.0, -2.0, -1.0, -2.0], [2.0, 4.0, 1.0, 4.0, -2.0, 0.0, -4.0, -2.0]], [[-4.0, -4.0, 3.0, -4.0, 3.0, 3.0, 4.0, 4.0], [2.0, 1.0, 4.0, -2.0, 0.0, -2.0, -3.0, -2.0], [4.0, -3.0, 2.0, 1.0, 3.0, 3.0, 0.0, 0.0], [3.0, 0.0, 4.0, -2.0, 1.0, -2.0, 4.0, -4.0]]]> : tensor<3x4x8xf32>
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x40xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x4x40xf32>) -> tensor<1x4x40xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 4] [1, 4, 9] [1, 1, 4] : tensor<1x4x9xf32> into tensor<1x4x40xf32>
  %r = tensor.empty() : tensor<1x3x33xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<1x3x33xf32>) -> tensor<1x3x33xf32>
  %0 = linalg.conv_1d_ncw_fcw ins(%spread, %w : tensor<1x4x40xf32>, tensor<3x4x8xf32>) outs(%init : tensor<1x3x33xf32>) -> tensor<1x3x33xf32>
  return %0 : tensor<1x3x33xf32>
}

// Three dimensions.
func.func @volume(%x: tensor<1x3x4x3x2xf32>) -> tensor<1x6x7x6x3xf32> {
  %w = arith.constant dense<[[[[[2.0, 3.0, -1.0], [3.0, 0.0, -4.0]], [[1.0, 4.0, -3.0], [3.0, -2.0, 0.0]]], [[[0.0, -3.0, 2.0], [-3.0, 1.0, -4.0]], [[4.0, 3.0, 3.0], [-1.0, 0.0, 1.0]]], [[[-2.0, 2.0, 2.0], [1.0, -4.0, 0.0]], [[-1.0, -4.0, 1.0], [1.0, 2.0, 4.0]]]], [[[[0.0, -4.0, -2.0], [2.0, 0.0, 2.0]], [[-3.0, 3.0, -1.0], [-1.0, -3.0, 4.0]]], [[[-3.0, -3.0, -4.0], [0.0, -3.0, 2.0]], [[0.0, 3.0, 3.0], [0.0, 0.0, 4.0]]], [[[4.0, -4.0, -2.0], [-1.0, 3.0, -2.0]], [[-2.0, -2.0, -2.0], [3.0, 2.0, -4.0]]]]]> : tensor<2x3x2x2x3xf32>
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x9x7x2xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x7x9x7x2xf32>) -> tensor<1x7x9x7x2xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 1, 1, 1, 0] [1, 3, 4, 3, 2] [1, 2, 2, 2, 1] : tensor<1x3x4x3x2xf32> into tensor<1x7x9x7x2xf32>
  %r = tensor.empty() : tensor<1x6x7x6x3xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<1x6x7x6x3xf32>) -> tensor<1x6x7x6x3xf32>
  %0 = linalg.conv_3d_ndhwc_dhwcf ins(%spread, %w : tensor<1x7x9x7x2xf32>, tensor<2x3x2x2x3xf32>) outs(%init : tensor<1x6x7x6x3xf32>) -> tensor<1x6x7x6x3xf32>
  return %0 : tensor<1x6x7x6x3xf32>
}

// A mask, which has one feature.
func.func @one_feature(%x: tensor<1x6x5x5xf32>) -> tensor<1x1x10x10xf32> {
  %w = arith.constant dense<[[[[-2.0, 2.0, -4.0, -2.0], [-2.0, 0.0, -1.0, -2.0], [-2.0, -4.0, 4.0, -2.0], [4.0, -1.0, 2.0, -3.0]], [[2.0, 2.0, -2.0, -4.0], [0.0, -3.0, -2.0, -3.0], [-2.0, 0.0, -2.0, 2.0], [1.0, -3.0, -1.0, -4.0]], [[1.0, -2.0, 3.0, -1.0], [-3.0, 1.0, 4.0, 3.0], [-3.0, 1.0, 3.0, -4.0], [1.0, 4.0, 3.0, 2.0]], [[3.0, 4.0, 4.0, 0.0], [3.0, -2.0, 4.0, 3.0], [2.0, -1.0, 0.0, -2.0], [0.0, -2.0, 1.0, 0.0]], [[-1.0, -2.0, -4.0, -4.0], [2.0, -2.0, -3.0, -4.0], [-2.0, -3.0, 2.0, 1.0], [4.0, 0.0, -3.0, 3.0]], [[4.0, 3.0, 1.0, -2.0], [-1.0, 1.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0]]]]> : tensor<1x6x4x4xf32>
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x13x13xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x13x13xf32>) -> tensor<1x6x13x13xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 2, 2] [1, 6, 5, 5] [1, 1, 2, 2] : tensor<1x6x5x5xf32> into tensor<1x6x13x13xf32>
  %r = tensor.empty() : tensor<1x1x10x10xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<1x1x10x10xf32>) -> tensor<1x1x10x10xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%spread, %w : tensor<1x6x13x13xf32>, tensor<1x6x4x4xf32>) outs(%init : tensor<1x1x10x10xf32>) -> tensor<1x1x10x10xf32>
  return %0 : tensor<1x1x10x10xf32>
}

// One row is not spread.
func.func @one_row(%x: tensor<1x6x1x5xf32>) -> tensor<1x4x2x10xf32> {
  %w = arith.constant dense<[[[[-2.0, -3.0, 4.0, -1.0], [1.0, -1.0, 0.0, 2.0]], [[0.0, 3.0, -2.0, 3.0], [1.0, 4.0, -2.0, 4.0]], [[4.0, 3.0, -4.0, -3.0], [2.0, 2.0, 4.0, 0.0]], [[-4.0, -1.0, 2.0, 2.0], [-1.0, -3.0, 1.0, 4.0]], [[-1.0, -4.0, 4.0, 3.0], [-3.0, 2.0, 2.0, 4.0]], [[1.0, -4.0, 0.0, 1.0], [4.0, 1.0, 2.0, 3.0]]], [[[1.0, -3.0, 3.0, -2.0], [1.0, -1.0, -4.0, 1.0]], [[-3.0, -4.0, -2.0, -3.0], [-1.0, 1.0, 2.0, 0.0]], [[-1.0, -4.0, -4.0, 4.0], [1.0, 4.0, 3.0, 1.0]], [[-1.0, 3.0, 1.0, -3.0], [4.0, 2.0, -1.0, 3.0]], [[-2.0, 0.0, 0.0, 4.0], [-1.0, -3.0, -2.0, -3.0]], [[2.0, -4.0, 1.0, 2.0], [-4.0, 3.0, -2.0, 3.0]]], [[[0.0, -2.0, 2.0, -1.0], [4.0, 2.0, 0.0, 2.0]], [[0.0, -3.0, -3.0, -3.0], [3.0, 1.0, -3.0, -4.0]], [[1.0, 3.0, 2.0, -3.0], [1.0, 2.0, -1.0, 1.0]], [[-1.0, 2.0, -3.0, -4.0], [4.0, -4.0, 4.0, 4.0]], [[-1.0, -3.0, -2.0, -1.0], [3.0, 4.0, 2.0, 0.0]], [[1.0, 3.0, 4.0, -1.0], [-1.0, 0.0, 1.0, -2.0]]], [[[4.0, 1.0, 4.0, 1.0], [1.0, 4.0, -1.0, 3.0]], [[-4.0, 2.0, 0.0, -1.0], [3.0, -1.0, -2.0, -3.0]], [[3.0, -3.0, 4.0, 2.0], [-1.0, 1.0, -2.0, -4.0]], [[1.0, 3.0, -1.0, 2.0], [-4.0, -1.0, 2.0, 1.0]], [[2.0, -1.0, -2.0, 0.0], [0.0, 1.0, 0.0, -4.0]], [[1.0, -3.0, -1.0, -1.0], [0.0, 3.0, -2.0, -2.0]]]]> : tensor<4x6x2x4xf32>
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x3x13xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x3x13xf32>) -> tensor<1x6x3x13xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 1, 2] [1, 6, 1, 5] [1, 1, 2, 2] : tensor<1x6x1x5xf32> into tensor<1x6x3x13xf32>
  %r = tensor.empty() : tensor<1x4x2x10xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<1x4x2x10xf32>) -> tensor<1x4x2x10xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%spread, %w : tensor<1x6x3x13xf32>, tensor<4x6x2x4xf32>) outs(%init : tensor<1x4x2x10xf32>) -> tensor<1x4x2x10xf32>
  return %0 : tensor<1x4x2x10xf32>
}

// Zeros far around.
func.func @far(%x: tensor<1x2x2x4xf32>) -> tensor<1x27x27x3xf32> {
  %w = arith.constant dense<[[[[-1.0, 3.0, -1.0], [-1.0, 1.0, -1.0], [-2.0, 4.0, 2.0], [4.0, 2.0, -2.0]], [[0.0, 3.0, 1.0], [-4.0, -3.0, 4.0], [3.0, 3.0, -4.0], [-2.0, 0.0, 4.0]], [[2.0, 3.0, -1.0], [2.0, 4.0, 3.0], [1.0, 2.0, 3.0], [-2.0, -3.0, 2.0]], [[1.0, -2.0, 1.0], [-3.0, 1.0, 4.0], [-2.0, 0.0, 3.0], [4.0, -2.0, 3.0]], [[1.0, 3.0, -4.0], [1.0, -1.0, -3.0], [4.0, 0.0, 0.0], [4.0, 1.0, 2.0]]], [[[0.0, -4.0, 2.0], [4.0, 1.0, 2.0], [3.0, 1.0, -2.0], [-1.0, 0.0, -1.0]], [[2.0, -3.0, 1.0], [4.0, -2.0, 1.0], [3.0, -2.0, 4.0], [2.0, 3.0, -1.0]], [[2.0, 4.0, 1.0], [-3.0, -4.0, 3.0], [-1.0, -2.0, 4.0], [-2.0, -3.0, -3.0]], [[4.0, 4.0, -3.0], [2.0, 4.0, 4.0], [1.0, 2.0, 0.0], [-3.0, 3.0, 0.0]], [[1.0, -1.0, 0.0], [-3.0, -1.0, -3.0], [3.0, 1.0, 2.0], [-2.0, 0.0, 1.0]]], [[[-2.0, 0.0, 4.0], [-1.0, -1.0, -1.0], [0.0, 1.0, 1.0], [-3.0, -3.0, -2.0]], [[-3.0, -1.0, 3.0], [1.0, -3.0, 1.0], [-2.0, -2.0, -4.0], [3.0, 0.0, 4.0]], [[-2.0, 1.0, 3.0], [2.0, 4.0, 2.0], [2.0, 0.0, 0.0], [4.0, 0.0, 2.0]], [[-2.0, -4.0, -4.0], [-2.0, 2.0, -4.0], [-1.0, -2.0, 4.0], [-1.0, 1.0, 0.0]], [[-4.0, 4.0, 1.0], [-1.0, -3.0, -2.0], [-1.0, -3.0, 3.0], [2.0, 0.0, -2.0]]], [[[-3.0, 4.0, 1.0], [-2.0, 0.0, -2.0], [-3.0, -3.0, -2.0], [-3.0, -4.0, -3.0]], [[4.0, 2.0, 3.0], [4.0, 3.0, 0.0], [-2.0, -4.0, -3.0], [0.0, 2.0, -2.0]], [[-4.0, -4.0, 1.0], [4.0, 1.0, 1.0], [-3.0, -4.0, -1.0], [2.0, -4.0, 4.0]], [[3.0, 1.0, -1.0], [3.0, 3.0, -1.0], [-4.0, 1.0, -1.0], [-1.0, -2.0, 2.0]], [[2.0, -3.0, 2.0], [1.0, -3.0, 4.0], [-1.0, 0.0, -3.0], [-4.0, 2.0, -4.0]]]]> : tensor<4x5x4x3xf32>
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x30x31x4xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x30x31x4xf32>) -> tensor<1x30x31x4xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 7, 9, 0] [1, 2, 2, 4] [1, 3, 2, 1] : tensor<1x2x2x4xf32> into tensor<1x30x31x4xf32>
  %r = tensor.empty() : tensor<1x27x27x3xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<1x27x27x3xf32>) -> tensor<1x27x27x3xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%spread, %w : tensor<1x30x31x4xf32>, tensor<4x5x4x3xf32>) outs(%init : tensor<1x27x27x3xf32>) -> tensor<1x27x27x3xf32>
  return %0 : tensor<1x27x27x3xf32>
}

// Padding beyond the filter: the first and last elements count less.
func.func @cut(%x: tensor<1x6x6x4xf32>) -> tensor<1x8x8x3xf32> {
  %w = arith.constant dense<[[[[1.0, -1.0, -1.0], [3.0, 4.0, 0.0], [2.0, -1.0, 4.0], [2.0, 0.0, -3.0]], [[-2.0, 3.0, 4.0], [4.0, -3.0, 0.0], [-2.0, 3.0, 4.0], [-2.0, 0.0, 4.0]], [[-2.0, -1.0, 1.0], [4.0, 0.0, -3.0], [-3.0, 3.0, -3.0], [3.0, -1.0, 2.0]], [[-4.0, -4.0, -4.0], [3.0, -4.0, -4.0], [4.0, 3.0, -4.0], [-4.0, 1.0, 0.0]]], [[[0.0, 3.0, 3.0], [0.0, 0.0, -2.0], [0.0, -3.0, 2.0], [-4.0, -3.0, -1.0]], [[-1.0, -3.0, -2.0], [2.0, 4.0, 4.0], [-2.0, -2.0, -3.0], [0.0, 4.0, 4.0]], [[-4.0, 3.0, -3.0], [1.0, 3.0, -3.0], [2.0, 1.0, 4.0], [2.0, 2.0, 3.0]], [[1.0, -4.0, 1.0], [0.0, 3.0, 0.0], [3.0, 0.0, -1.0], [1.0, -3.0, 0.0]]], [[[3.0, 2.0, 3.0], [-1.0, 1.0, -4.0], [-1.0, -4.0, 2.0], [-1.0, 2.0, -2.0]], [[1.0, -3.0, -2.0], [4.0, 3.0, 0.0], [2.0, 2.0, 1.0], [2.0, 2.0, -4.0]], [[1.0, 2.0, 1.0], [2.0, 0.0, 4.0], [-1.0, -2.0, -1.0], [-1.0, -4.0, 2.0]], [[-3.0, 2.0, 3.0], [3.0, 2.0, 4.0], [4.0, 4.0, 2.0], [-1.0, 3.0, 2.0]]], [[[-4.0, 4.0, -2.0], [-4.0, -1.0, -3.0], [-2.0, 2.0, 4.0], [-3.0, -3.0, -3.0]], [[-1.0, 0.0, 4.0], [-2.0, 2.0, 2.0], [-2.0, -2.0, -1.0], [2.0, 3.0, 1.0]], [[3.0, 4.0, -4.0], [0.0, 4.0, -4.0], [1.0, 1.0, 4.0], [2.0, -1.0, -3.0]], [[0.0, -1.0, -3.0], [-1.0, 2.0, -1.0], [-1.0, 1.0, -1.0], [-3.0, 1.0, 4.0]]]]> : tensor<4x4x4x3xf32>
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x11x11x4xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x11x11x4xf32>) -> tensor<1x11x11x4xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 0, 0] [1, 6, 6, 4] [1, 2, 2, 1] : tensor<1x6x6x4xf32> into tensor<1x11x11x4xf32>
  %r = tensor.empty() : tensor<1x8x8x3xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%spread, %w : tensor<1x11x11x4xf32>, tensor<4x4x4x3xf32>) outs(%init : tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
  return %0 : tensor<1x8x8x3xf32>
}

// Fewer taps than the stride: some phases are zeros.
func.func @few_taps(%x: tensor<1x4x4x4xf32>) -> tensor<1x12x13x3xf32> {
  %w = arith.constant dense<[[[[0.0, -1.0, 4.0], [-1.0, 4.0, 2.0], [-4.0, 4.0, 0.0], [-1.0, -2.0, 0.0]]], [[[-3.0, 0.0, 1.0], [-1.0, 0.0, -2.0], [1.0, -1.0, -1.0], [4.0, -3.0, 3.0]]]]> : tensor<2x1x4x3xf32>
  %z = arith.constant 0.0 : f32
  %az = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x13x13x4xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x13x13x4xf32>) -> tensor<1x13x13x4xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 1, 0, 0] [1, 4, 4, 4] [1, 3, 4, 1] : tensor<1x4x4x4xf32> into tensor<1x13x13x4xf32>
  %r = tensor.empty() : tensor<1x12x13x3xf32>
  %init = linalg.fill ins(%az : f32) outs(%r : tensor<1x12x13x3xf32>) -> tensor<1x12x13x3xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%spread, %w : tensor<1x13x13x4xf32>, tensor<2x1x4x3xf32>) outs(%init : tensor<1x12x13x3xf32>) -> tensor<1x12x13x3xf32>
  return %0 : tensor<1x12x13x3xf32>
}

// As torch-mlir writes it, which turns the filter round by extracting from it and starts from the bias.
func.func @torch(%x: tensor<1x3x5x5xf32>) -> tensor<1x4x10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %ck = arith.constant 2 : index
  %w = arith.constant dense<"0x00000000000080BF000040C00000803F00000000000080BF0000803F000080BF000040400000803F000000C000000000000000C0000080BF000080BF00000040000040C0000040C000000000000040400000000000000040000080BF0000404000000040000040400000803F000000C0000080BF00000040000040C00000803F0000803F000040C0000040C0000000C000004040000080BF000080BF0000803F000000C0000000C0000080BF000040C0000040C000004040000080BF0000803F0000803F000040C000000000000080BF0000803F000080BF000040C0000000000000000000004040000000400000000000004040000000C000000000000040C0000040C000004040000000C0000080BF000040400000404000000000000080BF00000000000040400000803F000000C000004040000000000000000000000000000080BF00000040000080BF00000040000040C00000803F000080BF000000000000803F000000000000803F00000000000040C000000000000040C000000040000080BF000000C0000000C00000803F000040C00000004000004040000000C0000000C00000004000004040000080BF"> : tensor<3x4x3x3xf32>
  %we = tensor.empty() : tensor<4x3x3x3xf32>
  %wz = linalg.fill ins(%zero : f32) outs(%we : tensor<4x3x3x3xf32>) -> tensor<4x3x3x3xf32>
  %flip = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wz : tensor<4x3x3x3xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %a = arith.subi %ck, %i2 : index
    %b = arith.subi %ck, %i3 : index
    %e = tensor.extract %w[%i1, %i0, %a, %b] : tensor<3x4x3x3xf32>
    linalg.yield %e : f32
  } -> tensor<4x3x3x3xf32>
  %xe = tensor.empty() : tensor<1x3x12x12xf32>
  %xz = linalg.fill ins(%zero : f32) outs(%xe : tensor<1x3x12x12xf32>) -> tensor<1x3x12x12xf32>
  %xs = tensor.insert_slice %x into %xz[0, 0, 1, 1] [1, 3, 5, 5] [1, 1, 2, 2] : tensor<1x3x5x5xf32> into tensor<1x3x12x12xf32>
  %re = tensor.empty() : tensor<1x4x10x10xf32>
  %bias = arith.constant dense<"0x000080BF000040C0000080BF0000803F"> : tensor<4xf32>
  %init = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<4xf32>) outs(%re : tensor<1x4x10x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x4x10x10xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%xs, %flip : tensor<1x3x12x12xf32>, tensor<4x3x3x3xf32>) outs(%init : tensor<1x4x10x10xf32>) -> tensor<1x4x10x10xf32>
  return %0 : tensor<1x4x10x10xf32>
}

// The same with a filter that is known at run time.
func.func @torch_arguments(%x: tensor<1x3x5x5xf32>, %w: tensor<3x4x4x4xf32>) -> tensor<1x4x10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %ck = arith.constant 3 : index
  %we = tensor.empty() : tensor<4x3x4x4xf32>
  %wz = linalg.fill ins(%zero : f32) outs(%we : tensor<4x3x4x4xf32>) -> tensor<4x3x4x4xf32>
  %flip = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wz : tensor<4x3x4x4xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %a = arith.subi %ck, %i2 : index
    %b = arith.subi %ck, %i3 : index
    %e = tensor.extract %w[%i1, %i0, %a, %b] : tensor<3x4x4x4xf32>
    linalg.yield %e : f32
  } -> tensor<4x3x4x4xf32>
  %xe = tensor.empty() : tensor<1x3x13x13xf32>
  %xz = linalg.fill ins(%zero : f32) outs(%xe : tensor<1x3x13x13xf32>) -> tensor<1x3x13x13xf32>
  %xs = tensor.insert_slice %x into %xz[0, 0, 2, 2] [1, 3, 5, 5] [1, 1, 2, 2] : tensor<1x3x5x5xf32> into tensor<1x3x13x13xf32>
  %re = tensor.empty() : tensor<1x4x10x10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%re : tensor<1x4x10x10xf32>) -> tensor<1x4x10x10xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%xs, %flip : tensor<1x3x13x13xf32>, tensor<4x3x4x4xf32>) outs(%init : tensor<1x4x10x10xf32>) -> tensor<1x4x10x10xf32>
  return %0 : tensor<1x4x10x10xf32>
}
