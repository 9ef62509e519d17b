// A residual addition: the sum takes the place of what is added, tile by tile, where that is read for the last time.
// RUN: npu-opt %s --npu-keep-resident | FileCheck %s
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-keep-resident,npu-plan-memory,npu-pipeline-streams,npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program{tight-waits=false}))' -o /dev/null
// RUN: npu-opt %s --npu-keep-resident --remarks-filter=npu-keep-resident -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Both would take 640 KB, and the chip has 512.
// REMARK-COUNT-2: KeptResident{{.*}}Function=sum | bytes=327680
// REMARK: StaysInDram{{.*}}Function=read_later{{.*}}it does not fit beside what is on chip
// REMARK: KeptResident{{.*}}Function=read_later | bytes=327680
// REMARK-COUNT-2: KeptResident{{.*}}Function=written_before | bytes=327680
// REMARK: StaysInDram{{.*}}Function=in_parts{{.*}}it does not fit beside what is on chip
// REMARK: KeptResident{{.*}}Function=in_parts | bytes=327680
// REMARK: StaysInDram{{.*}}Function=not_all{{.*}}it does not fit beside what is on chip
// REMARK: KeptResident{{.*}}Function=not_all | bytes=327680
// REMARK: StaysInDram{{.*}}Function=by_view{{.*}}it does not fit beside what is on chip
// REMARK: KeptResident{{.*}}Function=by_view | bytes=327680
// REMARK: StaysInDram{{.*}}Function=elsewhere{{.*}}it does not fit beside what is on chip
// REMARK: KeptResident{{.*}}Function=elsewhere | bytes=327680
// REMARK: KeptResident{{.*}}Function=read_inside | bytes=327680
// REMARK: KeptResident{{.*}}Function=read_inside | bytes=327680

#by_five = affine_map<(d0, d1) -> (d0 * 5 + d1)>
#by_four = affine_map<(d0, d1) -> (d1 * 4 + d0)>

