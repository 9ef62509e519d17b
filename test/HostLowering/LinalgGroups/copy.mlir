// A copy from one tensor to another.

// RUN: npu-run --check "--input=2x4xf32=1 2 3 4 5 6 7 8" \
// RUN:   "--expected_output=2x4xf32=1 2 3 4 5 6 7 8" %s

func.func @copy(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %empty = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.copy ins(%x : tensor<2x4xf32>) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
