// Rows become columns.

// RUN: npu-run --check "--input=2x4xf32=1 2 3 4 5 6 7 8" \
// RUN:   "--expected_output=4x2xf32=1 5 2 6 3 7 4 8" %s

func.func @transpose(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %empty = tensor.empty() : tensor<4x2xf32>
  %0 = linalg.transpose ins(%x : tensor<2x4xf32>) outs(%empty : tensor<4x2xf32>) permutation = [1, 0]
  return %0 : tensor<4x2xf32>
}
