// RUN: npu-opt %s --convert-npu-to-npu-isa -split-input-file -verify-diagnostics

npu.kernel @offset(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.ring' op expected an offset, run npu-plan-memory before npu-pipeline-streams}}
    %r = npu.ring %c0 {depth = 1, id = 1, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    npu.dma_load %d[%c0, %c0] -> %r : memref<64x64xi8, #npu.space<dram>> to memref<16x16xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @factor(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.dma_load' op expected one of two factors of on-chip dimensions that move a DRAM coordinate to divide the other but found 2 and 3}}
    npu.dma_load %d[%c0, %c0] -> %t {map = affine_map<(d0, d1) -> (d0 * 2 + d1 * 3, 0)>} : memref<64x64xi8, #npu.space<dram>> to memref<16x16xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @twice(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.dma_load' op expected on-chip dimension 0 to move one DRAM coordinate only}}
    npu.dma_load %d[%c0, %c0] -> %t {map = affine_map<(d0, d1) -> (d0, d0 * 16 + d1)>} : memref<64x64xi8, #npu.space<dram>> to memref<16x16xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @negative(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.dma_load' op expected one of two factors of on-chip dimensions that move a DRAM coordinate to divide the other but found -1 and 8}}
    npu.dma_load %d[%c0, %c0] -> %t {map = affine_map<(d0, d1) -> (d0 * 8 - d1, 0)>} : memref<64x64xi8, #npu.space<dram>> to memref<16x16xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @modulo(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.dma_load' op expected linear coordinates in the map but found affine_map<(d0, d1) -> (d0 mod 2, d1)>}}
    npu.dma_load %d[%c0, %c0] -> %t {map = affine_map<(d0, d1) -> (d0 mod 2, d1)>} : memref<64x64xi8, #npu.space<dram>> to memref<16x16xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @extent(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        %e = affine.min affine_map<(d0, d1) -> (20 - d0 * 8, 21 - d1 * 8)>(%i, %j)
        // expected-error@+1 {{'npu.dma_load' op expected extent 1 to be min(affine function of the loop counters, constant)}}
        npu.dma_load %d[%i, %j] -> %t extents(%c4, %e) : memref<64x64xi8, #npu.space<dram>> to memref<16x16xi8, #npu.space<sram>>
      }
    }
  }
  npu.return
}

// -----

npu.kernel @index(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-note@+1 {{this value is not}}
      %o = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%i)
      // expected-error@+1 {{'npu.dma_load' op expected index values to be affine functions of the loop counters}}
      npu.dma_load %d[%o, %c0] -> %t : memref<64x64xi8, #npu.space<dram>> to memref<16x16xi8, #npu.space<sram>>
    }
  }
  npu.return
}

// -----

npu.kernel @deep(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    scf.for %i0 = %c0 to %c4 step %c1 {
      scf.for %i1 = %c0 to %c4 step %c1 {
        scf.for %i2 = %c0 to %c4 step %c1 {
          scf.for %i3 = %c0 to %c4 step %c1 {
            scf.for %i4 = %c0 to %c4 step %c1 {
              scf.for %i5 = %c0 to %c4 step %c1 {
                // expected-error@+1 {{'scf.for' op is nested deeper than 6 loops, which is what a stream can have}}
                scf.for %i6 = %c0 to %c4 step %c1 {
    }}}}}}}
  }
  npu.return
}

// -----

npu.kernel @semaphore(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.wait' op expected a semaphore from 1 on, 0 means none}}
    npu.wait sem(0) >= %c1
  }
  npu.return
}

// -----

npu.kernel @range(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.signal' op does not fit its instruction: 'sync': field 'sync.signal0' must lie in 0..65535, found 65536}}
    npu.signal sem(65536)
  }
  npu.return
}

// -----

npu.kernel @unpacked(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    %o = npu.ring %c0 {depth = 1, id = 1, offset = 0, slot_bytes = 1024} : memref<16x16xi32, #npu.space<acc>>
    // expected-error@+1 {{'npu.matmul' op expected a packed right operand}}
    npu.matmul %t, %t -> %o : memref<16x16xi8, #npu.space<sram>>, memref<16x16xi8, #npu.space<sram>> -> memref<16x16xi32, #npu.space<acc>>
  }
  npu.return
}

