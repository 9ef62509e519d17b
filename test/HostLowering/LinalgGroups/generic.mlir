// A bias and a ReLU in one element-wise op.

// RUN: npu-run --check %s
// RUN: npu-run --check "--input=2x4xf32=1 2 3 4 5 6 7 8" "--input=4xf32=-5 0 1 -3" \
// RUN:   "--expected_output=2x4xf32=0 2 4 1 0 6 8 5" %s

func.func @generic(%x: tensor<2x4xf32>, %bias: tensor<4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias : tensor<2x4xf32>, tensor<4xf32>) outs(%empty : tensor<2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
