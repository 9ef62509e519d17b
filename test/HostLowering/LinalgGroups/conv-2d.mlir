// A 3x3 window over four channels.

// RUN: npu-run --check %s
// RUN: npu-run --input=1x6x6x4xf32=2 --input=3x3x4x8xf32=3 --expected_output=1x4x4x8xf32=216 %s

func.func @conv_2d(%x: tensor<1x6x6x4xf32>, %f: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>)
                                outs(%init : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}
