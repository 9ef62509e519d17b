// A convolution with padding, bias and relu.
func.func @conv(%x: tensor<1x12x12x8xf32>, %w: tensor<3x3x8x24xf32>) -> tensor<1x12x12x24xf32> {
  %zero = arith.constant 0.0 : f32
  %bias = arith.constant dense<[0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8, -0.9, 1.0, 1.1, 1.2,
                                -1.3, 1.4, 1.5, -1.6, 1.7, 1.8, 1.9, -2.0, 2.1, 2.2, 2.3, 2.4]> : tensor<24xf32>
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%n: index, %h: index, %i: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<1x12x12x8xf32> to tensor<1x14x14x8xf32>
  %e = tensor.empty() : tensor<1x12x12x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x12x24xf32>) -> tensor<1x12x12x24xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%padded, %w : tensor<1x14x14x8xf32>, tensor<3x3x8x24xf32>)
      outs(%f : tensor<1x12x12x24xf32>) -> tensor<1x12x12x24xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(n, h, i, c) -> (n, h, i, c)>, affine_map<(n, h, i, c) -> (c)>,
                       affine_map<(n, h, i, c) -> (n, h, i, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %bias : tensor<1x12x12x24xf32>, tensor<24xf32>) outs(%e : tensor<1x12x12x24xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x12x12x24xf32>
  return %r : tensor<1x12x12x24xf32>
}
