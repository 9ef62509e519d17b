// RUN: npu-opt %s --pass-pipeline="builtin.module(npu.kernel(npu-materialize-scalars,npu-fit-buffers))" | FileCheck %s

// Everything fits; only the buffer of one engine needs no second slot.
// CHECK-LABEL: npu.kernel @fits
// CHECK: memref.alloc() {npu.buffers = 3 : i64} : memref<2048xi8
// CHECK: memref.alloc() {npu.buffers = 2 : i64} : memref<2048xi8
// CHECK: memref.alloc() {npu.buffers = 1 : i64} : memref<1000xi8
npu.kernel @fits(%in: memref<8192xi8, #npu.space<dram>>, %out: memref<8192xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-tiny:sramBytes=16384">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 2048)>(%i)
    %a = memref.alloc() {npu.buffers = 3 : i64} : memref<2048xi8, #npu.space<sram>>
    npu.dma_load %in[%o] -> %a : memref<8192xi8, #npu.space<dram>> to memref<2048xi8, #npu.space<sram>>
    %t = memref.alloc() {npu.buffers = 2 : i64} : memref<2048xi8, #npu.space<sram>>
    npu.unary neg %a -> %t : memref<2048xi8, #npu.space<sram>> -> memref<2048xi8, #npu.space<sram>>
    %u = memref.alloc() {npu.buffers = 9 : i64} : memref<1000xi8, #npu.space<sram>>
    npu.unary neg %u -> %u : memref<1000xi8, #npu.space<sram>> -> memref<1000xi8, #npu.space<sram>>
    npu.dma_store %t -> %out[%o] : memref<2048xi8, #npu.space<sram>> to memref<8192xi8, #npu.space<dram>>
  }
  npu.return
}

// Two slots have to go: the first of the largest buffers gives one after the other.
// CHECK-LABEL: npu.kernel @tight
// CHECK: memref.alloc() {npu.buffers = 1 : i64} : memref<2048xi8
// CHECK: memref.alloc() {npu.buffers = 2 : i64} : memref<2048xi8
npu.kernel @tight(%in: memref<8192xi8, #npu.space<dram>>, %out: memref<8192xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-tiny:sramBytes=8192">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 2048)>(%i)
    %a = memref.alloc() {npu.buffers = 3 : i64} : memref<2048xi8, #npu.space<sram>>
    npu.dma_load %in[%o] -> %a : memref<8192xi8, #npu.space<dram>> to memref<2048xi8, #npu.space<sram>>
    %t = memref.alloc() {npu.buffers = 2 : i64} : memref<2048xi8, #npu.space<sram>>
    npu.unary neg %a -> %t : memref<2048xi8, #npu.space<sram>> -> memref<2048xi8, #npu.space<sram>>
    %u = memref.alloc() {npu.buffers = 9 : i64} : memref<1000xi8, #npu.space<sram>>
    npu.unary neg %u -> %u : memref<1000xi8, #npu.space<sram>> -> memref<1000xi8, #npu.space<sram>>
    npu.dma_store %t -> %out[%o] : memref<2048xi8, #npu.space<sram>> to memref<8192xi8, #npu.space<dram>>
  }
  npu.return
}

// The constants of both loops do not fit beside the first one's buffers: each is written in front of the loops that read it, and the rings
// keep their slots.
// CHECK-LABEL: npu.kernel @constants
// CHECK-DAG: npu.fill %[[M1:.*]] {value = 5 : i32}
// CHECK-DAG: npu.fill %[[S1:.*]] {value = 31 : i8}
// CHECK: scf.for
// CHECK: memref.alloc() {npu.buffers = 2 : i64} : memref<96xi32
// CHECK: memref.alloc() {npu.buffers = 2 : i64} : memref<96xi8
// CHECK: npu.rescale %{{.*}} scales(%[[M1]], %[[S1]])
// CHECK-DAG: npu.fill %[[M2:.*]] {value = 7 : i32}
// CHECK-DAG: npu.fill %[[S2:.*]] {value = 31 : i8}
// CHECK: scf.for
// CHECK: npu.rescale %{{.*}} scales(%[[M2]], %[[S2]])
npu.kernel @constants(%in: memref<960xi32, #npu.space<dram>>, %out: memref<960xi8, #npu.space<dram>> {npu.output})
    attributes {target = #npu.target<"npu-tiny:sramBytes=1152">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 96)>(%i)
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<96xi32, #npu.space<sram>>
    npu.dma_load %in[%o] -> %a : memref<960xi32, #npu.space<dram>> to memref<96xi32, #npu.space<sram>>
    %t = memref.alloc() {npu.buffers = 2 : i64} : memref<96xi8, #npu.space<sram>>
    npu.rescale %a -> %t {multiplier = 5, shift = 31} : memref<96xi32, #npu.space<sram>> -> memref<96xi8, #npu.space<sram>>
    npu.dma_store %t -> %out[%o] : memref<96xi8, #npu.space<sram>> to memref<960xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c5 step %c1 {
    %o = affine.apply affine_map<(d0) -> (d0 * 96 + 480)>(%i)
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<96xi32, #npu.space<sram>>
    npu.dma_load %in[%o] -> %a : memref<960xi32, #npu.space<dram>> to memref<96xi32, #npu.space<sram>>
    %t = memref.alloc() {npu.buffers = 2 : i64} : memref<96xi8, #npu.space<sram>>
    npu.rescale %a -> %t {multiplier = 7, shift = 31} : memref<96xi32, #npu.space<sram>> -> memref<96xi8, #npu.space<sram>>
    npu.dma_store %t -> %out[%o] : memref<96xi8, #npu.space<sram>> to memref<960xi8, #npu.space<dram>>
  }
  npu.return
}

// What is filled and then added to is no constant.
// CHECK-LABEL: npu.kernel @sum
// CHECK: npu.fill %[[SUM:.*]] {value
// CHECK-NOT: npu.fill
// CHECK: npu.reduce sum %{{.*}} -> %[[SUM]]
// CHECK-NOT: npu.fill
// CHECK: npu.dma_store %[[SUM]]
npu.kernel @sum(%x: memref<32x1024xf32, #npu.space<dram>>, %y: memref<f32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=8000">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %s = memref.alloc() : memref<f32, #npu.space<sram>>
  npu.fill %s {value = 0.0 : f32} : memref<f32, #npu.space<sram>>
  scf.for %i = %c0 to %c32 step %c1 {
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<1x1024xf32, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<32x1024xf32, #npu.space<dram>> to memref<1x1024xf32, #npu.space<sram>>
    npu.reduce sum %a -> %s {accumulate, indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>]} : memref<1x1024xf32, #npu.space<sram>> -> memref<f32, #npu.space<sram>>
  }
  npu.dma_store %s -> %y[] : memref<f32, #npu.space<sram>> to memref<f32, #npu.space<dram>>
  npu.return
}
