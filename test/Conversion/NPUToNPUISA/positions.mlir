// npu.iota to vpu.iota: its origin is part of the start, and dimensions merge where steps are in proportion.
// RUN: npu-opt %s --convert-npu-to-npu-isa | npu-translate --mlir-to-npu-asm | FileCheck %s

// CHECK-LABEL: .kernel "k"
npu.kernel @k() attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    // CHECK: vpu.iota shape=[1, 1, 4, 8], dst=i32 sram[0, ring(i0, depth=2, slot=128)] strides(0, 0, 32, 4), values={start=7 + 8*i0, step2=100, step3=1}
    scf.for %i = %c0 to %c3 step %c1 {
      %y = npu.ring %i {depth = 2, id = 0, offset = 0, slot_bytes = 128} : memref<4x8xi32, #npu.space<sram>>
      %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
      npu.iota -> %y extents(%c4, %c8) origin(%o) {steps = array<i64: 100, 1>, start = 7} : memref<4x8xi32, #npu.space<sram>>
    }
    // Of five dimensions, those merge whose steps are in proportion: not the last two.
    // CHECK: vpu.iota shape=[2, 4, 2, 2], dst=i32 sram[1024] strides(64, 16, 8, 4), values={step0=100, step1=10, step2=7, step3=1}
    %z = npu.ring %c0 {depth = 1, id = 1, offset = 1024, slot_bytes = 128} : memref<2x2x2x2x2xi32, #npu.space<sram>>
    npu.iota -> %z {steps = array<i64: 100, 20, 10, 7, 1>} : memref<2x2x2x2x2xi32, #npu.space<sram>>
  }
  npu.return
}
