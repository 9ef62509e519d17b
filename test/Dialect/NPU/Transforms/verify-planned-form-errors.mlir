// RUN: npu-opt %s --npu-verify-planned-form -split-input-file -verify-diagnostics -allow-unregistered-dialect

npu.kernel @nest(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'test.op' op is not part of planned form, expected only npu.stream and buffers in DRAM in the kernel}}
  "test.op"() : () -> ()
  npu.return
}

// -----

npu.kernel @cluster(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{'npu.stream' op is for cluster 1 but target 'npu-tiny:sramBytes=4096' has 1}}
  npu.stream dmai cluster(1) {
  }
  npu.return
}

// -----

npu.kernel @multicast_stream(%in: memref<64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream dmai cluster(1) {
    %c0 = arith.constant 0 : index
    %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.dma_load' op expected a transfer for several clusters in a stream of cluster 0, its leader}}
    npu.dma_load %in[%c0] -> %0 {clusters = 2 : i64} : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @multicast_target(%in: memref<64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4:clusters=2">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.dma_load' op is for 3 clusters but target 'npu-v1-x4:clusters=2' has 2}}
    npu.dma_load %in[%c0] -> %0 {clusters = 3 : i64} : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @twice(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the first is here}}
  npu.stream dmai cluster(0) {
  }
  // expected-error@+1 {{'npu.stream' op is a second stream of its engine}}
  npu.stream dmai cluster(0) {
  }
  npu.return
}

// -----

npu.kernel @unplanned(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  npu.stream dmai cluster(0) {
    // expected-error@+1 {{'npu.ring' op expected an offset, run npu-plan-memory before npu-pipeline-streams}}
    %0 = npu.ring %c0 {depth = 1, id = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @beyond(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  npu.stream dmai cluster(0) {
    // expected-error@+1 {{'npu.ring' op ends at byte 4160 of sram but target 'npu-tiny:sramBytes=4096' has 4096}}
    %0 = npu.ring %c0 {depth = 1, id = 0, offset = 4096, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @engine(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  npu.stream vpu cluster(0) {
    %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.dma_load' op runs on dmai but stands in a stream of vpu}}
    npu.dma_load %in[%c0] -> %0 : memref<256xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @loop(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  npu.stream vpu cluster(0) {
    %c4 = arith.constant 4 : index
    // expected-error@+1 {{'scf.for' op expected a loop from 0 in steps of 1 to a positive constant, without results}}
    scf.for %i = %c0 to %c4 step %c4 {
    }
  }
  npu.return
}

// -----

npu.kernel @foreign(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  npu.stream vpu cluster(0) {
    // expected-error@+1 {{'test.op' op is not part of planned form, expected loops, rings, views, index computations, semaphore ops and ops of the stream's engine}}
    "test.op"() : () -> ()
  }
  npu.return
}

// -----

npu.kernel @on_chip_outside(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  // expected-error@+1 {{'memref.alloc' op is not part of planned form, expected only npu.stream and buffers in DRAM in the kernel}}
  %a = memref.alloc() : memref<64xi8, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @beyond_plan(%in: memref<256xi8, #npu.space<dram>>) attributes {planned_bytes = #npu.planned_bytes<sram = 64, acc = 0>, target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  npu.stream dmai cluster(0) {
    %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.ring' op ends at byte 128 of sram, beyond what 'planned_bytes' says: #npu.planned_bytes<sram = 64, acc = 0>}}
    %1 = npu.ring %c0 {depth = 1, id = 1, offset = 64, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @nowhere(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  // expected-error@+1 {{'memref.alloc' op expected its place in the program's scratch memory as 'npu.offset'; run npu-plan-memory}}
  %a = memref.alloc() : memref<64xi8, #npu.space<dram>>
  npu.return
}
