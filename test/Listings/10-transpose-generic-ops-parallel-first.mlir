// RUN: npu-opt --split-input-file --npu-dispatch-creation-transpose-generic-ops %s | FileCheck %s --match-full-lines --strict-whitespace

// 10.1 Column sums.
//      CHECK:#map = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT:#map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @colsum(%arg0: tensor<9x4xi32>, %arg1: tensor<4xi32>) -> tensor<4xi32> {
// CHECK-NEXT:    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<9x4xi32>) outs(%arg1 : tensor<4xi32>) {
// CHECK-NEXT:    ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:      %1 = arith.addi %in, %out : i32
// CHECK-NEXT:      linalg.yield %1 : i32
// CHECK-NEXT:    } -> tensor<4xi32>
// CHECK-NEXT:    util.return %0 : tensor<4xi32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
util.func public @colsum(%arg0: tensor<9x4xi32>, %arg1: tensor<4xi32>) -> tensor<4xi32> {
  %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<9x4xi32>) outs(%arg1 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %1 = arith.addi %in, %out : i32
    linalg.yield %1 : i32
  } -> tensor<4xi32>
  util.return %0 : tensor<4xi32>
}
