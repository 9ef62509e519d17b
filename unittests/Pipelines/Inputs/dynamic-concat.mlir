// Rows of two inputs, and a slice of both that is not one piece of memory.
func.func @concat(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %both = tensor.concat dim(0) %x, %y : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %n = tensor.dim %both, %c0 : tensor<?x8xf32>
  %columns = tensor.extract_slice %both[0, 2] [%n, 3] [1, 1] : tensor<?x8xf32> to tensor<?x3xf32>
  %r = math.exp %both : tensor<?x8xf32>
  return %r, %columns : tensor<?x8xf32>, tensor<?x3xf32>
}
