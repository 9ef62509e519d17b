// RUN: npu-opt %s --npu-order-scratch | FileCheck %s
// RUN: npu-opt %s --npu-order-scratch --remarks-filter=npu-order-scratch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-order-scratch,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program{tight-waits=false}))' -o /dev/null
// RUN: npu-opt %s --npu-order-scratch -o %t.ordered.mlir
// RUN: npu-run --function=pixels --input="random(1)" --output=@%t.npy %s
// RUN: npu-run --function=pixels --input="random(1)" --expected_output=@%t.npy %t.ordered.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=borders --input="random(1)" --output=@%t.borders.npy %s
// RUN: npu-run --function=borders --input="random(1)" --expected_output=@%t.borders.npy %t.ordered.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=windows --input="random(1)" --output=@%t.windows.npy %s
// RUN: npu-run --function=windows --input="random(1)" --expected_output=@%t.windows.npy %t.ordered.mlir | FileCheck %s --check-prefix=SAME

// SAME: match

// REMARK: Reordered{{.*}}Function=pixels | bytes=2048
// REMARK: Reordered{{.*}}Function=windows | bytes=4096
// REMARK: Reordered{{.*}}Function=borders | bytes=16384
// REMARK-NOT: Reordered

#tile = affine_map<(d0, d1, d2) -> (d2, d0, d1)>

