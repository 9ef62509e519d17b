// RUN: npu-opt --resolve-shaped-type-result-dims %s --split-input-file | FileCheck %s

// The sizes of a pad and of a fill, by upstream's pass.
// CHECK:       #map = affine_map<()[s0] -> (s0 + 5)>
// CHECK-LABEL: util.func public @rows(%arg0: tensor<?x16xf32>, %arg1: f32) -> (index, index) {
// CHECK-NEXT:    %[[V0:.*]] = arith.constant 16 : index
// CHECK-NEXT:    %[[V1:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V2:.*]] = tensor.dim %arg0, %[[V1]] : tensor<?x16xf32>
// CHECK-NEXT:    %[[V3:.*]] = affine.apply #map()[%[[V2]]]
// CHECK-NEXT:    util.return %[[V3]], %[[V0]] : index, index
// CHECK-NEXT:  }
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
