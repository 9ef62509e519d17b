// Batch and both sequence lengths are dynamic; the scores are scaled and normalized.
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @attention(%q: tensor<?x?x16xf32>, %k: tensor<?x?x16xf32>, %v: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x16xf32>
  %m = tensor.dim %q, %c1 : tensor<?x?x16xf32>
  %n = tensor.dim %k, %c1 : tensor<?x?x16xf32>
  %e0 = tensor.empty(%b, %n) : tensor<?x16x?xf32>
  %kt = linalg.transpose ins(%k : tensor<?x?x16xf32>) outs(%e0 : tensor<?x16x?xf32>) permutation = [0, 2, 1]
  %e1 = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<?x?x16xf32>, tensor<?x16x?xf32>) outs(%f1 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<?x?x?xf32>) outs(%e1 : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %scale : f32
    linalg.yield %y : f32
  } -> tensor<?x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%scaled : tensor<?x?x?xf32>) outs(%e1 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %e2 = tensor.empty(%b, %m) : tensor<?x?x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<?x?x?xf32>, tensor<?x?x16xf32>) outs(%f2 : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  return %r : tensor<?x?x16xf32>
}
