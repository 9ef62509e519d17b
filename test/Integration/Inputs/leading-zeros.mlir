func.func @zeros(%x: tensor<9xi32>) -> tensor<9xi32> {
  %0 = tosa.clz %x : (tensor<9xi32>) -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
