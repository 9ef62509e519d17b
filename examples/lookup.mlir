// Rows of a table of f64, picked by their numbers and rounded, and their products with a matrix.
func.func @lookup(%table: tensor<100x64xf64>, %rows: tensor<8xi32>, %weights: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x64xf32>
  %picked = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<8xi32>) outs(%e0 : tensor<8x64xf32>) {
  ^bb0(%r: i32, %out: f32):
    %row = arith.index_cast %r : i32 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%row, %column] : tensor<100x64xf64>
    %rounded = arith.truncf %element : f64 to f32
    linalg.yield %rounded : f32
  } -> tensor<8x64xf32>
  %e1 = tensor.empty() : tensor<8x16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %result = linalg.matmul ins(%picked, %weights : tensor<8x64xf32>, tensor<64x16xf32>)
      outs(%f1 : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %result : tensor<8x16xf32>
}
