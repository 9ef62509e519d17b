// RUN: npu-opt %s -split-input-file -verify-diagnostics

// reduce_c1
func.func @bits_of_floats(%x: tensor<4x8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'npu.reduce' op does not take elements of type 'f32'}}
  npu.reduce and %x -> %y {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<4x8xf32> -> tensor<4xf32>
  return
}

// -----

// reduce_c1
func.func @sum_of_bits(%x: tensor<4x8xi1>, %y: tensor<4xi1>) {
  // expected-error@+1 {{'npu.reduce' op does not take elements of type 'i1'}}
  npu.reduce sum %x -> %y {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<4x8xi1> -> tensor<4xi1>
  return
}

// -----

// reduce_c1
func.func @other_type(%x: tensor<4x8xi8>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'npu.reduce' op expected input and output of integers, of floats or of i1 but found 'i8' and 'f32'}}
  npu.reduce sum %x -> %y {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<4x8xi8> -> tensor<4xf32>
  return
}

// -----

// reduce_c2
func.func @one_map(%x: tensor<4x8xi8>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.reduce' op expected one indexing map per data operand, that is 2, but found 1}}
  npu.reduce sum %x -> %y {indexing_maps = [affine_map<(i, j) -> (i, j)>]} : tensor<4x8xi8> -> tensor<4xi8>
  return
}

// -----

// reduce_c2
func.func @not_a_permutation(%x: tensor<4xi8>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.reduce' op expected the map of the input to be a permutation but found affine_map<(d0, d1) -> (d0)>}}
  npu.reduce sum %x -> %y {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]} : tensor<4xi8> -> tensor<4xi8>
  return
}

// -----

// reduce_c2
func.func @destination(%x: tensor<4x8xi8>, %y: tensor<11xi8>) {
  // expected-error@+1 {{'npu.reduce' op expected the map of the destination to be a projected permutation of 2 dimensions but found affine_map<(d0, d1) -> (d0 + d1)>}}
  npu.reduce sum %x -> %y {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + j)>]} : tensor<4x8xi8> -> tensor<11xi8>
  return
}

// -----

// reduce_c3
func.func @extent(%x: tensor<4x8xi8>, %y: tensor<5xi8>) {
  // expected-error@+1 {{'npu.reduce' op expected 5 elements in dimension d0 of operand 0 but found 4}}
  npu.reduce sum %x -> %y {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<4x8xi8> -> tensor<5xi8>
  return
}

// -----

// reduce_c4
func.func @extents(%x: memref<4x8xi8>, %y: memref<4xi8>, %e: index) {
  // expected-error@+1 {{'npu.reduce' op expected one extent per iteration dimension, that is 2, but found 1}}
  npu.reduce sum %x -> %y extents(%e) {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : memref<4x8xi8> -> memref<4xi8>
  return
}

// -----

// reduce_c4
func.func @init_on_tensors(%x: tensor<4x8xi8>, %y: tensor<4xi8>, %e: index) {
  // expected-error@+1 {{'npu.reduce' op expected no 'init' on tensors but found 1 values; use 'accumulate'}}
  npu.reduce sum %x -> %y init(%e) {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<4x8xi8> -> tensor<4xi8>
  return
}

// -----

// reduce_c5
func.func @tile(%x: tensor<4x8xi8>, %y: tensor<4xi8>) {
  // expected-error@+1 {{'npu.reduce' op expected 2 tile sizes that are not negative but found array<i64: 4>}}
  npu.reduce sum %x -> %y {tile = array<i64: 4>, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<4x8xi8> -> tensor<4xi8>
  return
}

// -----

// pool_c1
func.func @pool_type(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'npu.pool' op does not take elements of type 'f32'}}
  npu.pool xor %x -> %y {window = array<i64: 2>, indexing_maps = [affine_map<(w, x) -> (w * 2 + x)>, affine_map<(w, x) -> (w)>]} : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

// pool_c1
func.func @pad_type(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'npu.pool' op expected 'pad_value' of type 'f32' but found 0 : i8}}
  npu.pool max %x -> %y {pad_value = 0 : i8, window = array<i64: 2>, indexing_maps = [affine_map<(w, x) -> (w * 2 + x)>, affine_map<(w, x) -> (w)>]} : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

// pool_c2
func.func @backwards(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'npu.pool' op expected coordinates of the input to be sums of dimensions with positive factors and a constant, each dimension in one of them, but found affine_map<(d0, d1) -> (d0 * 2 - d1)>}}
  npu.pool max %x -> %y {window = array<i64: 2>, indexing_maps = [affine_map<(w, x) -> (w * 2 - x)>, affine_map<(w, x) -> (w)>]} : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

// pool_c2
func.func @nowhere(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{each dimension in one of them, but found affine_map<(d0, d1) -> (d0)>}}
  npu.pool max %x -> %y {window = array<i64: 2>, indexing_maps = [affine_map<(w, x) -> (w)>, affine_map<(w, x) -> (w)>]} : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

// pool_c2
func.func @offset_in_buffer(%x: memref<9xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'npu.pool' op expected no constants in the coordinates of a buffer, which begins with the first window, but found affine_map<(d0, d1) -> (d0 * 2 + d1 + 1)>}}
  npu.pool max %x -> %y {window = array<i64: 2>, indexing_maps = [affine_map<(w, x) -> (w * 2 + x + 1)>, affine_map<(w, x) -> (w)>]} : memref<9xf32> -> memref<4xf32>
  return
}

