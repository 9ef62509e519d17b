// The last tile of a contraction in two parts, so that what reads it begins earlier.

// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' | FileCheck %s --check-prefix=TILE
// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters,npu-plan-memory,npu-pipeline-streams,npu-split-last-tiles))' | FileCheck %s
// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters,npu-plan-memory,npu-pipeline-streams,npu-split-last-tiles,npu-split-first-tiles,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-tighten-waits,npu-verify-program))' -o /dev/null
// RUN: npu-opt %s -split-input-file --remarks-filter=npu-split-last-tiles --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-distribute-clusters,npu-plan-memory,npu-pipeline-streams,npu-split-last-tiles))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Of three tiles the last one, whose parts have 24, 24 and 16 rows. The first one is for the next pass.
// TILE-LABEL: npu.kernel @matmul(
// TILE: memref.alloc() {npu.buffers = 2 : i64} : memref<64x32xi32, #npu.space<acc>>
// TILE: npu.matmul {{.*}} {begin = array<i64: 16, 24>, end = "m", packed}

// CHECK-LABEL: npu.kernel @matmul(
// CHECK: npu.stream mxu
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK: npu.matmul {{.*}} extents(%c64, %c32, %c48) init({{.*}}) {begin = array<i64: 16, 24>, packed}
// All sums but the last ones as a whole.
// CHECK: npu.wait sem([[LOADED:.*]]) >= %c5
// CHECK: npu.matmul {{.*}} extents(%c64, %c32, %c48) init(%c0) {packed}
// CHECK: npu.wait sem([[LOADED]]) >= %c6
// CHECK: npu.matmul {{.*}} -> %{{.*}} extents(%c48, %c32, %c48) init(%c1) {packed} : memref<48x48xi8, {{.*}} -> memref<48x32xi32, strided<[32, 1]>, #npu.space<acc>>
// CHECK-NEXT: npu.signal sem([[FIRST:.*]])
// CHECK-NOT: npu.wait
// CHECK: npu.matmul {{.*}} -> %{{.*}} extents(%c16, %c32, %c48) init(%c1) {packed} : memref<16x48xi8, {{.*}} -> memref<16x32xi32, strided<[32, 1], offset: 1536>, #npu.space<acc>>
// CHECK-NEXT: npu.signal sem([[WHOLE:.*]])
// CHECK: npu.stream vpu
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK: npu.wait sem([[WHOLE]])
// CHECK: scf.for %{{.*}} = %c0 to %c2
// CHECK: npu.wait sem([[FIRST]]) >= %c1
// CHECK: npu.requantize
// CHECK: npu.wait sem([[WHOLE]]) >= %c6
// CHECK: npu.requantize
npu.kernel @matmul(%A: tensor<64x96xi8>, %B: tensor<96x96xi8>, %bias: tensor<96xi32>) -> tensor<64x96xi8>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @matmul.lhs, load @matmul.bias, for n = 32 {value @matmul -> acc x2,
                    for k = 48 {load @matmul.rhs x2, @matmul begin k = [16, 24] end m}, for m = 24 {@tail -> sram x2}}}>} {
  %c = tensor.empty() : tensor<64x96xi32>
  %e = tensor.empty() : tensor<64x96xi8>
  %0 = npu.matmul %A, %B bias(%bias : tensor<96xi32>) -> %c : tensor<64x96xi8>, tensor<96x96xi8> -> tensor<64x96xi32>
  %1 = npu.requantize %0 -> %e {scale = 0.5 : f32, lo = -128, hi = 127} : tensor<64x96xi32> -> tensor<64x96xi8>
  npu.return %1 : tensor<64x96xi8>
}

// -----

