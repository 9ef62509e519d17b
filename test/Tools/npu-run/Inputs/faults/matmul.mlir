// So large that it takes several tiles of all dimensions.
func.func @matmul(%a: tensor<96x384xf16>, %b: tensor<384x136xf16>) -> tensor<96x136xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x136xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x136xf32>) -> tensor<96x136xf32>
  %m = linalg.matmul ins(%a, %b : tensor<96x384xf16>, tensor<384x136xf16>)
      outs(%f : tensor<96x136xf32>) -> tensor<96x136xf32>
  %h = tensor.empty() : tensor<96x136xf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<96x136xf32>) outs(%h : tensor<96x136xf16>) {
  ^bb0(%x: f32, %o: f16):
    %t = math.tanh %x : f32
    %u = arith.truncf %t : f32 to f16
    linalg.yield %u : f16
  } -> tensor<96x136xf16>
  return %r : tensor<96x136xf16>
}
