// A sum over what was transposed, beside its other use; an insertion into a larger tensor.
func.func @transpose(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.reduce { arith.addf } ins(%t : tensor<?x?xf32>) outs(%f1 : tensor<?xf32>) dimensions = [1]
  %e2 = tensor.empty() : tensor<16x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %i = tensor.insert_slice %t into %f2[3, 2] [%n, %m] [1, 1] : tensor<?x?xf32> into tensor<16x16xf32>
  return %t, %s, %i : tensor<?x?xf32>, tensor<?xf32>, tensor<16x16xf32>
}
