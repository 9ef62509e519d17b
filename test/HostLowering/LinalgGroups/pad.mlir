// Zeros around a matrix. As a convolution's input the padding is the NPU's own: its DMA reads zeros there.

// RUN: npu-run --check "--input=2x4xf32=1 2 3 4 5 6 7 8" \
// RUN:   "--expected_output=4x6xf32=0 0 0 0 0 0 0 1 2 3 4 0 0 5 6 7 8 0 0 0 0 0 0 0" %s

func.func @pad(%x: tensor<2x4xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x4xf32> to tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
