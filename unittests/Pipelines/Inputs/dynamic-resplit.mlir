// Rows of another length: no dimension of the result is one of the operand.
func.func @resplit(%x: tensor<?x6xf32>) -> tensor<?x4xf32> {
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<?x6xf32> into tensor<?xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %flat, %c0 : tensor<?xf32>
  %rows = arith.divui %n, %c4 : index
  %y = tensor.expand_shape %flat [[0, 1]] output_shape [%rows, 4] : tensor<?xf32> into tensor<?x4xf32>
  %r = math.exp %y : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
