// The sums of the rows.

// RUN: npu-run --check "--input=2x4xf32=1 2 3 4 5 6 7 8" \
// RUN:   "--expected_output=2xf32=10 26" %s

func.func @reduce(%x: tensor<2x4xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<2x4xf32>) outs(%init : tensor<2xf32>)
                     dimensions = [1]
  return %0 : tensor<2xf32>
}
