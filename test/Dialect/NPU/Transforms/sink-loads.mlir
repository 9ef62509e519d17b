// RUN: npu-opt %s --npu-sink-loads | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-sink-loads,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program{tight-waits=false}))' -o /dev/null
// RUN: npu-opt %s --npu-sink-loads -o %t.sunk.mlir
// RUN: npu-opt %t.sunk.mlir --pass-pipeline='builtin.module(npu.kernel(npu-plan-memory,npu-pipeline-streams))' -o %t.planned.mlir
// RUN: npu-run --function=gather --input="random(1)" --output=@%t.npy %s
// RUN: npu-run --function=gather --input="random(1)" --expected_output=@%t.npy %t.sunk.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=gather --input="random(1)" --expected_output=@%t.npy %t.planned.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=waits_alone --input="random(1)" --output=@%t.npy %s
// RUN: npu-run --function=waits_alone --input="random(1)" --expected_output=@%t.npy %t.sunk.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=waits_alone --input="random(1)" --expected_output=@%t.npy %t.planned.mlir | FileCheck %s --check-prefix=SAME
// RUN: npu-run --function=in_order --input="random(1)" --output=@%t.npy %s
// RUN: npu-run --function=in_order --input="random(1)" --expected_output=@%t.npy %t.sunk.mlir | FileCheck %s --check-prefix=SAME
// SAME: expected output: match

#own = affine_map<(d0) -> (d0 * 4)>
#tile = affine_map<(d0, d1) -> (d0 * 8 + d1 * 4)>

