// RUN: npu-opt --split-input-file --resolve-shaped-type-result-dims %s | FileCheck %s --match-full-lines --strict-whitespace

// 9.1 Dimension of a pad and of a fill chain.
//      CHECK:#map = affine_map<()[s0] -> (s0 + 5)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @rows(%arg0: tensor<?x16xf32>, %arg1: f32) -> (index, index) {
// CHECK-NEXT:    %c16 = arith.constant 16 : index
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %dim = tensor.dim %arg0, %c0 : tensor<?x16xf32>
// CHECK-NEXT:    %0 = affine.apply #map()[%dim]
// CHECK-NEXT:    util.return %0, %c16 : index, index
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @rows(%arg0: tensor<?x16xf32>, %arg1: f32) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.empty(%c0) : tensor<?x16xf32>
  %padded = tensor.pad %arg0 low[4, 0] high[1, 0] {
  ^bb0(%arg2: index, %arg3: index):
    tensor.yield %arg1 : f32
  } : tensor<?x16xf32> to tensor<?x16xf32>
  %1 = linalg.fill ins(%arg1 : f32) outs(%padded : tensor<?x16xf32>) -> tensor<?x16xf32>
  %dim = tensor.dim %1, %c0 : tensor<?x16xf32>
  %c1 = arith.constant 1 : index
  %dim_0 = tensor.dim %1, %c1 : tensor<?x16xf32>
  util.return %dim, %dim_0 : index, index
}