// -----

npu.kernel @panels(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    %b = npu.ring %c0 {depth = 1, id = 1, offset = 0, slot_bytes = 256} : memref<1x16x16xi8, #npu.space<sram>>
    %o = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 1024} : memref<16x16xi32, #npu.space<acc>>
    // expected-error@+1 {{'npu.matmul' op expected panels of 32 columns for target 'npu-v1' but found 'memref<1x16x16xi8, #npu.space<sram>>'}}
    npu.matmul %t, %b -> %o {packed} : memref<16x16xi8, #npu.space<sram>>, memref<1x16x16xi8, #npu.space<sram>> -> memref<16x16xi32, #npu.space<acc>>
  }
  npu.return
}

// -----

npu.kernel @order(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    %b = npu.ring %c0 {depth = 1, id = 1, offset = 0, slot_bytes = 512} : memref<1x16x32xi8, #npu.space<sram>>
    %o = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 1024} : memref<16x16xi32, #npu.space<acc>>
    // expected-error@+1 {{'npu.matmul' op expected on-chip operands in canonical order "mijk" but found "km"}}
    npu.matmul %t, %b -> %o {packed, layout_a = #npu.layout<km>} : memref<16x16xi8, #npu.space<sram>>, memref<1x16x32xi8, #npu.space<sram>> -> memref<16x16xi32, #npu.space<acc>>
  }
  npu.return
}

// -----

npu.kernel @init(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    %b = npu.ring %c0 {depth = 1, id = 1, offset = 0, slot_bytes = 512} : memref<1x16x32xi8, #npu.space<sram>>
    %o = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 1024} : memref<16x16xi32, #npu.space<acc>>
    scf.for %i = %c0 to %c4 step %c1 {
      %v = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
      // expected-error@+1 {{'npu.matmul' op expected the values of 'init' to be sums of loop counters}}
      npu.matmul %t, %b -> %o init(%v) {packed} : memref<16x16xi8, #npu.space<sram>>, memref<1x16x32xi8, #npu.space<sram>> -> memref<16x16xi32, #npu.space<acc>>
    }
  }
  npu.return
}

// -----

npu.kernel @dims(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    %q = npu.ring %c0 {depth = 1, id = 1, offset = 0, slot_bytes = 256} : memref<2x2x2x2x2xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.unary' op walks 5 dimensions that do not merge to 4, the most of a vector instruction}}
    npu.unary neg %q -> %q {indexing_maps = [affine_map<(a, b, c, d, e) -> (e, d, c, b, a)>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>]} : memref<2x2x2x2x2xi8, #npu.space<sram>> -> memref<2x2x2x2x2xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @inplace(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.binary' op with a constant on the left cannot work in place; give it a destination of its own}}
    npu.binary shl %t -> %t {imm = 1 : i8, imm_first} : memref<16x16xi8, #npu.space<sram>> -> memref<16x16xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @rescale(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.rescale' op expected multipliers and shifts in buffers, run npu-materialize-scalars first}}
    npu.rescale %t -> %t {multiplier = 1073741824, shift = 37} : memref<16x16xi8, #npu.space<sram>> -> memref<16x16xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @cast(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    %p = npu.ring %c0 {depth = 1, id = 1, offset = 0, slot_bytes = 256} : memref<16x16xi1, #npu.space<sram>>
    %f = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 1024} : memref<16x16xf32, #npu.space<sram>>
    // expected-error@+1 {{'npu.cast' op between 'i1' and 'f32' has no instruction}}
    npu.cast sitofp %p -> %f : memref<16x16xi1, #npu.space<sram>> -> memref<16x16xf32, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @apart(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<4x8x8xi8, #npu.space<sram>>
    %r = npu.ring %c0 {depth = 1, id = 1, offset = 256, slot_bytes = 64} : memref<8xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.reduce' op reduces 2 dimensions that do not lie side by side, expected one that a vector instruction can walk; reduce one after the other}}
    npu.reduce sum %t -> %r {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (b)>]} : memref<4x8x8xi8, #npu.space<sram>> -> memref<8xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

// expected-error@+1 {{works on tensors, expected a kernel in planned form; run npu-choose-tiles and npu-lower-to-tiles first}}
npu.kernel @tensor(%t: tensor<4xi8>) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}
