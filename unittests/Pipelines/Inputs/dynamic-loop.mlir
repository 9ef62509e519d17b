// The rows go round a loop and through one of two branches.
func.func @loop(%x: tensor<?x8xf32>, %w: tensor<8x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> tensor<?x8xf32> {
    %d = tensor.dim %t, %c0 : tensor<?x8xf32>
    %e = tensor.empty(%d) : tensor<?x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %m = linalg.matmul ins(%t, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %m : tensor<?x8xf32>
  }
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %p = arith.cmpi ugt, %n, %c3 : index
  %s = scf.if %p -> tensor<?x8xf32> {
    %e = math.exp %r : tensor<?x8xf32>
    scf.yield %e : tensor<?x8xf32>
  } else {
    scf.yield %r : tensor<?x8xf32>
  }
  %y = math.tanh %s : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
