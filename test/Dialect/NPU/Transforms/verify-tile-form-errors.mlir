// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-verify-tile-form))' -split-input-file -verify-diagnostics

// expected-error @below {{expected argument 0 to be a static memref in #npu.space<dram> but found 'tensor<4xf32>'; lower the kernel to tile form first}}
npu.kernel @tensor(%x: tensor<4xf32>) -> tensor<4xf32> attributes {target = #npu.target<"npu-v1">} {
  npu.return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected at least one argument with 'npu.output' but found none}}
npu.kernel @no_output(%x: memref<4xf32, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}

// -----

npu.kernel @loop(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{expected a loop from 0 in steps of 1 to a positive constant, without results, but found one from 1 in steps of 1 to 4, with 0 results}}
  scf.for %i = %c1 to %c4 step %c1 {
  }
  npu.return
}

// -----

npu.kernel @empty_loop(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{without results, but found one from 0 in steps of 1 to 0, with 0 results}}
  scf.for %i = %c0 to %c0 step %c1 {
  }
  npu.return
}

// -----

npu.kernel @variable_loop(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{without results, but found one from 0 in steps of 1 to a variable, with 0 results}}
    scf.for %j = %c0 to %i step %c1 {
    }
  }
  npu.return
}

// -----

npu.kernel @carrying_loop(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{without results, but found one from 0 in steps of 1 to 4, with 1 results}}
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0) -> (index) {
    scf.yield %a : index
  }
  npu.return
}

// -----

npu.kernel @index(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{is not part of tile form, expected loops, buffers and views of them, index computations and ops of the engines}}
  %i = arith.addi %c0, %c0 : index
  npu.return
}

// -----

npu.kernel @unpacked(%x: memref<4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %a = memref.alloc() : memref<4x4xf32, #npu.space<sram>>
  %c = memref.alloc() : memref<4x4xf32, #npu.space<acc>>
  // expected-error @below {{expected a packed second operand}}
  npu.matmul %a, %a -> %c : memref<4x4xf32, #npu.space<sram>>, memref<4x4xf32, #npu.space<sram>> -> memref<4x4xf32, #npu.space<acc>>
  npu.return
}

// -----

npu.kernel @space(%x: memref<4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %a = memref.alloc() : memref<4x4xf32, #npu.space<sram>>
  %b = memref.alloc() : memref<1x4x32xf32, #npu.space<sram>>
  // expected-error @below {{expected operand 2 in #npu.space<acc> but found 'memref<4x4xf32, #npu.space<sram>>'}}
  npu.matmul %a, %b -> %a {packed} : memref<4x4xf32, #npu.space<sram>>, memref<1x4x32xf32, #npu.space<sram>> -> memref<4x4xf32, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @alloc(%x: memref<4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  // expected-error @below {{expected a static buffer in #npu.space<sram>, <acc> or <dram> but found 'memref<4x4xf32>'}}
  %a = memref.alloc() : memref<4x4xf32>
  npu.return
}

// -----

