// npu.sort and npu.arg_sort to the instructions of a network.
// RUN: npu-opt %s --convert-npu-to-npu-isa | npu-translate --mlir-to-npu-asm | FileCheck %s

#in = affine_map<(i, j, p) -> (i, j)>
#out = affine_map<(i, j, p) -> (i, p)>

// CHECK-LABEL: .kernel "k"
npu.kernel @k() attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %x0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<2x3xi16, #npu.space<sram>>
    %y0 = npu.ring %c0 {depth = 1, id = 1, offset = 64, slot_bytes = 64} : memref<2x3xi16, #npu.space<sram>>
    %s0 = npu.ring %c0 {depth = 1, id = 2, offset = 128, slot_bytes = 64} : memref<2x16xi8, #npu.space<sram>>
    // Rows of three elements, and one that is larger.
    // CHECK: vpu.unary shape=[1, 2, 1, 3], dst=i16 sram[128] strides(0, 16, 0, 2), a=i16 sram[0] strides(0, 6, 0, 2)
    // CHECK-NEXT: vpu.fill shape=[1, 2, 1, 1], dst=i16 sram[134] strides(0, 16, 0, 2), value={bits=32767}
    // Pairs, then both halves, the second one backwards, then pairs again.
    // CHECK-NEXT: vpu.binary shape=[1, 2, 2, 1], dst=i16 sram[136] strides(0, 16, 4, 2), a=i16 sram[128] strides(0, 16, 4, 2), b=i16 sram[130] strides(0, 16, 4, -2), op={kind=min}
    // CHECK-NEXT: vpu.binary shape=[1, 2, 2, 1], dst=i16 sram[138] strides(0, 16, 4, -2), a=i16 sram[128] strides(0, 16, 4, 2), b=i16 sram[130] strides(0, 16, 4, -2), op={kind=max}
    // CHECK-NEXT: vpu.binary shape=[1, 2, 1, 2], dst=i16 sram[128] strides(0, 16, 8, 2), a=i16 sram[136] strides(0, 16, 8, 2), b=i16 sram[142] strides(0, 16, 8, -2), op={kind=min}
    // CHECK-NEXT: vpu.binary shape=[1, 2, 1, 2], dst=i16 sram[134] strides(0, 16, 8, -2), {{.*}}, op={kind=max}
    // CHECK-NEXT: vpu.binary shape=[1, 2, 2, 1], dst=i16 sram[136] strides(0, 16, 4, 2), a=i16 sram[128] strides(0, 16, 4, 2), b=i16 sram[130] strides(0, 16, 4, 2), op={kind=min}
    // CHECK-NEXT: vpu.binary shape=[1, 2, 2, 1], dst=i16 sram[138] {{.*}}, op={kind=max}
    // CHECK-NEXT: vpu.unary shape=[1, 2, 1, 3], dst=i16 sram[64] strides(0, 6, 0, 2), a=i16 sram[136] strides(0, 16, 0, 2)
    npu.sort ascending %x0 -> %y0 scratch(%s0 : memref<2x16xi8, #npu.space<sram>>) {indexing_maps = [#in, #out]} : memref<2x3xi16, #npu.space<sram>> -> memref<2x3xi16, #npu.space<sram>>
    // An element and its position are a word. Of the largest only the first half of two blocks is kept.
    %x1 = npu.ring %c0 {depth = 1, id = 3, offset = 0, slot_bytes = 64} : memref<2x4xi8, #npu.space<sram>>
    %y1 = npu.ring %c0 {depth = 1, id = 4, offset = 64, slot_bytes = 64} : memref<2x1xi32, #npu.space<sram>>
    %s1 = npu.ring %c0 {depth = 1, id = 5, offset = 128, slot_bytes = 64} : memref<2x32xi8, #npu.space<sram>>
    // CHECK-NEXT: vpu.binary_imm shape=[1, 2, 1, 4], dst=i32 sram[128] {{.*}}, a=i8 sram[0] {{.*}}, op={kind=xor, immediate=4294967295}
    // CHECK-NEXT: vpu.binary_imm {{.*}}, dst=i32 sram[128] {{.*}}, a=i32 sram[128] {{.*}}, op={kind=shl, immediate=24}
    // CHECK-NEXT: vpu.iota {{.*}}, dst=i32 sram[144] {{.*}}, values={step3=1}
    // CHECK-NEXT: vpu.binary {{.*}}, dst=i32 sram[128] {{.*}}, op={kind=or}
    // CHECK-NEXT: vpu.binary shape=[1, 2, 2, 1], dst=i32 sram[144] strides(0, 32, 4, 4), a=i32 sram[128] strides(0, 32, 8, 4), b=i32 sram[132] strides(0, 32, 8, -4), op={kind=min}
    // CHECK-NEXT: vpu.binary shape=[1, 2, 1, 1], dst=i32 sram[128] {{.*}}, op={kind=min}
    // CHECK-NEXT: vpu.binary_imm {{.*}}, dst=i32 sram[64] {{.*}}, a=i32 sram[128] {{.*}}, op={kind=and, immediate=16777215}
    npu.arg_sort descending %x1 -> %y1 scratch(%s1 : memref<2x32xi8, #npu.space<sram>>) {indexing_maps = [#in, #out]} : memref<2x4xi8, #npu.space<sram>> -> memref<2x1xi32, #npu.space<sram>>
    // Words beside their positions: what comes first is chosen by both.
    %x2 = npu.ring %c0 {depth = 1, id = 6, offset = 0, slot_bytes = 64} : memref<1x2xi32, #npu.space<sram>>
    %y2 = npu.ring %c0 {depth = 1, id = 7, offset = 64, slot_bytes = 64} : memref<1x2xi16, #npu.space<sram>>
    %s2 = npu.ring %c0 {depth = 1, id = 8, offset = 128, slot_bytes = 64} : memref<1x32xi8, #npu.space<sram>>
    // CHECK-NEXT: vpu.unary {{.*}}, dst=i32 sram[128] {{.*}}
    // CHECK-NEXT: vpu.iota {{.*}}, dst=i32 sram[144]
    // CHECK-NEXT: vpu.binary {{.*}}, dst=i32 sram[156] {{.*}}, a=i32 sram[132] {{.*}}, b=i32 sram[128] {{.*}}, op={kind=cmplt}
    // CHECK-NEXT: vpu.binary {{.*}}, dst=i32 sram[152] {{.*}}, a=i32 sram[132] {{.*}}, b=i32 sram[128] {{.*}}, op={kind=cmpeq}
    // CHECK-NEXT: vpu.binary {{.*}}, dst=i32 sram[136] {{.*}}, a=i32 sram[148] {{.*}}, b=i32 sram[144] {{.*}}, op={kind=cmplt}
    // CHECK-NEXT: vpu.select {{.*}}, dst=i32 sram[156] {{.*}}, condition=i32 sram[152] {{.*}}, a=i32 sram[136] {{.*}}, b=i32 sram[156]
    // CHECK-NEXT: vpu.binary {{.*}}, dst=i32 sram[136] {{.*}}, op={kind=min}
    // CHECK-NEXT: vpu.binary {{.*}}, dst=i32 sram[140] {{.*}}, op={kind=max}
    // CHECK-NEXT: vpu.select {{.*}}, dst=i32 sram[152] {{.*}}, condition=i32 sram[156] {{.*}}, a=i32 sram[148] {{.*}}, b=i32 sram[144]
    // CHECK-NEXT: vpu.select {{.*}}, dst=i32 sram[156] {{.*}}, condition=i32 sram[156] {{.*}}, a=i32 sram[144] {{.*}}, b=i32 sram[148]
    // CHECK-NEXT: vpu.unary {{.*}}, dst=i16 sram[64] {{.*}}, a=i32 sram[152] {{.*}}
    npu.arg_sort ascending %x2 -> %y2 scratch(%s2 : memref<1x32xi8, #npu.space<sram>>) {indexing_maps = [#in, #out]} : memref<1x2xi32, #npu.space<sram>> -> memref<1x2xi16, #npu.space<sram>>
    // Few positions of floats are found one after the other. Floats are sorted by their bits.
    %x3 = npu.ring %c0 {depth = 1, id = 9, offset = 0, slot_bytes = 64} : memref<1x8xf32, #npu.space<sram>>
    %y3 = npu.ring %c0 {depth = 1, id = 10, offset = 64, slot_bytes = 64} : memref<1x2xi32, #npu.space<sram>>
    %s3 = npu.ring %c0 {depth = 1, id = 11, offset = 128, slot_bytes = 128} : memref<1x128xi8, #npu.space<sram>>
    // CHECK-NEXT: vpu.unary {{.*}}, dst=f32 sram[128] {{.*}}, a=f32 sram[0] {{.*}}, op={kind=neg}
    // CHECK-NEXT: vpu.binary_imm {{.*}}, dst=f32 sram[128] {{.*}}, a=f32 sram[128] {{.*}}
    // CHECK-NEXT: vpu.binary_imm {{.*}}, dst=i32 sram[160] {{.*}}, a=i32 sram[128] {{.*}}, op={kind=shr, immediate=31}
    // CHECK-NEXT: vpu.binary_imm {{.*}}, dst=i32 sram[160] {{.*}}, a=i32 sram[160] {{.*}}, op={kind=and, immediate=2147483647}
    // CHECK-NEXT: vpu.binary {{.*}}, dst=i32 sram[128] {{.*}}, a=i32 sram[128] {{.*}}, b=i32 sram[160] {{.*}}, op={kind=xor}
    // CHECK-NEXT: vpu.iota {{.*}}, dst=i32 sram[192]
    // CHECK-NEXT: vpu.fill shape=[1, 1, 1, 1], dst=i32 sram[228] {{.*}}, value={bits=2147483647}
    // CHECK-NEXT: vpu.argreduce shape=[1, 1, 1, 8], dst=i32 sram[224] strides(0, 128, 0, 0), a=i32 sram[128] {{.*}}, op={kind=argmin}
    // CHECK-NEXT: vpu.binary {{.*}}, dst=i32 sram[160] {{.*}}, a=i32 sram[192] {{.*}}, b=i32 sram[224] strides(0, 128, 0, 0), op={kind=cmpeq}
    // CHECK-NEXT: vpu.select {{.*}}, dst=i32 sram[128] {{.*}}, condition=i32 sram[160] {{.*}}, a=i32 sram[228] strides(0, 128, 0, 0), b=i32 sram[128]
    // CHECK-NEXT: vpu.argreduce {{.*}}, dst=i32 sram[228] {{.*}}, op={kind=argmin}
    // CHECK-NEXT: vpu.unary shape=[1, 1, 1, 2], dst=i32 sram[64] {{.*}}, a=i32 sram[224] {{.*}}
    npu.arg_sort descending %x3 -> %y3 scratch(%s3 : memref<1x128xi8, #npu.space<sram>>) {indexing_maps = [#in, #out]} : memref<1x8xf32, #npu.space<sram>> -> memref<1x2xi32, #npu.space<sram>>
    // CHECK-NEXT: halt
  }
  npu.return
}
