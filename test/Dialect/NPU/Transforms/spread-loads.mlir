// RUN: npu-opt %s --npu-spread-loads | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-spread-loads,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form))' -o %t.planned.mlir
// RUN: FileCheck %s --check-prefix=STREAMS --input-file=%t.planned.mlir
// RUN: npu-run --function=small --input="random(1)" --input="random(2)" --output=@%t.npy %s
// RUN: npu-run --function=small --input="random(1)" --input="random(2)" --expected_output=@%t.npy %t.planned.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=halo --input="random(1)" --input="random(2)" --output=@%t.halo.npy %s
// RUN: npu-run --function=halo --input="random(1)" --input="random(2)" --expected_output=@%t.halo.npy %t.planned.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-opt %s --npu-spread-loads -o %t.spread.mlir
// RUN: npu-run --function=halo --input="random(1)" --input="random(2)" --expected_output=@%t.halo.npy %t.spread.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-opt %t.planned.mlir --convert-npu-to-npu-isa -o %t.isa.mlir
// RUN: FileCheck %s --check-prefix=ISA --input-file=%t.isa.mlir
// RUN: npu-opt %t.isa.mlir --pass-pipeline='builtin.module(npu_isa.program(npu-verify-program{tight-waits=false}))' -o /dev/null
// SAME: expected output: match

// 800 elements are as many bytes as DRAM moves while a transfer begins, and the last of four clusters loads them; of more, and in loops, the first one does.
// CHECK-LABEL: npu.kernel @small
// CHECK: npu.dma_load %arg0[%{{.*}}] -> %{{.*}} {clusters = 4 : i64, leader = 3 : i64}
// CHECK: npu.dma_load %arg1[%{{.*}}] -> %{{.*}} {clusters = 4 : i64} :
// CHECK: scf.for
// CHECK: npu.dma_load %arg0[%{{.*}}] -> %{{.*}} {clusters = 4 : i64, map

// STREAMS: npu.stream dmai cluster(0)
// STREAMS-NOT: leader
// STREAMS: npu.stream dmai cluster(3)
// STREAMS: npu.dma_load %{{.*}} {clusters = 4 : i64, leader = 3 : i64}

