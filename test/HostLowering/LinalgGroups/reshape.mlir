// A reshape moves no data: the host program does it without a dispatch.

// RUN: npu-run --check "--input=2x4xf32=1 2 3 4 5 6 7 8" \
// RUN:   "--expected_output=2x2x2xf32=1 2 3 4 5 6 7 8" %s

func.func @reshape(%x: tensor<2x4xf32>) -> tensor<2x2x2xf32> {
  %0 = tensor.expand_shape %x [[0], [1, 2]] output_shape [2, 2, 2]
      : tensor<2x4xf32> into tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}
