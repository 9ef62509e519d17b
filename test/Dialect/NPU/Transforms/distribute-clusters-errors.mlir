// RUN: npu-opt %s --npu-distribute-clusters -split-input-file -verify-diagnostics

// expected-error@+1 {{'npu.kernel' op is split over 2 clusters but target 'npu-v1' has 1}}
npu.kernel @few(%in: memref<250xi8, #npu.space<dram>>, %out: memref<250xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %n = affine.min affine_map<(d0) -> (250 - d0 * 32, 32)>(%i)
    %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<32xi8, #npu.space<sram>>
    npu.dma_load %in[%o] -> %a extents(%n) : memref<250xi8, #npu.space<dram>> to memref<32xi8, #npu.space<sram>>
    npu.dma_store %a -> %out[%o] extents(%n) : memref<32xi8, #npu.space<sram>> to memref<250xi8, #npu.space<dram>>
  } {npu.clusters = 2 : i64}
  npu.return
}

// -----

npu.kernel @counts(%in: memref<250xi8, #npu.space<dram>>, %out: memref<250xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-note@+1 {{the other loop is here}}
  scf.for %i = %c0 to %c8 step %c1 {
  } {npu.clusters = 2 : i64}
  // expected-error@+1 {{'scf.for' op is shared by 4 clusters, expected 2 as for another loop}}
  scf.for %i = %c0 to %c8 step %c1 {
  } {npu.clusters = 4 : i64}
  npu.return
}

// -----

npu.kernel @nested(%in: memref<250xi8, #npu.space<dram>>, %out: memref<250xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      // expected-error@+1 {{'scf.for' op is inside of two loops that clusters share, expected at most two around each store}}
      scf.for %k = %c0 to %c8 step %c1 {
      } {npu.clusters = 2 : i64}
    } {npu.clusters = 2 : i64}
  } {npu.clusters = 2 : i64}
  npu.return
}

// -----

npu.kernel @inner_counts(%in: memref<250xi8, #npu.space<dram>>, %out: memref<250xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4:clusters=8">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    // expected-note@+1 {{the other loop is here}}
    scf.for %j = %c0 to %c8 step %c1 {
    } {npu.clusters = 2 : i64}
    // expected-error@+1 {{'scf.for' op is shared by 4 clusters, expected 2 as for another loop}}
    scf.for %j = %c0 to %c8 step %c1 {
    } {npu.clusters = 4 : i64}
  } {npu.clusters = 2 : i64}
  npu.return
}

// -----

// Two and two are four.
// expected-error@+1 {{'npu.kernel' op is split over 4 clusters but target 'npu-v1-x4:clusters=3' has 3}}
npu.kernel @few_for_two(%in: memref<8x8xi8, #npu.space<dram>>, %out: memref<8x8xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4:clusters=3">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
    } {npu.clusters = 2 : i64}
  } {npu.clusters = 2 : i64}
  npu.return
}

// -----

npu.kernel @one_of_two(%out: memref<8x16xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %a = memref.alloc() : memref<16xi8, #npu.space<sram>>
      // expected-error@+1 {{'npu.dma_store' op expected to be inside each loop with 'npu.clusters' that there is, and to an origin that depends on its counter, or every one of 2 clusters would store the same data}}
      npu.dma_store %a -> %out[%i, %c0] {map = affine_map<(d0) -> (0, d0)>} : memref<16xi8, #npu.space<sram>> to memref<8x16xi8, #npu.space<dram>>
    } {npu.clusters = 2 : i64}
  } {npu.clusters = 2 : i64}
  npu.return
}

// -----

// expected-error@+1 {{'npu.kernel' op expected a 'target' attribute, as in target = #npu.target<"npu-v1">}}
npu.kernel @target() {
  npu.return
}

// -----

npu.kernel @outside(%out: memref<16xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
  } {npu.clusters = 2 : i64}
  %a = memref.alloc() : memref<16xi8, #npu.space<sram>>
  // expected-error@+1 {{'npu.dma_store' op expected to be inside each loop with 'npu.clusters' that there is, and to an origin that depends on its counter, or every one of 2 clusters would store the same data}}
  npu.dma_store %a -> %out[%c0] : memref<16xi8, #npu.space<sram>> to memref<16xi8, #npu.space<dram>>
  npu.return
}

// -----

npu.kernel @same(%out: memref<16xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.dma_store' op expected to be inside each loop with 'npu.clusters' that there is, and to an origin that depends on its counter, or every one of 2 clusters would store the same data}}
    npu.dma_store %a -> %out[%c0] : memref<16xi8, #npu.space<sram>> to memref<16xi8, #npu.space<dram>>
  } {npu.clusters = 2 : i64}
  npu.return
}
