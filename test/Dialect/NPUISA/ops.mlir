// What programs look like in text, which is read again as it is printed.

// RUN: npu-opt %s | npu-opt | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | npu-opt | FileCheck %s
// RUN: npu-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK: npu_isa.program @exp attributes {
// CHECK-SAME: loose
// CHECK-SAME: plan = #npu_isa.plan<tile(d0 = 16, "p q" = 4), cycles = 6460, sram = 49152, acc = 16384>
// CHECK-SAME: regions = [#npu_isa.region<input "arg0", 64 bytes>, #npu_isa.region<constants "arg1", 2 bytes, dense<[1, -1]> : tensor<2xi8>>, #npu_isa.region<output "arg2", 64 bytes>]
// CHECK-SAME: target = "npu-v1"
npu_isa.program @exp attributes {loose, plan = #npu_isa.plan<tile(d0 = 16, "p q" = 4), cycles = 6460, sram = 49152, acc = 16384>, regions = [#npu_isa.region<input "arg0", 64 bytes>, #npu_isa.region<constants "arg1", 2 bytes, dense<[1, -1]> : tensor<2xi8>>, #npu_isa.region<output "arg2", 64 bytes>], target = "npu-v1"} {
  // CHECK: npu_isa.stream dmai cluster(0) {
  npu_isa.stream dmai cluster(0) {
    // CHECK-NEXT: npu_isa.loop {count_trips = 4}
    npu_isa.loop {count_trips = 4}
    // Constant affine fields are numbers, others lists; fields come in the order of the instruction.
    // CHECK-NEXT: npu_isa.dma.load {sync_wait0 = 1, sync_signal0 = 2, sync_value0 = [-1, 1], from_type = f32, to_depth = 1, to_base = 64,
    // CHECK-SAME: dims = [{extent_limit = [16, -4], extent_full = 16, dram_stride = 4, chip_stride = 4, high = 16}]}
    // GENERIC: "npu_isa.dma.load"()
    // GENERIC-SAME: dims = [#npu_isa.box_dim<{
    // GENERIC-SAME: from_type = #npu_isa.element_type<f32>
    npu_isa.dma.load {dims = [{extent_limit = [16, -4], extent_full = 16, dram_stride = 4, chip_stride = 4, high = 16}], from_type = f32, sync_signal0 = 2, sync_wait0 = 1, sync_value0 = [-1, 1], to_base = [64], to_depth = 1}
    // CHECK-NEXT: npu_isa.endloop
    npu_isa.endloop
    // CHECK-NEXT: npu_isa.halt {test.note = "kept"}
    npu_isa.halt {test.note = "kept"}
  }
}
