// RUN: npu-opt %s --npu-dispatch-creation-elementwise-op-fusion --mlir-print-local-scope | FileCheck %s

// What is turned round twice lies as it did: the map of both is simple.
// CHECK-LABEL: func @twice(
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK-NOT: linalg.generic
func.func @twice(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (-i + 2, -j + 4)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x5xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (-i + 2, -j + 4)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}