// Channels first, and tiles of pixels: a row of a tile is as many runs as there are channels. The memory of the kernel gets the order of the tiles; what
// others give it and take from it stays.
// CHECK-DAG: #[[TILE:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
// CHECK-LABEL: npu.kernel @pixels
// CHECK: %[[BETWEEN:.*]] = memref.alloc() : memref<4x4x64xf16, #npu.space<dram>>
// CHECK: npu.dma_load %arg0[%c0, %[[I:.*]], %c0] -> %{{.*}} {map = #[[TILE]]}
// CHECK: npu.dma_store %{{.*}} -> %[[BETWEEN]][%[[I]], %c0, %c0] : memref<1x4x64xf16, #npu.space<sram>> to memref<4x4x64xf16, #npu.space<dram>>
// CHECK: npu.dma_load %[[BETWEEN]][%[[J:.*]], %c0, %c0] -> %{{.*}} : memref<4x4x64xf16, #npu.space<dram>> to memref<2x4x64xf16, #npu.space<sram>>
// CHECK: npu.dma_store %{{.*}} -> %arg1[%c0, %[[J]], %c0] {map = #[[TILE]]}
npu.kernel @pixels(%x: memref<64x4x4xf16, #npu.space<dram>>, %y: memref<64x4x4xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %between = memref.alloc() : memref<64x4x4xf16, #npu.space<dram>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<1x4x64xf16, #npu.space<sram>>
    npu.dma_load %x[%c0, %i, %c0] -> %a {map = #tile} : memref<64x4x4xf16, #npu.space<dram>> to memref<1x4x64xf16, #npu.space<sram>>
    npu.unary neg %a -> %a : memref<1x4x64xf16, #npu.space<sram>> -> memref<1x4x64xf16, #npu.space<sram>>
    npu.dma_store %a -> %between[%c0, %i, %c0] {map = #tile} : memref<1x4x64xf16, #npu.space<sram>> to memref<64x4x4xf16, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c2 step %c1 {
    %j = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %b = memref.alloc() : memref<2x4x64xf16, #npu.space<sram>>
    npu.dma_load %between[%c0, %j, %c0] -> %b {map = #tile} : memref<64x4x4xf16, #npu.space<dram>> to memref<2x4x64xf16, #npu.space<sram>>
    npu.dma_store %b -> %y[%c0, %j, %c0] {map = #tile} : memref<2x4x64xf16, #npu.space<sram>> to memref<64x4x4xf16, #npu.space<dram>>
  }
  npu.return
}

// Kernels see the memory through views of their own, with a dimension of one index or without it. The second one reads windows that reach beyond the
// tensor, and every other pixel.
// CHECK-LABEL: npu.kernel @windows
// CHECK: %[[MEMORY:.*]] = memref.alloc() : memref<4096xi8, #npu.space<dram>>
// CHECK: memref.view %[[MEMORY]][%c0][] : memref<4096xi8, #npu.space<dram>> to memref<8x4x64xf16, #npu.space<dram>>
// CHECK: npu.dma_store %{{.*}} -> %{{.*}}[%{{.*}}, %c0, %c0] : memref<1x4x64xf16, #npu.space<sram>> to memref<8x4x64xf16, #npu.space<dram>>
// CHECK: npu.dma_load %{{.*}}[%c-1, %c-1, %c0] -> %{{.*}} fill(0.000000e+00 : f16) {map = #{{.*}}} : memref<8x4x64xf16, #npu.space<dram>> to memref<5x3x64xf16, #npu.space<sram>>
npu.kernel @windows(%x: memref<64x8x4xf16, #npu.space<dram>>, %y: memref<5x3x64xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c-1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %memory = memref.alloc() : memref<4096xi8, #npu.space<dram>>
  %stored = memref.view %memory[%c0][] : memref<4096xi8, #npu.space<dram>> to memref<1x64x8x4xf16, #npu.space<dram>>
  %loaded = memref.view %memory[%c0][] : memref<4096xi8, #npu.space<dram>> to memref<64x8x4xf16, #npu.space<dram>>
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<1x4x64xf16, #npu.space<sram>>
    npu.dma_load %x[%c0, %i, %c0] -> %a {map = #tile} : memref<64x8x4xf16, #npu.space<dram>> to memref<1x4x64xf16, #npu.space<sram>>
    npu.unary neg %a -> %a : memref<1x4x64xf16, #npu.space<sram>> -> memref<1x4x64xf16, #npu.space<sram>>
    npu.dma_store %a -> %stored[%c0, %c0, %i, %c0] {map = affine_map<(d0, d1, d2) -> (0, d2, d0, d1)>} : memref<1x4x64xf16, #npu.space<sram>> to memref<1x64x8x4xf16, #npu.space<dram>>
  }
  %b = memref.alloc() : memref<5x3x64xf16, #npu.space<sram>>
  npu.dma_load %loaded[%c0, %c-1, %c-1] -> %b fill(0.000000e+00 : f16) {map = affine_map<(d0, d1, d2) -> (d2, d0 * 2, d1 * 2)>} : memref<64x8x4xf16, #npu.space<dram>> to memref<5x3x64xf16, #npu.space<sram>>
  npu.dma_store %b -> %y[%c0, %c0, %c0] : memref<5x3x64xf16, #npu.space<sram>> to memref<5x3x64xf16, #npu.space<dram>>
  npu.return
}

// Whole tensors are one run in any order.
// CHECK-LABEL: npu.kernel @whole
// CHECK: memref.alloc() : memref<64x4x4xf16, #npu.space<dram>>
npu.kernel @whole(%x: memref<4x4x64xf16, #npu.space<dram>>, %y: memref<64x4x4xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %between = memref.alloc() : memref<64x4x4xf16, #npu.space<dram>>
  %a = memref.alloc() : memref<64x4x4xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0, %c0] -> %a {map = affine_map<(d0, d1, d2) -> (d1, d2, d0)>} : memref<4x4x64xf16, #npu.space<dram>> to memref<64x4x4xf16, #npu.space<sram>>
  npu.dma_store %a -> %between[%c0, %c0, %c0] : memref<64x4x4xf16, #npu.space<sram>> to memref<64x4x4xf16, #npu.space<dram>>
  %b = memref.alloc() : memref<4x4x64xf16, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0, %c0] -> %b {map = #tile} : memref<64x4x4xf16, #npu.space<dram>> to memref<4x4x64xf16, #npu.space<sram>>
  npu.dma_store %b -> %y[%c0, %c0, %c0] {map = #tile} : memref<4x4x64xf16, #npu.space<sram>> to memref<64x4x4xf16, #npu.space<dram>>
  npu.return
}

// In one shape the tensor is stored and in another one loaded.
// CHECK-LABEL: npu.kernel @reshaped
// CHECK: to memref<64x4x4xf16, #npu.space<dram>>
// CHECK: to memref<64x16xf16, #npu.space<dram>>
npu.kernel @reshaped(%x: memref<64x4x4xf16, #npu.space<dram>>, %y: memref<64x16xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %memory = memref.alloc() : memref<2048xi8, #npu.space<dram>>
  %stored = memref.view %memory[%c0][] : memref<2048xi8, #npu.space<dram>> to memref<64x4x4xf16, #npu.space<dram>>
  %loaded = memref.view %memory[%c0][] : memref<2048xi8, #npu.space<dram>> to memref<64x16xf16, #npu.space<dram>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<1x4x64xf16, #npu.space<sram>>
    npu.dma_load %x[%c0, %i, %c0] -> %a {map = #tile} : memref<64x4x4xf16, #npu.space<dram>> to memref<1x4x64xf16, #npu.space<sram>>
    npu.dma_store %a -> %stored[%c0, %i, %c0] {map = #tile} : memref<1x4x64xf16, #npu.space<sram>> to memref<64x4x4xf16, #npu.space<dram>>
  }
  %b = memref.alloc() : memref<64x16xf16, #npu.space<sram>>
  npu.dma_load %loaded[%c0, %c0] -> %b : memref<64x16xf16, #npu.space<dram>> to memref<64x16xf16, #npu.space<sram>>
  npu.dma_store %b -> %y[%c0, %c0] : memref<64x16xf16, #npu.space<sram>> to memref<64x16xf16, #npu.space<dram>>
  npu.return
}

// A row and a column of all channels: none of the tiles has an order in which both are long runs. With the channels last they are.
// CHECK-LABEL: npu.kernel @borders
// CHECK: memref.alloc() : memref<8x8x128xf16, #npu.space<dram>>
npu.kernel @borders(%x: memref<128x8x8xf16, #npu.space<dram>>, %y: memref<128x15x1xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %between = memref.alloc() : memref<128x8x8xf16, #npu.space<dram>>
  %row = memref.alloc() : memref<128x1x8xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0, %c0] -> %row : memref<128x8x8xf16, #npu.space<dram>> to memref<128x1x8xf16, #npu.space<sram>>
  npu.dma_store %row -> %between[%c0, %c0, %c0] : memref<128x1x8xf16, #npu.space<sram>> to memref<128x8x8xf16, #npu.space<dram>>
  %column = memref.alloc() : memref<128x7x1xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c1, %c0] -> %column : memref<128x8x8xf16, #npu.space<dram>> to memref<128x7x1xf16, #npu.space<sram>>
  npu.dma_store %column -> %between[%c0, %c1, %c0] : memref<128x7x1xf16, #npu.space<sram>> to memref<128x8x8xf16, #npu.space<dram>>
  %a = memref.alloc() : memref<128x1x8xf16, #npu.space<sram>>
  npu.dma_load %between[%c0, %c0, %c0] -> %a : memref<128x8x8xf16, #npu.space<dram>> to memref<128x1x8xf16, #npu.space<sram>>
  npu.dma_store %a -> %y[%c0, %c0, %c0] {map = affine_map<(d0, d1, d2) -> (d0, d2, d1)>} : memref<128x1x8xf16, #npu.space<sram>> to memref<128x15x1xf16, #npu.space<dram>>
  %b = memref.alloc() : memref<128x7x1xf16, #npu.space<sram>>
  npu.dma_load %between[%c0, %c1, %c0] -> %b : memref<128x8x8xf16, #npu.space<dram>> to memref<128x7x1xf16, #npu.space<sram>>
  npu.dma_store %b -> %y[%c0, %c8, %c0] : memref<128x7x1xf16, #npu.space<sram>> to memref<128x15x1xf16, #npu.space<dram>>
  npu.return
}
