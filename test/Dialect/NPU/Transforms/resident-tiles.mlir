// What stays on chip between groups of stages has room for whole tiles, also for the rows of the last one that do not exist.

// RUN: sed 's/SRAM/100000/' %s | npu-opt --pass-pipeline='builtin.module(npu-choose-tiles,npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' | FileCheck %s
// RUN: sed 's/SRAM/96000/' %s | npu-opt --pass-pipeline='builtin.module(npu-choose-tiles,npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' | FileCheck %s --check-prefix=LESS

// Four tiles of five rows for 16 rows: 40,960 bytes. 32,768 would fit as well in the smaller memory.
// CHECK: schedule = #npu.schedule<{value @tail0 -> sram
// CHECK: memref.alloc() : memref<20x16x32xf32, #npu.space<sram>>
// LESS-NOT: value @tail0
// LESS: npu.return
npu.kernel @ragged(%x: tensor<1x16x16x32xf32>, %w: tensor<1x1x32x32xf32>, %v: tensor<3x3x32x32xf32>) -> tensor<1x14x14x32xf32>
    attributes {target = #npu.target<"npu-v1:sramBytes=SRAM">} {
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %f = tensor.empty() : tensor<1x14x14x32xf32>
  %0 = npu.conv %x, %w -> %e {tile_h = 5} : tensor<1x16x16x32xf32>, tensor<1x1x32x32xf32> -> tensor<1x16x16x32xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32} : tensor<1x16x16x32xf32> -> tensor<1x16x16x32xf32>
  %2 = npu.conv %1, %v -> %f : tensor<1x16x16x32xf32>, tensor<3x3x32x32xf32> -> tensor<1x14x14x32xf32>
  npu.return %2 : tensor<1x14x14x32xf32>
}
