// A fault that only npu-verify-tile-form finds: an output stands before an input. Without the contract the
// kernel compiles to a program whose regions are in another order than its callers bind them.

// RUN: not npu-opt %s --pass-pipeline="builtin.module(npu.kernel(npu-verify-tile-form))" 2>&1 | FileCheck %s
// RUN: npu-opt %s --pass-pipeline="builtin.module(npu.kernel(npu-distribute-clusters,npu-fit-buffers,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))" -o /dev/null

// CHECK: [[# @LINE+1]]:1: error: 'npu.kernel' op expected inputs before outputs but argument 1 is an input
npu.kernel @copy(%out: memref<64xi8, #npu.space<dram>> {npu.output}, %in: memref<64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi8, #npu.space<sram>>
  npu.dma_load %in[%c0] -> %a : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
  npu.dma_store %a -> %out[%c0] : memref<64xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
  npu.return
}
