// RUN: npu-opt %s --npu-linalg-ext-decompose-attention --split-input-file --mlir-print-local-scope | FileCheck %s

// Two contractions in f32 with a softmax between them; the weights get the type of the values.
// CHECK-LABEL: func.func @half
// CHECK-SAME: %[[Q:.*]]: tensor<2x8x4xf16>, %[[K:.*]]: tensor<2x16x4xf16>, %[[V:.*]]: tensor<2x16x3xf16>, %[[S:.*]]: f16, %[[O:.*]]: tensor<2x8x3xf16>
// CHECK-NOT: iree_linalg_ext
// CHECK: %[[SCORES:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%[[Q]], %[[K]] : {{.*}}) outs(%{{.*}} : tensor<2x8x16xf32>)
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[SCORES]] : tensor<2x8x16xf32>)
// CHECK: arith.mulf
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[SCALED]] : tensor<2x8x16xf32>) outs(%{{.*}} : tensor<2x8xf32>)
// CHECK: arith.maximumf
// CHECK: %[[WEIGHTS:.*]] = linalg.generic {{.*}} ins(%[[SCALED]], %[[MAX]] :
// CHECK: math.exp
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[WEIGHTS]] :
// CHECK: %[[ROUNDED:.*]] = linalg.generic {{.*}} ins(%[[WEIGHTS]] : tensor<2x8x16xf32>) outs(%{{.*}} : tensor<2x8x16xf16>)
// CHECK: arith.truncf
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} ins(%[[ROUNDED]], %[[V]] : tensor<2x8x16xf16>, tensor<2x16x3xf16>) outs(%{{.*}} : tensor<2x8x3xf32>)
// CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[PRODUCT]], %[[SUM]] : tensor<2x8x3xf32>, tensor<2x8xf32>) outs(%[[O]] : tensor<2x8x3xf16>)
// CHECK: arith.divf
// CHECK: return %[[RESULT]]
#q = affine_map<(b, m, k1, k2, n) -> (b, m, k1)>
#k = affine_map<(b, m, k1, k2, n) -> (b, k2, k1)>
#v = affine_map<(b, m, k1, k2, n) -> (b, k2, n)>
#s = affine_map<(b, m, k1, k2, n) -> ()>
#o = affine_map<(b, m, k1, k2, n) -> (b, m, n)>
func.func @half(%q: tensor<2x8x4xf16>, %k: tensor<2x16x4xf16>, %v: tensor<2x16x3xf16>, %s: f16, %o: tensor<2x8x3xf16>) -> tensor<2x8x3xf16> {
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]}
      ins(%q, %k, %v, %s : tensor<2x8x4xf16>, tensor<2x16x4xf16>, tensor<2x16x3xf16>, f16) outs(%o : tensor<2x8x3xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<2x8x3xf16>
  return %0 : tensor<2x8x3xf16>
}

// -----

// Dynamic sizes, an i1 mask that all batches share, and a region that does something.
// CHECK-LABEL: func.func @masked
// CHECK: tensor.dim
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
// CHECK: %[[SCALED:.*]] = arith.mulf
// CHECK-NEXT: %[[TANH:.*]] = math.tanh %[[SCALED]] : f32
// CHECK: arith.select %{{.*}}, %[[TANH]], %{{.*}} : f32
#q = affine_map<(b, m, k1, k2, n) -> (b, m, k1)>
#k = affine_map<(b, m, k1, k2, n) -> (b, k2, k1)>
#v = affine_map<(b, m, k1, k2, n) -> (b, k2, n)>
#s = affine_map<(b, m, k1, k2, n) -> ()>
#mask = affine_map<(b, m, k1, k2, n) -> (m, k2)>
#o = affine_map<(b, m, k1, k2, n) -> (b, m, n)>
func.func @masked(%q: tensor<?x8x4xf32>, %k: tensor<?x16x4xf32>, %v: tensor<?x16x3xf32>, %s: f32, %m: tensor<8x16xi1>, %o: tensor<?x8x3xf32>) -> tensor<?x8x3xf32> {
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #mask, #o]}
      ins(%q, %k, %v, %s, %m : tensor<?x8x4xf32>, tensor<?x16x4xf32>, tensor<?x16x3xf32>, f32, tensor<8x16xi1>) outs(%o : tensor<?x8x3xf32>) {
  ^bb0(%score: f32):
    %1 = math.tanh %score : f32
    iree_linalg_ext.yield %1 : f32
  } -> tensor<?x8x3xf32>
  return %0 : tensor<?x8x3xf32>
}