// CHECK-LABEL: npu.kernel @sum
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<20x16384xi8, #npu.space<sram>>
// CHECK-NOT: memref<20x16384xi8, #npu.space<sram>>{{$}}
// CHECK: scf.for
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: %[[X:.*]] = memref.subview %[[SHARE]][%[[I]], 0] [1, 16384] [1, 1]
// CHECK: npu.unary neg %[[X]] -> %[[N:[^ ]*]]
// CHECK: %[[Y:.*]] = memref.subview %[[SHARE]][%[[I]], 0] [1, 16384] [1, 1]
// CHECK: npu.unary neg %[[N]] -> %[[Y]]
// CHECK: npu.return
npu.kernel @sum(%x: memref<20x16384xi8, #npu.space<dram>>, %z: memref<20x16384xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=524288">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %first = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  %second = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  scf.for %i = %c0 to %c20 step %c1 {
    %a = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %a -> %first[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %b = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %first[%i, %c0] -> %b : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    %n = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.unary neg %b -> %n : memref<1x16384xi8, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    %d = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.unary neg %n -> %d : memref<1x16384xi8, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %d -> %second[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %e = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %second[%i, %c0] -> %e : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %e -> %z[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  npu.return
}

// The first one is read again when the second one has been made.
// CHECK-LABEL: npu.kernel @read_later
// CHECK-COUNT-1: memref.alloc() : memref<20x16384xi8, #npu.space<sram>>
// CHECK: memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
npu.kernel @read_later(%x: memref<20x16384xi8, #npu.space<dram>>, %y: memref<20x16384xi8, #npu.space<dram>> {npu.output}, %z: memref<20x16384xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=524288">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %first = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  %second = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  scf.for %i = %c0 to %c20 step %c1 {
    %a = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %a -> %first[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %b = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %first[%i, %c0] -> %b : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    %d = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.unary neg %b -> %d : memref<1x16384xi8, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %d -> %second[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %e = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %second[%i, %c0] -> %e : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %e -> %z[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
    %f = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %first[%i, %c0] -> %f : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %f -> %y[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  npu.return
}

// The tile of the second one is written before that of the first one is read: up to the op that reads that, it is a tile of its own.
// CHECK-LABEL: npu.kernel @written_before
// CHECK: %[[SHARE:.*]] = memref.alloc() : memref<20x16384xi8, #npu.space<sram>>
// CHECK-NOT: memref.alloc() : memref<20x16384xi8
// CHECK: scf.for
// CHECK: scf.for %[[I:[^ ]*]] =
// CHECK: %[[X:.*]] = memref.subview %[[SHARE]][%[[I]], 0] [1, 16384] [1, 1]
// CHECK: %[[OWN:.*]] = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
// CHECK: %[[Y:.*]] = memref.subview %[[SHARE]][%[[I]], 0] [1, 16384] [1, 1]
// CHECK: npu.dma_load %{{.*}} -> %[[OWN]] :
// CHECK: npu.binary max %[[X]], %[[OWN]] -> %[[Y]]
// CHECK: scf.for
npu.kernel @written_before(%x: memref<20x16384xi8, #npu.space<dram>>, %z: memref<20x16384xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=524288">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %first = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  %second = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  scf.for %i = %c0 to %c20 step %c1 {
    %a = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %a -> %first[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %b = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %first[%i, %c0] -> %b : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    %d = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %d : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.binary max %b, %d -> %d : memref<1x16384xi8, #npu.space<sram>>, memref<1x16384xi8, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %d -> %second[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %e = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %second[%i, %c0] -> %e : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %e -> %z[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  npu.return
}

// The same, but of the tile a view is written.
// CHECK-LABEL: npu.kernel @in_parts
// CHECK-COUNT-1: memref.alloc() : memref<20x16384xi8, #npu.space<sram>>
// CHECK: memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
npu.kernel @in_parts(%x: memref<20x16384xi8, #npu.space<dram>>, %z: memref<20x16384xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=524288">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %first = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  %second = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  scf.for %i = %c0 to %c20 step %c1 {
    %a = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %a -> %first[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %b = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %first[%i, %c0] -> %b : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    %d = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    %part = memref.subview %d[0, 0] [1, 8192] [1, 1] : memref<1x16384xi8, #npu.space<sram>> to memref<1x8192xi8, strided<[16384, 1]>, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %part : memref<20x16384xi8, #npu.space<dram>> to memref<1x8192xi8, strided<[16384, 1]>, #npu.space<sram>>
    npu.binary max %b, %d -> %d : memref<1x16384xi8, #npu.space<sram>>, memref<1x16384xi8, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %d -> %second[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %e = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %second[%i, %c0] -> %e : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %e -> %z[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  npu.return
}

// The op that reads the first one does not write all that is stored.
// CHECK-LABEL: npu.kernel @not_all
// CHECK-COUNT-1: memref.alloc() : memref<20x16384xi8, #npu.space<sram>>
// CHECK: memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
npu.kernel @not_all(%x: memref<20x16384xi8, #npu.space<dram>>, %z: memref<20x16384xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=524288">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %first = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  %second = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  scf.for %i = %c0 to %c20 step %c1 {
    %a = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %a -> %first[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %b = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %first[%i, %c0] -> %b : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    %d = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %d : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.binary max %b, %d -> %d extents(%c1, %c1) : memref<1x16384xi8, #npu.space<sram>>, memref<1x16384xi8, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %d -> %second[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %e = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %second[%i, %c0] -> %e : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %e -> %z[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  npu.return
}

// The op that reads the first one sees through a view what was in the tile before.
// CHECK-LABEL: npu.kernel @by_view
// CHECK-COUNT-1: memref.alloc() : memref<20x16384xi8, #npu.space<sram>>
// CHECK: memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
npu.kernel @by_view(%x: memref<20x16384xi8, #npu.space<dram>>, %z: memref<20x16384xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=524288">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %first = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  %second = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  scf.for %i = %c0 to %c20 step %c1 {
    %a = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %a -> %first[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %b = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %first[%i, %c0] -> %b : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    %d = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %d : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    %seen = memref.subview %d[0, 0] [1, 16384] [1, 1] : memref<1x16384xi8, #npu.space<sram>> to memref<1x16384xi8, strided<[16384, 1]>, #npu.space<sram>>
    npu.binary max %b, %seen -> %d : memref<1x16384xi8, #npu.space<sram>>, memref<1x16384xi8, strided<[16384, 1]>, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %d -> %second[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %e = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %second[%i, %c0] -> %e : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %e -> %z[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  npu.return
}

// The tiles of the second one are others than those that are read.
// CHECK-LABEL: npu.kernel @elsewhere
// CHECK-COUNT-1: memref.alloc() : memref<20x16384xi8, #npu.space<sram>>
// CHECK: memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
npu.kernel @elsewhere(%x: memref<20x16384xi8, #npu.space<dram>>, %z: memref<20x16384xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=524288">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c20 = arith.constant 20 : index
  %first = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  %second = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  scf.for %i = %c0 to %c20 step %c1 {
    %a = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %a -> %first[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c4 step %c1 {
   scf.for %j = %c0 to %c5 step %c1 {
    %p = affine.apply #by_five(%i, %j)
    %r = affine.apply #by_four(%i, %j)
    %b = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %first[%p, %c0] -> %b : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    %d = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.unary neg %b -> %d : memref<1x16384xi8, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %d -> %second[%r, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
   }
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %e = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %second[%i, %c0] -> %e : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %e -> %z[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  npu.return
}

// All of the first one has been loaded before the loop that makes the second one, and is read in it.
// CHECK-LABEL: npu.kernel @read_inside
// CHECK-COUNT-2: memref.alloc() : memref<20x16384xi8, #npu.space<sram>>
// CHECK: scf.for
npu.kernel @read_inside(%x: memref<20x16384xi8, #npu.space<dram>>, %z: memref<20x16384xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=1048576">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %first = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  %second = memref.alloc() : memref<20x16384xi8, #npu.space<dram>>
  scf.for %i = %c0 to %c20 step %c1 {
    %a = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %a -> %first[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  %t = memref.alloc() : memref<20x16384xi8, #npu.space<sram>>
  npu.dma_load %first[%c0, %c0] -> %t : memref<20x16384xi8, #npu.space<dram>> to memref<20x16384xi8, #npu.space<sram>>
  scf.for %i = %c0 to %c20 step %c1 {
    %b = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %first[%i, %c0] -> %b : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    %n = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    %row0 = memref.subview %t[0, 0] [1, 16384] [1, 1] : memref<20x16384xi8, #npu.space<sram>> to memref<1x16384xi8, strided<[16384, 1]>, #npu.space<sram>>
    npu.unary neg %b -> %n : memref<1x16384xi8, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    %d = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.binary add %n, %row0 -> %d : memref<1x16384xi8, #npu.space<sram>>, memref<1x16384xi8, strided<[16384, 1]>, #npu.space<sram>> -> memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %d -> %second[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    %e = memref.alloc() : memref<1x16384xi8, #npu.space<sram>>
    npu.dma_load %second[%i, %c0] -> %e : memref<20x16384xi8, #npu.space<dram>> to memref<1x16384xi8, #npu.space<sram>>
    npu.dma_store %e -> %z[%i, %c0] : memref<1x16384xi8, #npu.space<sram>> to memref<20x16384xi8, #npu.space<dram>>
  }
  npu.return
}
