// The second convolution takes all channels of its input for each block of its own, and the residual addition the same input block by block:
// the sum must not take the place of what later blocks read.
// RUN: npu-run --check --target=npu-v1:sramBytes=524288 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1:sramBytes=100000 %s | FileCheck %s

// CHECK: matches host

func.func @main(%x: tensor<1x4x4x512xi8>, %w1: tensor<512x1x1x512xi8>, %b1: tensor<512xi32>, %w2: tensor<512x1x1x512xi8>, %b2: tensor<512xi32>, %w3: tensor<512x1x1x512xi8>, %b3: tensor<512xi32>) -> tensor<1x4x4x512xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1610612736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s38 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v1c = tosa.conv2d %x, %w1, %b1, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x512xi8>, tensor<512x1x1x512xi8>, tensor<512xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x512xi32>
  %v1 = tosa.rescale %v1c, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x512xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x512xi8>
  %v2c = tosa.conv2d %v1, %w2, %b2, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x512xi8>, tensor<512x1x1x512xi8>, tensor<512xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x512xi32>
  %v2 = tosa.rescale %v2c, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x512xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x512xi8>
  %v3l = tosa.rescale %v2, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x512xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x512xi32>
  %v3r = tosa.rescale %v1, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x512xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x512xi32>
  %v3a = tosa.add %v3l, %v3r : (tensor<1x4x4x512xi32>, tensor<1x4x4x512xi32>) -> tensor<1x4x4x512xi32>
  %v3 = tosa.rescale %v3a, %m, %s31, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x512xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x512xi8>
  %v4c = tosa.conv2d %v3, %w3, %b3, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x4x4x512xi8>, tensor<512x1x1x512xi8>, tensor<512xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x512xi32>
  %v4 = tosa.rescale %v4c, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x4x4x512xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x512xi8>

  return %v4 : tensor<1x4x4x512xi8>
}
