// Depthwise convolutions of TOSA with one weight per channel, padded with the zero point, strided, and with several results per channel.

// RUN: npu-run %s --check --function=padded --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=padded --target=npu-tiny | FileCheck %s
// RUN: npu-run %s --check --function=floats --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=multiplied --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=transposed --target=npu-v1 | FileCheck %s

// CHECK: on the host: none
// CHECK: matches host

func.func @padded(%a: tensor<1x8x8x4xi8>, %w: tensor<1x1x4x1xi8>, %b: tensor<4xi32>) -> tensor<1x10x11x4xi32> {
  %az = "tosa.const"() {values = dense<3> : tensor<1xi8>} : () -> tensor<1xi8>
  %wz = "tosa.const"() {values = dense<-2> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.depthwise_conv2d %a, %w, %b, %az, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 2, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xi8>, tensor<1x1x4x1xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x10x11x4xi32>
  return %0 : tensor<1x10x11x4xi32>
}

func.func @floats(%a: tensor<1x8x8x4xf32>, %w: tensor<1x1x4x1xf32>, %b: tensor<4xf32>) -> tensor<1x10x10x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %a, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<1x1x4x1xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x10x4xf32>
  return %0 : tensor<1x10x10x4xf32>
}

func.func @multiplied(%a: tensor<1x9x9x4xi8>, %w: tensor<1x1x4x3xi8>, %b: tensor<12xi32>) -> tensor<1x5x5x12xi32> {
  %az = "tosa.const"() {values = dense<-128> : tensor<1xi8>} : () -> tensor<1xi8>
  %wz = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.depthwise_conv2d %a, %w, %b, %az, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x9x9x4xi8>, tensor<1x1x4x3xi8>, tensor<12xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x5x12xi32>
  return %0 : tensor<1x5x5x12xi32>
}

func.func @transposed(%a: tensor<1x8x8x4xi8>, %w: tensor<4x2x2x4xi8>, %b: tensor<4xi32>) -> tensor<1x16x16x4xi32> {
  %az = "tosa.const"() {values = dense<7> : tensor<1xi8>} : () -> tensor<1xi8>
  %wz = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.transpose_conv2d %a, %w, %b, %az, %wz {acc_type = i32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x4xi8>, tensor<4x2x2x4xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x16x16x4xi32>
  return %0 : tensor<1x16x16x4xi32>
}
