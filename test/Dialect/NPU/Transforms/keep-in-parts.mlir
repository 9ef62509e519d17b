// An operand that stays on chip is loaded tile by tile in the first iteration of the loops that do not move it.

// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' | FileCheck %s
// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))' -o /dev/null
// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles,npu-plan-memory,npu-pipeline-streams))' | FileCheck %s --check-prefix=STREAM

// Panels of 32 columns; of the last tile of n, 2 panels are left, and none after the first iteration of m.
// CHECK: #[[PANELS:.*]] = affine_map<(d0, d1) -> (d0 * -4 - d1 * 10 + 10, 4)>
// CHECK-LABEL: npu.kernel @rhs(
// CHECK-SAME: %[[A:.*]]: memref<256x300xf16, #npu.space<dram>>, %[[B:.*]]: memref<300x320xf16, #npu.space<dram>>
// CHECK: %[[KEPT:.*]] = memref.alloc() : memref<12x300x32xf16, #npu.space<sram>>
// CHECK: scf.for %[[I:.*]] = %c0 to %c4
// CHECK:   npu.dma_load %[[A]]
// CHECK:   scf.for %[[J:.*]] = %c0 to %c3
// CHECK:     %[[PART:.*]] = memref.subview %[[KEPT]][%{{.*}}, 0, 0] [4, 300, 32] [1, 1, 1]
// CHECK:     %[[COUNT:.*]] = affine.min #[[PANELS]](%[[J]], %[[I]])
// CHECK:     npu.dma_load %[[B]][%c0, %{{.*}}] -> %[[PART]] extents(%[[COUNT]], %c300, %c32)
// CHECK:     npu.matmul %{{.*}}, %[[PART]] ->

// Tiles wait for no other ones: the engine that loads never waits for the array, but for the slots of the left operand.
// STREAM-LABEL: npu.kernel @rhs(
// STREAM: npu.stream dmai
// STREAM: scf.for
// STREAM: npu.wait
// STREAM: npu.dma_load
// STREAM: scf.for
// STREAM-NOT: npu.wait
// STREAM: npu.dma_load
// STREAM: npu.stream mxu
npu.kernel @rhs(%A: tensor<256x300xf16>, %B: tensor<300x320xf16>) -> tensor<256x320xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{keep @matmul.rhs, for m = 64 {load @matmul.lhs x2,
                    for n = 128 {load @matmul.rhs, @matmul -> acc x2}}}>} {
  %c = tensor.empty() : tensor<256x320xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<256x300xf16>, tensor<300x320xf16> -> tensor<256x320xf32>
  npu.return %0 : tensor<256x320xf32>
}

// -----

// Moved by an outer and an inner loop, not by the one between them.
// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0 * -64 - d1 * 130 + 130, 64)>
// CHECK-LABEL: npu.kernel @lhs(
// CHECK: %[[KEPT:.*]] = memref.alloc() : memref<192x384xf16, #npu.space<sram>>
// CHECK: scf.for %[[I:.*]] = %c0 to %c3
// CHECK:   scf.for %[[J:.*]] = %c0 to %c2
// CHECK:     scf.for %[[K:.*]] = %c0 to %c3
// CHECK:       %[[PART:.*]] = memref.subview %[[KEPT]][%{{.*}}, %{{.*}}] [64, 128] [1, 1]
// CHECK:       %[[COUNT:.*]] = affine.min #[[ROWS]](%[[I]], %[[J]])
// CHECK:       npu.dma_load %{{.*}} -> %[[PART]] extents(%[[COUNT]], %{{.*}})
npu.kernel @lhs(%A: tensor<130x300xf16>, %B: tensor<300x64xf16>) -> tensor<130x64xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{keep @matmul.lhs, for m = 64 {for n = 32 {value @matmul -> acc x2,
                    for k = 128 {load @matmul.lhs, load @matmul.rhs x2, @matmul}}}}>} {
  %c = tensor.empty() : tensor<130x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<130x300xf16>, tensor<300x64xf16> -> tensor<130x64xf32>
  npu.return %0 : tensor<130x64xf32>
}

// -----

