// The largest element of every 2x2 window.

// RUN: npu-run --check %s
// RUN: npu-run --check "--input=1x4x4x2xf32=0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31" \
// RUN:   "--expected_output=1x2x2x2xf32=10 11 14 15 26 27 30 31" %s

func.func @pooling(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<1x2x2x2xf32>
  %init = linalg.fill ins(%lowest : f32) outs(%empty : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %0 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x4x4x2xf32>, tensor<2x2xf32>)
      outs(%init : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  return %0 : tensor<1x2x2x2xf32>
}
