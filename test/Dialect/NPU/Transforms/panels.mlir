// What the vector unit computes for the second operand of a contraction lies in panels: it is made in the loops of the contraction.

// RUN: npu-opt %s --npu-choose-tiles | FileCheck %s --check-prefix=SCHEDULE
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu-choose-tiles,npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' | FileCheck %s

#kn = affine_map<(d0, d1) -> (d0, d1)>
#n = affine_map<(d0, d1) -> (d1)>

// Weights of 8 bits that do not fit on chip as floats: each tile of them is loaded, made floats in SRAM, and multiplied.
// SCHEDULE-LABEL: npu.kernel @dequantized
// SCHEDULE-SAME: for n = {{[0-9]+}} {{{.*}}value @matmul1 -> acc{{.*}}for k = {{[0-9]+}} {{{.*}}load @vector0.arg1 x2, @vector0 -> sram x2, @matmul1}
// CHECK-LABEL: npu.kernel @dequantized
// CHECK-NOT: memref.alloc() : {{.*}}dram
// CHECK: npu.dma_load %arg1{{.*}} fill(0 : i8){{.*}} to memref<{{[0-9]+}}x{{[0-9]+}}x32xi8, #npu.space<sram>>
// CHECK: npu.matmul {{.*}}{packed}
npu.kernel @dequantized(%x: tensor<16x1024xf32>, %w: tensor<1024x2048xi8>, %s: tensor<2048xf32>) -> tensor<16x2048xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.empty() : tensor<1024x2048xf32>
  %1 = npu.cast sitofp %w -> %0 : tensor<1024x2048xi8> -> tensor<1024x2048xf32>
  %2 = npu.binary mul %1, %s -> %0 {indexing_maps = [#kn, #n, #kn]} : tensor<1024x2048xf32>, tensor<2048xf32> -> tensor<1024x2048xf32>
  %3 = tensor.empty() : tensor<16x2048xf32>
  %4 = npu.matmul %x, %2 -> %3 : tensor<16x1024xf32>, tensor<1024x2048xf32> -> tensor<16x2048xf32>
  npu.return %4 : tensor<16x2048xf32>
}

// A strip by hand, for all rows. 40 columns are two panels; of the last one a part is filled with zeros, which nothing uses.
// CHECK-LABEL: npu.kernel @strip
// CHECK: scf.for %[[I:.*]] = %c0 to %c2
// CHECK: %[[COLUMNS:.*]] = affine.min #[[COLUMN_MAP:.*]](%[[I]])
// CHECK: %[[W:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<1x64x32xi8, #npu.space<sram>>
// CHECK: npu.dma_load %arg1[%c0, %{{.*}}] -> %[[W]] extents(%{{.*}}, %c64, %c32) fill(0 : i8)
// CHECK: %[[S:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<sram>>
// CHECK: %[[V:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<1x64x32xf32, #npu.space<sram>>
// CHECK: %[[PANELS:.*]] = affine.min #{{.*}}(%[[I]])
// CHECK: npu.cast sitofp %[[W]] -> %[[V]] extents(%[[PANELS]], %c64, %c32)
// CHECK: npu.binary mul %[[V]], %[[S]] -> %[[V]]
// CHECK: scf.for
// CHECK: npu.matmul %{{.*}}, %[[V]] -> %{{.*}} extents(%{{.*}}, %[[COLUMNS]], %c64) {packed} : {{.*}}, memref<1x64x32xf32, #npu.space<sram>>
npu.kernel @strip(%x: tensor<8x64xf32>, %w: tensor<64x40xi8>, %s: tensor<40xf32>) -> tensor<8x40xf32> attributes {target = #npu.target<"npu-v1">,
    schedule = #npu.schedule<{for n = 32 {load @weights.arg1 x2, load @weights.arg2 x2, @weights -> sram x2, for m = 4 {load @product.lhs x2, @product -> acc x2}}}>} {
  %0 = tensor.empty() : tensor<64x40xf32>
  %1 = npu.cast sitofp %w -> %0 {stage = "weights"} : tensor<64x40xi8> -> tensor<64x40xf32>
  %2 = npu.binary mul %1, %s -> %0 {indexing_maps = [#kn, #n, #kn], stage = "weights"} : tensor<64x40xf32>, tensor<40xf32> -> tensor<64x40xf32>
  %3 = tensor.empty() : tensor<8x40xf32>
  %4 = npu.matmul %x, %2 -> %3 {stage = "product"} : tensor<8x64xf32>, tensor<64x40xf32> -> tensor<8x40xf32>
  npu.return %4 : tensor<8x40xf32>
}

// Blocks of 32, each with a scale, and two of four bits in a byte: the matmul adds up along what they are made of, blocks (i), bytes (j) and halves.
// The vector op has five dimensions, of which instructions need four.
// SCHEDULE-LABEL: npu.kernel @blocks
// SCHEDULE-SAME: for i = {{[0-9]+}} {for j = 16 {for k = 2 {{{.*}}@vector0 -> sram
// CHECK-LABEL: npu.kernel @blocks
// CHECK: npu.binary shr {{.*}} memref<{{[0-9]+}}x{{[0-9]+}}x16x32xi8, #npu.space<sram>>, {{.*}} -> memref<{{[0-9]+}}x{{[0-9]+}}x16x2x32xi8
// CHECK: npu.matmul {{.*}}{layout_a = #npu.layout<mijk>, layout_b = #npu.layout<ijkn>, packed}
#nijk = affine_map<(n, i, j, k) -> (n, i, j, k)>
#nij = affine_map<(n, i, j, k) -> (n, i, j)>
#k = affine_map<(n, i, j, k) -> (k)>
#ni = affine_map<(n, i, j, k) -> (n, i)>
npu.kernel @blocks(%x: tensor<16x32x16x2xf32>, %w: tensor<1024x32x16xi8>, %shift: tensor<2xi8>, %s: tensor<1024x32xf32>) -> tensor<16x1024xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.empty() : tensor<1024x32x16x2xi8>
  %1 = npu.binary shr %w, %shift -> %0 {indexing_maps = [#nij, #k, #nijk]} : tensor<1024x32x16xi8>, tensor<2xi8> -> tensor<1024x32x16x2xi8>
  %2 = npu.binary and %1 -> %0 {imm = 15 : i8} : tensor<1024x32x16x2xi8> -> tensor<1024x32x16x2xi8>
  %3 = tensor.empty() : tensor<1024x32x16x2xf32>
  %4 = npu.cast sitofp %2 -> %3 : tensor<1024x32x16x2xi8> -> tensor<1024x32x16x2xf32>
  %5 = npu.binary mul %4, %s -> %3 {indexing_maps = [#nijk, #ni, #nijk]} : tensor<1024x32x16x2xf32>, tensor<1024x32xf32> -> tensor<1024x32x16x2xf32>
  %6 = tensor.empty() : tensor<16x1024xf32>
  %7 = npu.matmul %x, %5 -> %6 {layout_a = #npu.layout<mijk>, layout_b = #npu.layout<nijk>} : tensor<16x32x16x2xf32>, tensor<1024x32x16x2xf32> -> tensor<16x1024xf32>
  npu.return %7 : tensor<16x1024xf32>
}

// Clusters share the rows, and each makes all panels: the quantized weights are loaded once for all of them.
// SCHEDULE-LABEL: npu.kernel @clusters
// SCHEDULE-SAME: for m = 32 clusters 4 {{{.*}}for n = 64 {{{.*}}for k = 1024 {{{.*}}@vector0 -> sram x2, @matmul1
// CHECK-LABEL: npu.kernel @clusters
npu.kernel @clusters(%x: tensor<256x1024xf32>, %w: tensor<1024x2048xi8>, %s: tensor<2048xf32>) -> tensor<256x2048xf32> attributes {target = #npu.target<"npu-v1-x4">} {
  %0 = tensor.empty() : tensor<1024x2048xf32>
  %1 = npu.cast sitofp %w -> %0 : tensor<1024x2048xi8> -> tensor<1024x2048xf32>
  %2 = npu.binary mul %1, %s -> %0 {indexing_maps = [#kn, #n, #kn]} : tensor<1024x2048xf32>, tensor<2048xf32> -> tensor<1024x2048xf32>
  %3 = tensor.empty() : tensor<256x2048xf32>
  %4 = npu.matmul %x, %2 -> %3 : tensor<256x1024xf32>, tensor<1024x2048xf32> -> tensor<256x2048xf32>
  npu.return %4 : tensor<256x2048xf32>
}

// A filter of 8 bits as files have it. In panels it has five dimensions, of which rows and columns of the kernel are one: tiles have them whole.
// SCHEDULE-LABEL: npu.kernel @filter
// SCHEDULE-SAME: value @conv1 -> acc{{.*}}for c = {{[0-9]+}} {{{.*}}load @vector0.arg1 x2, @vector0 -> sram x2, @conv1}
// CHECK-LABEL: npu.kernel @filter
// CHECK-NOT: memref.alloc() : {{.*}}dram
// CHECK: npu.dma_load %arg1{{.*}} fill(0 : i8){{.*}} to memref<[[TILE:[0-9]+x3x3x[0-9]+x32]]xi8, #npu.space<sram>>
// CHECK: npu.cast sitofp {{.*}} : memref<[[TILE]]xi8, #npu.space<sram>> -> memref<[[TILE]]xf32, #npu.space<sram>>
// CHECK: npu.conv {{.*}}packed} : {{.*}}, memref<[[TILE]]xf32, #npu.space<sram>>
#fcyx = affine_map<(f, c, y, x) -> (f, c, y, x)>
#f = affine_map<(f, c, y, x) -> (f)>
npu.kernel @filter(%x: tensor<256x14x14xf32>, %w: tensor<256x256x3x3xi8>, %s: tensor<256xf32>) -> tensor<256x14x14xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.empty() : tensor<256x256x3x3xf32>
  %1 = npu.cast sitofp %w -> %0 : tensor<256x256x3x3xi8> -> tensor<256x256x3x3xf32>
  %2 = npu.binary mul %1, %s -> %0 {indexing_maps = [#fcyx, #f, #fcyx]} : tensor<256x256x3x3xf32>, tensor<256xf32> -> tensor<256x256x3x3xf32>
  %3 = tensor.empty() : tensor<256x14x14xf32>
  %4 = npu.conv %x, %2 -> %3 {layout_input = #npu.layout<chw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<fhw>, pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>}
      : tensor<256x14x14xf32>, tensor<256x256x3x3xf32> -> tensor<256x14x14xf32>
  npu.return %4 : tensor<256x14x14xf32>
}

// What only the second product reads is made for that, behind the first one.
// SCHEDULE-LABEL: npu.kernel @two
// SCHEDULE-SAME: @vector0 -> sram x2, @matmul2}{{.*}}@vector1 -> sram x2, @matmul3}
npu.kernel @two(%x: tensor<16x1024xf32>, %w: tensor<1024x512xi8>, %v: tensor<512x1024xi8>) -> tensor<16x1024xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.empty() : tensor<1024x512xf32>
  %1 = npu.cast sitofp %w -> %0 : tensor<1024x512xi8> -> tensor<1024x512xf32>
  %2 = tensor.empty() : tensor<512x1024xf32>
  %3 = npu.cast sitofp %v -> %2 : tensor<512x1024xi8> -> tensor<512x1024xf32>
  %4 = tensor.empty() : tensor<16x512xf32>
  %5 = npu.matmul %x, %1 -> %4 : tensor<16x1024xf32>, tensor<1024x512xf32> -> tensor<16x512xf32>
  %6 = tensor.empty() : tensor<16x1024xf32>
  %7 = npu.matmul %5, %3 -> %6 : tensor<16x512xf32>, tensor<512x1024xf32> -> tensor<16x1024xf32>
  npu.return %7 : tensor<16x1024xf32>
}

// What stays on chip as a whole, in rows, is copied into panels.
// SCHEDULE-LABEL: npu.kernel @rows
// SCHEDULE-SAME: value @a -> sram{{.*}}load @b.a{{.*}}@b -> sram{{.*}}@c
// CHECK-LABEL: npu.kernel @rows
// CHECK: npu.dma_load {{.*}} : memref<40x64xf32, strided<[64, 1]>, #npu.space<sram>> to memref<1x64x32xf32, #npu.space<sram>>
#nk = affine_map<(d0, d1) -> (d1, d0)>
npu.kernel @rows(%x: tensor<27x64xf32>, %q: tensor<64x40xf32>, %w: tensor<40x64xf32>) -> tensor<27x40xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.empty() : tensor<40x64xf32>
  %1 = npu.binary add %w -> %0 {imm = 3.0 : f32, stage = "a"} : tensor<40x64xf32> -> tensor<40x64xf32>
  %2 = tensor.empty() : tensor<64x40xf32>
  %3 = npu.binary mul %1, %q -> %2 {indexing_maps = [#nk, #kn, #kn], stage = "b"} : tensor<40x64xf32>, tensor<64x40xf32> -> tensor<64x40xf32>
  %4 = tensor.empty() : tensor<27x40xf32>
  %5 = npu.matmul %x, %3 -> %4 {stage = "c"} : tensor<27x64xf32>, tensor<64x40xf32> -> tensor<27x40xf32>
  npu.return %5 : tensor<27x40xf32>
}

// The values of each head of an attention, made where they are multiplied: the vector unit takes columns of a product, as many as a panel has, into each of them.
// SCHEDULE-LABEL: npu.kernel @values
// SCHEDULE-SAME: for b = 1 {load @project.rhs x2, @project -> acc x2, value @round -> sram x2, for n = 32 {@round}, load @context.lhs x2, @context -> acc x2}
// CHECK-LABEL: npu.kernel @values
// CHECK-NOT: memref.alloc() : {{.*}}dram
// CHECK: %[[PRODUCT:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xf32, #npu.space<acc>>
// CHECK: %[[PANELS:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<2x64x32xf16, #npu.space<sram>>
// CHECK: scf.for %[[I:.*]] = %c0 to %c2
// CHECK: %[[COLUMNS:.*]] = memref.subview %[[PRODUCT]][0, %{{.*}}] [64, 32]
// CHECK: %[[PANEL:.*]] = memref.subview %[[PANELS]][%[[I]], 0, 0] [1, 64, 32]
// CHECK: npu.cast truncf %[[COLUMNS]] -> %[[PANEL]] extents(%c1, %c64, %c32)
// CHECK: npu.matmul %{{.*}}, %[[PANELS]] ->
npu.kernel @values(%p: tensor<4x32x64xf16>, %x: tensor<64x128xf16>, %w: tensor<128x4x64xf16>) -> tensor<4x32x64xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.empty() : tensor<64x4x64xf32>
  %1 = npu.matmul %x, %w -> %0 {layout_a = #npu.layout<mk>, layout_b = #npu.layout<kbn>, layout_c = #npu.layout<mbn>, stage = "project"} : tensor<64x128xf16>, tensor<128x4x64xf16> -> tensor<64x4x64xf32>
  %2 = tensor.empty() : tensor<64x4x64xf16>
  %3 = npu.cast truncf %1 -> %2 {stage = "round"} : tensor<64x4x64xf32> -> tensor<64x4x64xf16>
  %4 = tensor.empty() : tensor<4x32x64xf32>
  %5 = npu.matmul %p, %3 -> %4 {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<kbn>, layout_c = #npu.layout<bmn>, stage = "context"} : tensor<4x32x64xf16>, tensor<64x4x64xf16> -> tensor<4x32x64xf32>
  npu.return %5 : tensor<4x32x64xf32>
}

// Of keys, which are multiplied as columns, rows of the product become columns of panels; a bias is added to them on the way, in f32 in a buffer of its own.
// SCHEDULE-LABEL: npu.kernel @keys
// SCHEDULE-SAME: value @add -> sram x2, for project.m = 32 {@add}
// CHECK-LABEL: npu.kernel @keys
// CHECK: %[[PRODUCT:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xf32, #npu.space<acc>>
// CHECK: %[[PANELS:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<2x64x32xf32, #npu.space<sram>>
// CHECK: scf.for %[[I:.*]] = %c0 to %c2
// CHECK: %[[ROWS:.*]] = memref.subview %[[PRODUCT]][%{{.*}}, 0] [32, 64]
// CHECK: %[[PANEL:.*]] = memref.subview %[[PANELS]][%[[I]], 0, 0] [1, 64, 32]
// CHECK: npu.binary add %[[ROWS]], %{{.*}} -> %[[PANEL]] extents(%c1, %c64, %c32)
#mbn = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#bn = affine_map<(d0, d1, d2) -> (d1, d2)>
npu.kernel @keys(%q: tensor<4x32x64xf32>, %x: tensor<64x128xf32>, %w: tensor<128x4x64xf32>, %b: tensor<4x64xf32>) -> tensor<4x32x64xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.empty() : tensor<64x4x64xf32>
  %1 = npu.matmul %x, %w -> %0 {layout_a = #npu.layout<mk>, layout_b = #npu.layout<kbn>, layout_c = #npu.layout<mbn>, stage = "project"} : tensor<64x128xf32>, tensor<128x4x64xf32> -> tensor<64x4x64xf32>
  %2 = npu.binary add %1, %b -> %0 {indexing_maps = [#mbn, #bn, #mbn], stage = "add"} : tensor<64x4x64xf32>, tensor<4x64xf32> -> tensor<64x4x64xf32>
  %3 = tensor.empty() : tensor<4x32x64xf32>
  %4 = npu.matmul %q, %2 -> %3 {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<nbk>, layout_c = #npu.layout<bmn>, stage = "scores"} : tensor<4x32x64xf32>, tensor<64x4x64xf32> -> tensor<4x32x64xf32>
  npu.return %4 : tensor<4x32x64xf32>
}

// 40 columns are no whole panels, of which the rest would never be written: they go through DRAM.
// SCHEDULE-LABEL: npu.kernel @ragged
// SCHEDULE-NOT: value @round
// CHECK-LABEL: npu.kernel @ragged
// CHECK: memref.alloc() : memref<64x4x40xf16, #npu.space<dram>>
npu.kernel @ragged(%p: tensor<4x32x64xf16>, %x: tensor<64x128xf16>, %w: tensor<128x4x40xf16>) -> tensor<4x32x40xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.empty() : tensor<64x4x40xf32>
  %1 = npu.matmul %x, %w -> %0 {layout_a = #npu.layout<mk>, layout_b = #npu.layout<kbn>, layout_c = #npu.layout<mbn>, stage = "project"} : tensor<64x128xf16>, tensor<128x4x40xf16> -> tensor<64x4x40xf32>
  %2 = tensor.empty() : tensor<64x4x40xf16>
  %3 = npu.cast truncf %1 -> %2 {stage = "round"} : tensor<64x4x40xf32> -> tensor<64x4x40xf16>
  %4 = tensor.empty() : tensor<4x32x40xf32>
  %5 = npu.matmul %p, %3 -> %4 {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<kbn>, layout_c = #npu.layout<bmn>, stage = "context"} : tensor<4x32x64xf16>, tensor<64x4x40xf16> -> tensor<4x32x40xf32>
  npu.return %5 : tensor<4x32x40xf32>
}
