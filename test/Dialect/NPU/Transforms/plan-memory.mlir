// RUN: npu-opt %s --npu-plan-memory --remarks-filter=npu-plan-memory 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: npu-opt %s --npu-plan-memory | FileCheck %s
// RUN: npu-opt %s --npu-plan-memory --npu-pipeline-streams | FileCheck %s --check-prefix=STREAMS

// Offsets are aligned to 64 bytes; ACC is a memory of its own.
// REMARK: remark: [Analysis] PlannedMemory | Category:npu-plan-memory | Function=together | {{.*}}memory=sram, peakBytes=320
// REMARK: remark: [Analysis] PlannedMemory | Category:npu-plan-memory | Function=together | {{.*}}memory=acc, peakBytes=64
// REMARK: remark: [Analysis] PlannedMemory | Category:npu-plan-memory | Function=apart | {{.*}}memory=sram, peakBytes=128
// CHECK-LABEL: npu.kernel @together
npu.kernel @together(%in: memref<256xi8, #npu.space<dram>>, %out: memref<100xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // All of a loop's buffers live as long as the loop: its iterations overlap.
  scf.for %i = %c0 to %c2 step %c1 {
    // CHECK: memref.alloc() {npu.buffers = 2 : i64, npu.offset = 0 : i64} : memref<100xi8, #npu.space<sram>>
    // CHECK: memref.alloc() {npu.offset = 256 : i64} : memref<10xi8, #npu.space<sram>>
    // CHECK: memref.alloc() {npu.offset = 0 : i64} : memref<10xi8, #npu.space<acc>>
    %0 = memref.alloc() {npu.buffers = 2 : i64} : memref<100xi8, #npu.space<sram>>
    %1 = memref.alloc() : memref<10xi8, #npu.space<sram>>
    %2 = memref.alloc() : memref<10xi8, #npu.space<acc>>
    npu.dma_load %in[%c0] -> %0 : memref<256xi8, #npu.space<dram>> to memref<100xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %1 : memref<256xi8, #npu.space<dram>> to memref<10xi8, #npu.space<sram>>
    npu.unary neg %1 -> %2 : memref<10xi8, #npu.space<sram>> -> memref<10xi8, #npu.space<acc>>
    npu.dma_store %0 -> %out[%c0] : memref<100xi8, #npu.space<sram>> to memref<100xi8, #npu.space<dram>>
  }
  npu.return
}

// Buffers whose lives are apart share bytes, and the second load waits until the first buffer has been read.
// CHECK-LABEL: npu.kernel @apart
// STREAMS-LABEL: npu.kernel @apart
// STREAMS: npu.stream dmai
// STREAMS: npu.dma_load
// STREAMS-NEXT: npu.signal sem(1)
// STREAMS: npu.wait sem(2) >=
// STREAMS: npu.dma_load
// STREAMS: npu.stream dmao
// STREAMS: npu.dma_store
// STREAMS-NEXT: npu.signal sem(2)
npu.kernel @apart(%in: memref<128xi8, #npu.space<dram>>, %a: memref<128xi8, #npu.space<dram>> {npu.output},
                  %b: memref<128xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  // CHECK: memref.alloc() {npu.offset = 0 : i64}
  %0 = memref.alloc() : memref<128xi8, #npu.space<sram>>
  npu.dma_load %in[%c0] -> %0 : memref<128xi8, #npu.space<dram>> to memref<128xi8, #npu.space<sram>>
  npu.dma_store %0 -> %a[%c0] : memref<128xi8, #npu.space<sram>> to memref<128xi8, #npu.space<dram>>
  // CHECK: memref.alloc() {npu.offset = 0 : i64}
  %1 = memref.alloc() : memref<128xi8, #npu.space<sram>>
  npu.dma_load %in[%c0] -> %1 : memref<128xi8, #npu.space<dram>> to memref<128xi8, #npu.space<sram>>
  npu.dma_store %1 -> %b[%c0] : memref<128xi8, #npu.space<sram>> to memref<128xi8, #npu.space<dram>>
  npu.return
}

// Where there is room, what a loop works on has bytes that the loop before it does not use, so that its loads run ahead.
// CHECK-LABEL: npu.kernel @ahead
// STREAMS-LABEL: npu.kernel @ahead
// STREAMS: npu.stream dmai
// STREAMS-NOT: npu.wait
// STREAMS: npu.stream dmao
npu.kernel @ahead(%in: memref<128xi8, #npu.space<dram>>, %a: memref<128xi8, #npu.space<dram>> {npu.output},
                  %b: memref<128xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // CHECK: memref.alloc() {npu.offset = 128 : i64}
    %0 = memref.alloc() : memref<128xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %0 : memref<128xi8, #npu.space<dram>> to memref<128xi8, #npu.space<sram>>
    npu.dma_store %0 -> %a[%c0] : memref<128xi8, #npu.space<sram>> to memref<128xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c1 step %c1 {
    // CHECK: memref.alloc() {npu.offset = 0 : i64}
    %0 = memref.alloc() : memref<128xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %0 : memref<128xi8, #npu.space<dram>> to memref<128xi8, #npu.space<sram>>
    npu.dma_store %0 -> %b[%c0] : memref<128xi8, #npu.space<sram>> to memref<128xi8, #npu.space<dram>>
  }
  npu.return
}

