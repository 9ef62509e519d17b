// What the verifiers of npu.sort and npu.arg_sort reject.
// RUN: npu-opt %s -split-input-file -verify-diagnostics

// sort_c1
func.func @sort_types(%x: tensor<8x8xi1>, %y: tensor<8x8xi1>) {
  // expected-error@+1 {{'npu.sort' op does not take elements of type 'i1' to 'i1'}}
  %0 = npu.sort ascending %x -> %y {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : tensor<8x8xi1> -> tensor<8x8xi1>
  return
}

// -----

// sort_c1
func.func @sort_result(%x: tensor<8x8xf16>, %y: tensor<8x8xf32>) {
  // expected-error@+1 {{'npu.sort' op does not take elements of type 'f16' to 'f32'}}
  %0 = npu.sort ascending %x -> %y {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : tensor<8x8xf16> -> tensor<8x8xf32>
  return
}

// -----

// arg_sort_c1
func.func @arg_sort_result(%x: tensor<8x8xf16>, %y: tensor<8x8xi64>) {
  // expected-error@+1 {{'npu.arg_sort' op does not take elements of type 'f16' to 'i64'}}
  %0 = npu.arg_sort ascending %x -> %y {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : tensor<8x8xf16> -> tensor<8x8xi64>
  return
}

// -----

// sort_c2
func.func @sort_maps(%x: tensor<8x8xf16>, %y: tensor<8x8xf16>) {
  // expected-error@+1 {{'npu.sort' op expected projected permutations of the same dimensions as maps of input and output, each of which lacks one that the other has, but found}}
  %0 = npu.sort ascending %x -> %y {indexing_maps = [affine_map<(i, j, p) -> (i, j)>]} : tensor<8x8xf16> -> tensor<8x8xf16>
  return
}

// -----

// sort_c3
func.func @sort_dims(%x: tensor<8x8xf16>, %y: tensor<8x8xf16>) {
  // expected-error@+1 {{'npu.sort' op expected projected permutations of the same dimensions as maps of input and output, each of which lacks one that the other has, but found}}
  %0 = npu.sort ascending %x -> %y {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, j)>]} : tensor<8x8xf16> -> tensor<8x8xf16>
  return
}

// -----

// arg_sort_c2
func.func @arg_sort_dims(%x: tensor<8x8xf16>, %y: tensor<8x8xi32>) {
  // expected-error@+1 {{'npu.arg_sort' op expected projected permutations of the same dimensions as maps of input and output, each of which lacks one that the other has, but found}}
  %0 = npu.arg_sort ascending %x -> %y {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]} : tensor<8x8xf16> -> tensor<8x8xi32>
  return
}

// -----

// sort_c4
func.func @sort_places(%x: tensor<8x8xf16>, %y: tensor<8x9xf16>) {
  // expected-error@+1 {{'npu.sort' op expected at most as many places as elements in a row, that is 8, but found 9}}
  %0 = npu.sort ascending %x -> %y {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : tensor<8x8xf16> -> tensor<8x9xf16>
  return
}

// -----

// sort_c5
func.func @sort_scratch(%x: tensor<8x8xf16>, %y: tensor<8x8xf16>, %s: memref<8x32xi8>) {
  // expected-error@+1 {{'npu.sort' op expected no 'scratch' on tensors}}
  %0 = npu.sort ascending %x -> %y scratch(%s : memref<8x32xi8>) {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : tensor<8x8xf16> -> tensor<8x8xf16>
  return
}

// -----

// sort_c5
func.func @sort_no_scratch(%x: memref<8x8xf16>, %y: memref<8x8xf16>) {
  // expected-error@+1 {{'npu.sort' op expected 'scratch' of i8, at least 8x32, but found none}}
  npu.sort ascending %x -> %y {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : memref<8x8xf16> -> memref<8x8xf16>
  return
}

// -----

// sort_c5
func.func @arg_sort_small_scratch(%x: memref<8x8xf32>, %y: memref<8x8xi32>, %s: memref<8x64xi8>) {
  // expected-error@+1 {{'npu.arg_sort' op expected 'scratch' of i8, at least 8x128, but found 'memref<8x64xi8>'}}
  npu.arg_sort ascending %x -> %y scratch(%s : memref<8x64xi8>) {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : memref<8x8xf32> -> memref<8x8xi32>
  return
}

// -----

// sort_c6
func.func @sort_shapes(%x: tensor<8x8xf16>, %y: tensor<9x8xf16>) {
  // expected-error@+1 {{'npu.sort' op expected 9 elements in dimension d0 of operand 0 but found 8}}
  %0 = npu.sort ascending %x -> %y {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : tensor<8x8xf16> -> tensor<9x8xf16>
  return
}

// -----

// sort_c7
func.func @sort_extents(%x: tensor<8x8xf16>, %y: tensor<8x8xf16>, %e: index) {
  // expected-error@+1 {{'npu.sort' op expected no extents on tensors but found 1; slice the operands instead}}
  %0 = npu.sort ascending %x -> %y extents(%e) {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : tensor<8x8xf16> -> tensor<8x8xf16>
  return
}

// -----

// sort_c8
func.func @sort_tile(%x: tensor<8x8xf16>, %y: tensor<8x8xf16>) {
  // expected-error@+1 {{'npu.sort' op expected 3 tile sizes that are not negative but found array<i64: 1, 2>}}
  %0 = npu.sort ascending %x -> %y {tile = array<i64: 1, 2>, indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : tensor<8x8xf16> -> tensor<8x8xf16>
  return
}
