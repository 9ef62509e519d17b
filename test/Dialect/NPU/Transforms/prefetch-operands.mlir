// RUN: npu-opt %s --npu-prefetch-operands | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-prefetch-operands,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program{tight-waits=false}))' -o /dev/null
// RUN: npu-opt %s --npu-prefetch-operands --remarks-filter=npu-prefetch-operands -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: Prefetched{{.*}}Function=columns{{.*}}bytes=24576, kernelsBefore=1
// REMARK: Prefetched{{.*}}Function=sums{{.*}}bytes=24576, kernelsBefore=1
// REMARK: Prefetched{{.*}}Function=rows_of_tiles{{.*}}bytes=65536, kernelsBefore=1
// REMARK: Prefetched{{.*}}Function=halves{{.*}}bytes=8192, kernelsBefore=2
// REMARK: Prefetched{{.*}}Function=more_slots{{.*}}bytes=24576
// REMARK: Prefetched{{.*}}Function=one_buffer
// REMARK: Prefetched{{.*}}Function=once
// REMARK: Prefetched{{.*}}Function=on_clusters
// REMARK: Prefetched{{.*}}Function=on_grid{{.*}}bytes=8192, kernelsBefore=1
// REMARK: RunAhead{{.*}}Function=from_rows{{.*}}slots=6
// REMARK: RunAhead{{.*}}Function=first_tile{{.*}}slots=4
// REMARK-NOT: remark:

// CHECK-DAG: #[[LINEAR:.*]] = affine_map<(d0, d1) -> (d0 * 2 + d1)>

#panels = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>
#at = affine_map<(d0) -> (d0 * 128)>
#next = affine_map<(d0, d1) -> (d0 * 64 + d1 * 32)>
#columns = affine_map<(d0) -> (d0 * 32)>
#first = affine_map<(d0) -> (-d0 + 1, 1)>

