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

// -----

// One step: powers of 2, of scores that are scaled for that; what was there before is repaired.
// CHECK-LABEL: func.func @online
// CHECK-SAME: %[[Q:.*]]: tensor<8x4xf16>, %[[K:.*]]: tensor<16x4xf16>, %[[V:.*]]: tensor<16x3xf16>, %[[O:.*]]: tensor<8x3xf32>, %[[MAX:.*]]: tensor<8xf32>, %[[SUM:.*]]: tensor<8xf32>
// CHECK: arith.constant 1.44269502 : f32
// CHECK: %[[ROW:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]}
// CHECK: arith.maximumf
// CHECK: %[[NEWMAX:.*]] = linalg.generic {{.*}} ins(%[[ROW]], %[[MAX]] : tensor<8xf32>, tensor<8xf32>)
// CHECK: arith.maximumf
// CHECK: %[[REPAIR:.*]] = linalg.generic {{.*}} ins(%[[MAX]], %[[NEWMAX]] : tensor<8xf32>, tensor<8xf32>)
// CHECK: math.exp2
// CHECK: %[[WEIGHTS:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[NEWMAX]] : tensor<8x16xf32>, tensor<8xf32>)
// CHECK: math.exp2
// CHECK: %[[PART:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[WEIGHTS]] :
// CHECK: %[[NEWSUM:.*]] = linalg.generic {{.*}} ins(%[[PART]], %[[REPAIR]], %[[SUM]] : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: %[[NEWOUT:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[REPAIR]], %[[O]] : tensor<8x3xf32>, tensor<8xf32>, tensor<8x3xf32>)
// CHECK: return %[[NEWOUT]], %{{.*}}, %[[NEWSUM]]
#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#o = affine_map<(m, k1, k2, n) -> (m, n)>
#row = affine_map<(m, k1, k2, n) -> (m)>
func.func @online(%q: tensor<8x4xf16>, %k: tensor<16x4xf16>, %v: tensor<16x3xf16>, %o: tensor<8x3xf32>, %max: tensor<8xf32>, %sum: tensor<8xf32>, %s: f32) -> (tensor<8x3xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #o, #row, #row]}
      ins(%q, %k, %v, %s : tensor<8x4xf16>, tensor<16x4xf16>, tensor<16x3xf16>, f32) outs(%o, %max, %sum : tensor<8x3xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x3xf32>, tensor<8xf32>, tensor<8xf32>
  return %0#0, %0#1, %0#2 : tensor<8x3xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @natural
// CHECK-NOT: math.exp2
// CHECK: math.exp
// CHECK-NOT: math.exp2
#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#o = affine_map<(m, k1, k2, n) -> (m, n)>
#row = affine_map<(m, k1, k2, n) -> (m)>
func.func @natural(%q: tensor<8x4xf32>, %k: tensor<16x4xf32>, %v: tensor<16x3xf32>, %o: tensor<8x3xf32>, %r: tensor<8xf32>, %s: f32) -> tensor<8x3xf32> {
  %0:3 = iree_linalg_ext.online_attention {decomposition_config = {use_exp2 = false}, indexing_maps = [#q, #k, #v, #s, #o, #row, #row]}
      ins(%q, %k, %v, %s : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x3xf32>, f32) outs(%o, %r, %r : tensor<8x3xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x3xf32>, tensor<8xf32>, tensor<8xf32>
  return %0#0 : tensor<8x3xf32>
}
