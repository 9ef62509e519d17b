// RUN: npu-opt %s -split-input-file -verify-diagnostics

#table = affine_map<(i, j) -> (0, j)>
#row = affine_map<(i, j) -> (i)>
#id = affine_map<(i, j) -> (i, j)>

// gather_c1
func.func @buffers(%t: memref<9x4xf32>, %i: memref<3xi32>, %o: memref<3x4xf32>) {
  // expected-error@+1 {{'npu.gather' op expected tensors; on buffers it is npu.dma_gather}}
  npu.gather %t[%i] -> %o {dimension = 0, indexing_maps = [#table, #row, #id]} : memref<9x4xf32>, memref<3xi32> -> memref<3x4xf32>
  return
}

// -----

// gather_c1
func.func @types(%t: tensor<9x4xf32>, %i: tensor<3xi16>, %o: tensor<3x4xf32>) {
  // expected-error@+1 {{'npu.gather' op expected elements of one type in source and output and indices of i32 but found 'tensor<9x4xf32>', 'tensor<3x4xf32>' and 'tensor<3xi16>'}}
  npu.gather %t[%i] -> %o {dimension = 0, indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<9x4xf32>, tensor<3xi16> -> tensor<3x4xf32>
  return
}

// -----

// gather_c2
func.func @dimension(%t: tensor<9x4xf32>, %i: tensor<3xi32>, %o: tensor<3x4xf32>) {
  // expected-error@+1 {{'npu.gather' op expected 'dimension' to be one of the 2 of 'tensor<9x4xf32>' but found 2}}
  npu.gather %t[%i] -> %o {dimension = 2, indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<9x4xf32>, tensor<3xi32> -> tensor<3x4xf32>
  return
}

// -----

// gather_c2
func.func @maps(%t: tensor<9x4xf32>, %i: tensor<3xi32>, %o: tensor<3x4xf32>) {
  // expected-error@+1 {{'npu.gather' op expected projected permutations of the output's 2 dimensions for the source, with 0 as coordinate 1, and the indices, and a permutation for the output, but found}}
  npu.gather %t[%i] -> %o {dimension = 1, indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<9x4xf32>, tensor<3xi32> -> tensor<3x4xf32>
  return
}

// -----

// gather_c3
func.func @extents(%t: tensor<9x5xf32>, %i: tensor<3xi32>, %o: tensor<3x4xf32>) {
  // expected-error@+1 {{'npu.gather' op expected 4 elements in dimension d1 of operand 0 but found 5}}
  npu.gather %t[%i] -> %o {dimension = 0, indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<9x5xf32>, tensor<3xi32> -> tensor<3x4xf32>
  return
}

// -----

// gather_c4
func.func @tile(%t: tensor<9x4xf32>, %i: tensor<3xi32>, %o: tensor<3x4xf32>) {
  // expected-error@+1 {{'npu.gather' op expected 2 tile sizes that are not negative but found array<i64: 1>}}
  npu.gather %t[%i] -> %o {dimension = 0, tile = array<i64: 1>, indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<9x4xf32>, tensor<3xi32> -> tensor<3x4xf32>
  return
}

// -----

// dma_gather_c1
func.func @destination(%z: index, %t: memref<9x4xf32, #npu.space<dram>>, %i: memref<3xi32, #npu.space<sram>>, %o: memref<3x4xf32, #npu.space<acc>>) {
  // expected-error@+1 {{'npu.dma_gather' op expected the destination in #npu.space<sram> but found 'memref<3x4xf32, #npu.space<acc>>'}}
  npu.dma_gather %t[%z, %z], %i -> %o {dimension = 0, map = affine_map<(i, j) -> (0, j)>, index_map = affine_map<(i, j) -> (i)>}
      : memref<9x4xf32, #npu.space<dram>>, memref<3xi32, #npu.space<sram>> to memref<3x4xf32, #npu.space<acc>>
  return
}

// -----

// dma_gather_c2
func.func @indices(%z: index, %t: memref<9x4xf32, #npu.space<dram>>, %i: memref<3xi8, #npu.space<sram>>, %o: memref<3x4xf32, #npu.space<sram>>) {
  // expected-error@+1 {{'npu.dma_gather' op expected indices of i32 in #npu.space<sram> but found 'memref<3xi8, #npu.space<sram>>'}}
  npu.dma_gather %t[%z, %z], %i -> %o {dimension = 0, map = affine_map<(i, j) -> (0, j)>, index_map = affine_map<(i, j) -> (i)>}
      : memref<9x4xf32, #npu.space<dram>>, memref<3xi8, #npu.space<sram>> to memref<3x4xf32, #npu.space<sram>>
  return
}

// -----

// dma_gather_c3
func.func @gathered_dimension(%z: index, %t: memref<9x4xf32, #npu.space<dram>>, %i: memref<3xi32, #npu.space<sram>>, %o: memref<3x4xf32, #npu.space<sram>>) {
  // expected-error@+1 {{'npu.dma_gather' op expected 'dimension' to be one of the 2 of 'memref<9x4xf32, #npu.space<dram>>' but found 3}}
  npu.dma_gather %t[%z, %z], %i -> %o {dimension = 3, map = affine_map<(i, j) -> (0, j)>, index_map = affine_map<(i, j) -> (i)>}
      : memref<9x4xf32, #npu.space<dram>>, memref<3xi32, #npu.space<sram>> to memref<3x4xf32, #npu.space<sram>>
  return
}

// -----

// dma_gather_c3
func.func @gathered_origin(%z: index, %t: memref<9x4xf32, #npu.space<dram>>, %i: memref<3xi32, #npu.space<sram>>, %o: memref<3x4xf32, #npu.space<sram>>) {
  // expected-error@+1 {{'npu.dma_gather' op expected one origin per dimension of the DRAM side, that is 2, but found 1}}
  npu.dma_gather %t[%z], %i -> %o {dimension = 0, map = affine_map<(i, j) -> (0, j)>, index_map = affine_map<(i, j) -> (i)>}
      : memref<9x4xf32, #npu.space<dram>>, memref<3xi32, #npu.space<sram>> to memref<3x4xf32, #npu.space<sram>>
  return
}

// -----

// dma_gather_c4
func.func @index_map(%z: index, %t: memref<9x4xf32, #npu.space<dram>>, %i: memref<3xi32, #npu.space<sram>>, %o: memref<3x4xf32, #npu.space<sram>>) {
  // expected-error@+1 {{'npu.dma_gather' op expected a map from the 2 on-chip dimensions to the 1 of the indices but found affine_map<(d0, d1) -> (d0, d1)>}}
  npu.dma_gather %t[%z, %z], %i -> %o {dimension = 0, map = affine_map<(i, j) -> (0, j)>, index_map = affine_map<(i, j) -> (i, j)>}
      : memref<9x4xf32, #npu.space<dram>>, memref<3xi32, #npu.space<sram>> to memref<3x4xf32, #npu.space<sram>>
  return
}

// -----

// dma_gather_c5
func.func @gathered_extents(%z: index, %t: memref<9x4xf32, #npu.space<dram>>, %i: memref<3xi32, #npu.space<sram>>, %o: memref<3x4xf32, #npu.space<sram>>) {
  // expected-error@+1 {{'npu.dma_gather' op expected no extents or one per on-chip dimension, that is 2, but found 1}}
  npu.dma_gather %t[%z, %z], %i -> %o extents(%z) {dimension = 0, map = affine_map<(i, j) -> (0, j)>, index_map = affine_map<(i, j) -> (i)>}
      : memref<9x4xf32, #npu.space<dram>>, memref<3xi32, #npu.space<sram>> to memref<3x4xf32, #npu.space<sram>>
  return
}
