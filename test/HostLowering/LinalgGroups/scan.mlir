// Prefix sums. linalg has no op for them: the loop of a linalg.generic is a reduction to the sum so far,
// which is written to every element as well.

// RUN: npu-run --check "--input=8xf32=1 2 3 4 5 6 7 8" \
// RUN:   "--expected_output=8xf32=1 3 6 10 15 21 28 36" %s

func.func @scan(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%none : tensor<f32>) -> tensor<f32>
  %empty = tensor.empty() : tensor<8xf32>
  %sums, %last = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
      iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%empty, %start : tensor<8xf32>, tensor<f32>) {
  ^bb0(%a: f32, %out: f32, %sum: f32):
    %next = arith.addf %sum, %a : f32
    linalg.yield %next, %next : f32, f32
  } -> (tensor<8xf32>, tensor<f32>)
  return %sums : tensor<8xf32>
}
