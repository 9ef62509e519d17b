// RUN: npu-opt %s --npu-pipeline-streams -split-input-file -verify-diagnostics -allow-unregistered-dialect

npu.kernel @trips(%n: memref<4xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{'scf.for' op expected a loop from 0 in steps of 1 to a positive constant, without results}}
  scf.for %i = %c1 to %c4 step %c1 {
  }
  npu.return
}

// -----

npu.kernel @foreign() attributes {target = #npu.target<"npu-v1">} {
  // expected-error@+1 {{'test.op' op is not part of tile form, expected loops, buffers and views of them, index computations and ops of the engines}}
  "test.op"() : () -> ()
  npu.return
}

// -----

npu.kernel @argument(%a: memref<4xi8, #npu.space<sram>>, %d: memref<4xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'npu.dma_store' op expected a static on-chip buffer or a view of one but found 'memref<4xi8, #npu.space<sram>>'}}
  npu.dma_store %a -> %d[%c0] : memref<4xi8, #npu.space<sram>> to memref<4xi8, #npu.space<dram>>
  npu.return
}

// -----

npu.kernel @dram_in_loop() attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error@+1 {{'memref.alloc' op expected buffers in DRAM to be allocated outside all loops}}
    %d = memref.alloc() : memref<4xi8, #npu.space<dram>>
  }
  npu.return
}

// -----

npu.kernel @shared(%d: memref<8xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  scf.forall (%c) in (2) {
    %a = memref.alloc() : memref<4xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.dma_load' op reads DRAM that another cluster may write in the same loop over clusters, where none waits for another; split the same dimensions of both, or put them in two loops}}
    npu.dma_load %d[%c] -> %a : memref<8xi8, #npu.space<dram>> to memref<4xi8, #npu.space<sram>>
    npu.dma_store %a -> %d[%c] : memref<4xi8, #npu.space<sram>> to memref<8xi8, #npu.space<dram>>
  }
  npu.return
}

// -----

// Clusters of one row have columns of their own, but read those of all.
npu.kernel @shared_row(%d: memref<8x8xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%r, %c) in (2, 2) {
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        %row = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%r, %i)
        %column = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%c, %j)
        %a = memref.alloc() : memref<1xi8, #npu.space<sram>>
        %b = memref.alloc() : memref<8xi8, #npu.space<sram>>
        npu.dma_store %a -> %d[%row, %column] {map = affine_map<(d0) -> (0, 0)>} : memref<1xi8, #npu.space<sram>> to memref<8x8xi8, #npu.space<dram>>
        // What is its own alone is no error.
        npu.dma_load %d[%row, %column] -> %a {map = affine_map<(d0) -> (0, 0)>} : memref<8x8xi8, #npu.space<dram>> to memref<1xi8, #npu.space<sram>>
        // expected-error@+1 {{'npu.dma_load' op reads DRAM that another cluster may write in the same loop over clusters, where none waits for another; split the same dimensions of both, or put them in two loops}}
        npu.dma_load %d[%row, %c0] -> %b {map = affine_map<(d0) -> (0, d0)>} : memref<8x8xi8, #npu.space<dram>> to memref<8xi8, #npu.space<sram>>
      }
    }
  }
  npu.return
}

// -----

npu.kernel @index(%n: index, %d: memref<8xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  %a = memref.alloc() : memref<4xi8, #npu.space<sram>>
  // expected-error@+1 {{'npu.dma_load' op expected index values affine in loop counters}}
  npu.dma_load %d[%n] -> %a : memref<8xi8, #npu.space<dram>> to memref<4xi8, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @grid(%x: memref<4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  // expected-error@below {{'scf.forall' op expected one or two normalized dimensions with constant bounds}}
  scf.forall (%i, %j, %k) in (2, 2, 2) {
  }
  npu.return
}