// What both clusters have stored is loaded behind the first tile of what is given, in the first iteration alone.
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0) -> (d0 * -8 + 8, 8)>
// CHECK-LABEL: npu.kernel @gather
// CHECK: scf.forall
// CHECK: npu.dma_store
// CHECK: scf.forall
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<8xf32, #npu.space<sram>>
// CHECK-NOT: npu.dma_load
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: npu.dma_load %arg1[
// CHECK-NEXT: %[[COUNT:.*]] = affine.min #[[FIRST]](%[[I]])
// CHECK-NEXT: npu.dma_load %{{.*}}[%c0] -> %[[ALL]] extents(%[[COUNT]]) {clusters = 2 : i64}
// CHECK: npu.binary add
npu.kernel @gather(%x: memref<8xf32, #npu.space<dram>>, %w: memref<16xf32, #npu.space<dram>>, %y: memref<16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<8xf32, #npu.space<dram>>
  scf.forall (%c) in (2) {
    %o = affine.apply #own(%c)
    %a = memref.alloc() : memref<4xf32, #npu.space<sram>>
    npu.dma_load %x[%o] -> %a : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
    npu.dma_store %a -> %between[%o] : memref<4xf32, #npu.space<sram>> to memref<8xf32, #npu.space<dram>>
  }
  scf.forall (%c) in (2) {
    %all = memref.alloc() : memref<8xf32, #npu.space<sram>>
    npu.dma_load %between[%c0] -> %all {clusters = 2 : i64} : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
    %part = memref.subview %all[2] [4] [1] : memref<8xf32, #npu.space<sram>> to memref<4xf32, strided<[1], offset: 2>, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      %o = affine.apply #tile(%c, %i)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
      npu.dma_load %w[%o] -> %b : memref<16xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
      %d = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
      npu.binary add %b, %part -> %d : memref<4xf32, #npu.space<sram>>, memref<4xf32, strided<[1], offset: 2>, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
      npu.dma_store %d -> %y[%o] : memref<4xf32, #npu.space<sram>> to memref<16xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// Two stay in order. What is used before the first tile of what is given stays where it is, and so does what is loaded in part.
// CHECK-LABEL: npu.kernel @in_order
// CHECK: scf.forall
// CHECK: scf.forall
// CHECK: npu.dma_load %{{.*}} -> %[[EARLY:alloc[_0-9]*]] {clusters = 2 : i64}
// CHECK: npu.dma_load %{{.*}} -> %[[SHORT:alloc[_0-9]*]] extents(%{{.*}}) :
// CHECK: scf.for
// CHECK: npu.unary neg %[[EARLY]]
// CHECK: npu.dma_load %arg1[
// CHECK: npu.dma_load %{{.*}}[%c0] -> %[[A:alloc[_0-9]*]] extents(%{{.*}}) {clusters = 2 : i64}
// CHECK: npu.dma_load %{{.*}}[%c4] -> %[[B:alloc[_0-9]*]] extents(%{{.*}}) {clusters = 2 : i64}
// CHECK: npu.binary add %[[A]], %[[B]]
npu.kernel @in_order(%x: memref<8xf32, #npu.space<dram>>, %w: memref<16xf32, #npu.space<dram>>, %y: memref<16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %between = memref.alloc() : memref<8xf32, #npu.space<dram>>
  scf.forall (%c) in (2) {
    %o = affine.apply #own(%c)
    %a = memref.alloc() : memref<4xf32, #npu.space<sram>>
    npu.dma_load %x[%o] -> %a : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
    npu.dma_store %a -> %between[%o] : memref<4xf32, #npu.space<sram>> to memref<8xf32, #npu.space<dram>>
  }
  scf.forall (%c) in (2) {
    %n = affine.min affine_map<(d0) -> (d0 + 3, 4)>(%c)
    %early = memref.alloc() : memref<4xf32, #npu.space<sram>>
    npu.dma_load %between[%c0] -> %early {clusters = 2 : i64} : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
    %short = memref.alloc() : memref<4xf32, #npu.space<sram>>
    npu.dma_load %between[%c0] -> %short extents(%n) : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
    %a = memref.alloc() : memref<4xf32, #npu.space<sram>>
    npu.dma_load %between[%c0] -> %a {clusters = 2 : i64} : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
    %b = memref.alloc() : memref<4xf32, #npu.space<sram>>
    npu.dma_load %between[%c4] -> %b extents(%c4) {clusters = 2 : i64} : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      %o = affine.apply #tile(%c, %i)
      %e = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
      npu.unary neg %early -> %e : memref<4xf32, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
      %t = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
      npu.dma_load %w[%o] -> %t : memref<16xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
      %d = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
      npu.binary add %a, %b -> %d : memref<4xf32, #npu.space<sram>>, memref<4xf32, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
      npu.binary add %d, %e -> %d : memref<4xf32, #npu.space<sram>>, memref<4xf32, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
      npu.binary add %d, %t -> %d : memref<4xf32, #npu.space<sram>>, memref<4xf32, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
      npu.binary add %d, %short -> %d extents(%c1) : memref<4xf32, #npu.space<sram>>, memref<4xf32, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
      npu.dma_store %d -> %y[%o] : memref<4xf32, #npu.space<sram>> to memref<16xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// A scalar has no extent that could be zero.
// CHECK-LABEL: npu.kernel @scalar
// CHECK: npu.dma_load %{{.*}}[] -> %{{.*}} {clusters = 2 : i64} : memref<f32, #npu.space<dram>>
// CHECK: scf.for
npu.kernel @scalar(%x: memref<8xf32, #npu.space<dram>>, %w: memref<16xf32, #npu.space<dram>>, %y: memref<16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<f32, #npu.space<dram>>
  %q = memref.alloc() : memref<f32, #npu.space<sram>>
  npu.dma_load %x[%c0] -> %q {map = affine_map<() -> (0)>} : memref<8xf32, #npu.space<dram>> to memref<f32, #npu.space<sram>>
  npu.dma_store %q -> %between[] : memref<f32, #npu.space<sram>> to memref<f32, #npu.space<dram>>
  scf.forall (%c) in (2) {
    %all = memref.alloc() : memref<f32, #npu.space<sram>>
    npu.dma_load %between[] -> %all {clusters = 2 : i64} : memref<f32, #npu.space<dram>> to memref<f32, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      %o = affine.apply #tile(%c, %i)
      %b = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
      npu.dma_load %w[%o] -> %b : memref<16xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
      npu.binary add %b, %all -> %b {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>]} : memref<4xf32, #npu.space<sram>>, memref<f32, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
      npu.dma_store %b -> %y[%o] : memref<4xf32, #npu.space<sram>> to memref<16xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// One cluster waits for nobody else.
// CHECK-LABEL: npu.kernel @alone
// CHECK: npu.dma_store
// CHECK: npu.dma_load %alloc[%c0] -> %{{.*}} : memref<8xf32, #npu.space<dram>>
// CHECK: scf.for
npu.kernel @alone(%x: memref<8xf32, #npu.space<dram>>, %w: memref<16xf32, #npu.space<dram>>, %y: memref<16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<8xf32, #npu.space<dram>>
  %a = memref.alloc() : memref<8xf32, #npu.space<sram>>
  npu.dma_load %x[%c0] -> %a : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
  npu.dma_store %a -> %between[%c0] : memref<8xf32, #npu.space<sram>> to memref<8xf32, #npu.space<dram>>
  %all = memref.alloc() : memref<8xf32, #npu.space<sram>>
  npu.dma_load %between[%c0] -> %all : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
  scf.for %i = %c0 to %c2 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    %b = memref.alloc() {npu.buffers = 2 : i64} : memref<8xf32, #npu.space<sram>>
    npu.dma_load %w[%o] -> %b : memref<16xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
    %d = memref.alloc() {npu.buffers = 2 : i64} : memref<8xf32, #npu.space<sram>>
    npu.binary add %b, %all -> %d : memref<8xf32, #npu.space<sram>>, memref<8xf32, #npu.space<sram>> -> memref<8xf32, #npu.space<sram>>
    npu.dma_store %d -> %y[%o] : memref<8xf32, #npu.space<sram>> to memref<16xf32, #npu.space<dram>>
  }
  npu.return
}

// One cluster waits for two as well.
// CHECK-LABEL: npu.kernel @waits_alone
// CHECK: scf.forall
// CHECK: npu.dma_store
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<8xf32, #npu.space<sram>>
// CHECK-NOT: npu.dma_load
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: npu.dma_load %arg1[
// CHECK-NEXT: %[[COUNT:.*]] = affine.min #[[FIRST]](%[[I]])
// CHECK-NEXT: npu.dma_load %{{.*}}[%c0] -> %[[ALL]] extents(%[[COUNT]]) :
// CHECK: npu.binary add
npu.kernel @waits_alone(%x: memref<8xf32, #npu.space<dram>>, %w: memref<8xf32, #npu.space<dram>>, %y: memref<8xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %between = memref.alloc() : memref<8xf32, #npu.space<dram>>
  scf.forall (%c) in (2) {
    %o = affine.apply #own(%c)
    %a = memref.alloc() : memref<4xf32, #npu.space<sram>>
    npu.dma_load %x[%o] -> %a : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
    npu.dma_store %a -> %between[%o] : memref<4xf32, #npu.space<sram>> to memref<8xf32, #npu.space<dram>>
  }
  %all = memref.alloc() : memref<8xf32, #npu.space<sram>>
  npu.dma_load %between[%c0] -> %all : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
  %part = memref.subview %all[2] [4] [1] : memref<8xf32, #npu.space<sram>> to memref<4xf32, strided<[1], offset: 2>, #npu.space<sram>>
  scf.for %i = %c0 to %c2 step %c1 {
    %o = affine.apply #own(%i)
    %b = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
    npu.dma_load %w[%o] -> %b : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
    %d = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
    npu.binary add %b, %part -> %d : memref<4xf32, #npu.space<sram>>, memref<4xf32, strided<[1], offset: 2>, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
    npu.dma_store %d -> %y[%o] : memref<4xf32, #npu.space<sram>> to memref<8xf32, #npu.space<dram>>
  }
  npu.return
}