// Windows of two rows each; the last tile has five rows of output, of which the last part has one.
// CHECK-LABEL: npu.kernel @conv(
// CHECK: npu.stream mxu
// CHECK: npu.conv {{.*}} extents(%c6, %c4, %c32, %c8, %c3, %c3)
// CHECK: npu.conv {{.*}} extents(%c4, %c4, %c32, %c8, %c3, %c3) {{.*}} : memref<9x9x8xf16, {{.*}} -> memref<4x4x32xf32, strided<[128, 32, 1]>,
// CHECK: npu.conv {{.*}} extents(%c1, %c4, %c32, %c8, %c3, %c3) {{.*}} : memref<3x9x8xf16, strided<[72, 8, 1], offset: 576>, {{.*}} -> memref<1x4x32xf32, strided<[128, 32, 1], offset: 512>,
// CHECK: npu.stream vpu
npu.kernel @conv(%I: tensor<1x23x9x8xf16>, %F: tensor<3x3x8x32xf16>, %r: tensor<1x11x4x32xf16>) -> tensor<1x11x4x32xf16>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @conv.filter, for h = 6 {load @conv.input x2, @conv -> acc x2 end h, for h = 2 {load @tail.arg2 x2, @tail -> sram x2}}}>} {
  %c = tensor.empty() : tensor<1x11x4x32xf32>
  %e = tensor.empty() : tensor<1x11x4x32xf16>
  %0 = npu.conv %I, %F -> %c {stride = array<i64: 2, 2>} : tensor<1x23x9x8xf16>, tensor<3x3x8x32xf16> -> tensor<1x11x4x32xf32>
  %1 = npu.cast truncf %0 -> %e : tensor<1x11x4x32xf32> -> tensor<1x11x4x32xf16>
  %2 = npu.binary add %1, %r -> %e : tensor<1x11x4x32xf16>, tensor<1x11x4x32xf16> -> tensor<1x11x4x32xf16>
  npu.return %2 : tensor<1x11x4x32xf16>
}

// -----

// Each cluster's last tile is its only one; that of the last cluster has four rows, no more than a part.
// CHECK-LABEL: npu.kernel @clusters(
// CHECK-COUNT-3: npu.matmul {{.*}} extents(%c8, %c32, %c64)
// CHECK: npu.stream mxu cluster(3)
// CHECK: npu.matmul {{.*}} extents(%c4, %c32, %c64)
// CHECK-NOT: npu.matmul
// REMARK-COUNT-1: remark: [Missed] LastTileWhole | Category:npu-split-last-tiles | Function=clusters | Reason="its last tile is not larger than a part"
npu.kernel @clusters(%A: tensor<40x64xi8>, %B: tensor<64x32xi8>) -> tensor<40x32xi8>
    attributes {target = #npu.target<"npu-v1-x4">,
                schedule = #npu.schedule<{load @matmul.rhs, for m = 12 clusters 4 {load @matmul.lhs, @matmul -> acc end m, for m = 4 {@tail -> sram x2}}}>} {
  %c = tensor.empty() : tensor<40x32xi32>
  %e = tensor.empty() : tensor<40x32xi8>
  %0 = npu.matmul %A, %B -> %c : tensor<40x64xi8>, tensor<64x32xi8> -> tensor<40x32xi32>
  %1 = npu.requantize %0 -> %e {scale = 0.5 : f32, lo = -128, hi = 127} : tensor<40x32xi32> -> tensor<40x32xi8>
  npu.return %1 : tensor<40x32xi8>
}

// -----

// Nothing else is left to do; the tile is the first one as well, whose parts are those of the first step.
// CHECK-LABEL: npu.kernel @only(
// CHECK: npu.stream mxu
// CHECK: npu.matmul {{.*}} extents(%c48, %c32, %c64) {begin = array<i64: 32>, packed}
// CHECK: npu.matmul {{.*}} extents(%c2, %c32, %c64) {packed}
npu.kernel @only(%A: tensor<50x64xi8>, %B: tensor<64x32xi8>) -> tensor<50x32xi8>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, for n = 32 {@matmul -> acc begin k = 32 end m, for m = 48 {@tail -> sram x2}}}>} {
  %c = tensor.empty() : tensor<50x32xi32>
  %e = tensor.empty() : tensor<50x32xi8>
  %0 = npu.matmul %A, %B -> %c : tensor<50x64xi8>, tensor<64x32xi8> -> tensor<50x32xi32>
  %1 = npu.requantize %0 -> %e {scale = 0.5 : f32, lo = -128, hi = 127} : tensor<50x32xi32> -> tensor<50x32xi8>
  npu.return %1 : tensor<50x32xi8>
}

