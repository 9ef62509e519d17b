// RUN: npu-opt %s --split-input-file --npu-tighten-waits | FileCheck %s
// RUN: npu-opt %s --split-input-file --npu-tighten-waits --remarks-filter=npu-tighten-waits -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Without the pass the verifier refuses the first program.
// RUN: not npu-opt %s --split-input-file --npu-verify-program -o /dev/null 2>&1 | FileCheck %s --check-prefix=SLACK
// SLACK: is at fault in program 'early': slack: stream cluster 0 dmao, instruction 0 'dma.store'{{.*}} waits for one signal of semaphore 1 more than any access needs; lower the value by 1

// The first store needs the first load alone. The second one needs both.
// CHECK-LABEL: npu_isa.program @early
// CHECK: npu_isa.stream dmao
// CHECK-NEXT: npu_isa.dma.store {sync_wait0 = 1, sync_value0 = 1,
// CHECK-NEXT: npu_isa.dma.store {sync_wait0 = 1, sync_value0 = 2,
// REMARK: remark: [Passed] WaitTightened | Category:npu-tighten-waits | Function=early | Reason="waits for 1 fewer signals of semaphore 1"
npu_isa.program @early attributes {regions = [#npu_isa.region<input "arg0", 256 bytes>, #npu_isa.region<output "arg1", 256 bytes>], target = "npu-tiny"} {
  npu_isa.stream dmai cluster(0) {
    npu_isa.dma.load {sync_signal0 = 1, to_depth = 1, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, high = 256}]}
    npu_isa.dma.load {sync_signal0 = 1, to_depth = 1, to_base = 64, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, origin = 64, high = 256}]}
    npu_isa.halt
  }
  npu_isa.stream dmao cluster(0) {
    npu_isa.dma.store {sync_wait0 = 1, sync_value0 = 2, to_region = 1, from_depth = 1, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, high = 256}]}
    npu_isa.dma.store {sync_wait0 = 1, sync_value0 = 2, to_region = 1, from_depth = 1, from_base = 64, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, origin = 64, high = 256}]}
    npu_isa.halt
  }
}

// -----

// In a loop a value falls as a whole: each store needs one load more than the one before. A wait that nothing needs goes,
// and the other one of its instruction stays. A sync without waits and signals goes, too, but a loop keeps one.
// CHECK-LABEL: npu_isa.program @loops
// CHECK: npu_isa.stream dmao
// CHECK-NEXT: npu_isa.loop {count_trips = 4}
// CHECK-NEXT: npu_isa.dma.store {sync_wait0 = 1, sync_value0 = [1, 1],
// CHECK-NEXT: npu_isa.endloop
// CHECK-NEXT: npu_isa.loop {count_trips = 2}
// CHECK-NEXT: npu_isa.sync
// CHECK-NEXT: npu_isa.endloop
// CHECK-NEXT: npu_isa.halt
// REMARK: Function=loops | Reason="need not wait for semaphore 2"
// REMARK: Function=loops | Reason="waits for 3 fewer signals of semaphore 1"
// REMARK: Function=loops | Reason="need not wait for semaphore 1"
// REMARK: Function=loops | Reason="need not wait for semaphore 1"
npu_isa.program @loops attributes {regions = [#npu_isa.region<input "arg0", 256 bytes>, #npu_isa.region<output "arg1", 256 bytes>], target = "npu-tiny"} {
  npu_isa.stream dmai cluster(0) {
    npu_isa.loop {count_trips = 4}
    npu_isa.dma.load {sync_signal0 = 1, to_depth = 4, to_position = [0, 1], to_slot_bytes = 64, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, origin = [0, 64], high = 256}]}
    npu_isa.endloop
    npu_isa.sync {sync_signal0 = 1, sync_signal1 = 2}
    npu_isa.sync {sync_signal0 = 1}
    npu_isa.sync {sync_signal0 = 1}
    npu_isa.halt
  }
  npu_isa.stream dmao cluster(0) {
    npu_isa.loop {count_trips = 4}
    npu_isa.dma.store {sync_wait0 = 2, sync_value0 = 1, sync_wait1 = 1, sync_value1 = [4, 1], to_region = 1, from_depth = 4, from_position = [0, 1], from_slot_bytes = 64, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, origin = [0, 64], high = 256}]}
    npu_isa.endloop
    npu_isa.sync {sync_wait0 = 1, sync_value0 = 5}
    npu_isa.loop {count_trips = 2}
    npu_isa.sync {sync_wait0 = 1, sync_value0 = [1, 1]}
    npu_isa.endloop
    npu_isa.halt
  }
}

// -----

// What is not safe stays, for npu-verify-program to say why: the second wait is too short, and the first one too long.
// CHECK-LABEL: npu_isa.program @unsafe
// CHECK: npu_isa.stream dmao
// CHECK-NEXT: npu_isa.dma.store {sync_wait0 = 1, sync_value0 = 2,
// CHECK-NEXT: npu_isa.dma.store {to_region = 1, from_depth = 1, from_base = 128,
// REMARK-NOT: Function=unsafe
npu_isa.program @unsafe attributes {regions = [#npu_isa.region<input "arg0", 256 bytes>, #npu_isa.region<output "arg1", 256 bytes>], target = "npu-tiny"} {
  npu_isa.stream dmai cluster(0) {
    npu_isa.dma.load {sync_signal0 = 1, to_depth = 1, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, high = 256}]}
    npu_isa.sync {sync_signal0 = 1}
    npu_isa.dma.load {sync_signal0 = 1, to_depth = 1, to_base = 128, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, origin = 64, high = 256}]}
    npu_isa.halt
  }
  npu_isa.stream dmao cluster(0) {
    npu_isa.dma.store {sync_wait0 = 1, sync_value0 = 2, to_region = 1, from_depth = 1, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, high = 256}]}
    npu_isa.dma.store {to_region = 1, from_depth = 1, from_base = 128, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, origin = 64, high = 256}]}
    npu_isa.halt
  }
}
