// RUN: npu-opt %s --npu-sink-loads | FileCheck %s

// What its own loop over clusters changes between the two places is loaded before.
// CHECK-LABEL: npu.kernel @changed
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK: npu.dma_load %{{.*}} -> %[[OLD:alloc[_0-9]*]] :
// CHECK: scf.for
// CHECK: npu.dma_store
// CHECK: npu.dma_load %arg1[
// CHECK-NOT: npu.dma_load
npu.kernel @changed(%x: memref<8x4xf32, #npu.space<dram>>, %w: memref<16xf32, #npu.space<dram>>, %y: memref<2x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %between = memref.alloc() : memref<2x4xf32, #npu.space<dram>>
  scf.forall (%c) in (2) {
    %a = memref.alloc() : memref<1x4xf32, #npu.space<sram>>
    npu.dma_load %x[%c, %c0] -> %a : memref<8x4xf32, #npu.space<dram>> to memref<1x4xf32, #npu.space<sram>>
    npu.dma_store %a -> %between[%c, %c0] : memref<1x4xf32, #npu.space<sram>> to memref<2x4xf32, #npu.space<dram>>
  }
  scf.forall (%c) in (2) {
    %old = memref.alloc() : memref<1x4xf32, #npu.space<sram>>
    npu.dma_load %between[%c, %c0] -> %old : memref<2x4xf32, #npu.space<dram>> to memref<1x4xf32, #npu.space<sram>>
    %k = memref.alloc() : memref<1x4xf32, #npu.space<sram>>
    npu.fill %k {value = 7.0 : f32} : memref<1x4xf32, #npu.space<sram>>
    scf.for %i = %c0 to %c1 step %c1 {
      npu.dma_store %k -> %between[%c, %c0] : memref<1x4xf32, #npu.space<sram>> to memref<2x4xf32, #npu.space<dram>>
      %b = memref.alloc() : memref<4xf32, #npu.space<sram>>
      npu.dma_load %w[%c0] -> %b {clusters = 2 : i64} : memref<16xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
      npu.dma_store %old -> %y[%c, %c0] : memref<1x4xf32, #npu.space<sram>> to memref<2x4xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// One cluster, too, loads before what it changes itself.
// CHECK-LABEL: npu.kernel @changed_alone
// CHECK: scf.forall
// CHECK: npu.dma_load %{{.*}} -> %[[OLD:alloc[_0-9]*]] :
// CHECK: npu.dma_store
// CHECK: scf.for
// CHECK: npu.dma_load %arg1[
// CHECK-NOT: npu.dma_load
npu.kernel @changed_alone(%x: memref<8x4xf32, #npu.space<dram>>, %w: memref<16xf32, #npu.space<dram>>, %y: memref<2x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %between = memref.alloc() : memref<2x4xf32, #npu.space<dram>>
  scf.forall (%c) in (2) {
    %a = memref.alloc() : memref<1x4xf32, #npu.space<sram>>
    npu.dma_load %x[%c, %c0] -> %a : memref<8x4xf32, #npu.space<dram>> to memref<1x4xf32, #npu.space<sram>>
    npu.dma_store %a -> %between[%c, %c0] : memref<1x4xf32, #npu.space<sram>> to memref<2x4xf32, #npu.space<dram>>
  }
  %old = memref.alloc() : memref<2x4xf32, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0] -> %old : memref<2x4xf32, #npu.space<dram>> to memref<2x4xf32, #npu.space<sram>>
  %k = memref.alloc() : memref<1x4xf32, #npu.space<sram>>
  npu.fill %k {value = 7.0 : f32} : memref<1x4xf32, #npu.space<sram>>
  npu.dma_store %k -> %between[%c0, %c0] : memref<1x4xf32, #npu.space<sram>> to memref<2x4xf32, #npu.space<dram>>
  scf.for %i = %c0 to %c1 step %c1 {
    %b = memref.alloc() : memref<4xf32, #npu.space<sram>>
    npu.dma_load %w[%c0] -> %b : memref<16xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
    npu.dma_store %old -> %y[%c0, %c0] : memref<2x4xf32, #npu.space<sram>> to memref<2x4xf32, #npu.space<dram>>
  }
  npu.return
}
