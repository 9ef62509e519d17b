// RUN: npu-opt %s --convert-npu-to-npu-isa | npu-translate --mlir-to-npu-asm | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#scalar = affine_map<(d0, d1) -> ()>

// CHECK: .kernel "vector"
// CHECK: .region 0 input "arg0" 64
// CHECK-NEXT: .region 1 output "arg1" 64
npu.kernel @vector(%in: memref<4x16xi8, #npu.space<dram>>, %out: memref<4x16xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %f = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<4x16xf32, #npu.space<sram>>
    %i = npu.ring %c0 {depth = 1, id = 1, offset = 256, slot_bytes = 256} : memref<4x16xi32, #npu.space<acc>>
    %b = npu.ring %c0 {depth = 1, id = 2, offset = 512, slot_bytes = 64} : memref<4x16xi8, #npu.space<sram>>
    %p = npu.ring %c0 {depth = 1, id = 3, offset = 576, slot_bytes = 64} : memref<4x16xi1, #npu.space<sram>>
    %r = npu.ring %c0 {depth = 1, id = 4, offset = 640, slot_bytes = 64} : memref<16xf32, #npu.space<sram>>
    %t = npu.ring %c0 {depth = 1, id = 5, offset = 1024, slot_bytes = 256} : memref<16x4xf32, #npu.space<sram>>
    %m = npu.ring %c0 {depth = 1, id = 6, offset = 2048, slot_bytes = 64} : memref<i32, #npu.space<sram>>
    %s = npu.ring %c0 {depth = 1, id = 7, offset = 2112, slot_bytes = 64} : memref<i8, #npu.space<sram>>
    %q = npu.ring %c0 {depth = 1, id = 8, offset = 4096, slot_bytes = 512} : memref<2x2x2x2x32xi8, #npu.space<sram>>
    %h = npu.ring %c0 {depth = 1, id = 9, offset = 8192, slot_bytes = 128} : memref<4x16xbf16, #npu.space<sram>>
    // CHECK: vpu.unary shape=[1, 1, 4, 16], dst=f32 sram[0] strides(0, 0, 64, 4), a=f32 sram[0] strides(0, 0, 64, 4), op={kind=exp}
    npu.unary exp %f -> %f : memref<4x16xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
    // What moves is bits, whatever they mean.
    // CHECK: vpu.unary shape=[1, 1, 4, 16], dst=i32 sram[0] strides(0, 0, 64, 4), a=i32 sram[1024] strides(0, 0, 4, 16), source
    npu.copy %t -> %f {indexing_maps = [#swap, #id]} : memref<16x4xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
    // CHECK: vpu.unary {{.*}} dst=i8 sram[576] strides(0, 0, 16, 1), a=i8 sram[576] strides(0, 0, 16, 1), source
    npu.copy %p -> %p : memref<4x16xi1, #npu.space<sram>> -> memref<4x16xi1, #npu.space<sram>>
    // CHECK: vpu.unary {{.*}} dst=i16 sram[8192] strides(0, 0, 32, 2), a=i16 sram[8192] strides(0, 0, 32, 2), source
    npu.copy %h -> %h : memref<4x16xbf16, #npu.space<sram>> -> memref<4x16xbf16, #npu.space<sram>>
    // A broadcast operand has stride 0, a transposed one its strides exchanged.
    // CHECK: vpu.binary shape={{.*}}, b=f32 sram[640] strides(0, 0, 0, 4)
    npu.binary add %f, %r -> %f {indexing_maps = [#id, #row, #id]} : memref<4x16xf32, #npu.space<sram>>, memref<16xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
    // CHECK: vpu.binary shape={{.*}}, b=f32 sram[1024] strides(0, 0, 4, 16), op={kind=div}
    npu.binary div %f, %t -> %f {indexing_maps = [#id, #swap, #id]} : memref<4x16xf32, #npu.space<sram>>, memref<16x4xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
    // CHECK: vpu.binary_imm {{.*}} op={kind=mul, immediate=1073741824}
    npu.binary mul %f -> %f {imm = 2.0 : f32} : memref<4x16xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
    // Constants on the left: exchanged, mirrored, or in two steps.
    // CHECK: vpu.binary_imm {{.*}} op={kind=cmpgt, immediate=3}
    npu.binary cmplt %b -> %p {imm = 3 : i8, imm_first} : memref<4x16xi8, #npu.space<sram>> -> memref<4x16xi1, #npu.space<sram>>
    // CHECK: vpu.unary {{.*}} op={kind=neg}
    // CHECK-NEXT: vpu.binary_imm {{.*}} op={kind=add, immediate=1065353216}
    npu.binary sub %f -> %f {imm = 1.0 : f32, imm_first} : memref<4x16xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
    // CHECK: vpu.fill {{.*}} dst=f32 sram[0] {{.*}} value={bits=1065353216}
    // CHECK-NEXT: vpu.binary {{.*}} dst=f32 sram[0] {{.*}} a=f32 sram[0] {{.*}} b=f32 sram[1024] {{.*}} op={kind=div}
    npu.binary div %t -> %f {imm = 1.0 : f32, imm_first, indexing_maps = [#swap, #id]} : memref<16x4xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
    // CHECK: vpu.select {{.*}} condition=i8 sram[576]
    npu.select %p, %f, %f -> %f : memref<4x16xi1, #npu.space<sram>>, memref<4x16xf32, #npu.space<sram>>, memref<4x16xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
    // CHECK: vpu.clamp {{.*}} bounds={low=4294967295, high=6}
    npu.clamp %b -> %b {lo = -1 : i8, hi = 6 : i8} : memref<4x16xi8, #npu.space<sram>> -> memref<4x16xi8, #npu.space<sram>>
    // CHECK: vpu.cast {{.*}} dst=i32 acc[256] {{.*}} a=f32 sram[0]
    npu.cast fptosi %f -> %i : memref<4x16xf32, #npu.space<sram>> -> memref<4x16xi32, #npu.space<acc>>
    // CHECK: vpu.cast {{.*}} mode={unsigned_source=1, rounding=zero}
    npu.cast extui %b -> %i : memref<4x16xi8, #npu.space<sram>> -> memref<4x16xi32, #npu.space<acc>>
    // True is 1 in memory and -1 as a signed number.
    // CHECK: vpu.unary {{.*}} dst=i32 acc[256] {{.*}} a=i8 sram[576] {{.*}} op={kind=neg}
    npu.cast extsi %p -> %i : memref<4x16xi1, #npu.space<sram>> -> memref<4x16xi32, #npu.space<acc>>
    // CHECK: vpu.binary_imm {{.*}} op={kind=and, immediate=1}
    npu.cast trunci %b -> %p : memref<4x16xi8, #npu.space<sram>> -> memref<4x16xi1, #npu.space<sram>>
    // CHECK: vpu.requant_imm {{.*}} op={zero=3, low=-128, high=127}, scale={value=0.25}
    npu.requantize %i -> %b {scale = 0.25 : f32, zero_point = 3, lo = -128, hi = 127} : memref<4x16xi32, #npu.space<acc>> -> memref<4x16xi8, #npu.space<sram>>
    // CHECK: vpu.requant {{.*}} scale=f32 sram[640] strides(0, 0, 0, 4)
    npu.requantize %i scales(%r) -> %b {indexing_maps = [#id, #row, #id], lo = -128, hi = 127} : memref<4x16xi32, #npu.space<acc>>, memref<16xf32, #npu.space<sram>> -> memref<4x16xi8, #npu.space<sram>>
    // CHECK: vpu.fill shape=[1, 1, 1, 1], dst=i32 sram[2048] strides(0, 0, 0, 0), value={bits=1073741824}
    npu.fill %m {value = 1073741824 : i32} : memref<i32, #npu.space<sram>>
    // CHECK: vpu.rescale {{.*}} multiplier=i32 sram[2048] strides(0, 0, 0, 0), shift=i8 sram[2112] strides(0, 0, 0, 0), op={double_round=1, output_zero=-3}
    npu.rescale %i scales(%m, %s) -> %b {double_round, output_zp = -3, indexing_maps = [#id, #scalar, #scalar, #id]} : memref<4x16xi32, #npu.space<acc>>, memref<i32, #npu.space<sram>>, memref<i8, #npu.space<sram>> -> memref<4x16xi8, #npu.space<sram>>
    // CHECK: vpu.rescale {{.*}}, op={bounded=1, output_zero=4, low=4, high=96}
    npu.rescale %i scales(%m, %s) -> %b {output_zp = 4, lo = 4, hi = 96, indexing_maps = [#id, #scalar, #scalar, #id]} : memref<4x16xi32, #npu.space<acc>>, memref<i32, #npu.space<sram>>, memref<i8, #npu.space<sram>> -> memref<4x16xi8, #npu.space<sram>>
    // Five dimensions merge to four where operands allow.
    // CHECK: vpu.unary shape=[4, 2, 2, 32], dst=i8 sram[4096] strides(128, 64, 32, 1)
    npu.unary neg %q -> %q : memref<2x2x2x2x32xi8, #npu.space<sram>> -> memref<2x2x2x2x32xi8, #npu.space<sram>>
    // More than two waits or signals need sync instructions; each stands at its op's loop level.
    // CHECK: sync wait(s1 >= 1, s2 >= 3)
    // CHECK-NEXT: vpu.unary wait(s3 >= 0) signal(s4, s5)
    // CHECK-NEXT: sync signal(s6)
    npu.wait sem(1) >= %c1
    npu.wait sem(2) >= %c3
    npu.wait sem(3) >= %c0
    npu.unary abs %b -> %b : memref<4x16xi8, #npu.space<sram>> -> memref<4x16xi8, #npu.space<sram>>
    npu.signal sem(4)
    npu.signal sem(5)
    npu.signal sem(6)
    // CHECK-NEXT: sync wait(s7 >= 3)
    // CHECK-NEXT: loop 3
    npu.wait sem(7) >= %c3
    scf.for %k = %c0 to %c3 step %c1 {
      // CHECK-NEXT: sync wait(s1 >= 6 + 2*i0)
      %v = affine.apply affine_map<(d0) -> (d0 * 2 + 6)>(%k)
      npu.wait sem(1) >= %v
    }
    // CHECK-NEXT: endloop
    // CHECK-NEXT: halt
  }
  npu.return
}
