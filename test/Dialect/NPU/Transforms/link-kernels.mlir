// RUN: npu-opt --npu-link-kernels %s | FileCheck %s
// RUN: npu-opt --pass-pipeline='builtin.module(npu-link-kernels,npu.kernel(npu-fit-buffers,npu-plan-memory,npu-pipeline-streams),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))' %s | FileCheck %s --check-prefix=PROGRAM

// Constants become those of the kernel that launches, in front of its outputs, equal ones once; memory in another shape is
// the same memory.
// CHECK-LABEL: npu.kernel @twice
// CHECK-SAME: (%[[X:.*]]: memref<64xi8, #npu.space<dram>>, %[[ONES:.*]]: memref<64xi8, #npu.space<dram>> {npu.constant = dense<1> : tensor<64xi8>}, %[[Y:.*]]: memref<64xi8, #npu.space<dram>> {npu.output})
// CHECK-SAME: schedule = #npu.schedule<{} cycles 200>
// CHECK: %[[BETWEEN:.*]] = memref.alloc() : memref<64xi8, #npu.space<dram>>
// CHECK: %[[ROW:.*]] = memref.view %[[X]]
// CHECK: npu.dma_load %[[ROW]]
// CHECK: npu.dma_load %[[ONES]]
// CHECK: npu.dma_store %{{.*}} -> %[[BETWEEN]]
// CHECK: npu.dma_load %[[BETWEEN]]
// CHECK: npu.dma_load %[[ONES]]
// CHECK: npu.dma_store %{{.*}} -> %[[Y]]
// CHECK-NOT: npu.launch
// CHECK-NOT: @increment

// The second load waits for the first store, and the constant's for nothing but its buffer.
// PROGRAM-LABEL: npu_isa.program @twice
// PROGRAM-COUNT-4: npu_isa.dma.load
// PROGRAM-COUNT-2: npu_isa.dma.store
npu.kernel private @increment(%x: memref<64xi8, #npu.space<dram>>, %one: memref<64xi8, #npu.space<dram>> {npu.constant = dense<1> : tensor<64xi8>}, %y: memref<64xi8, #npu.space<dram>> {npu.output})
    attributes {schedule = #npu.schedule<{} cycles 100>, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %0 = memref.alloc() : memref<64xi8, #npu.space<sram>>
  %1 = memref.alloc() : memref<64xi8, #npu.space<sram>>
  npu.dma_load %x[%c0] -> %0 extents(%c64) : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
  npu.dma_load %one[%c0] -> %1 extents(%c64) : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
  npu.binary add %0, %1 -> %1 : memref<64xi8, #npu.space<sram>>, memref<64xi8, #npu.space<sram>> -> memref<64xi8, #npu.space<sram>>
  npu.dma_store %1 -> %y[%c0] extents(%c64) : memref<64xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
  npu.return
}
npu.kernel @twice(%x: memref<64xi8, #npu.space<dram>>, %y: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %between = memref.alloc() : memref<64xi8, #npu.space<dram>>
  %c0 = arith.constant 0 : index
  %row = memref.view %x[%c0][] : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<dram>>
  npu.launch @increment(%row, %between) : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
  npu.launch @increment(%between, %y) : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
  npu.return
}
