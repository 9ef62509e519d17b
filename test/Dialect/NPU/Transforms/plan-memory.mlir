// RUN: npu-opt %s --npu-plan-memory --remarks-filter=npu-plan-memory 2>&1 | FileCheck %s

// Rings with one id are one buffer; offsets are aligned to 64 bytes; ACC is a memory of its own.
// CHECK: remark: [Analysis] PlannedMemory | Category:npu-plan-memory | Function=rings | {{.*}}memory=sram, peakBytes=320
// CHECK: remark: [Analysis] PlannedMemory | Category:npu-plan-memory | Function=rings | {{.*}}memory=acc, peakBytes=64
npu.kernel @rings(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  npu.stream dmai cluster(0) {
    // CHECK-DAG: {depth = 2, id = 0, offset = 0, slot_bytes = 128}
    // CHECK-DAG: {depth = 1, id = 1, offset = 256, slot_bytes = 64}
    %0 = npu.ring %c0 {depth = 2, id = 0, slot_bytes = 128} : memref<100xi8, #npu.space<sram>>
    %1 = npu.ring %c0 {depth = 1, id = 1, slot_bytes = 64} : memref<10xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %0 : memref<256xi8, #npu.space<dram>> to memref<100xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %1 : memref<256xi8, #npu.space<dram>> to memref<10xi8, #npu.space<sram>>
  }
  npu.stream vpu cluster(0) {
    // CHECK-DAG: {depth = 2, id = 0, offset = 0, slot_bytes = 128}
    // CHECK-DAG: {depth = 1, id = 2, offset = 0, slot_bytes = 64} : memref<16xi32, #npu.space<acc>>
    %0 = npu.ring %c0 {depth = 2, id = 0, slot_bytes = 128} : memref<100xi8, #npu.space<sram>>
    %2 = npu.ring %c0 {depth = 1, id = 2, slot_bytes = 64} : memref<16xi32, #npu.space<acc>>
  }
  npu.return
}
