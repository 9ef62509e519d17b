// Heads are split off, a product is taken of each, and they are joined again.
func.func @reshape(%x: tensor<?x64xf32>, %w: tensor<16x8xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.dim %x, %c0 : tensor<?x64xf32>
  %split = tensor.expand_shape %x [[0], [1, 2]] output_shape [%d, 4, 16] : tensor<?x64xf32> into tensor<?x4x16xf32>
  %flat = tensor.collapse_shape %split [[0, 1], [2]] : tensor<?x4x16xf32> into tensor<?x16xf32>
  %rows = tensor.dim %flat, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%rows) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = linalg.matmul ins(%flat, %w : tensor<?x16xf32>, tensor<16x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %g = tensor.expand_shape %m [[0, 1], [2]] output_shape [%d, 4, 8] : tensor<?x8xf32> into tensor<?x4x8xf32>
  %h = tensor.collapse_shape %g [[0], [1, 2]] : tensor<?x4x8xf32> into tensor<?x32xf32>
  %r = math.tanh %h : tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}