// -----

// pool_c3
func.func @window(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'npu.pool' op expected 1 positive extents of the window but found array<i64: 2, 2>}}
  npu.pool max %x -> %y {window = array<i64: 2, 2>, indexing_maps = [affine_map<(w, x) -> (w * 2 + x)>, affine_map<(w, x) -> (w)>]} : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

// pool_c4
func.func @pool_extents(%x: memref<8xf32>, %y: memref<4xf32>, %e: index) {
  // expected-error@+1 {{'npu.pool' op expected one extent per iteration dimension, that is 2, but found 1}}
  npu.pool max %x -> %y extents(%e) {window = array<i64: 2>, indexing_maps = [affine_map<(w, x) -> (w * 2 + x)>, affine_map<(w, x) -> (w)>]} : memref<8xf32> -> memref<4xf32>
  return
}

// -----

// pool_c5
func.func @pool_tile(%x: tensor<8xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'npu.pool' op expected 2 tile sizes that are not negative but found array<i64: -1, 1>}}
  npu.pool max %x -> %y {tile = array<i64: -1, 1>, window = array<i64: 2>, indexing_maps = [affine_map<(w, x) -> (w * 2 + x)>, affine_map<(w, x) -> (w)>]} : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

// scan_c1
func.func @scan_types(%x: tensor<8xf32>, %y: tensor<8xi32>) {
  // expected-error@+1 {{'npu.scan' op does not take elements of type 'f32' to 'i32'}}
  npu.scan sum %x -> %y {dimension = 0, indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]} : tensor<8xf32> -> tensor<8xi32>
  return
}

// -----

// scan_c2
func.func @scan_maps(%x: tensor<8x8xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{'npu.scan' op expected permutations of the same dimensions as maps of input and output but found}}
  npu.scan sum %x -> %y {dimension = 0, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x8xf32> -> tensor<8xf32>
  return
}

// -----

// scan_c3
func.func @scan_dimension(%x: tensor<8xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{'npu.scan' op expected 'dimension' to be one of 1 but found 1}}
  npu.scan sum %x -> %y {dimension = 1, indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]} : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

// scan_c4
func.func @scan_shapes(%x: tensor<8xf32>, %y: tensor<9xf32>) {
  // expected-error@+1 {{'npu.scan' op expected 9 elements in dimension d0 of operand 0 but found 8}}
  npu.scan sum %x -> %y {dimension = 0, indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]} : tensor<8xf32> -> tensor<9xf32>
  return
}

// -----

// scan_c5
func.func @scan_extents(%x: tensor<8xf32>, %y: tensor<8xf32>, %e: index) {
  // expected-error@+1 {{'npu.scan' op expected no extents on tensors but found 1; slice the operands instead}}
  npu.scan sum %x -> %y extents(%e) {dimension = 0, indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]} : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