npu.kernel @dma_rank(%x: memref<4xf32, #npu.space<dram>> {npu.output}, %i: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1x1x1x1x1x4xf32, #npu.space<sram>>
  // expected-error @below {{expected at most 5 on-chip dimensions but found 6}}
  npu.dma_load %i[%c0] -> %a {map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d5)>} : memref<4xf32, #npu.space<dram>> to memref<1x1x1x1x1x4xf32, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @gather_rank(%t: memref<9xf32, #npu.space<dram>>, %x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %i = memref.alloc() : memref<4xi32, #npu.space<sram>>
  %a = memref.alloc() : memref<1x1x1x1x1x4xf32, #npu.space<sram>>
  // expected-error @below {{'npu.dma_gather' op expected at most 5 on-chip dimensions but found 6}}
  npu.dma_gather %t[%c0], %i -> %a {dimension = 0, map = affine_map<(d0, d1, d2, d3, d4, d5) -> (0)>, index_map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d5)>} : memref<9xf32, #npu.space<dram>>, memref<4xi32, #npu.space<sram>> to memref<1x1x1x1x1x4xf32, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @gather_to_dynamic(%t: memref<9xf32, #npu.space<dram>>, %x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %i = memref.alloc() : memref<4xi32, #npu.space<sram>>
  %a = memref.alloc() : memref<4xf32, #npu.space<sram>>
  %v = memref.subview %a[0] [%c4] [1] : memref<4xf32, #npu.space<sram>> to memref<?xf32, strided<[1]>, #npu.space<sram>>
  // expected-error @below {{'npu.dma_gather' op expected a static on-chip buffer or a view of one but found 'memref<?xf32, strided<[1]>, #npu.space<sram>>'}}
  npu.dma_gather %t[%c0], %i -> %v {dimension = 0, map = affine_map<(i) -> (0)>, index_map = affine_map<(i) -> (i)>} : memref<9xf32, #npu.space<dram>>, memref<4xi32, #npu.space<sram>> to memref<?xf32, strided<[1]>, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @gather_by_dynamic(%t: memref<9xf32, #npu.space<dram>>, %x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %i = memref.alloc() : memref<4xi32, #npu.space<sram>>
  %a = memref.alloc() : memref<4xf32, #npu.space<sram>>
  %v = memref.subview %i[0] [%c4] [1] : memref<4xi32, #npu.space<sram>> to memref<?xi32, strided<[1]>, #npu.space<sram>>
  // expected-error @below {{'npu.dma_gather' op expected a static on-chip buffer or a view of one but found 'memref<?xi32, strided<[1]>, #npu.space<sram>>'}}
  npu.dma_gather %t[%c0], %v -> %a {dimension = 0, map = affine_map<(i) -> (0)>, index_map = affine_map<(i) -> (i)>} : memref<9xf32, #npu.space<dram>>, memref<?xi32, strided<[1]>, #npu.space<sram>> to memref<4xf32, #npu.space<sram>>
  npu.return
}

// -----

// One slot of each buffer must fit.
// expected-error @below {{requires 1048640 bytes of sram but target 'npu-v1' has 1048576, choose smaller tiles}}
npu.kernel @footprint(%x: memref<4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  // expected-note @below {{live at the peak: 1048576 bytes x 1 for}}
  %a = memref.alloc() {npu.buffers = 2 : i64} : memref<512x512xf32, #npu.space<sram>>
  // expected-note @below {{live at the peak: 64 bytes x 1 for}}
  %b = memref.alloc() : memref<4xf32, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @scratch_in_loop(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @below {{expected buffers in DRAM to be allocated outside all loops}}
    %a = memref.alloc() : memref<4xf32, #npu.space<dram>>
  }
  npu.return
}

// -----

npu.kernel @carried(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expected a loop from 0 in steps of 1 to a positive constant, without results}}
  %0 = scf.for %i = %c0 to %c1 step %c1 iter_args(%j = %c0) -> index {
    scf.yield %j : index
  }
  npu.return
}

// -----

// Loops over clusters are in the kernel itself.
npu.kernel @inner_clusters(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // expected-error @below {{expected loops over clusters in the kernel itself}}
    scf.forall (%c) in (2) {
    }
  }
  npu.return
}

// -----

npu.kernel @three_cluster_dims(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  // expected-error @below {{expected one or two normalized dimensions with constant bounds and no results}}
  scf.forall (%c, %d, %e) in (2, 2, 2) {
  }
  npu.return
}

// -----

// One transfer for several clusters loads the same for each of them.
npu.kernel @multicast_own(%in: memref<8xi8, #npu.space<dram>>, %x: memref<8xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  scf.forall (%c) in (2) {
    %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %a = memref.alloc() : memref<4xi8, #npu.space<sram>>
    // expected-error @below {{expected the same box for each of the 2 clusters that receive it; drop 'clusters'}}
    npu.dma_load %in[%o] -> %a {clusters = 2 : i64} : memref<8xi8, #npu.space<dram>> to memref<4xi8, #npu.space<sram>>
    npu.dma_store %a -> %x[%o] : memref<4xi8, #npu.space<sram>> to memref<8xi8, #npu.space<dram>>
  }
  npu.return
}

// -----