// The array takes 192 cycles for a tile of %w, and its load 256: of eight, three have to be there when the loop begins. The loop before leaves DRAM idle for
// thousands, and the tiles fill a buffer behind it. The first three iterations read them there, and the others are a loop of their own, whose ring
// has a slot for each: nothing that is loaded later waits for it.
// CHECK-LABEL: npu.kernel @columns
// CHECK-NOT: prefetch
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<3x1x128x32xf16, #npu.space<sram>>
// CHECK: scf.for
// CHECK: npu.matmul
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[COUNT:.*]] = arith.constant 3 : index
// CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT: scf.for %[[T:[^ ]*]] = %[[ZERO]] to %[[COUNT]] step %[[ONE]] {
// CHECK: %[[N:.*]] = affine.apply #{{.*}}(%[[T]])
// CHECK: %[[COLUMN:.*]] = affine.apply #{{.*}}(%[[N]])
// CHECK: %[[TILE:.*]] = memref.subview %[[SHARE]][%[[N]], 0, 0, 0] [1, 1, 128, 32] [1, 1, 1, 1]
// CHECK: npu.dma_load %{{.*}}[%{{.*}}, %[[COLUMN]]] -> %[[TILE]]
// CHECK: npu.dma_load %arg2
// CHECK: scf.for %[[I:[^ ]*]] = %{{.*}} to %c3{{.*}} step
// CHECK-NOT: npu.dma_load
// CHECK: %[[OWN:.*]] = memref.subview %[[SHARE]][%[[I]], 0, 0, 0]
// CHECK: npu.matmul %{{.*}}, %[[OWN]]
// CHECK: scf.for %[[J:[^ ]*]] = %{{.*}} to %c5{{.*}} step
// CHECK: affine.apply #{{.*}}(%[[J]])
// CHECK: memref.alloc() {npu.buffers = 5 : i64} : memref<1x128x32xf16, #npu.space<sram>>
// CHECK: npu.dma_load
// CHECK: npu.matmul
npu.kernel @columns(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// A loop over what is summed up: the second one adds to the sums of the first one. What only the last tile does, it alone does; the first one comes as a whole.
// CHECK-LABEL: npu.kernel @sums
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<3x1x128x32xf16, #npu.space<sram>>
// CHECK: npu.fill
// CHECK: scf.for %[[I:[^ ]*]] = %{{.*}} to %c3{{.*}} step
// CHECK: memref.subview %[[SHARE]]
// CHECK: npu.matmul {{.*}} bias({{.*}}) -> %[[ACC:.*]] init(%[[I]]) {packed}
// CHECK: scf.for
// CHECK: npu.dma_load %{{.*}} -> %{{.*}}: memref<1x1024xf16
// CHECK: npu.dma_load %{{.*}} -> %{{.*}}: memref<1024x256xf16
// CHECK: npu.matmul %{{[^ ]*}}, %{{[^ ]*}} -> %[[ACC]] {accumulate, end = "m", packed}
npu.kernel @sums(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x32xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %acc = memref.alloc() : memref<1x32xf32, #npu.space<acc>>
  %bias = memref.alloc() : memref<32xf32, #npu.space<sram>>
  npu.fill %bias {value = 1.000000e+00 : f32} : memref<32xf32, #npu.space<sram>>
  scf.for %k = %c0 to %c8 step %c1 {
    %at = affine.apply #at(%k)
    %row = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128xf16, #npu.space<sram>>
    npu.dma_load %v[%c0, %at] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%at, %c0] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    npu.matmul %row, %tile bias(%bias : memref<32xf32, #npu.space<sram>>) -> %acc init(%k) {begin = array<i64: 64>, end = "m", packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
  }
  npu.dma_store %acc -> %z[%c0, %c0] : memref<1x32xf32, #npu.space<acc>> to memref<1x32xf32, #npu.space<dram>>
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// Tiles come for whole iterations of the outer loop.
// CHECK-LABEL: npu.kernel @rows_of_tiles
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<2x4x1x128x32xf16, #npu.space<sram>>
// CHECK: scf.for
// CHECK: npu.matmul
// CHECK: scf.for %[[T:[^ ]*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[K:.*]] = affine.apply #{{.*}}(%[[T]])
// CHECK: memref.subview %[[SHARE]][0, %[[K]], 0, 0, 0] [1, 1, 1, 128, 32]
// CHECK: npu.dma_load
// CHECK: scf.for %[[T:[^ ]*]] = %{{.*}} to %{{.*}} step
// CHECK: %[[K:.*]] = affine.apply #{{.*}}(%[[T]])
// CHECK: memref.subview %[[SHARE]][1, %[[K]], 0, 0, 0] [1, 1, 1, 128, 32]
// CHECK: npu.dma_load
// CHECK: scf.for %[[N:[^ ]*]] = %{{.*}} to %c2{{.*}} step
// CHECK: scf.for %[[I:[^ ]*]] = %{{.*}} to %c4
// CHECK: memref.subview %[[SHARE]][%[[N]], %[[I]], 0, 0, 0]
// CHECK: npu.matmul {{.*}} init(%[[I]])
// CHECK: scf.for %{{.*}} = %{{.*}} to %c2
npu.kernel @rows_of_tiles(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x128xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  scf.for %n = %c0 to %c4 step %c1 {
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    %column = affine.apply #columns(%n)
    scf.for %k = %c0 to %c4 step %c1 {
      %at = affine.apply #at(%k)
      %row = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128xf16, #npu.space<sram>>
      npu.dma_load %v[%c0, %at] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
      %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
      npu.dma_load %w[%at, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
      npu.matmul %row, %tile -> %acc init(%k) {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    }
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x128xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// Where no loop has time for a whole tile, each loads a half of it, along the rows: runs in DRAM are as long as before.
// CHECK-LABEL: npu.kernel @halves
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<1x1x128x32xf16, #npu.space<sram>>
// CHECK: npu.matmul
// CHECK: %[[FIRST:.*]] = memref.subview %[[SHARE]][0, 0, 0, 0] [1, 1, 64, 32]
// CHECK: npu.dma_load %{{.*}}[%c0{{[_0-9]*}}, %{{.*}}] -> %[[FIRST]] {map = {{.*}}} : {{.*}} to memref<1x64x32xf16
// CHECK: npu.matmul
// CHECK: %[[SECOND:.*]] = memref.subview %[[SHARE]][0, 0, 64, 0] [1, 1, 64, 32]
// CHECK: npu.dma_load %{{.*}}[%c64{{[_0-9]*}}, %{{.*}}] -> %[[SECOND]]
npu.kernel @halves(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<64x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x64xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<64x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<64x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<64x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c3 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<64x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<64x32xf32, #npu.space<acc>>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<64x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<64x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c2 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x64xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<64x32xf32, #npu.space<acc>> to memref<64x32xf32, #npu.space<dram>>
  npu.return
}

// Two slots are not enough to be so far ahead at the end of the loop; with six, DRAM has time for three tiles.
// CHECK-LABEL: npu.kernel @more_slots
// CHECK: scf.for
// CHECK: memref.alloc() {npu.buffers = 6 : i64} : memref<1x32x32xf16
// CHECK: npu.matmul
// CHECK: scf.for
// CHECK-NEXT: affine.apply
npu.kernel @more_slots(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    %right = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32x32xf16, #npu.space<sram>>
    npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// A buffer outside of the loop has no more than one slot.
// CHECK-LABEL: npu.kernel @one_buffer
// CHECK: memref.alloc() : memref<1x32x32xf16
npu.kernel @one_buffer(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// What the first iteration alone loads is not loaded by the second loop, where it would wait for the first one.
// CHECK-LABEL: npu.kernel @once
// CHECK: scf.for %{{.*}} = %{{.*}} to %c3
// CHECK: npu.dma_load %arg2
// CHECK: npu.matmul
// CHECK: scf.for %{{.*}} = %{{.*}} to %c5
// CHECK-NOT: npu.dma_load %arg2
// CHECK: npu.return
npu.kernel @once(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %first = affine.min #first(%n)
    npu.dma_load %v[%c0, %c0] -> %row extents(%first, %c128) : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// Each cluster loads its own tiles. There is room and time for all, so that no loop is divided.
// CHECK-LABEL: npu.kernel @on_clusters
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<2x1x128x32xf16, #npu.space<sram>>
// CHECK: scf.forall (%[[C:.*]]) in (4)
// CHECK: npu.matmul
// CHECK: scf.for %[[T:[^ ]*]] =
// CHECK: %[[N:.*]] = affine.apply #{{.*}}(%[[T]])
// CHECK: %[[COLUMN:.*]] = affine.apply #{{.*}}(%[[C]], %[[N]])
// CHECK: %[[TILE:.*]] = memref.subview %[[SHARE]][%[[N]], 0, 0, 0]
// CHECK: npu.dma_load %{{.*}}[%{{.*}}, %[[COLUMN]]] -> %[[TILE]]
// CHECK: scf.forall
// CHECK: scf.for %[[I:[^ ]*]] = %{{.*}} to %c2
// CHECK: memref.subview %[[SHARE]][%[[I]], 0, 0, 0]
// CHECK-NOT: scf.for
npu.kernel @on_clusters(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.forall (%c) in (4) {
    %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
    npu.dma_load %x[%c0, %c0] -> %left {clusters = 4 : i64} : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
    %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
    npu.dma_load %p[%c0, %c0] -> %right {clusters = 4 : i64, map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
    %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
    scf.for %i = %c0 to %c16 step %c1 {
      npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
    }
  }
  scf.forall (%c) in (4) {
    %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
    npu.dma_load %v[%c0, %c0] -> %row {clusters = 4 : i64} : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
    scf.for %n = %c0 to %c2 step %c1 {
      %column = affine.apply #next(%c, %n)
      %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
      npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
      %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
      npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
      npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// Two by two clusters help four. The first one, which loads for all of them, goes ahead: a load that brings nothing lets the others wait for it.
// CHECK-LABEL: npu.kernel @on_grid
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<1x1x128x32xf16, #npu.space<sram>>
// CHECK: scf.forall (%[[R:.*]], %[[C:.*]]) in (2, 2)
// CHECK: npu.matmul
// CHECK: %[[NUMBER:.*]] = affine.apply #[[LINEAR]](%[[R]], %[[C]])
// CHECK: %[[COLUMN:.*]] = affine.apply #{{.*}}(%[[NUMBER]], %{{.*}})
// CHECK: %[[TILE:.*]] = memref.subview %[[SHARE]][0, 0, 0, 0]
// CHECK: %[[NONE:.*]] = arith.constant 0 : index
// CHECK-NEXT: npu.dma_load %arg3[%[[NONE]], %[[NONE]]] -> %[[TILE]] extents(%[[NONE]], %[[NONE]], %[[NONE]]) {clusters = 4 : i64
// CHECK-NEXT: npu.dma_load %arg3[%{{.*}}, %[[COLUMN]]] -> %[[TILE]] {map
// CHECK: scf.forall (%{{.*}}) in (4)
// CHECK: npu.matmul
// CHECK: scf.for
// CHECK: npu.dma_load %arg3[%{{.*}}] -> %[[REST:alloc[_0-9]*]] extents({{.*}}) {clusters = 4 : i64
// CHECK-NEXT: npu.dma_load %arg3[%{{.*}}] -> %[[REST]] {map
npu.kernel @on_grid(%x: memref<56x128xf16, #npu.space<dram>>, %p: memref<8192x32xf16, #npu.space<dram>>, %v: memref<1x128xf16, #npu.space<dram>>, %w: memref<128x256xf16, #npu.space<dram>>, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  scf.forall (%r, %c) in (2, 2) {
    %left = memref.alloc() : memref<56x128xf16, #npu.space<sram>>
    npu.dma_load %x[%c0, %c0] -> %left {clusters = 4 : i64} : memref<56x128xf16, #npu.space<dram>> to memref<56x128xf16, #npu.space<sram>>
    %sums = memref.alloc() : memref<56x32xf32, #npu.space<acc>>
    scf.for %i = %c0 to %c64 step %c1 {
      %rows = affine.apply #at(%i)
      %right = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
      npu.dma_load %p[%rows, %c0] -> %right {clusters = 4 : i64, map = #panels} : memref<8192x32xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
      npu.matmul %left, %right -> %sums {packed} : memref<56x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<56x32xf32, #npu.space<acc>>
    }
  }
  scf.forall (%c) in (4) {
    %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
    npu.dma_load %v[%c0, %c0] -> %row {clusters = 4 : i64} : memref<1x128xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
    scf.for %n = %c0 to %c2 step %c1 {
      %column = affine.apply #next(%c, %n)
      %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
      npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<128x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
      %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
      npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
      npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// One number for a cluster does not become two without divisions.
// CHECK-LABEL: npu.kernel @from_rows
// CHECK-COUNT-2: scf.for %
// CHECK-NOT: scf.for %
npu.kernel @from_rows(%x: memref<56x128xf16, #npu.space<dram>>, %p: memref<8192x32xf16, #npu.space<dram>>, %v: memref<1x128xf16, #npu.space<dram>>, %w: memref<128x256xf16, #npu.space<dram>>, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1-x4">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  scf.forall (%C) in (4) {
    %left = memref.alloc() : memref<56x128xf16, #npu.space<sram>>
    npu.dma_load %x[%c0, %c0] -> %left {clusters = 4 : i64} : memref<56x128xf16, #npu.space<dram>> to memref<56x128xf16, #npu.space<sram>>
    %sums = memref.alloc() : memref<56x32xf32, #npu.space<acc>>
    scf.for %i = %c0 to %c64 step %c1 {
      %rows = affine.apply #at(%i)
      %right = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
      npu.dma_load %p[%rows, %c0] -> %right {clusters = 4 : i64, map = #panels} : memref<8192x32xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
      npu.matmul %left, %right -> %sums {packed} : memref<56x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<56x32xf32, #npu.space<acc>>
    }
  }
  scf.forall (%r, %c) in (2, 2) {
    %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
    npu.dma_load %v[%c0, %c0] -> %row {clusters = 4 : i64} : memref<1x128xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
    scf.for %n = %c0 to %c2 step %c1 {
      %column = affine.apply affine_map<(d0, d1, d2) -> (d0 * 128 + d1 * 64 + d2 * 32)>(%r, %c, %n)
      %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
      npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<128x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
      %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
      npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
      npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
    }
  }
  npu.return
}

// CHECK-LABEL: npu.kernel @no_room
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
npu.kernel @no_room(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1:sramBytes=32768">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// What the kernel itself makes is not there earlier.
// CHECK-LABEL: npu.kernel @made_here
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
npu.kernel @made_here(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %made = memref.alloc() : memref<1024x256xf16, #npu.space<dram>>
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %made[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// A tile that is changed is not the one in DRAM.
// CHECK-LABEL: npu.kernel @changed
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
npu.kernel @changed(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %part = memref.subview %tile[0, 0, 0] [1, 64, 32] [1, 1, 1] : memref<1x128x32xf16, #npu.space<sram>> to memref<1x64x32xf16, strided<[4096, 32, 1]>, #npu.space<sram>>
    npu.unary neg %part -> %part : memref<1x64x32xf16, strided<[4096, 32, 1]>, #npu.space<sram>> -> memref<1x64x32xf16, strided<[4096, 32, 1]>, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// An iteration that needs what the one before has left stays with it, and for all tiles it is not worth it.
// CHECK-LABEL: npu.kernel @needs_the_one_before
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
npu.kernel @needs_the_one_before(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    %before = npu.previous %acc : memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// The loop in front leaves DRAM no time.
// CHECK-LABEL: npu.kernel @no_time
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
npu.kernel @no_time(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c1 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}

// The second loop does not wait for DRAM, but for its first tile, which takes 1024 cycles. Behind the first loop's last load two tiles are left to compute, with six slots six.
// CHECK-LABEL: npu.kernel @first_tile
// CHECK: scf.for
// CHECK: memref.alloc() {npu.buffers = 6 : i64} : memref<1x32x32xf16
// CHECK: scf.for
// CHECK: memref.alloc() {npu.buffers = 2 : i64} : memref<4x128x32xf16
npu.kernel @first_tile(%x: memref<128x128xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %w: memref<128x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<128x256xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %all = memref.alloc() : memref<128x128xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %all : memref<128x128xf16, #npu.space<dram>> to memref<128x128xf16, #npu.space<sram>>
  %left = memref.subview %all[0, 0] [128, 32] [1, 1] : memref<128x128xf16, #npu.space<sram>> to memref<128x32xf16, strided<[128, 1]>, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    %right = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32x32xf16, #npu.space<sram>>
    npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, strided<[128, 1]>, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  scf.for %n = %c0 to %c2 step %c1 {
    %column = affine.apply #at(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<4x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<128x256xf16, #npu.space<dram>> to memref<4x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 1 : i64} : memref<128x128xf32, #npu.space<acc>>
    scf.for %j = %c0 to %c4 step %c1 {
      npu.matmul %all, %tile -> %acc {packed} : memref<128x128xf16, #npu.space<sram>>, memref<4x128x32xf16, #npu.space<sram>> -> memref<128x128xf32, #npu.space<acc>>
    }
    npu.dma_store %acc -> %z[%c0, %column] : memref<128x128xf32, #npu.space<acc>> to memref<128x256xf32, #npu.space<dram>>
  }
  npu.return
}

// CHECK-LABEL: npu.kernel @not_asked
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
npu.kernel @not_asked(%x: memref<128x32xf16, #npu.space<dram>>, %p: memref<32x32xf16, #npu.space<dram>>, %v: memref<1x1024xf16, #npu.space<dram>>, %w: memref<1024x256xf16, #npu.space<dram>>, %y: memref<128x32xf32, #npu.space<dram>> {npu.output}, %z: memref<1x256xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %left = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
  npu.dma_load %x[%c0, %c0] -> %left : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
  %right = memref.alloc() : memref<1x32x32xf16, #npu.space<sram>>
  npu.dma_load %p[%c0, %c0] -> %right {map = #panels} : memref<32x32xf16, #npu.space<dram>> to memref<1x32x32xf16, #npu.space<sram>>
  %sums = memref.alloc() : memref<128x32xf32, #npu.space<acc>>
  scf.for %i = %c0 to %c16 step %c1 {
    npu.matmul %left, %right -> %sums {packed} : memref<128x32xf16, #npu.space<sram>>, memref<1x32x32xf16, #npu.space<sram>> -> memref<128x32xf32, #npu.space<acc>>
  }
  %row = memref.alloc() : memref<1x128xf16, #npu.space<sram>>
  npu.dma_load %v[%c0, %c0] -> %row : memref<1x1024xf16, #npu.space<dram>> to memref<1x128xf16, #npu.space<sram>>
  scf.for %n = %c0 to %c8 step %c1 {
    %column = affine.apply #columns(%n)
    %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<1x128x32xf16, #npu.space<sram>>
    npu.dma_load %w[%c0, %column] -> %tile {map = #panels} : memref<1024x256xf16, #npu.space<dram>> to memref<1x128x32xf16, #npu.space<sram>>
    %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<1x32xf32, #npu.space<acc>>
    npu.matmul %row, %tile -> %acc {packed} : memref<1x128xf16, #npu.space<sram>>, memref<1x128x32xf16, #npu.space<sram>> -> memref<1x32xf32, #npu.space<acc>>
    npu.dma_store %acc -> %z[%c0, %column] : memref<1x32xf32, #npu.space<acc>> to memref<1x256xf32, #npu.space<dram>>
  }
  npu.dma_store %sums -> %y[%c0, %c0] : memref<128x32xf32, #npu.space<acc>> to memref<128x32xf32, #npu.space<dram>>
  npu.return
}
