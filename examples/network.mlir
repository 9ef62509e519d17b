// A convolution with bias and relu, a pooling, and a classifier.
func.func @network(%image: tensor<1x18x18x4xf32>, %filter: tensor<3x3x4x16xf32>, %bias: tensor<16xf32>,
                   %weights: tensor<1024x10xf32>) -> tensor<1x10xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<1x16x16x16xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %conv = linalg.conv_2d_nhwc_hwcf ins(%image, %filter : tensor<1x18x18x4xf32>, tensor<3x3x4x16xf32>)
      outs(%f0 : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (c)>,
                       affine_map<(n, h, w, c) -> (n, h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %bias : tensor<1x16x16x16xf32>, tensor<16xf32>) outs(%e0 : tensor<1x16x16x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x16x16x16xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %e1 = tensor.empty() : tensor<1x8x8x16xf32>
  %f1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %pool = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%sum, %window : tensor<1x16x16x16xf32>, tensor<2x2xf32>) outs(%f1 : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %flat = tensor.collapse_shape %pool [[0], [1, 2, 3]] : tensor<1x8x8x16xf32> into tensor<1x1024xf32>
  %e2 = tensor.empty() : tensor<1x10xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<1x10xf32>) -> tensor<1x10xf32>
  %result = linalg.matmul ins(%flat, %weights : tensor<1x1024xf32>, tensor<1024x10xf32>) outs(%f2 : tensor<1x10xf32>) -> tensor<1x10xf32>
  return %result : tensor<1x10xf32>
}