// Kept in each iteration of the outer loop: a part is loaded again as soon as the last column tile of the iteration before has read it, which is three
// steps earlier, as there are three parts. The right operand's ring of two waits for nearer ones, so that in the program the part needs no wait of its own.
// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0 * -64 - d1 * 130 + 130, 64)>
// CHECK-LABEL: npu.kernel @strips(
// CHECK: scf.for %[[I:.*]] = %c0 to %c3
// CHECK:   %[[KEPT:.*]] = memref.alloc() : memref<64x384xf16, #npu.space<sram>>
// CHECK:   scf.for %[[J:.*]] = %c0 to %c2
// CHECK:     scf.for %[[K:.*]] = %c0 to %c3
// CHECK:       %[[PART:.*]] = memref.subview %[[KEPT]][0, %{{.*}}] [64, 128] [1, 1]
// CHECK:       %[[COUNT:.*]] = affine.min #[[ROWS]](%[[I]], %[[J]])
// CHECK:       npu.dma_load %{{.*}} -> %[[PART]] extents(%[[COUNT]], %{{.*}})
// STREAM-LABEL: npu.kernel @strips(
// STREAM: npu.stream dmai
// STREAM: scf.for
// STREAM: scf.for
// STREAM: scf.for
// STREAM-NOT: npu.wait
// STREAM: npu.dma_load %{{.*}} extents(%{{.*}}, %{{.*}}) :
// STREAM: npu.wait
// STREAM: npu.dma_load
npu.kernel @strips(%A: tensor<130x300xf16>, %B: tensor<300x64xf16>) -> tensor<130x64xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{for m = 64 {keep @matmul.lhs, for n = 32 {value @matmul -> acc x2,
                    for k = 128 {load @matmul.lhs, load @matmul.rhs x2, @matmul}}}}>} {
  %c = tensor.empty() : tensor<130x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<130x300xf16>, tensor<300x64xf16> -> tensor<130x64xf32>
  npu.return %0 : tensor<130x64xf32>
}

// -----

// By batches, with the loop over columns between those that move the part. Two parts of rows and three of sums are six, the first of which is read for the
// last time three steps before the second: it is loaded again 12 - 3 = 9 steps after it was read for the last time.
// STREAM: #[[REUSE:.*]] = affine_map<(d0, d1, d2) -> (d0 * 12 + d1 * 6 + d2 - 8)>
// STREAM-LABEL: npu.kernel @batches(
// STREAM: npu.stream dmai
// STREAM: npu.dma_load %arg1
// STREAM: %[[DONE:.*]] = affine.apply #[[REUSE]](
// STREAM: npu.wait sem({{[0-9]+}}) >= %[[DONE]]
// STREAM-NEXT: npu.dma_load %arg0
npu.kernel @batches(%A: tensor<4x128x300xf16>, %B: tensor<4x300x64xf16>) -> tensor<4x128x64xf32>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{for b = 1 {keep @matmul.lhs, load @matmul.rhs x2, for m = 64 {for n = 32 {value @matmul -> acc x2,
                    for k = 128 {load @matmul.lhs, @matmul}}}}}>} {
  %c = tensor.empty() : tensor<4x128x64xf32>
  %0 = npu.matmul %A, %B -> %c {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<4x128x300xf16>, tensor<4x300x64xf16> -> tensor<4x128x64xf32>
  npu.return %0 : tensor<4x128x64xf32>
}

// -----

// What is loaded again in each iteration must wait for those that read it.
// STREAM-LABEL: npu.kernel @again(
// STREAM: npu.stream dmai
// STREAM: scf.for
// STREAM: scf.for
// STREAM: npu.wait
// STREAM: npu.dma_load
// STREAM: npu.stream dmao
npu.kernel @again(%x: memref<128xf32, #npu.space<dram>>, %y: memref<128xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{}>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %kept = memref.alloc() : memref<64xf32, #npu.space<sram>>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %first = affine.apply affine_map<(d0) -> (d0 * 16)>(%j)
      %place = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1 * 64)>(%j, %i)
      %part = memref.subview %kept[%first] [16] [1] : memref<64xf32, #npu.space<sram>> to memref<16xf32, strided<[1], offset: ?>, #npu.space<sram>>
      npu.dma_load %x[%place] -> %part : memref<128xf32, #npu.space<dram>> to memref<16xf32, strided<[1], offset: ?>, #npu.space<sram>>
      npu.dma_store %part -> %y[%place] : memref<16xf32, strided<[1], offset: ?>, #npu.space<sram>> to memref<128xf32, #npu.space<dram>>
    }
  }
  npu.return
}
