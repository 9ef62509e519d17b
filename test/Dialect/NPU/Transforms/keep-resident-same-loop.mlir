// Clusters read each other's rows in the loop over clusters that stores them. There is no place between both for an exchange: all stays as it
// is, and whoever orders the streams says what is wrong with it.
// RUN: not npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-keep-resident,npu-plan-memory,npu-pipeline-streams))' 2>&1 | FileCheck %s

// CHECK: reads DRAM that another cluster may write in the same loop over clusters
#row = affine_map<(d0) -> (d0 * 2)>
#above = affine_map<(d0) -> (d0 * 2 - 1)>
npu.kernel @same_loop(%x: memref<8x16xf32, #npu.space<dram>>, %y: memref<16x16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %between = memref.alloc() : memref<8x16xf32, #npu.space<dram>>
  scf.forall (%c) in (4) {
    %r = affine.apply #row(%c)
    %a = memref.alloc() : memref<2x16xf32, #npu.space<sram>>
    npu.dma_load %x[%r, %c0] -> %a : memref<8x16xf32, #npu.space<dram>> to memref<2x16xf32, #npu.space<sram>>
    npu.dma_store %a -> %between[%r, %c0] : memref<2x16xf32, #npu.space<sram>> to memref<8x16xf32, #npu.space<dram>>
    %p = affine.apply #above(%c)
    %b = memref.alloc() : memref<3x16xf32, #npu.space<sram>>
    npu.dma_load %between[%p, %c0] -> %b : memref<8x16xf32, #npu.space<dram>> to memref<3x16xf32, #npu.space<sram>>
    npu.dma_store %b -> %y[%r, %c0] : memref<3x16xf32, #npu.space<sram>> to memref<16x16xf32, #npu.space<dram>>
  }
  npu.return
}
