// Residual additions of bytes, one behind the other, as ResNet-50's first stage has them: 802816 bytes each, of which the memory has room for two, but for nothing
// beside them. Each sum takes the place of what it is added to.
// RUN: npu-run --check --target=npu-v1:sramBytes=2097152 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4 %s | FileCheck %s
// RUN: npu-run --timing-only --target=npu-v1:sramBytes=2097152 %s | FileCheck %s --check-prefix=TRAFFIC

// CHECK: matches host

// The input with the weights and nothing else, and the result.
// TRAFFIC: together: {{.*}}DRAM: 991232 bytes read, 200704 written

func.func @main(%x: tensor<1x56x56x256xi8>, %a1: tensor<256x1x1x256xi8>, %a2: tensor<256xi32>, %a3: tensor<64x1x1x256xi8>, %a4: tensor<64xi32>, %a5: tensor<64x3x3x64xi8>, %a6: tensor<64xi32>, %a7: tensor<256x1x1x64xi8>, %a8: tensor<256xi32>, %a9: tensor<64x1x1x256xi8>, %a10: tensor<64xi32>, %a11: tensor<256x1x1x64xi8>, %a12: tensor<256xi32>, %a13: tensor<64x1x1x256xi8>, %a14: tensor<64xi32>) -> tensor<1x56x56x64xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1610612736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s36 = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s38 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s39 = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s40 = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v1 = tosa.conv2d %x, %a1, %a2, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x256xi8>, tensor<256x1x1x256xi8>, tensor<256xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x56x56x256xi32>
  %v2 = tosa.rescale %v1, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x256xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x256xi8>
  %v3 = tosa.clamp %v2 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x56x56x256xi8>) -> tensor<1x56x56x256xi8>
  %v4 = tosa.conv2d %v3, %a3, %a4, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x256xi8>, tensor<64x1x1x256xi8>, tensor<64xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x56x56x64xi32>
  %v5 = tosa.rescale %v4, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x64xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x64xi8>
  %v6 = tosa.clamp %v5 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x56x56x64xi8>) -> tensor<1x56x56x64xi8>
  %v7 = tosa.conv2d %v6, %a5, %a6, %z, %z {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x64xi8>, tensor<64x3x3x64xi8>, tensor<64xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x56x56x64xi32>
  %v8 = tosa.rescale %v7, %m, %s40, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x64xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x64xi8>
  %v9 = tosa.clamp %v8 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x56x56x64xi8>) -> tensor<1x56x56x64xi8>
  %v10 = tosa.conv2d %v9, %a7, %a8, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x64xi8>, tensor<256x1x1x64xi8>, tensor<256xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x56x56x256xi32>
  %v11 = tosa.rescale %v10, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x256xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x256xi8>
  %v13 = tosa.rescale %v11, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x256xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x56x56x256xi32>
  %v14 = tosa.rescale %v3, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x256xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x56x56x256xi32>
  %v12 = tosa.add %v13, %v14 : (tensor<1x56x56x256xi32>, tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32>
  %v15 = tosa.rescale %v12, %m, %s31, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x256xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x256xi8>
  %v16 = tosa.clamp %v15 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x56x56x256xi8>) -> tensor<1x56x56x256xi8>
  %v17 = tosa.conv2d %v16, %a9, %a10, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x256xi8>, tensor<64x1x1x256xi8>, tensor<64xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x56x56x64xi32>
  %v18 = tosa.rescale %v17, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x64xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x64xi8>
  %v19 = tosa.clamp %v18 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x56x56x64xi8>) -> tensor<1x56x56x64xi8>
  %v20 = tosa.conv2d %v19, %a11, %a12, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x64xi8>, tensor<256x1x1x64xi8>, tensor<256xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x56x56x256xi32>
  %v21 = tosa.rescale %v20, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x256xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x256xi8>
  %v23 = tosa.rescale %v21, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x256xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x56x56x256xi32>
  %v24 = tosa.rescale %v16, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x256xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x56x56x256xi32>
  %v22 = tosa.add %v23, %v24 : (tensor<1x56x56x256xi32>, tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32>
  %v25 = tosa.rescale %v22, %m, %s31, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x256xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x256xi8>
  %v26 = tosa.clamp %v25 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x56x56x256xi8>) -> tensor<1x56x56x256xi8>
  %v27 = tosa.conv2d %v26, %a13, %a14, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x256xi8>, tensor<64x1x1x256xi8>, tensor<64xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x56x56x64xi32>
  %v28 = tosa.rescale %v27, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x56x56x64xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x56x56x64xi8>
  return %v28 : tensor<1x56x56x64xi8>
}
