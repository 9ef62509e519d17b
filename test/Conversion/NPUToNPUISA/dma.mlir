// RUN: npu-opt %s --convert-npu-to-npu-isa | npu-translate --mlir-to-npu-asm | FileCheck %s

npu.kernel @dma(%in: memref<2x11x11x5xi8, #npu.space<dram>>, %w: memref<3x3x5x10xi8, #npu.space<dram>>,
                %out: memref<20x30xi32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  // CHECK: .region 3 scratch "scratch" 80
  %scratch = memref.alloc() {npu.offset = 64 : i64} : memref<16xi8, #npu.space<dram>>
  %below = memref.alloc() {npu.offset = 0 : i64} : memref<16xi8, #npu.space<dram>>
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    scf.for %n = %c0 to %c2 step %c1 {
      scf.for %i = %c0 to %c3 step %c1 {
        %p = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%n, %i)
        %tile = npu.ring %p {depth = 2, id = 0, offset = 128, slot_bytes = 512} : memref<9x6x5xi8, #npu.space<sram>>
        %oh = affine.apply affine_map<(d0) -> (d0 * 8 - 1)>(%i)
        %ow = affine.apply affine_map<(d0) -> (d0 + 2)>(%i)
        %h = affine.min affine_map<(d0) -> (6 - d0 * 4, 4)>(%i)
        %rows = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%h)
        // The batch has no dimension in the box: it moves the base. The extent is a function of a minimum.
        // CHECK: dma.load from={type=i8, base=605*i0}, to=sram[128, ring(3*i0 + i1, depth=2, slot=512)], flags={fill=253}, dims=[
        // CHECK-NEXT: {extent=clamp(13 - 8*i1, 9), dram_stride=55, chip_stride=30, origin=8*i1 - 1, high=11},
        // CHECK-NEXT: {extent=6, dram_stride=5, chip_stride=5, origin=2 + i1, high=11},
        // CHECK-NEXT: {extent=5, dram_stride=1, chip_stride=1, high=5}]
        npu.dma_load %in[%n, %oh, %ow, %c0] -> %tile extents(%rows, %c6, %c5) fill(-3 : i8) {map = affine_map<(d0, d1, d2) -> (0, d0, d1, d2)>}
            : memref<2x11x11x5xi8, #npu.space<dram>> to memref<9x6x5xi8, #npu.space<sram>>
      }
    }
    %panels = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 768} : memref<2x3x3x5x8xi8, #npu.space<sram>>
    // Columns are split into panels: the inner dimension also moves with the panel.
    // CHECK: dma.load from={region=1, type=i8}, to=sram[4096], dims=[
    // CHECK-NEXT: {extent=2, chip_stride=360, high=2},
    // CHECK-NEXT: {extent=3, dram_stride=150, chip_stride=120, high=3},
    // CHECK-NEXT: {extent=3, dram_stride=50, chip_stride=40, high=3},
    // CHECK-NEXT: {extent=5, dram_stride=10, chip_stride=8, high=5},
    // CHECK-NEXT: {extent=8, dram_stride=1, chip_stride=1, block=8, high=10}]
    npu.dma_load %w[%c0, %c0, %c0, %c0] -> %panels {map = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d0 * 8 + d4)>}
        : memref<3x3x5x10xi8, #npu.space<dram>> to memref<2x3x3x5x8xi8, #npu.space<sram>>
    %bytes = npu.ring %c0 {depth = 1, id = 2, offset = 8192, slot_bytes = 64} : memref<4x8xi8, #npu.space<sram>>
    // A dimension of the tile that moves nothing repeats; a factor in the map becomes the stride.
    // CHECK: dma.load from={region=3, type=i8, base=64}, to=sram[8192], dims=[
    // CHECK-NEXT: {extent=4, chip_stride=8, high=4},
    // CHECK-NEXT: {extent=8, dram_stride=2, chip_stride=1, high=8}]
    npu.dma_load %scratch[%c0] -> %bytes {map = affine_map<(d0, d1) -> (d1 * 2)>}
        : memref<16xi8, #npu.space<dram>> to memref<4x8xi8, #npu.space<sram>>
    // A negative factor goes backwards: coordinate 11 is the first, 1 is the last in the tensor.
    // CHECK: dma.load from={region=3, type=i8, base=65}, to=sram[8192], dims=[
    // CHECK-NEXT: {extent=4, chip_stride=8, high=4},
    // CHECK-NEXT: {extent=8, dram_stride=-2, chip_stride=1, origin=-5, low=-7, high=1}]
    %c11 = arith.constant 11 : index
    npu.dma_load %scratch[%c11] -> %bytes {map = affine_map<(d0, d1) -> (d1 * -2)>}
        : memref<16xi8, #npu.space<dram>> to memref<4x8xi8, #npu.space<sram>>
    // From SRAM it is a copy; coordinates outside of the view are outside of the tensor.
    // CHECK: dma.copy from={type=i8, base=4106}, to=sram[8192], flags={fill=7}, dims=[
    // CHECK-NEXT: {extent=4, dram_stride=9, chip_stride=8, origin=-1, high=6},
    // CHECK-NEXT: {extent=8, dram_stride=1, chip_stride=1, origin=3, high=7}]
    %minus1 = arith.constant -1 : index
    %whole = npu.ring %c0 {depth = 1, id = 4, offset = 4096, slot_bytes = 128} : memref<8x9xi8, #npu.space<sram>>
    %inside = memref.subview %whole[1, 1] [6, 7] [1, 1] : memref<8x9xi8, #npu.space<sram>> to memref<6x7xi8, strided<[9, 1], offset: 10>, #npu.space<sram>>
    npu.dma_load %inside[%minus1, %c3] -> %bytes fill(7 : i8)
        : memref<6x7xi8, strided<[9, 1], offset: 10>, #npu.space<sram>> to memref<4x8xi8, #npu.space<sram>>
  }
  npu.stream dmao cluster(0) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %acc = npu.ring %c0 {depth = 1, id = 3, offset = 0, slot_bytes = 512} : memref<8x16xi32, #npu.space<acc>>
    %part = memref.subview %acc[2, %c4] [4, 8] [1, 1] : memref<8x16xi32, #npu.space<acc>> to memref<4x8xi32, strided<[16, 1], offset: ?>, #npu.space<acc>>
    // A view starts inside the buffer and keeps its strides; the map transposes.
    // CHECK: dma.store to={region=2, type=i32}, from=acc[144], dims=[
    // CHECK-NEXT: {extent=4, dram_stride=4, chip_stride=64, origin=4, high=30},
    // CHECK-NEXT: {extent=8, dram_stride=120, chip_stride=4, high=20}]
    npu.dma_store %part -> %out[%c0, %c4] {map = affine_map<(d0, d1) -> (d1, d0)>}
        : memref<4x8xi32, strided<[16, 1], offset: ?>, #npu.space<acc>> to memref<20x30xi32, #npu.space<dram>>
  }
  npu.return
}
