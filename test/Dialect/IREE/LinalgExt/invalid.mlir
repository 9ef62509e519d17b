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
  // expected-error @below {{'iree_linalg_ext.im2col' found in dialect ('iree_linalg_ext') that does not allow unknown operations}}
  "iree_linalg_ext.im2col"(%t) : (tensor<4x4xf32>) -> ()
  return
}

// -----

func.func @scan_dimension(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4xf32>) {
  // expected-error @below {{'iree_linalg_ext.scan' op expected 'dimension' to be a dimension of 'tensor<4x8xf32>', found 2}}
  %0:2 = iree_linalg_ext.scan dimension(2) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%y, %z : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @scan_output(%x: tensor<4x8xf32>, %y: tensor<4x9xf32>, %z: tensor<4xf32>) {
  // expected-error @below {{'iree_linalg_ext.scan' op expected an output of the shape of 'tensor<4x8xf32>', found 'tensor<4x9xf32>'}}
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%y, %z : tensor<4x9xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x9xf32>, tensor<4xf32>
  return
}

// -----

func.func @scan_accumulator(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<8xf32>) {
  // expected-error @below {{'iree_linalg_ext.scan' op expected an accumulator of the shape of 'tensor<4xf32>', found 'tensor<8xf32>'}}
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%y, %z : tensor<4x8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x8xf32>, tensor<8xf32>
  return
}

// -----

func.func @scan_elements(%x: tensor<4x8xf32>, %y: tensor<4x8xf16>, %z: tensor<4xf32>) {
  // expected-error @below {{'iree_linalg_ext.scan' op expected the output to have elements of 'f32', found 'tensor<4x8xf16>'}}
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%y, %z : tensor<4x8xf16>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x8xf16>, tensor<4xf32>
  return
}

// -----

func.func @scan_accumulator_elements(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4xf16>) {
  // expected-error @below {{'iree_linalg_ext.scan' op expected the accumulator to have elements of 'f32', found 'tensor<4xf16>'}}
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%y, %z : tensor<4x8xf32>, tensor<4xf16>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x8xf32>, tensor<4xf16>
  return
}

// -----

func.func @scan_result(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4xf32>) {
  // expected-error @below {{'iree_linalg_ext.scan' op expected the result to have the type of the output, 'tensor<4xf32>', found 'tensor<?xf32>'}}
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%y, %z : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x8xf32>, tensor<?xf32>
  return
}

// -----

func.func @scan_region(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4xf32>) {
  // expected-error @below {{'iree_linalg_ext.scan' op expected the region to take ('f32', 'f32') and to end in an 'iree_linalg_ext.yield' of 'f32', found ('f32') and ('f32')}}
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%y, %z : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%a: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x8xf32>, tensor<4xf32>
  return
}

// -----

func.func @arg_compare_dimension(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %p: tensor<4xi32>, %base: index) {
  // expected-error @below {{'iree_linalg_ext.arg_compare' op expected 'dimension' to be a dimension of 'tensor<4x8xf32>', found -1}}
  %0:2 = iree_linalg_ext.arg_compare dimension(-1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant true
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf32>, tensor<4xi32>
  return
}

// -----

func.func @arg_compare_output(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %p: tensor<8xi32>, %base: index) {
  // expected-error @below {{'iree_linalg_ext.arg_compare' op expected an output of the shape of 'tensor<4xf32>', found 'tensor<8xf32>'}}
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<8xf32>, tensor<8xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant true
    iree_linalg_ext.yield %c : i1
  } -> tensor<8xf32>, tensor<8xi32>
  return
}

// -----

func.func @arg_compare_shapes(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %p: tensor<5xi32>, %base: index) {
  // expected-error @below {{'iree_linalg_ext.arg_compare' op expected output positions of the shape of 'tensor<4xi32>', found 'tensor<5xi32>'}}
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4xf32>, tensor<5xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant true
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf32>, tensor<5xi32>
  return
}

// -----

func.func @arg_compare_elements(%x: tensor<4x8xf32>, %v: tensor<4xf16>, %p: tensor<4xi32>, %base: index) {
  // expected-error @below {{'iree_linalg_ext.arg_compare' op expected the output to have elements of 'f32', found 'tensor<4xf16>'}}
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4xf16>, tensor<4xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant true
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf16>, tensor<4xi32>
  return
}

// -----

func.func @arg_compare_positions(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %p: tensor<4xf32>, %base: index) {
  // expected-error @below {{'iree_linalg_ext.arg_compare' op expected the positions to be integers or index, found 'tensor<4xf32>'}}
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant true
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @arg_compare_indices(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %p: tensor<4xi32>, %base: index, %i: tensor<4x9xi32>) {
  // expected-error @below {{'iree_linalg_ext.arg_compare' op expected indices of the shape of 'tensor<4x8xi32>', found 'tensor<4x9xi32>'}}
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<4x8xf32>, tensor<4x9xi32>) outs(%v, %p : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant true
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf32>, tensor<4xi32>
  return
}

// -----

func.func @arg_compare_index_elements(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %p: tensor<4xi32>, %base: index, %i: tensor<4x8xi64>) {
  // expected-error @below {{'iree_linalg_ext.arg_compare' op expected the indices to have elements of 'i32', found 'tensor<4x8xi64>'}}
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<4x8xf32>, tensor<4x8xi64>) outs(%v, %p : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant true
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf32>, tensor<4xi32>
  return
}

// -----

func.func @arg_compare_base(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %p: tensor<4xi32>, %base: index, %i: tensor<4x8xi32>) {
  // expected-error @below {{'iree_linalg_ext.arg_compare' op expected indices or 'index_base', found both; add the base to the indices}}
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<4x8xf32>, tensor<4x8xi32>) outs(%v, %p : tensor<4xf32>, tensor<4xi32>) index_base(%base : index) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.constant true
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf32>, tensor<4xi32>
  return
}

// -----

func.func @arg_compare_region(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %p: tensor<4xi32>, %base: index) {
  // expected-error @below {{'iree_linalg_ext.arg_compare' op expected the region to take ('f32', 'f32') and to end in an 'iree_linalg_ext.yield' of 'i1', found ('f32', 'f32') and ('f32')}}
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4xf32>, tensor<4xi32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<4xf32>, tensor<4xi32>
  return
}

// -----

func.func @gather_map(%x: tensor<100x16xf32>, %i: tensor<8x2xi32>, %o: tensor<8xf32>) {
  // expected-error @below {{'iree_linalg_ext.gather' op expected 'dimension_map' to be a permutation of the first dimensions of the source, 'tensor<100x16xf32>', found [0, 2]}}
  %0 = iree_linalg_ext.gather dimension_map = [0, 2] ins(%x, %i : tensor<100x16xf32>, tensor<8x2xi32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @gather_indices_type(%x: tensor<100x16xf32>, %i: tensor<8xf32>, %o: tensor<8x16xf32>) {
  // expected-error @below {{'iree_linalg_ext.gather' op expected indices to be integers or index, found 'tensor<8xf32>'}}
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<100x16xf32>, tensor<8xf32>) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @gather_elements(%x: tensor<100x16xf32>, %i: tensor<8xi32>, %o: tensor<8x16xf16>) {
  // expected-error @below {{'iree_linalg_ext.gather' op expected an output to have elements of 'f32', found 'tensor<8x16xf16>'}}
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<100x16xf32>, tensor<8xi32>) outs(%o : tensor<8x16xf16>) -> tensor<8x16xf16>
  return
}

// -----

func.func @gather_output(%x: tensor<100x16xf32>, %i: tensor<8xi32>, %o: tensor<8x15xf32>) {
  // expected-error @below {{'iree_linalg_ext.gather' op expected an output of the shape of 'tensor<8x16xf32>', found 'tensor<8x15xf32>'}}
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<100x16xf32>, tensor<8xi32>) outs(%o : tensor<8x15xf32>) -> tensor<8x15xf32>
  return
}

// -----

func.func @gather_indices(%x: tensor<100x16xf32>, %i: tensor<9xi32>, %o: tensor<8x16xf32>) {
  // expected-error @below {{'iree_linalg_ext.gather' op expected indices of the shape of 'tensor<8xi32>', found 'tensor<9xi32>'}}
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<100x16xf32>, tensor<9xi32>) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @gather_depth(%x: tensor<100x16xf32>, %i: tensor<8x3xi32>, %o: tensor<8xf32>) {
  // expected-error @below {{'iree_linalg_ext.gather' op expected indices of the shape of 'tensor<8x2xi32>', found 'tensor<8x3xi32>'}}
  %0 = iree_linalg_ext.gather dimension_map = [0, 1] ins(%x, %i : tensor<100x16xf32>, tensor<8x3xi32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @gather_mask(%x: tensor<100x16xf32>, %i: tensor<8xi32>, %o: tensor<8x16xf32>, %m: tensor<9xi1>) {
  // expected-error @below {{'iree_linalg_ext.gather' op expected a mask of the shape of 'tensor<8xi1>', found 'tensor<9xi1>'}}
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i, %m : tensor<100x16xf32>, tensor<8xi32>, tensor<9xi1>) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @gather_mask_type(%x: tensor<100x16xf32>, %i: tensor<8xi32>, %o: tensor<8x16xf32>, %m: tensor<8xi32>) {
  // expected-error @below {{'iree_linalg_ext.gather' op expected a mask of i1 or i8, found 'tensor<8xi32>'}}
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i, %m : tensor<100x16xf32>, tensor<8xi32>, tensor<8xi32>) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @gather_region(%x: tensor<100x16xf32>, %i: tensor<8xi32>, %o: tensor<8x16xf32>) {
  // expected-error @below {{'iree_linalg_ext.gather' op expected no region, or one that yields its first argument; compute on the result of the gather}}
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<100x16xf32>, tensor<8xi32>) outs(%o : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %b : f32
  } -> tensor<8x16xf32>
  return
}

// -----

func.func @scatter_map(%u: tensor<8x16xf32>, %i: tensor<8x1xi32>, %o: tensor<100x16xf32>) {
  // expected-error @below {{'iree_linalg_ext.scatter' op expected 'dimension_map' to be a permutation of the first dimensions of the output, 'tensor<100x16xf32>', found [1]}}
  %0 = iree_linalg_ext.scatter dimension_map = [1] unique_indices(true) ins(%u, %i : tensor<8x16xf32>, tensor<8x1xi32>) outs(%o : tensor<100x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<100x16xf32>
  return
}

// -----

func.func @scatter_updates(%u: tensor<8x15xf32>, %i: tensor<8x1xi32>, %o: tensor<100x16xf32>) {
  // expected-error @below {{'iree_linalg_ext.scatter' op expected updates of the shape of 'tensor<8x16xf32>', found 'tensor<8x15xf32>'}}
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%u, %i : tensor<8x15xf32>, tensor<8x1xi32>) outs(%o : tensor<100x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<100x16xf32>
  return
}

// -----

func.func @scatter_result(%u: tensor<8x16xf32>, %i: tensor<8x1xi32>, %o: tensor<100x16xf32>) {
  // expected-error @below {{'iree_linalg_ext.scatter' op expected the result to have the type of the output, 'tensor<100x16xf32>', found 'tensor<?x16xf32>'}}
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%u, %i : tensor<8x16xf32>, tensor<8x1xi32>) outs(%o : tensor<100x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<?x16xf32>
  return
}

// -----

func.func @scatter_region(%u: tensor<8x16xf32>, %i: tensor<8x1xi32>, %o: tensor<100x16xf32>) {
  // expected-error @below {{'iree_linalg_ext.scatter' op expected the region to take ('f32', 'f32') and to end in an 'iree_linalg_ext.yield' of 'f32', found ('f32', 'f32') and ()}}
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true) ins(%u, %i : tensor<8x16xf32>, tensor<8x1xi32>) outs(%o : tensor<100x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield
  } -> tensor<100x16xf32>
  return
}

// -----

func.func @sort_outputs() {
  // expected-error @below {{'iree_linalg_ext.sort' op expected outputs, and a result for each, found 0 outputs and 0 results}}
  "iree_linalg_ext.sort"() <{dimension = 0 : i64}> ({
  ^bb0:
    %c = arith.constant true
    iree_linalg_ext.yield %c : i1
  }) : () -> ()
  return
}

// -----

func.func @sort_dimension(%x: tensor<4xi32>) {
  // expected-error @below {{'iree_linalg_ext.sort' op expected 'dimension' to be a dimension of 'tensor<4xi32>', found 1}}
  %0 = iree_linalg_ext.sort dimension(1) outs(%x : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xi32>
  return
}

// -----

func.func @sort_shapes(%x: tensor<4xi32>, %y: tensor<5xi32>) {
  // expected-error @below {{'iree_linalg_ext.sort' op expected an output of the shape of 'tensor<4xi32>', found 'tensor<5xi32>'}}
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%x, %y : tensor<4xi32>, tensor<5xi32>) {
  ^bb0(%a: i32, %b: i32, %d: i32, %e: i32):
    %c = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xi32>, tensor<5xi32>
  return
}

// -----

func.func @sort_region(%x: tensor<4xi32>, %y: tensor<4xf32>) {
  // expected-error @below {{'iree_linalg_ext.sort' op expected the region to take ('i32', 'i32', 'f32', 'f32') and to end in an 'iree_linalg_ext.yield' of 'i1', found ('i32', 'i32') and ('i1')}}
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%x, %y : tensor<4xi32>, tensor<4xf32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xi32>, tensor<4xf32>
  return
}

// -----

func.func @topk_dimension(%x: tensor<4x8xf32>, %v: tensor<4x3xf32>, %p: tensor<4x3xi32>) {
  // expected-error @below {{'iree_linalg_ext.topk' op expected 'dimension' to be a dimension of 'tensor<4x8xf32>', found 2}}
  %0:2 = iree_linalg_ext.topk dimension(2) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----

func.func @topk_output(%x: tensor<4x8xf32>, %v: tensor<3x8xf32>, %p: tensor<3x8xi32>) {
  // expected-error @below {{'iree_linalg_ext.topk' op expected an output of the shape of 'tensor<4x8xf32>', found 'tensor<3x8xf32>'}}
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<3x8xf32>, tensor<3x8xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<3x8xf32>, tensor<3x8xi32>
  return
}

// -----

func.func @topk_positions(%x: tensor<4x8xf32>, %v: tensor<4x3xf32>, %p: tensor<4x2xi32>) {
  // expected-error @below {{'iree_linalg_ext.topk' op expected output indices of the shape of 'tensor<4x3xi32>', found 'tensor<4x2xi32>'}}
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4x3xf32>, tensor<4x2xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4x3xf32>, tensor<4x2xi32>
  return
}

// -----

func.func @topk_elements(%x: tensor<4x8xf32>, %v: tensor<4x3xf16>, %p: tensor<4x3xi32>) {
  // expected-error @below {{'iree_linalg_ext.topk' op expected the output to have elements of 'f32', found 'tensor<4x3xf16>'}}
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4x3xf16>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4x3xf16>, tensor<4x3xi32>
  return
}

// -----

func.func @topk_position_elements(%x: tensor<4x8xf32>, %v: tensor<4x3xf32>, %p: tensor<4x3xf32>) {
  // expected-error @below {{'iree_linalg_ext.topk' op expected the output indices to be integers or index, found 'tensor<4x3xf32>'}}
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4x3xf32>, tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4x3xf32>, tensor<4x3xf32>
  return
}

// -----

func.func @topk_indices(%x: tensor<4x8xf32>, %v: tensor<4x3xf32>, %p: tensor<4x3xi32>, %i: tensor<4x9xi32>) {
  // expected-error @below {{'iree_linalg_ext.topk' op expected indices of the shape of 'tensor<4x8xi32>', found 'tensor<4x9xi32>'}}
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x8xf32>, tensor<4x9xi32>) outs(%v, %p : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----

func.func @topk_index_elements(%x: tensor<4x8xf32>, %v: tensor<4x3xf32>, %p: tensor<4x3xi64>, %i: tensor<4x8xi32>) {
  // expected-error @below {{'iree_linalg_ext.topk' op expected the indices to have elements of 'i64', found 'tensor<4x8xi32>'}}
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x, %i : tensor<4x8xf32>, tensor<4x8xi32>) outs(%v, %p : tensor<4x3xf32>, tensor<4x3xi64>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4x3xf32>, tensor<4x3xi64>
  return
}

// -----

func.func @topk_region(%x: tensor<4x8xf32>, %v: tensor<4x3xf32>, %p: tensor<4x3xi32>) {
  // expected-error @below {{'iree_linalg_ext.topk' op expected the region to take ('f32', 'f32') and to end in an 'iree_linalg_ext.yield' of 'i1', found ('f32', 'f32') and ('f32')}}
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4x3xf32>, tensor<4x3xi32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<4x3xf32>, tensor<4x3xi32>
  return
}

// -----

#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#o = affine_map<(m, k1, k2, n) -> (m, n)>
#row = affine_map<(m, k1, k2, n) -> (m)>
func.func @online_maps(%t: tensor<4x4xf32>, %s: f32, %r: tensor<4xf32>) {
  // expected-error @below {{'iree_linalg_ext.online_attention' op expected 7 indexing maps, one for each operand, found 6}}
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #o, #row]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t, %r, %r : tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#o = affine_map<(m, k1, k2, n) -> (m, n)>
#row = affine_map<(m, k1, k2, n) -> (m)>
func.func @online_elements(%t: tensor<4x4xf32>, %s: f32, %r: tensor<4xi32>) {
  // expected-error @below {{'iree_linalg_ext.online_attention' op expected query, key, value and outputs to have float elements, found 'tensor<4xi32>'}}
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #o, #row, #row]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t, %r, %r : tensor<4x4xf32>, tensor<4xi32>, tensor<4xi32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>, tensor<4xi32>, tensor<4xi32>
  return
}

// -----

#q = affine_map<(m, k1, k2, n) -> (m, k1)>
#k = affine_map<(m, k1, k2, n) -> (k2, k1)>
#v = affine_map<(m, k1, k2, n) -> (k2, n)>
#s = affine_map<(m, k1, k2, n) -> ()>
#o = affine_map<(m, k1, k2, n) -> (m, n)>
#row = affine_map<(m, k1, k2, n) -> (m)>
func.func @online_result(%t: tensor<4x4xf32>, %s: f32, %r: tensor<4xf32>) {
  // expected-error @below {{'iree_linalg_ext.online_attention' op expected the result to have the type of the output, 'tensor<4xf32>', found 'tensor<?xf32>'}}
  %0:3 = iree_linalg_ext.online_attention {indexing_maps = [#q, #k, #v, #s, #o, #row, #row]} ins(%t, %t, %t, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, f32) outs(%t, %r, %r : tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<4x4xf32>, tensor<?xf32>, tensor<?xf32>
  return
}

// -----

func.func @topk_v2(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected values and maybe indices, outputs for values and maybe indices, and a result for each output, found 1 inputs, 1 outputs and 2 results}}
  %0:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<4x8xf32>, tensor<4x8xf32>
  return
}

// -----

func.func @topk_v2(%x: tensor<4x8xf32>, %i: tensor<4x8xi64>, %o: tensor<4x8xi32>) {
  // expected-error @below {{expected the output indices to have elements of 'i64', found 'tensor<4x8xi32>'}}
  %0:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<4x8xf32>, tensor<4x8xi64>) outs(%x, %o : tensor<4x8xf32>, tensor<4x8xi32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<4x8xf32>, tensor<4x8xi32>
  return
}
