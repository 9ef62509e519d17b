func.func @main(%x: tensor<8xf32>, %i: tensor<2xi64>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = tensor.extract %i[%c0] : tensor<2xi64>
  %k1 = tensor.extract %i[%c1] : tensor<2xi64>
  %n0 = arith.index_cast %k0 : i64 to index
  %n1 = arith.index_cast %k1 : i64 to index
  %a = tensor.extract_slice %x[0] [%n0] [1] : tensor<8xf32> to tensor<?xf32>
  %b = tensor.extract_slice %x[0] [%n1] [1] : tensor<8xf32> to tensor<?xf32>
  %e = tensor.empty(%n0) : tensor<?xf32>
  %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.extract %s[%c1] : tensor<?xf32>
  %t = tensor.from_elements %r : tensor<f32>
  return %t : tensor<f32>
}
