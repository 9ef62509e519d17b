// A product of bytes, scaled down to bytes.
func.func @quantized(%a: tensor<48x64xi8>, %b: tensor<64x40xi8>) -> tensor<48x40xi8> {
  %zero = arith.constant 0 : i32
  %multiplier = arith.constant 1431655765 : i32
  %shift = arith.constant 39 : i8
  %e = tensor.empty() : tensor<48x40xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<48x40xi32>) -> tensor<48x40xi32>
  %m = linalg.matmul ins(%a, %b : tensor<48x64xi8>, tensor<64x40xi8>)
      outs(%f : tensor<48x40xi32>) -> tensor<48x40xi32>
  %o = tensor.empty() : tensor<48x40xi8>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<48x40xi32>) outs(%o : tensor<48x40xi8>) {
  ^bb0(%x: i32, %y: i8):
    %s = tosa.apply_scale %x, %multiplier, %shift {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32
    %low = arith.constant -128 : i32
    %high = arith.constant 127 : i32
    %c = arith.maxsi %s, %low : i32
    %d = arith.minsi %c, %high : i32
    %t = arith.trunci %d : i32 to i8
    linalg.yield %t : i8
  } -> tensor<48x40xi8>
  return %r : tensor<48x40xi8>
}
