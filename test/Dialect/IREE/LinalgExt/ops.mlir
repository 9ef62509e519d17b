// RUN: npu-opt %s --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @attention
// CHECK: iree_linalg_ext.attention {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d1)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>]} ins(%arg0, %arg1, %arg2, %arg3 : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32) outs(%arg4 : tensor<8x2xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: f32):
// CHECK-NEXT:   iree_linalg_ext.yield %{{.*}} : f32
// CHECK-NEXT: } -> tensor<8x2xf32>
// CHECK: ins(%arg0, %arg1, %arg2, %arg3, %arg5 : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32, tensor<8x16xf32>) outs(%arg4 : tensor<8x2xf32>) {
func.func @attention(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x2xf32>, %s: f32, %o: tensor<8x2xf32>, %m: tensor<8x16xf32>) {
  %0 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, k1, k2, n) -> (m, k1)>, affine_map<(m, k1, k2, n) -> (k2, k1)>, affine_map<(m, k1, k2, n) -> (k2, n)>, affine_map<(m, k1, k2, n) -> ()>, affine_map<(m, k1, k2, n) -> (m, n)>]}
      ins(%q, %k, %v, %s : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32) outs(%o : tensor<8x2xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x2xf32>
  %1 = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, k1, k2, n) -> (m, k1)>, affine_map<(m, k1, k2, n) -> (k2, k1)>, affine_map<(m, k1, k2, n) -> (k2, n)>, affine_map<(m, k1, k2, n) -> ()>, affine_map<(m, k1, k2, n) -> (m, k2)>, affine_map<(m, k1, k2, n) -> (m, n)>]}
      ins(%q, %k, %v, %s, %m : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32, tensor<8x16xf32>) outs(%o : tensor<8x2xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x2xf32>
  return
}
