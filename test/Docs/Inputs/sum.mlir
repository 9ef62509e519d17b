func.func @sum(%a: tensor<64x100xi16>, %b: tensor<64x100xi16>) -> tensor<64x100xi16> {
  %e = tensor.empty() : tensor<64x100xi16>
  %0 = linalg.add ins(%a, %b : tensor<64x100xi16>, tensor<64x100xi16>) outs(%e : tensor<64x100xi16>) -> tensor<64x100xi16>
  return %0 : tensor<64x100xi16>
}
