// Zero points that are known at run time only: upstream's lowerings need numbers, and do not say so.

// RUN: not npu-opt %s --npu-lower-tosa --split-input-file 2>&1 | FileCheck %s
// RUN: not npu-run %s 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: error: 'tosa.transpose_conv2d' op expected its zero points to be constants
// FIRST-NOT: error:

// CHECK: :[[@LINE+3]]:8: error: 'tosa.transpose_conv2d' op expected its zero points to be constants; make them tosa.const, or compute with integers of which the zero point is taken off before
// CHECK: :[[@LINE+1]]:90: note: found one that is known at run time
func.func @transposed(%a: tensor<1x8x8x4xi8>, %w: tensor<4x2x2x4xi8>, %b: tensor<4xi32>, %z: tensor<1xi8>) -> tensor<1x16x16x4xi32> {
  %0 = tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xi8>, tensor<4x2x2x4xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x16x16x4xi32>
  return %0 : tensor<1x16x16x4xi32>
}

// -----

func.func @weights(%a: tensor<1x8x8x4xi8>, %w: tensor<4x1x1x4xi8>, %b: tensor<4xi32>, %z: tensor<1xi8>) -> tensor<1x8x8x4xi32> {
  %c = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  // CHECK: 'tosa.conv2d' op expected its zero points to be constants
  %0 = tosa.conv2d %a, %w, %b, %c, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xi8>, tensor<4x1x1x4xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8x4xi32>
  return %0 : tensor<1x8x8x4xi32>
}

// -----

func.func @volume(%a: tensor<1x4x8x8x4xi8>, %w: tensor<4x1x1x1x4xi8>, %b: tensor<4xi32>, %z: tensor<1xi8>) -> tensor<1x4x8x8x4xi32> {
  // CHECK: 'tosa.conv3d' op expected its zero points to be constants
  %0 = tosa.conv3d %a, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>} : (tensor<1x4x8x8x4xi8>, tensor<4x1x1x1x4xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x8x8x4xi32>
  return %0 : tensor<1x4x8x8x4xi32>
}

// -----

func.func @depthwise(%a: tensor<1x8x8x4xi8>, %w: tensor<3x3x4x1xi8>, %b: tensor<4xi32>, %z: tensor<1xi8>) -> tensor<1x6x6x4xi32> {
  // CHECK: 'tosa.depthwise_conv2d' op expected its zero points to be constants
  %0 = tosa.depthwise_conv2d %a, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xi8>, tensor<3x3x4x1xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x4xi32>
  return %0 : tensor<1x6x6x4xi32>
}

// -----

func.func @product(%a: tensor<1x8x4xi8>, %b: tensor<1x4x8xi8>, %z: tensor<1xi8>) -> tensor<1x8x8xi32> {
  // CHECK: 'tosa.matmul' op expected its zero points to be constants
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x8x4xi8>, tensor<1x4x8xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x8xi32>
  return %0 : tensor<1x8x8xi32>
}

// -----

func.func @average(%a: tensor<1x8x8x4xi8>, %z: tensor<1xi8>) -> tensor<1x4x4x4xi8> {
  // CHECK: 'tosa.avg_pool2d' op expected its zero points to be constants
  %0 = tosa.avg_pool2d %a, %z, %z {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x4xi8>
  return %0 : tensor<1x4x4x4xi8>
}
