func.func @conv(%a: tensor<?x3x?x?xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<?x8x?x?xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %p = tensor.pad %a low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  } : tensor<?x3x?x?xf32> to tensor<?x3x?x?xf32>
  %n = tensor.dim %a, %c0 : tensor<?x3x?x?xf32>
  %h = tensor.dim %a, %c2 : tensor<?x3x?x?xf32>
  %ww = tensor.dim %a, %c3 : tensor<?x3x?x?xf32>
  %e = tensor.empty(%n, %h, %ww) : tensor<?x8x?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %w : tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>) outs(%f : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
  return %c : tensor<?x8x?x?xf32>
}
