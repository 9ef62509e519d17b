// A part of a matrix.

// RUN: npu-run --check "--input=4x4xf32=0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" \
// RUN:   "--expected_output=2x2xf32=6 7 10 11" %s

func.func @slice(%x: tensor<4x4xf32>) -> tensor<2x2xf32> {
  %0 = tensor.extract_slice %x[1, 2] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
