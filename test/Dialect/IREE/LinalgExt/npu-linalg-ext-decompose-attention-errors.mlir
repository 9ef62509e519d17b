// RUN: npu-opt %s --npu-linalg-ext-decompose-attention --split-input-file --verify-diagnostics

#map = affine_map<(d0, d1) -> (d0, d0)>
#scalar = affine_map<(d0, d1) -> ()>
func.func @maps(%t: tensor<4x4xf32>, %s: f32) {
  // expected-error @below {{'iree_linalg_ext.attention' op expected indexing map 0 to be a projected permutation, found affine_map<(d0, d1) -> (d0, d0)>}}
  %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map, #map, #scalar, #map]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t : tensor<4x4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>
  return
}

// -----

#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#o = affine_map<(m, k1, k2, n) -> (k2, n)>
func.func @dimension(%t: tensor<4x4xf32>, %s: f32) {
  // expected-error @below {{'iree_linalg_ext.attention' op expected dimension d0 to be contracted or to be in the output}}
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t : tensor<4x4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>
  return
}

// -----

#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#o = affine_map<(m, k1, k2, n) -> (m, n)>
func.func @mask(%t: tensor<4x4xf32>, %s: f32) {
  // expected-error @below {{'iree_linalg_ext.attention' op expected the mask to have dimensions of the scores only}}
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #o, #o]} ins(%t, %t, %t, %s, %t : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>
  return
}

// -----

#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#o = affine_map<(m, k1, k2, n) -> (m, n)>
#row = affine_map<(m, k1, k2, n) -> (m)>
#column = affine_map<(m, k1, k2, n) -> (n)>
func.func @rows(%t: tensor<4x4xf32>, %r: tensor<4xf32>, %s: f32) {
  // expected-error @below {{'iree_linalg_ext.online_attention' op expected maximum and sum to have the dimensions of the query that are not contracted, found affine_map<(d0, d1, d2, d3) -> (d3)>}}
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #o, #row, #column]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t, %r, %r : tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}