// A bit for each cluster beside the one that loads.
// ISA: npu_isa.stream dmai cluster(0)
// ISA-NOT: flags_clusters = 7
// ISA: npu_isa.stream dmai cluster(3)
// ISA: flags_clusters = 7
npu.kernel @small(%x: memref<800xf32, #npu.space<dram>>, %w: memref<801xf32, #npu.space<dram>>, %y: memref<4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.forall (%c) in (4) {
    %a = memref.alloc() : memref<800xf32, #npu.space<sram>>
    npu.dma_load %x[%c0] -> %a {clusters = 4 : i64} : memref<800xf32, #npu.space<dram>> to memref<800xf32, #npu.space<sram>>
    %b = memref.alloc() : memref<801xf32, #npu.space<sram>>
    npu.dma_load %w[%c0] -> %b {clusters = 4 : i64} : memref<801xf32, #npu.space<dram>> to memref<801xf32, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      %t = memref.alloc() {npu.buffers = 2 : i64} : memref<1x2xf32, #npu.space<sram>>
      %o = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
      npu.dma_load %x[%o] -> %t {clusters = 4 : i64, map = affine_map<(d0, d1) -> (d1)>} : memref<800xf32, #npu.space<dram>> to memref<1x2xf32, #npu.space<sram>>
      %p = affine.apply affine_map<(d0, d1) -> (d0 * 20 + d1)>(%c, %i)
      %left = memref.subview %a[%p] [2] [1] : memref<800xf32, #npu.space<sram>> to memref<2xf32, strided<[1], offset: ?>, #npu.space<sram>>
      %right = memref.subview %b[%p] [2] [1] : memref<801xf32, #npu.space<sram>> to memref<2xf32, strided<[1], offset: ?>, #npu.space<sram>>
      %row = memref.subview %t[0, 0] [1, 2] [1, 1] : memref<1x2xf32, #npu.space<sram>> to memref<2xf32, #npu.space<sram>>
      npu.binary add %row, %left -> %row : memref<2xf32, #npu.space<sram>>, memref<2xf32, strided<[1], offset: ?>, #npu.space<sram>> -> memref<2xf32, #npu.space<sram>>
      npu.binary mul %row, %right -> %row : memref<2xf32, #npu.space<sram>>, memref<2xf32, strided<[1], offset: ?>, #npu.space<sram>> -> memref<2xf32, #npu.space<sram>>
      npu.dma_store %t -> %y[%c, %o] : memref<1x2xf32, #npu.space<sram>> to memref<4x4xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// The nest waits for what the first cluster loads for all. The last cluster brings the first one its border and its halo before it gets its own there.
// CHECK-LABEL: npu.kernel @halo
// CHECK: npu.dma_load %arg1{{.*}} {clusters = 4 : i64, map
// CHECK: npu.dma_load %arg0{{.*}} {clusters = 1 : i64, leader = 3 : i64}
// CHECK: npu.dma_load %arg0
// CHECK-NOT: clusters
// CHECK: npu.dma_load %arg0{{.*}} {clusters = 1 : i64, leader = 3 : i64}
// CHECK-NOT: clusters
// CHECK: npu.binary
npu.kernel @halo(%x: memref<16x32xf32, #npu.space<dram>>, %w: memref<2x128x32xf32, #npu.space<dram>>, %y: memref<2x16x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %s = memref.alloc() : memref<6x32xf32, #npu.space<sram>>
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %own = memref.subview %s[1, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
    npu.dma_load %x[%row, %c0] -> %own : memref<16x32xf32, #npu.space<dram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
  }
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %before = affine.apply affine_map<(d0) -> (d0 * 4 - 1)>(%c)
    %behind = affine.apply affine_map<(d0) -> (d0 * 4 + 4)>(%c)
    scf.for %i = %c0 to %c2 step %c1 {
      %u = memref.alloc() {npu.buffers = 2 : i64} : memref<128x32xf32, #npu.space<sram>>
      npu.dma_load %w[%i, %c0, %c0] -> %u {clusters = 4 : i64, map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<2x128x32xf32, #npu.space<dram>> to memref<128x32xf32, #npu.space<sram>>
      %t = memref.subview %u[0, 0] [4, 32] [1, 1] : memref<128x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %top = memref.subview %s[0, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %bottom = memref.subview %s[5, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %p0 = affine.min affine_map<(d0, d1) -> (-d0 - d1 + 1, 1)>(%c, %i)
      npu.dma_load %x[%before, %c0] -> %top extents(%p0, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %p1 = affine.min affine_map<(d0, d1) -> (d0 - d1 - 2, 1)>(%c, %i)
      npu.dma_load %x[%behind, %c0] -> %bottom extents(%p1, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %h0 = affine.min affine_map<(d0, d1) -> (-d1 + 1, d0, 1)>(%c, %i)
      npu.dma_load %x[%before, %c0] -> %top extents(%h0, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %h1 = affine.min affine_map<(d0, d1) -> (-d1 + 1, -d0 + 3, 1)>(%c, %i)
      npu.dma_load %x[%behind, %c0] -> %bottom extents(%h1, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %a = memref.subview %s[0, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %b = memref.subview %s[2, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 64>, #npu.space<sram>>
      npu.binary add %t, %a -> %t : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>, memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>> -> memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      npu.binary mul %t, %b -> %t : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>, memref<4x32xf32, strided<[32, 1], offset: 64>, #npu.space<sram>> -> memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      npu.dma_store %t -> %y[%i, %row, %c0] {map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>> to memref<2x16x32xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// What is between the last cluster's border below and the first one's halo there need not read it, but it is no load.
// CHECK-LABEL: npu.kernel @in_between
// CHECK: npu.dma_load %arg0{{.*}} {clusters = 1 : i64, leader = 3 : i64}
// CHECK-NOT: clusters = 1
npu.kernel @in_between(%x: memref<16x32xf32, #npu.space<dram>>, %w: memref<2x128x32xf32, #npu.space<dram>>, %y: memref<2x16x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %s = memref.alloc() : memref<6x32xf32, #npu.space<sram>>
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %own = memref.subview %s[1, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
    npu.dma_load %x[%row, %c0] -> %own : memref<16x32xf32, #npu.space<dram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
  }
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %before = affine.apply affine_map<(d0) -> (d0 * 4 - 1)>(%c)
    %behind = affine.apply affine_map<(d0) -> (d0 * 4 + 4)>(%c)
    scf.for %i = %c0 to %c2 step %c1 {
      %u = memref.alloc() {npu.buffers = 2 : i64} : memref<128x32xf32, #npu.space<sram>>
      npu.dma_load %w[%i, %c0, %c0] -> %u {clusters = 4 : i64, map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<2x128x32xf32, #npu.space<dram>> to memref<128x32xf32, #npu.space<sram>>
      %t = memref.subview %u[0, 0] [4, 32] [1, 1] : memref<128x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %top = memref.subview %s[0, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %bottom = memref.subview %s[5, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %p0 = affine.min affine_map<(d0, d1) -> (-d0 - d1 + 1, 1)>(%c, %i)
      npu.dma_load %x[%before, %c0] -> %top extents(%p0, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %p1 = affine.min affine_map<(d0, d1) -> (d0 - d1 - 2, 1)>(%c, %i)
      npu.dma_load %x[%behind, %c0] -> %bottom extents(%p1, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      npu.unary neg %t -> %t : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>> -> memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %h0 = affine.min affine_map<(d0, d1) -> (-d1 + 1, d0, 1)>(%c, %i)
      npu.dma_load %x[%before, %c0] -> %top extents(%h0, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %h1 = affine.min affine_map<(d0, d1) -> (-d1 + 1, -d0 + 3, 1)>(%c, %i)
      npu.dma_load %x[%behind, %c0] -> %bottom extents(%h1, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %a = memref.subview %s[0, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %b = memref.subview %s[2, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 64>, #npu.space<sram>>
      npu.binary add %t, %a -> %t : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>, memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>> -> memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      npu.binary mul %t, %b -> %t : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>, memref<4x32xf32, strided<[32, 1], offset: 64>, #npu.space<sram>> -> memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      npu.dma_store %t -> %y[%i, %row, %c0] {map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>> to memref<2x16x32xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// The last cluster loads nothing to where the first one's halo is.
// CHECK-LABEL: npu.kernel @nothing_there
// CHECK-NOT: clusters = 1
npu.kernel @nothing_there(%x: memref<16x32xf32, #npu.space<dram>>, %w: memref<2x128x32xf32, #npu.space<dram>>, %y: memref<2x16x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %s = memref.alloc() : memref<6x32xf32, #npu.space<sram>>
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %own = memref.subview %s[1, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
    npu.dma_load %x[%row, %c0] -> %own : memref<16x32xf32, #npu.space<dram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
  }
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %before = affine.apply affine_map<(d0) -> (d0 * 4 - 1)>(%c)
    %behind = affine.apply affine_map<(d0) -> (d0 * 4 + 4)>(%c)
    scf.for %i = %c0 to %c2 step %c1 {
      %u = memref.alloc() {npu.buffers = 2 : i64} : memref<128x32xf32, #npu.space<sram>>
      npu.dma_load %w[%i, %c0, %c0] -> %u {clusters = 4 : i64, map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<2x128x32xf32, #npu.space<dram>> to memref<128x32xf32, #npu.space<sram>>
      %t = memref.subview %u[0, 0] [4, 32] [1, 1] : memref<128x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %top = memref.subview %s[0, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %bottom = memref.subview %s[5, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %h0 = affine.min affine_map<(d0, d1) -> (-d1 + 1, d0, 1)>(%c, %i)
      npu.dma_load %x[%before, %c0] -> %top extents(%h0, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %h1 = affine.min affine_map<(d0, d1) -> (-d1 + 1, -d0 + 3, 1)>(%c, %i)
      npu.dma_load %x[%behind, %c0] -> %bottom extents(%h1, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %b = memref.subview %s[1, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
      npu.binary mul %t, %b -> %t : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>, memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>> -> memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      npu.dma_store %t -> %y[%i, %row, %c0] {map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>> to memref<2x16x32xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// The nest does not wait for loads.
// CHECK-LABEL: npu.kernel @long
// CHECK-NOT: clusters = 1
npu.kernel @long(%x: memref<16x32xf32, #npu.space<dram>>, %w: memref<2x128x32xf32, #npu.space<dram>>, %y: memref<2x16x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  %s = memref.alloc() : memref<6x32xf32, #npu.space<sram>>
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %own = memref.subview %s[1, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
    npu.dma_load %x[%row, %c0] -> %own : memref<16x32xf32, #npu.space<dram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
  }
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %before = affine.apply affine_map<(d0) -> (d0 * 4 - 1)>(%c)
    %behind = affine.apply affine_map<(d0) -> (d0 * 4 + 4)>(%c)
    scf.for %i = %c0 to %c2 step %c1 {
      %u = memref.alloc() {npu.buffers = 2 : i64} : memref<128x32xf32, #npu.space<sram>>
      npu.dma_load %w[%i, %c0, %c0] -> %u {clusters = 4 : i64, map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<2x128x32xf32, #npu.space<dram>> to memref<128x32xf32, #npu.space<sram>>
      %t = memref.subview %u[0, 0] [4, 32] [1, 1] : memref<128x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %top = memref.subview %s[0, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %bottom = memref.subview %s[5, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %p0 = affine.min affine_map<(d0, d1) -> (-d0 - d1 + 1, 1)>(%c, %i)
      npu.dma_load %x[%before, %c0] -> %top extents(%p0, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %p1 = affine.min affine_map<(d0, d1) -> (d0 - d1 - 2, 1)>(%c, %i)
      npu.dma_load %x[%behind, %c0] -> %bottom extents(%p1, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %h0 = affine.min affine_map<(d0, d1) -> (-d1 + 1, d0, 1)>(%c, %i)
      npu.dma_load %x[%before, %c0] -> %top extents(%h0, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %h1 = affine.min affine_map<(d0, d1) -> (-d1 + 1, -d0 + 3, 1)>(%c, %i)
      npu.dma_load %x[%behind, %c0] -> %bottom extents(%h1, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %a = memref.subview %s[0, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %b = memref.subview %s[2, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 64>, #npu.space<sram>>
      npu.binary add %t, %a -> %t : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>, memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>> -> memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      scf.for %j = %c0 to %c512 step %c1 {
        npu.binary mul %t, %b -> %t : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>, memref<4x32xf32, strided<[32, 1], offset: 64>, #npu.space<sram>> -> memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      }
      npu.dma_store %t -> %y[%i, %row, %c0] {map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>> to memref<2x16x32xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// The first tile for all is there before the last cluster had brought all halos.
// CHECK-LABEL: npu.kernel @small_tile
// CHECK-NOT: clusters = 1
npu.kernel @small_tile(%x: memref<16x32xf32, #npu.space<dram>>, %w: memref<2x4x32xf32, #npu.space<dram>>, %y: memref<2x16x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %s = memref.alloc() : memref<6x32xf32, #npu.space<sram>>
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %own = memref.subview %s[1, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
    npu.dma_load %x[%row, %c0] -> %own : memref<16x32xf32, #npu.space<dram>> to memref<4x32xf32, strided<[32, 1], offset: 32>, #npu.space<sram>>
  }
  scf.forall (%c) in (4) {
    %row = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
    %before = affine.apply affine_map<(d0) -> (d0 * 4 - 1)>(%c)
    %behind = affine.apply affine_map<(d0) -> (d0 * 4 + 4)>(%c)
    scf.for %i = %c0 to %c2 step %c1 {
      %t = memref.alloc() {npu.buffers = 2 : i64} : memref<4x32xf32, #npu.space<sram>>
      npu.dma_load %w[%i, %c0, %c0] -> %t {clusters = 4 : i64, map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<2x4x32xf32, #npu.space<dram>> to memref<4x32xf32, #npu.space<sram>>
      %top = memref.subview %s[0, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %bottom = memref.subview %s[5, 0] [1, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %p0 = affine.min affine_map<(d0, d1) -> (-d0 - d1 + 1, 1)>(%c, %i)
      npu.dma_load %x[%before, %c0] -> %top extents(%p0, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %p1 = affine.min affine_map<(d0, d1) -> (d0 - d1 - 2, 1)>(%c, %i)
      npu.dma_load %x[%behind, %c0] -> %bottom extents(%p1, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %h0 = affine.min affine_map<(d0, d1) -> (-d1 + 1, d0, 1)>(%c, %i)
      npu.dma_load %x[%before, %c0] -> %top extents(%h0, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %h1 = affine.min affine_map<(d0, d1) -> (-d1 + 1, -d0 + 3, 1)>(%c, %i)
      npu.dma_load %x[%behind, %c0] -> %bottom extents(%h1, %c32) : memref<16x32xf32, #npu.space<dram>> to memref<1x32xf32, strided<[32, 1], offset: 160>, #npu.space<sram>>
      %a = memref.subview %s[0, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>>
      %b = memref.subview %s[2, 0] [4, 32] [1, 1] : memref<6x32xf32, #npu.space<sram>> to memref<4x32xf32, strided<[32, 1], offset: 64>, #npu.space<sram>>
      npu.binary add %t, %a -> %t : memref<4x32xf32, #npu.space<sram>>, memref<4x32xf32, strided<[32, 1]>, #npu.space<sram>> -> memref<4x32xf32, #npu.space<sram>>
      npu.binary mul %t, %b -> %t : memref<4x32xf32, #npu.space<sram>>, memref<4x32xf32, strided<[32, 1], offset: 64>, #npu.space<sram>> -> memref<4x32xf32, #npu.space<sram>>
      npu.dma_store %t -> %y[%i, %row, %c0] {map = affine_map<(d0, d1) -> (0, d0, d1)>} : memref<4x32xf32, #npu.space<sram>> to memref<2x16x32xf32, #npu.space<dram>>
    }
  }
  npu.return
}
