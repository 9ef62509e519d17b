// Small memories, which the search fills: the constants of rescalings have room in them, those of all kernels of a program together as well.
// RUN: npu-run --check --target=npu-v1:sramBytes=26624 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1:sramBytes=16384 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1:clusters=4,sramBytes=16384 %s | FileCheck %s

// CHECK: matches host

func.func @main(%x: tensor<1x8x17x48xi8>, %a1: tensor<48x1x1x48xi8>, %a2: tensor<48xi32>, %a3: tensor<32x1x1x48xi8>, %a4: tensor<32xi32>, %a5: tensor<48x1x1x32xi8>, %a6: tensor<48xi32>, %a7: tensor<32x1x1x48xi8>, %a8: tensor<32xi32>, %a9: tensor<48x1x1x32xi8>, %a10: tensor<48xi32>, %a11: tensor<32x1x1x48xi8>, %a12: tensor<32xi32>, %a13: tensor<48x1x1x32xi8>, %a14: tensor<48xi32>, %a15: tensor<32x1x1x48xi8>, %a16: tensor<32xi32>) -> tensor<1x8x17x32xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1610612736> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s31 = "tosa.const"() <{values = dense<31> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s36 = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s38 = "tosa.const"() <{values = dense<38> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s39 = "tosa.const"() <{values = dense<39> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s40 = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %v1 = tosa.conv2d %x, %a1, %a2, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x17x48xi8>, tensor<48x1x1x48xi8>, tensor<48xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x17x48xi32>
  %v2 = tosa.rescale %v1, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x48xi8>
  %v3 = tosa.clamp %v2 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x17x48xi8>) -> tensor<1x8x17x48xi8>
  %v4 = tosa.conv2d %v3, %a3, %a4, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x17x48xi8>, tensor<32x1x1x48xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x17x32xi32>
  %v5 = tosa.rescale %v4, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x32xi8>
  %v6 = tosa.clamp %v5 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x17x32xi8>) -> tensor<1x8x17x32xi8>
  %v7 = tosa.conv2d %v6, %a5, %a6, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x17x32xi8>, tensor<48x1x1x32xi8>, tensor<48xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x17x48xi32>
  %v8 = tosa.rescale %v7, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x48xi8>
  %v10 = tosa.rescale %v8, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x17x48xi32>
  %v11 = tosa.rescale %v3, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x17x48xi32>
  %v9 = tosa.add %v10, %v11 : (tensor<1x8x17x48xi32>, tensor<1x8x17x48xi32>) -> tensor<1x8x17x48xi32>
  %v12 = tosa.rescale %v9, %m, %s31, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x48xi8>
  %v13 = tosa.clamp %v12 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x17x48xi8>) -> tensor<1x8x17x48xi8>
  %v14 = tosa.conv2d %v13, %a7, %a8, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x17x48xi8>, tensor<32x1x1x48xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x17x32xi32>
  %v15 = tosa.rescale %v14, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x32xi8>
  %v16 = tosa.clamp %v15 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x17x32xi8>) -> tensor<1x8x17x32xi8>
  %v17 = tosa.conv2d %v16, %a9, %a10, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x17x32xi8>, tensor<48x1x1x32xi8>, tensor<48xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x17x48xi32>
  %v18 = tosa.rescale %v17, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x48xi8>
  %v20 = tosa.rescale %v18, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x17x48xi32>
  %v21 = tosa.rescale %v13, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x17x48xi32>
  %v19 = tosa.add %v20, %v21 : (tensor<1x8x17x48xi32>, tensor<1x8x17x48xi32>) -> tensor<1x8x17x48xi32>
  %v22 = tosa.rescale %v19, %m, %s31, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x48xi8>
  %v23 = tosa.clamp %v22 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x17x48xi8>) -> tensor<1x8x17x48xi8>
  %v24 = tosa.conv2d %v23, %a11, %a12, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x17x48xi8>, tensor<32x1x1x48xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x17x32xi32>
  %v25 = tosa.rescale %v24, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x32xi8>
  %v26 = tosa.clamp %v25 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x17x32xi8>) -> tensor<1x8x17x32xi8>
  %v27 = tosa.conv2d %v26, %a13, %a14, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x17x32xi8>, tensor<48x1x1x32xi8>, tensor<48xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x17x48xi32>
  %v28 = tosa.rescale %v27, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x48xi8>
  %v30 = tosa.rescale %v28, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x17x48xi32>
  %v31 = tosa.rescale %v23, %m, %s31, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x8x17x48xi32>
  %v29 = tosa.add %v30, %v31 : (tensor<1x8x17x48xi32>, tensor<1x8x17x48xi32>) -> tensor<1x8x17x48xi32>
  %v32 = tosa.rescale %v29, %m, %s31, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x48xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x48xi8>
  %v33 = tosa.clamp %v32 {min_val = 0 : i8, max_val = 127 : i8} : (tensor<1x8x17x48xi8>) -> tensor<1x8x17x48xi8>
  %v34 = tosa.conv2d %v33, %a15, %a16, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x17x48xi8>, tensor<32x1x1x48xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x17x32xi32>
  %v35 = tosa.rescale %v34, %m, %s38, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x8x17x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x8x17x32xi8>
  return %v35 : tensor<1x8x17x32xi8>
}