// Here there is room for the first load only, and the second one waits.
// CHECK-LABEL: npu.kernel @partly
// STREAMS-LABEL: npu.kernel @partly
// STREAMS: npu.stream dmai
// STREAMS: npu.dma_load {{.*}} memref<512xi8, #npu.space<sram>>
// STREAMS-NOT: npu.wait
// STREAMS: npu.dma_load {{.*}} memref<256xi8, #npu.space<sram>>
// STREAMS: npu.wait
// STREAMS-NEXT: npu.dma_load {{.*}} memref<768xi8, #npu.space<sram>>
npu.kernel @partly(%in: memref<512xi8, #npu.space<dram>>, %a: memref<512xi8, #npu.space<dram>> {npu.output},
                   %b: memref<512xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny:sramBytes=1024">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // CHECK: memref.alloc() {npu.offset = 0 : i64} : memref<512xi8
    %0 = memref.alloc() : memref<512xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %0 : memref<512xi8, #npu.space<dram>> to memref<512xi8, #npu.space<sram>>
    npu.dma_store %0 -> %a[%c0] : memref<512xi8, #npu.space<sram>> to memref<512xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c1 step %c1 {
    // CHECK: memref.alloc() {npu.offset = 768 : i64} : memref<256xi8
    // CHECK: memref.alloc() {npu.offset = 0 : i64} : memref<768xi8
    %0 = memref.alloc() : memref<256xi8, #npu.space<sram>>
    %1 = memref.alloc() : memref<768xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %0 : memref<512xi8, #npu.space<dram>> to memref<256xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %1 : memref<512xi8, #npu.space<dram>> to memref<768xi8, #npu.space<sram>>
    npu.dma_store %0 -> %b[%c0] : memref<256xi8, #npu.space<sram>> to memref<512xi8, #npu.space<dram>>
    npu.dma_store %1 -> %b[%c0] : memref<768xi8, #npu.space<sram>> to memref<512xi8, #npu.space<dram>>
  }
  npu.return
}

// In DRAM as well; what takes over the bytes of another value is stored when that has been read.
// CHECK-LABEL: npu.kernel @scratch
// CHECK: memref.alloc() {npu.offset = 0 : i64} : memref<128xi8, #npu.space<dram>>
// CHECK: memref.alloc() {npu.offset = 0 : i64} : memref<100xi8, #npu.space<dram>>
// STREAMS-LABEL: npu.kernel @scratch
// STREAMS: npu.stream dmai
// STREAMS: npu.dma_load [[A:%[a-z_0-9]+]][%{{.*}}: memref<128xi8, #npu.space<dram>> to
// STREAMS: npu.dma_load %alloc
// STREAMS-NEXT: npu.signal sem([[READ:[0-9]+]])
// STREAMS: npu.stream dmao
// STREAMS: npu.wait sem([[READ]])
// STREAMS: npu.dma_store {{.*}} to memref<100xi8, #npu.space<dram>>
npu.kernel @scratch(%in: memref<128xi8, #npu.space<dram>>, %x: memref<128xi8, #npu.space<dram>> {npu.output},
                    %y: memref<100xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<128xi8, #npu.space<dram>>
  %b = memref.alloc() : memref<100xi8, #npu.space<dram>>
  %0 = memref.alloc() : memref<128xi8, #npu.space<sram>>
  %1 = memref.alloc() : memref<100xi8, #npu.space<sram>>
  %2 = memref.alloc() : memref<128xi8, #npu.space<sram>>
  %3 = memref.alloc() : memref<100xi8, #npu.space<sram>>
  npu.dma_load %in[%c0] -> %0 : memref<128xi8, #npu.space<dram>> to memref<128xi8, #npu.space<sram>>
  npu.dma_load %in[%c0] -> %1 : memref<128xi8, #npu.space<dram>> to memref<100xi8, #npu.space<sram>>
  npu.dma_store %0 -> %a[%c0] : memref<128xi8, #npu.space<sram>> to memref<128xi8, #npu.space<dram>>
  npu.dma_load %a[%c0] -> %2 : memref<128xi8, #npu.space<dram>> to memref<128xi8, #npu.space<sram>>
  npu.dma_store %1 -> %b[%c0] : memref<100xi8, #npu.space<sram>> to memref<100xi8, #npu.space<dram>>
  npu.dma_store %2 -> %x[%c0] : memref<128xi8, #npu.space<sram>> to memref<128xi8, #npu.space<dram>>
  npu.dma_load %b[%c0] -> %3 : memref<100xi8, #npu.space<dram>> to memref<100xi8, #npu.space<sram>>
  npu.dma_store %3 -> %y[%c0] : memref<100xi8, #npu.space<sram>> to memref<100xi8, #npu.space<dram>>
  npu.return
}