// -----

// The windows of the first part of the channels are added up before those of the second; a last row apart would have all channels at once.
// CHECK-LABEL: npu.kernel @windows(
// CHECK: npu.stream mxu
// CHECK: npu.conv {{.*}} extents(%c4, %c4, %c32, %c16, %c3, %c3) {begin = array<i64: 8>
// CHECK-NOT: npu.conv
// REMARK: remark: [Missed] LastTileWhole | Category:npu-split-last-tiles | Function=windows | Reason="it is the first one as well, whose windows are added up part by part"
npu.kernel @windows(%I: tensor<1x6x6x16xf16>, %F: tensor<3x3x16x32xf16>) -> tensor<1x4x4x32xf16>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @conv.input, load @conv.filter, for f = 32 {@conv -> acc begin c = 8 end h, for h = 3 {@tail -> sram x2}}}>} {
  %c = tensor.empty() : tensor<1x4x4x32xf32>
  %e = tensor.empty() : tensor<1x4x4x32xf16>
  %0 = npu.conv %I, %F -> %c : tensor<1x6x6x16xf16>, tensor<3x3x16x32xf16> -> tensor<1x4x4x32xf32>
  %1 = npu.cast truncf %0 -> %e : tensor<1x4x4x32xf32> -> tensor<1x4x4x32xf16>
  npu.return %1 : tensor<1x4x4x32xf16>
}

// -----

// What the second tail loads lies where the operands of the first contraction were. To wait for its tail to read would not say that all of it is done: the
// engine that loads waits for the array, for two tiles, of which the second one is in two parts.
// CHECK-LABEL: npu.kernel @another(
// CHECK: npu.stream dmai
// CHECK: npu.wait sem([[ARRAY:[0-9]+]]) >= %c2
// CHECK: npu.dma_load %arg4
// CHECK: npu.stream mxu
// CHECK: npu.matmul
// CHECK-NEXT: npu.signal sem([[ARRAY]])
// CHECK: npu.matmul
// CHECK-NEXT: npu.signal sem({{[0-9]+}})
// CHECK: npu.matmul
// CHECK-NEXT: npu.signal sem([[ARRAY]])
npu.kernel @another(%a: tensor<48x64xf16>, %b: tensor<64x40xf16>, %r: tensor<48x40xf16>, %d: tensor<40x56xf16>, %q: tensor<48x56xf16>) -> tensor<48x56xf16>
    attributes {target = #npu.target<"npu-v1:sramBytes=24576">,
                schedule = #npu.schedule<{load @s0.rhs, for m = 24 {load @s0.lhs x2, @s0 -> acc x2 end m, for m = 4 {load @s1.arg2 x2, @s1 -> sram x2}}, load @s2.rhs, for m = 24 {load @s2.lhs x2, @s2 -> acc x2 end m, for m = 4 {load @s3.arg4 x2, @s3 -> sram x2}}}>} {
  %c = tensor.empty() : tensor<48x40xf32>
  %e = tensor.empty() : tensor<48x40xf16>
  %0 = npu.matmul %a, %b -> %c {stage = "s0"} : tensor<48x64xf16>, tensor<64x40xf16> -> tensor<48x40xf32>
  %1 = npu.cast truncf %0 -> %e {stage = "s1"} : tensor<48x40xf32> -> tensor<48x40xf16>
  %2 = npu.binary add %1, %r -> %e {stage = "s1"} : tensor<48x40xf16>, tensor<48x40xf16> -> tensor<48x40xf16>
  %c2 = tensor.empty() : tensor<48x56xf32>
  %e2 = tensor.empty() : tensor<48x56xf16>
  %3 = npu.matmul %2, %d -> %c2 {stage = "s2"} : tensor<48x40xf16>, tensor<40x56xf16> -> tensor<48x56xf32>
  %4 = npu.cast truncf %3 -> %e2 {stage = "s3"} : tensor<48x56xf32> -> tensor<48x56xf16>
  %5 = npu.binary add %4, %q -> %e2 {stage = "s3"} : tensor<48x56xf16>, tensor<48x56xf16> -> tensor<48x56xf16>
  npu.return %5 : tensor<48x56xf16>
}