// scan_c6
func.func @scan_tile(%x: tensor<8xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{'npu.scan' op expected 1 tile sizes that are not negative but found array<i64: 1, 2>}}
  npu.scan sum %x -> %y {dimension = 0, tile = array<i64: 1, 2>, indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]} : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

// arg_reduce_c1
func.func @arg_reduce_types(%x: tensor<8x8xi1>, %y: tensor<8xi32>) {
  // expected-error@+1 {{'npu.arg_reduce' op does not take elements of type 'i1' to positions of type 'i32'}}
  npu.arg_reduce argmax %x -> %y {dimension = 1, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x8xi1> -> tensor<8xi32>
  return
}

// -----

// arg_reduce_c1
func.func @arg_reduce_positions(%x: tensor<8x8xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{'npu.arg_reduce' op does not take elements of type 'f32' to positions of type 'f32'}}
  npu.arg_reduce argmax %x -> %y {dimension = 1, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x8xf32> -> tensor<8xf32>
  return
}

// -----

// arg_reduce_c2
func.func @arg_reduce_maps(%x: tensor<8xf32>, %y: tensor<8xi32>) {
  // expected-error@+1 {{'npu.arg_reduce' op expected a permutation of the dimensions as map of the input and a projected one as map of the output but found}}
  npu.arg_reduce argmax %x -> %y {dimension = 1, indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>]} : tensor<8xf32> -> tensor<8xi32>
  return
}

// -----

// arg_reduce_c3
func.func @arg_reduce_dimension(%x: tensor<8x8xf32>, %y: tensor<8xi32>) {
  // expected-error@+1 {{'npu.arg_reduce' op expected 'dimension' to be one of 2 but found 2}}
  npu.arg_reduce argmin %x -> %y {dimension = 2, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x8xf32> -> tensor<8xi32>
  return
}

// -----

// arg_reduce_c3
func.func @arg_reduce_kept(%x: tensor<8x8xf32>, %y: tensor<8xi32>) {
  // expected-error@+1 {{'npu.arg_reduce' op expected the map of the output to lack dimension d0 and no other but found affine_map<(d0, d1) -> (d0)>}}
  npu.arg_reduce argmin %x -> %y {dimension = 0, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x8xf32> -> tensor<8xi32>
  return
}

// -----

// arg_reduce_c3
func.func @arg_reduce_several(%x: tensor<8x8xf32>, %y: tensor<i32>) {
  // expected-error@+1 {{'npu.arg_reduce' op expected the map of the output to lack dimension d0 and no other but found affine_map<(d0, d1) -> ()>}}
  npu.arg_reduce argmin %x -> %y {dimension = 0, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>]} : tensor<8x8xf32> -> tensor<i32>
  return
}

// -----

// arg_reduce_c4
func.func @arg_reduce_shapes(%x: tensor<8x8xf32>, %y: tensor<9xi32>) {
  // expected-error@+1 {{'npu.arg_reduce' op expected 9 elements in dimension d0 of operand 0 but found 8}}
  npu.arg_reduce argmax %x -> %y {dimension = 1, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x8xf32> -> tensor<9xi32>
  return
}

// -----

// arg_reduce_c5
func.func @arg_reduce_extents(%x: tensor<8x8xf32>, %y: tensor<8xi32>, %e: index) {
  // expected-error@+1 {{'npu.arg_reduce' op expected no extents on tensors but found 2; slice the operands instead}}
  npu.arg_reduce argmax %x -> %y extents(%e, %e) {dimension = 1, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x8xf32> -> tensor<8xi32>
  return
}

// -----

// arg_reduce_c6
func.func @arg_reduce_tile(%x: tensor<8x8xf32>, %y: tensor<8xi32>) {
  // expected-error@+1 {{'npu.arg_reduce' op expected 2 tile sizes that are not negative but found array<i64: 1>}}
  npu.arg_reduce argmax %x -> %y {dimension = 1, tile = array<i64: 1>, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<8x8xf32> -> tensor<8xi32>
  return
}
