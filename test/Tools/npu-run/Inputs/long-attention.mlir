// Its scores do not fit on a small chip as a whole, so that its softmax is made block by block.
func.func @main(%q: tensor<4x32x16xf32>, %k: tensor<4x1024x16xf32>, %v: tensor<4x1024x16xf32>) -> tensor<4x32x16xf32> {
  %s = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<4x32x16xf32>
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(h, m, n, k, l) -> (h, m, k)>, affine_map<(h, m, n, k, l) -> (h, l, k)>, affine_map<(h, m, n, k, l) -> (h, l, n)>, affine_map<(h, m, n, k, l) -> ()>, affine_map<(h, m, n, k, l) -> (h, m, n)>]} ins(%q, %k, %v, %s : tensor<4x32x16xf32>, tensor<4x1024x16xf32>, tensor<4x1024x16xf32>, f32) outs(%e : tensor<4x32x16xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<4x32x16xf32>
  return %0 : tensor<4x32x16xf32>
}
