// RUN: npu-opt %s --convert-npu-to-npu-isa | npu-translate --mlir-to-npu-asm | FileCheck %s

#abc = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#hw = affine_map<(h, w, c, y, x) -> (h * 2 + y, w * 2 + x, c)>
#out = affine_map<(h, w, c, y, x) -> (h, w, c)>

// What is reduced is the innermost dimension of the instruction; counters in `init` say where it starts anew.
// CHECK-LABEL: .kernel "reductions"
npu.kernel @reductions(%in: memref<4x16xi8, #npu.space<dram>>, %out: memref<4x16xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %x = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 1024} : memref<4x8x16xi16, #npu.space<sram>>
    %r = npu.ring %c0 {depth = 1, id = 1, offset = 1024, slot_bytes = 128} : memref<4x8xi32, #npu.space<sram>>
    %m = npu.ring %c0 {depth = 1, id = 2, offset = 1152, slot_bytes = 128} : memref<4x16xi16, #npu.space<sram>>
    %s = npu.ring %c0 {depth = 1, id = 3, offset = 1280, slot_bytes = 64} : memref<16xi16, #npu.space<sram>>
    %p = npu.ring %c0 {depth = 1, id = 4, offset = 2048, slot_bytes = 1024} : memref<9x9x4xf16, #npu.space<sram>>
    %q = npu.ring %c0 {depth = 1, id = 5, offset = 4096, slot_bytes = 1024} : memref<4x4x4xf16, #npu.space<sram>>
    // CHECK: vpu.reduce shape=[1, 4, 8, 16], dst=i32 sram[1024] strides(0, 32, 4, 0), a=i16 sram[0] strides(0, 256, 32, 2), reduction=sum never
    npu.reduce sum %x -> %r {indexing_maps = [#abc, affine_map<(a, b, c) -> (a, b)>]} : memref<4x8x16xi16, #npu.space<sram>> -> memref<4x8xi32, #npu.space<sram>>
    // CHECK: vpu.reduce shape=[1, 4, 16, 8], dst=i16 sram[1152] strides(0, 32, 2, 0), a=i16 sram[0] strides(0, 256, 2, 32), reduction=or always
    npu.reduce or %x -> %m {accumulate, indexing_maps = [#abc, affine_map<(a, b, c) -> (a, c)>]} : memref<4x8x16xi16, #npu.space<sram>> -> memref<4x16xi16, #npu.space<sram>>
    // Two that lie side by side are one.
    // CHECK: vpu.reduce shape=[1, 1, 16, 32], dst=i16 sram[1280] strides(0, 0, 2, 0), a=i16 sram[0] strides(0, 0, 2, 32), reduction=max never
    npu.reduce max %x -> %s {indexing_maps = [#abc, affine_map<(a, b, c) -> (c)>]} : memref<4x8x16xi16, #npu.space<sram>> -> memref<16xi16, #npu.space<sram>>
    // The dimension goes inside, those that are kept stay as they are.
    // CHECK: vpu.argreduce shape=[1, 4, 16, 8], dst=i16 sram[1152] strides(0, 32, 2, 0), a=i16 sram[0] strides(0, 256, 2, 32), op={kind=argmin}
    npu.arg_reduce argmin %x -> %m {dimension = 1, indexing_maps = [#abc, affine_map<(a, b, c) -> (a, c)>]} : memref<4x8x16xi16, #npu.space<sram>> -> memref<4x16xi16, #npu.space<sram>>
    // CHECK: loop 3
    scf.for %y = %c0 to %c3 step %c1 {
      %v = memref.subview %p[%y, 0, 0] [7, 9, 4] [1, 1, 1] : memref<9x9x4xf16, #npu.space<sram>> to memref<7x9x4xf16, strided<[36, 4, 1], offset: ?>, #npu.space<sram>>
      // CHECK: vpu.reduce shape=[4, 4, 4, 3], dst=f16 sram[4096] strides(32, 8, 2, 0), a=f16 sram[2048 + 72*i0] strides(144, 16, 2, 8), reduction=max unless(i0)
      npu.pool max %v -> %q init(%y) {window = array<i64: 1, 3>, indexing_maps = [#hw, #out]} : memref<7x9x4xf16, strided<[36, 4, 1], offset: ?>, #npu.space<sram>> -> memref<4x4x4xf16, #npu.space<sram>>
    }
  }
  npu.return
}
