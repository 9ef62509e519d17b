// RUN: npu-opt %s -split-input-file -verify-diagnostics

#map = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
func.func @maps(%t: tensor<4x4xf32>, %s: f32) {
  // expected-error @below {{'iree_linalg_ext.attention' op expected 5 indexing maps, one for each operand, found 4}}
  %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map, #map, #scalar]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t : tensor<4x4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @rank(%t: tensor<4x4xf32>, %s: f32) {
  // expected-error @below {{'iree_linalg_ext.attention' op expected indexing map 3 to map 2 dimensions to 0, found affine_map<(d0, d1) -> (d0, d1)>}}
  %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map, #map, #map, #map]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t : tensor<4x4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
func.func @result(%t: tensor<4x4xf32>, %s: f32) {
  // expected-error @below {{'iree_linalg_ext.attention' op expected the result to have the type of the output, 'tensor<4x4xf32>', found 'tensor<4x8xf32>'}}
  %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map, #map, #scalar, #map]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t : tensor<4x4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x8xf32>
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
func.func @elements(%t: tensor<4x4xi8>, %s: f32, %o: tensor<4x4xf32>) {
  // expected-error @below {{'iree_linalg_ext.attention' op expected query, key, value and output to have float elements, found 'tensor<4x4xi8>'}}
  %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map, #map, #scalar, #map]} ins(%t, %t, %t, %s : tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi8>, f32) outs(%o : tensor<4x4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>
  return
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#scalar = affine_map<(d0, d1) -> ()>
func.func @region(%t: tensor<4x4xf32>, %s: f32) {
  // expected-error @below {{'iree_linalg_ext.attention' op expected the region to take a float and to end in an 'iree_linalg_ext.yield' of a float}}
  %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map, #map, #scalar, #map]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t : tensor<4x4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield
  } -> tensor<4x4xf32>
  return
}

// -----

// Other ops of the dialect are reported as unknown.
func.func @other(%t: tensor<4x4xf32>) {
  // expected-error @below {{'iree_linalg_ext.scan' found in dialect ('iree_linalg_ext') that does not allow unknown operations}}
  "iree_linalg_ext.scan"(%t) : (tensor<4x4xf32>) -> ()
  return
}