// Also along the second dimension.
npu.kernel @multicast_own_column(%in: memref<8xi8, #npu.space<dram>>, %x: memref<2x8xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  scf.forall (%r, %c) in (2, 2) {
    %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %a = memref.alloc() : memref<4xi8, #npu.space<sram>>
    // expected-error @below {{expected the same box for each of the 4 clusters that receive it; drop 'clusters'}}
    npu.dma_load %in[%o] -> %a {clusters = 4 : i64} : memref<8xi8, #npu.space<dram>> to memref<4xi8, #npu.space<sram>>
    npu.dma_store %a -> %x[%r, %o] {map = affine_map<(d0) -> (0, d0)>} : memref<4xi8, #npu.space<sram>> to memref<2x8xi8, #npu.space<dram>>
  }
  npu.return
}

// -----

npu.kernel @multicast_more(%in: memref<8xi8, #npu.space<dram>>, %x: memref<8xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %z = arith.constant 0 : index
  scf.forall (%c) in (2) {
    %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %a = memref.alloc() : memref<4xi8, #npu.space<sram>>
    // expected-error @below {{expected a loop over the 4 clusters that receive the data}}
    npu.dma_load %in[%z] -> %a {clusters = 4 : i64} : memref<8xi8, #npu.space<dram>> to memref<4xi8, #npu.space<sram>>
    npu.dma_store %a -> %x[%o] : memref<4xi8, #npu.space<sram>> to memref<8xi8, #npu.space<dram>>
  }
  npu.return
}

// -----

npu.kernel @scratch_of_a_cluster(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  scf.forall (%c) in (2) {
    // expected-error @below {{expected buffers in DRAM to be allocated outside all loops}}
    %a = memref.alloc() : memref<4xf32, #npu.space<dram>>
  }
  npu.return
}

// -----

// All that the pipeline makes between tiling and streams is tile form: scratch memory, a loop over clusters, scalars.
npu.kernel @everything(%in: memref<64xi32, #npu.space<dram>>, %x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %scratch = memref.alloc() : memref<64xi32, #npu.space<dram>>
  scf.forall (%c) in (2) {
    %m = memref.alloc() : memref<i32, #npu.space<sram>>
    npu.fill %m {value = 1073741824 : i32} : memref<i32, #npu.space<sram>>
    %s = memref.alloc() : memref<i8, #npu.space<sram>>
    npu.fill %s {value = 37 : i8} : memref<i8, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      %o = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1 * 16)>(%c, %i)
      %a = memref.alloc() {npu.buffers = 2 : i64} : memref<16xi32, #npu.space<sram>>
      npu.dma_load %in[%o] -> %a : memref<64xi32, #npu.space<dram>> to memref<16xi32, #npu.space<sram>>
      npu.dma_store %a -> %scratch[%o] : memref<16xi32, #npu.space<sram>> to memref<64xi32, #npu.space<dram>>
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<16xi8, #npu.space<sram>>
      npu.rescale %a scales(%m, %s) -> %b {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>]} : memref<16xi32, #npu.space<sram>>, memref<i32, #npu.space<sram>>, memref<i8, #npu.space<sram>> -> memref<16xi8, #npu.space<sram>>
      npu.dma_store %b -> %x[%o] : memref<16xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
    }
  }
  npu.return
}

// -----

