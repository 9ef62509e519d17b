// Every row is the input.

// RUN: npu-run --check "--input=4xf32=1 2 3 4" \
// RUN:   "--expected_output=2x4xf32=1 2 3 4 1 2 3 4" %s

func.func @broadcast(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  %empty = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.broadcast ins(%x : tensor<4xf32>) outs(%empty : tensor<2x4xf32>) dimensions = [0]
  return %0 : tensor<2x4xf32>
}
