// Three matrix products side by side.

// RUN: npu-run --check %s
// RUN: npu-run --input=3x8x16xf32=2 --input=3x16x4xf32=3 --expected_output=3x8x4xf32=96 %s

func.func @batch_matmul(%a: tensor<3x8x16xf32>, %b: tensor<3x16x4xf32>) -> tensor<3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x8x4xf32>) -> tensor<3x8x4xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x8x16xf32>, tensor<3x16x4xf32>)
                           outs(%init : tensor<3x8x4xf32>) -> tensor<3x8x4xf32>
  return %0 : tensor<3x8x4xf32>
}
