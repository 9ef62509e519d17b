// Schedules strip by strip: what is written down for each strip, and that the last level does what the first says.
// RUN: npu-opt %s | npu-opt | FileCheck %s --check-prefix=PRINT
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' | FileCheck %s

// PRINT-DAG: #npu.schedule<{strips 0 = 4 {value @tail0 -> sram, {{.*}}} then {value @tail0 -> sram, {{.*}}} then {value @tail0 -> sram, {{.*}}}} cycles 7>

// Rows 0 to 3, 4 to 7 and 8 to 9 of ten. A window reaches two rows further: 5, 6 and 3 of the rows between the stages, of which the first
// strip has one less, as has the last. What the addition at the end reads are rows of the input without those.
// CHECK-LABEL: npu.kernel @rows
// CHECK-SAME: (%[[X:arg[0-9]+]]: memref<10x8x4xf32, {{.*}}, %[[W:arg[0-9]+]]: memref<4x4x1x1xf32, {{.*}}, %[[V:arg[0-9]+]]: memref<3x3x4xf32, {{.*}}, %[[Y:arg[0-9]+]]: memref<10x8x4xf32, {{.*}} {npu.output})
// CHECK-SAME: tiling = #npu.tiling<

// CHECK: %[[BETWEEN:.*]] = memref.alloc() : memref<5x8x4xf32, #npu.space<sram>>
// CHECK: npu.dma_load %[[X]][%c0, %c0, %c0] -> %{{.*}} : memref<10x8x4xf32, #npu.space<dram>> to memref<5x8x4xf32, #npu.space<sram>>
// CHECK: npu.binary max {{.*}} -> %[[BETWEEN]]
// CHECK: memref.subview %[[BETWEEN]][0, 0, 0] [5, 8, 4]
// CHECK: npu.dma_load %{{.*}}[%c-1, %c-1, %c0] -> %[[PADDED:[^ ]*]] {{.*}} fill(0.000000e+00 : f32) : {{.*}} to memref<6x10x4xf32, #npu.space<sram>>
// CHECK: npu.conv %[[PADDED]]
// CHECK: npu.dma_load %[[X]][%c0, %c0, %c0] -> %{{.*}} : memref<10x8x4xf32, #npu.space<dram>> to memref<4x8x4xf32, #npu.space<sram>>
// CHECK: npu.dma_store %{{.*}} -> %[[Y]][%c0, %c0, %c0] {{.*}} : memref<4x8x4xf32

// CHECK: %[[BETWEEN1:.*]] = memref.alloc() : memref<6x8x4xf32, #npu.space<sram>>
// CHECK: npu.dma_load %[[X]][%c3, %c0, %c0] -> %{{.*}} : memref<10x8x4xf32, #npu.space<dram>> to memref<6x8x4xf32, #npu.space<sram>>
// CHECK: memref.subview %[[BETWEEN1]][0, 0, 0] [6, 8, 4]
// CHECK: npu.dma_load %{{.*}}[%c0, %c-1, %c0] -> %{{.*}} fill(0.000000e+00 : f32) : {{.*}} to memref<6x10x4xf32
// CHECK: npu.dma_load %[[X]][%c4, %c0, %c0] -> %{{.*}} to memref<4x8x4xf32
// CHECK: npu.dma_store %{{.*}} -> %[[Y]][%c4, %c0, %c0] {{.*}} : memref<4x8x4xf32

// CHECK: npu.dma_load %[[X]][%c7, %c0, %c0] -> %{{.*}} to memref<3x8x4xf32
// CHECK: npu.dma_load %[[X]][%c8, %c0, %c0] -> %{{.*}} to memref<2x8x4xf32
// CHECK: npu.dma_store %{{.*}} -> %[[Y]][%c8, %c0, %c0] {{.*}} : memref<2x8x4xf32
// CHECK: npu.return
npu.kernel @rows(%x: tensor<10x8x4xf32>, %w: tensor<4x4x1x1xf32>, %v: tensor<3x3x4xf32>) -> tensor<10x8x4xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{strips 0 = 4
      {value @tail0 -> sram, load @conv0.input, load @conv0.filter, @conv0 -> acc, @tail0, load @conv1.input, load @conv1.filter, @conv1 -> acc, load @tail1.arg3, @tail1 -> sram}
      then {value @tail0 -> sram, load @conv0.input, load @conv0.filter, @conv0 -> acc, @tail0, load @conv1.input, load @conv1.filter, @conv1 -> acc, load @tail1.arg3, @tail1 -> sram}
      then {value @tail0 -> sram, load @conv0.input, load @conv0.filter, @conv0 -> acc, @tail0, load @conv1.input, load @conv1.filter, @conv1 -> acc, load @tail1.arg3, @tail1 -> sram}} cycles 7>} {
  %e = tensor.empty() : tensor<10x8x4xf32>
  %0 = npu.conv %x, %w -> %e {stage = "conv0", layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<hwf>} : tensor<10x8x4xf32>, tensor<4x4x1x1xf32> -> tensor<10x8x4xf32>
  %1 = npu.binary max %0 -> %e {stage = "tail0", imm = 0.0 : f32} : tensor<10x8x4xf32> -> tensor<10x8x4xf32>
  %2 = npu.conv %1, %v -> %e {stage = "conv1", layout_input = #npu.layout<hwg>, layout_filter = #npu.layout<yxg>, layout_output = #npu.layout<hwg>, pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>} : tensor<10x8x4xf32>, tensor<3x3x4xf32> -> tensor<10x8x4xf32>
  %3 = npu.binary add %2, %x -> %e {stage = "tail1"} : tensor<10x8x4xf32>, tensor<10x8x4xf32> -> tensor<10x8x4xf32>
  npu.return %3 : tensor<10x8x4xf32>
}
