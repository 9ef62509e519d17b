func.func @ew(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0 = arith.addf %a, %b : tensor<?x?xf32>
  %1 = math.exp %0 : tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %d = tensor.dim %1, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce { arith.addf } ins(%1 : tensor<?x?xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  return %1, %r : tensor<?x?xf32>, tensor<?xf32>
}
