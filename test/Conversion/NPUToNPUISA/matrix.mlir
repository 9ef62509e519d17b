// RUN: npu-opt %s --convert-npu-to-npu-isa | npu-translate --mlir-to-npu-asm | FileCheck %s

npu.kernel @matrix() attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 16384} : memref<64x128xf16, #npu.space<sram>>
    %b = npu.ring %c0 {depth = 1, id = 1, offset = 16384, slot_bytes = 16384} : memref<2x128x32xf16, #npu.space<sram>>
    %c = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 16384} : memref<64x64xf32, #npu.space<acc>>
    // CHECK: mxu.matmul accumulate=f16 never, a=sram[0], a_pitch={row_bytes=256}, b=sram[16384], b_panel={panel_bytes=8192}, out=acc[0], out_pitch={row_bytes=256}, m=64, n=64, k=128
    npu.matmul %a, %b -> %c {packed} : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
    // CHECK: mxu.matmul accumulate=f16 always
    npu.matmul %a, %b -> %c {packed, accumulate} : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
    scf.for %i = %c0 to %c4 step %c1 {
      // The bias of the columns: what sums start from.
      %s = npu.ring %i {depth = 2, id = 11, offset = 262144, slot_bytes = 256} : memref<64xf32, #npu.space<sram>>
      // CHECK: mxu.matmul accumulate=f16 unless(i0) start(sram[262144, ring(i0, depth=2, slot=256)]), a=sram[0]
      npu.matmul %a, %b bias(%s : memref<64xf32, #npu.space<sram>>) -> %c init(%i) {packed} : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
      scf.for %j = %c0 to %c4 step %c1 {
        // CHECK: mxu.matmul accumulate=f16 unless(i0, i1)
        npu.matmul %a, %b -> %c init(%i, %j) {packed} : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
        // CHECK: mxu.matmul accumulate=f16 never
        npu.matmul %a, %b -> %c init(%c0) {packed} : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
        // CHECK: mxu.matmul accumulate=f16 always
        npu.matmul %a, %b -> %c init(%i, %c1) {packed} : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
      }
    }
    // Three dimensions that it adds up along lie side by side.
    %a3 = npu.ring %c0 {depth = 1, id = 14, offset = 0, slot_bytes = 16384} : memref<64x4x16x2xf16, #npu.space<sram>>
    %b3 = npu.ring %c0 {depth = 1, id = 15, offset = 16384, slot_bytes = 16384} : memref<2x4x16x2x32xf16, #npu.space<sram>>
    // CHECK: mxu.matmul accumulate=f16 never, a=sram[0], a_pitch={row_bytes=256}, b=sram[16384], b_panel={panel_bytes=8192}, out=acc[0], out_pitch={row_bytes=256}, m=64, n=64, k=128
    npu.matmul %a3, %b3 -> %c {packed, layout_a = #npu.layout<mijk>, layout_b = #npu.layout<ijkn>}
        : memref<64x4x16x2xf16, #npu.space<sram>>, memref<2x4x16x2x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
    // A vector on either side is one row or one column.
    %v = npu.ring %c0 {depth = 1, id = 3, offset = 32768, slot_bytes = 256} : memref<128xf16, #npu.space<sram>>
    %r = npu.ring %c0 {depth = 1, id = 4, offset = 16384, slot_bytes = 256} : memref<64xf32, #npu.space<acc>>
    // CHECK: mxu.matmul {{.*}} a=sram[32768], b=sram[16384], {{.*}} out=acc[16384], m=1, n=64, k=128
    npu.matmul %v, %b -> %r {packed, layout_a = #npu.layout<k>, layout_c = #npu.layout<n>} : memref<128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64xf32, #npu.space<acc>>
    %i8 = npu.ring %c0 {depth = 1, id = 5, offset = 65536, slot_bytes = 4672} : memref<17x17x16xi8, #npu.space<sram>>
    %f8 = npu.ring %c0 {depth = 1, id = 6, offset = 131072, slot_bytes = 9216} : memref<2x3x3x16x32xi8, #npu.space<sram>>
    %o8 = npu.ring %c0 {depth = 1, id = 7, offset = 65536, slot_bytes = 12288} : memref<8x8x48xi32, #npu.space<acc>>
    // CHECK: mxu.conv accumulate=i8 never, in=sram[65536], in_pitch={row_bytes=272, pixel_bytes=16}, weights=sram[131072], weights_panel={panel_bytes=4608}, out=acc[65536], out_pitch={row_bytes=1536, pixel_bytes=192}, window={stride_h=2, stride_w=2, dilation_h=1, dilation_w=1, tap_row_bytes=1536, tap_bytes=512}, h=8, w=8, f=48, c=16, y=3, x=3
    npu.conv %i8, %f8 -> %o8 {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed, stride = array<i64: 2, 2>}
        : memref<17x17x16xi8, #npu.space<sram>>, memref<2x3x3x16x32xi8, #npu.space<sram>> -> memref<8x8x48xi32, #npu.space<acc>>
    %id = npu.ring %c0 {depth = 1, id = 8, offset = 65536, slot_bytes = 1600} : memref<10x10x16xi8, #npu.space<sram>>
    %fd = npu.ring %c0 {depth = 1, id = 9, offset = 131072, slot_bytes = 192} : memref<3x3x16xi8, #npu.space<sram>>
    %od = npu.ring %c0 {depth = 1, id = 10, offset = 65536, slot_bytes = 4096} : memref<8x8x16xi32, #npu.space<acc>>
    // CHECK: mxu.depthwise accumulate=i8 never, in=sram[65536], in_pitch={row_bytes=160, pixel_bytes=16}, weights=sram[131072], {{.*}} h=8, w=8, g=16, y=3, x=3
    npu.conv %id, %fd -> %od {layout_filter = #npu.layout<yxg>, layout_input = #npu.layout<hwg>, layout_output = #npu.layout<hwg>}
        : memref<10x10x16xi8, #npu.space<sram>>, memref<3x3x16xi8, #npu.space<sram>> -> memref<8x8x16xi32, #npu.space<acc>>
    %i1 = npu.ring %c0 {depth = 1, id = 11, offset = 65536, slot_bytes = 1600} : memref<20x16xi8, #npu.space<sram>>
    %f1 = npu.ring %c0 {depth = 1, id = 12, offset = 131072, slot_bytes = 2560} : memref<1x5x16x32xi8, #npu.space<sram>>
    %o1 = npu.ring %c0 {depth = 1, id = 13, offset = 65536, slot_bytes = 2048} : memref<16x32xi32, #npu.space<acc>>
    // One spatial dimension: the other has one pixel and one tap.
    // CHECK: mxu.conv {{.*}} in_pitch={row_bytes=16}, {{.*}} window={stride_h=1, stride_w=1, dilation_h=1, dilation_w=1, tap_row_bytes=512}, h=16, w=1, f=32, c=16, y=5, x=1
    npu.conv %i1, %f1 -> %o1 {layout_filter = #npu.layout<ycf>, layout_input = #npu.layout<hc>, layout_output = #npu.layout<hf>, packed}
        : memref<20x16xi8, #npu.space<sram>>, memref<1x5x16x32xi8, #npu.space<sram>> -> memref<16x32xi32, #npu.space<acc>>
  }
  npu.return
}
