// A first tile in parts gives what the whole gives, also where the second operand lies where the first one is copied from: in one stream no verifier of
// synchronization sees what order loads are in.

// RUN: npu-run %s "--input=smallints(3)" --output=@%t.tile.bin
// RUN: npu-opt %s --npu-planned-form-pipeline --npu-program-pipeline | npu-translate --mlir-to-npu-asm -o %t.npuasm
// RUN: grep -c "mxu.conv" %t.npuasm | grep -qx 3
// RUN: npu-run %t.npuasm "--input=smallints(3)" --output=@%t.program.bin
// RUN: cmp %t.tile.bin %t.program.bin

npu.kernel @copied(%x: memref<14x14x80xf16, #npu.space<dram>>, %w: memref<3x3x80x32xf16, #npu.space<dram>>, %y: memref<14x14x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %m1 = arith.constant -1 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c14 = arith.constant 14 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c80 = arith.constant 80 : index
  %share = memref.alloc() : memref<14x14x80xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0, %c0] -> %share : memref<14x14x80xf16, #npu.space<dram>> to memref<14x14x80xf16, #npu.space<sram>>
  %in = memref.alloc() : memref<16x16x80xf16, #npu.space<sram>>
  npu.dma_load %share[%m1, %m1, %c0] -> %in extents(%c16, %c16, %c80) fill(0.0 : f16) : memref<14x14x80xf16, #npu.space<sram>> to memref<16x16x80xf16, #npu.space<sram>>
  %acc = memref.alloc() : memref<14x14x32xf32, #npu.space<acc>>
  %f = memref.alloc() : memref<1x3x3x80x32xf16, #npu.space<sram>>
  npu.dma_load %w[%c0, %c0, %c0, %c0] -> %f extents(%c1, %c3, %c3, %c80, %c32) fill(0.0 : f16) {map = affine_map<(f, y, x, c, i) -> (y, x, c, f * 32 + i)>} : memref<3x3x80x32xf16, #npu.space<dram>> to memref<1x3x3x80x32xf16, #npu.space<sram>>
  npu.conv %in, %f -> %acc extents(%c14, %c14, %c32, %c80, %c3, %c3) {begin = array<i64: 32>, layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<16x16x80xf16, #npu.space<sram>>, memref<1x3x3x80x32xf16, #npu.space<sram>> -> memref<14x14x32xf32, #npu.space<acc>>
  npu.dma_store %acc -> %y[%c0, %c0, %c0] : memref<14x14x32xf32, #npu.space<acc>> to memref<14x14x32xf32, #npu.space<dram>>
  npu.return
}
