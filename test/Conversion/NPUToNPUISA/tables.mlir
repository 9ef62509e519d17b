// RUN: npu-opt %s --convert-npu-to-npu-isa | npu-translate --mlir-to-npu-asm | FileCheck %s

// The table is an address; everything else is as for other element-wise ops.
// CHECK-LABEL: .kernel "tables"
npu.kernel @tables(%in: memref<4x16xi8, #npu.space<dram>>, %out: memref<4x16xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-tiny">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %x = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<4x16xi8, #npu.space<sram>>
    %y = npu.ring %c0 {depth = 1, id = 1, offset = 64, slot_bytes = 64} : memref<16x4xi8, #npu.space<sram>>
    %t = npu.ring %c0 {depth = 1, id = 2, offset = 128, slot_bytes = 256} : memref<256xi8, #npu.space<sram>>
    %u = npu.ring %c0 {depth = 1, id = 3, offset = 384, slot_bytes = 1088} : memref<513xi16, #npu.space<sram>>
    %v = npu.ring %c0 {depth = 1, id = 4, offset = 1472, slot_bytes = 64} : memref<16xi16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 5, offset = 1536, slot_bytes = 256} : memref<4x16xi32, #npu.space<sram>>
    // CHECK: vpu.table8 shape=[1, 1, 4, 16], dst=i8 sram[0] strides(0, 0, 16, 1), a=i8 sram[0] strides(0, 0, 16, 1), table=sram[128]
    npu.table %x[%t] -> %x : memref<4x16xi8, #npu.space<sram>>, memref<256xi8, #npu.space<sram>> -> memref<4x16xi8, #npu.space<sram>>
    // CHECK: vpu.table8 shape=[1, 1, 16, 4], dst=i8 sram[64] strides(0, 0, 4, 1), a=i8 sram[0] strides(0, 0, 1, 16), table=sram[128]
    npu.table %x[%t] -> %y {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (0)>, affine_map<(i, j) -> (i, j)>]} : memref<4x16xi8, #npu.space<sram>>, memref<256xi8, #npu.space<sram>> -> memref<16x4xi8, #npu.space<sram>>
    // CHECK: vpu.table16 shape=[1, 1, 4, 16], dst=i32 sram[1536] strides(0, 0, 64, 4), a=i16 sram[1472] strides(0, 0, 0, 2), table=sram[384]
    npu.table %v[%u] -> %w {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (0)>, affine_map<(i, j) -> (i, j)>]} : memref<16xi16, #npu.space<sram>>, memref<513xi16, #npu.space<sram>> -> memref<4x16xi32, #npu.space<sram>>
  }
  npu.return
}
