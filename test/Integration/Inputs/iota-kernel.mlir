//--- kernel.mlir
npu.kernel @k(%x: tensor<40x70xi32>) -> tensor<40x70xi32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<40x70xi32>
  %0 = npu.iota -> %e {steps = array<i64: -1, 3>, start = -3} : tensor<40x70xi32>
  %1 = npu.binary mul %x, %0 -> %e {tile = array<i64: 16, 32>} : tensor<40x70xi32>, tensor<40x70xi32> -> tensor<40x70xi32>
  npu.return %1 : tensor<40x70xi32>
}
//--- function.mlir
func.func @f(%x: tensor<40x70xi32>) -> tensor<40x70xi32> {
  %e = tensor.empty() : tensor<40x70xi32>
  %c3 = arith.constant 3 : i32
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<40x70xi32>) outs(%e : tensor<40x70xi32>) {
  ^bb0(%v: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i32
    %column = arith.index_cast %j : index to i32
    %c = arith.muli %column, %c3 : i32
    %d = arith.subi %c, %row : i32
    %p = arith.subi %d, %c3 : i32
    %s = arith.muli %p, %v : i32
    linalg.yield %s : i32
  } -> tensor<40x70xi32>
  return %0 : tensor<40x70xi32>
}