npu.kernel @kept(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %a = memref.alloc() : memref<2x2x2x2x4xf32, #npu.space<sram>>
  %b = memref.alloc() : memref<2x2x2x2xf32, #npu.space<sram>>
  // expected-error @below {{'npu.reduce' op expected at most 3 dimensions that are kept but found 4}}
  npu.reduce sum %a -> %b {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>, affine_map<(a, b, c, d, e) -> (a, b, c, d)>]} : memref<2x2x2x2x4xf32, #npu.space<sram>> -> memref<2x2x2x2xf32, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @table_in_acc(%x: memref<4xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny">} {
  %a = memref.alloc() : memref<4xi8, #npu.space<sram>>
  %t = memref.alloc() : memref<256xi8, #npu.space<acc>>
  // expected-error @below {{'npu.table' op expected operand 1, which is read whole, side by side in #npu.space<sram> but found 'memref<256xi8, #npu.space<acc>>'}}
  npu.table %a[%t] -> %a : memref<4xi8, #npu.space<sram>>, memref<256xi8, #npu.space<acc>> -> memref<4xi8, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @table_with_gaps(%x: memref<4xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny">} {
  %a = memref.alloc() : memref<4xi8, #npu.space<sram>>
  %b = memref.alloc() : memref<512xi8, #npu.space<sram>>
  %t = memref.subview %b[0] [256] [2] : memref<512xi8, #npu.space<sram>> to memref<256xi8, strided<[2]>, #npu.space<sram>>
  // expected-error @below {{'npu.table' op expected operand 1, which is read whole, side by side in #npu.space<sram> but found 'memref<256xi8, strided<[2]>, #npu.space<sram>>'}}
  npu.table %a[%t] -> %a : memref<4xi8, #npu.space<sram>>, memref<256xi8, strided<[2]>, #npu.space<sram>> -> memref<4xi8, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @rows(%x: memref<2x2x2x8xi8, #npu.space<dram>>, %y: memref<2x2x2x8xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %a = memref.alloc() : memref<2x2x2x8xi8, #npu.space<sram>>
  %b = memref.alloc() : memref<2x2x2x8xi8, #npu.space<sram>>
  %s = memref.alloc() : memref<2x2x2x16xi8, #npu.space<sram>>
  // expected-error @below {{'npu.sort' op expected at most 2 dimensions that count rows but found 3}}
  npu.sort ascending %a -> %b scratch(%s : memref<2x2x2x16xi8, #npu.space<sram>>) {indexing_maps = [affine_map<(a, b, c, i, p) -> (a, b, c, i)>, affine_map<(a, b, c, i, p) -> (a, b, c, p)>]}
      : memref<2x2x2x8xi8, #npu.space<sram>> -> memref<2x2x2x8xi8, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @scratch(%x: memref<2x8xi8, #npu.space<dram>>, %y: memref<2x8xi8, #npu.space<dram>> {npu.output}, %s: memref<2x16xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %a = memref.alloc() : memref<2x8xi8, #npu.space<sram>>
  %b = memref.alloc() : memref<2x8xi8, #npu.space<sram>>
  // expected-error @below {{'npu.sort' op expected a static on-chip buffer or a view of one but found 'memref<2x16xi8, #npu.space<dram>>'}}
  npu.sort ascending %a -> %b scratch(%s : memref<2x16xi8, #npu.space<dram>>) {indexing_maps = [affine_map<(a, i, p) -> (a, i)>, affine_map<(a, i, p) -> (a, p)>]}
      : memref<2x8xi8, #npu.space<sram>> -> memref<2x8xi8, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @view_on_chip(%in: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi8, #npu.space<sram>>
  // expected-error@+1 {{'memref.view' op expected a static view of bytes in #npu.space<dram> but found 'memref<16xf32, #npu.space<sram>>'}}
  %0 = memref.view %a[%c0][] : memref<64xi8, #npu.space<sram>> to memref<16xf32, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @view_of_a_part(%in: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c32 = arith.constant 32 : index
  // expected-error@+1 {{'memref.view' op expected a view from the first byte on}}
  %0 = memref.view %in[%c32][] : memref<64xi8, #npu.space<dram>> to memref<8xf32, #npu.space<dram>>
  npu.return
}

// -----

// Two that lie side by side are one; these have five that do not.
npu.kernel @vector_rank(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %a = memref.alloc() : memref<2x3x4x5x6xf32, #npu.space<sram>>
  npu.unary neg %a -> %a : memref<2x3x4x5x6xf32, #npu.space<sram>> -> memref<2x3x4x5x6xf32, #npu.space<sram>>
  %b = memref.alloc() : memref<4x6x8x10x12xf32, #npu.space<sram>>
  %v = memref.subview %b[0, 0, 0, 0, 0] [2, 3, 4, 5, 6] [1, 1, 1, 1, 1] : memref<4x6x8x10x12xf32, #npu.space<sram>> to memref<2x3x4x5x6xf32, strided<[5760, 960, 120, 12, 1]>, #npu.space<sram>>
  // expected-error @below {{'npu.unary' op expected at most 4 dimensions but found 5}}
  npu.unary neg %v -> %v : memref<2x3x4x5x6xf32, strided<[5760, 960, 120, 12, 1]>, #npu.space<sram>> -> memref<2x3x4x5x6xf32, strided<[5760, 960, 120, 12, 1]>, #npu.space<sram>>
  npu.return
}
