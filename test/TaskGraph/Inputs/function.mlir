// A function on tensors is one dispatch.
func.func @scale(%a: tensor<16x32xf32>, %b: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.mul ins(%a, %b : tensor<16x32xf32>, tensor<16x32xf32>) outs(%0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %1 : tensor<16x32xf32>
}
