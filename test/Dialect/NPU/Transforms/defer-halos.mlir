// RUN: npu-opt %s --npu-defer-halos | FileCheck %s
// RUN: npu-opt %s --npu-defer-halos --remarks-filter=npu-defer-halos -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: HaloFirst{{.*}}Function=few{{.*}}the array would take longer for parts of its first tile than its halo takes
// REMARK: HaloFirst{{.*}}Function=narrow{{.*}}all of its windows reach into the halo
// REMARK: HaloFirst{{.*}}Function=later{{.*}}what its halo is in its first iteration is not known
// REMARK: HaloFirst{{.*}}Function=begun{{.*}}its first tile begins in parts as it is
// REMARK: HaloFirst{{.*}}Function=alone{{.*}}what its halo is in its first iteration is not known
// REMARK: HaloFirst{{.*}}Function=rows{{.*}}what it reads in its first iteration is not known
// REMARK-NOT: HaloFirst

#row = affine_map<(d0) -> (d0 * 8)>

// The first of two tiles of eight rows reads one row and one column of what another cluster has: seven rows and fifteen columns inside, the row, and the
// column. The second tile waits as before, and so do those that wait for the convolution. What the load in the other iteration brings is nothing.
// CHECK-LABEL: npu.kernel @first_tile
// CHECK: npu.stream mxu cluster(0)
// CHECK: npu.wait sem(2) >= %{{[^ ]*}}{{$}}
// CHECK: %[[ABOVE:.*]] = memref.subview %[[SHARE:.*]][0, 0, 0] [3, 18, 32]
// CHECK: %[[REST:.*]] = memref.subview %[[SHARE]][1, 0, 0] [9, 18, 32]
// CHECK: %[[LEFT:.*]] = memref.subview %[[REST]][0, 0, 0] [9, 3, 32]
// CHECK: %[[INSIDE:.*]] = memref.subview %[[REST]][0, 1, 0] [9, 17, 32]
// CHECK: npu.conv %[[INSIDE]],
// CHECK-NEXT: npu.wait sem(1) >= %{{[^ ]*}}{{$}}
// CHECK-NEXT: npu.conv %[[ABOVE]],
// CHECK-NEXT: npu.conv %[[LEFT]],
// CHECK-NEXT: npu.signal sem(3)
// CHECK: npu.wait sem(1) >= %{{[^ ]*}}{{$}}
// CHECK: npu.conv
// CHECK-NEXT: npu.signal sem(3)
// CHECK-NOT: npu.conv
npu.kernel @first_tile(%x: memref<32x32x32xf16, #npu.space<dram>>, %f: memref<3x3x32x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c18 = arith.constant 18 : index
    %c32 = arith.constant 32 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 20736} : memref<18x18x32xf16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 1, offset = 20736, slot_bytes = 18432} : memref<1x3x3x32x32xf16, #npu.space<sram>>
    npu.dma_load %f[%c0, %c0, %c0, %c0] -> %w {map = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>} : memref<3x3x32x32xf16, #npu.space<dram>> to memref<1x3x3x32x32xf16, #npu.space<sram>>
    npu.signal sem(2)
    scf.for %i = %c0 to %c2 step %c1 {
      %one = affine.min affine_map<(d0) -> (-d0 + 1, 1)>(%i)
      %above = memref.subview %share[0, 0, 0] [1, 18, 32] [1, 1, 1] : memref<18x18x32xf16, #npu.space<sram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
      npu.dma_load %x[%c0, %c0, %c0] -> %above extents(%one, %c18, %c32) : memref<32x32x32xf16, #npu.space<dram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
      %left = memref.subview %share[1, 0, 0] [16, 1, 32] [1, 1, 1] : memref<18x18x32xf16, #npu.space<sram>> to memref<16x1x32xf16, strided<[576, 32, 1], offset: 576>, #npu.space<sram>>
      npu.dma_load %x[%c1, %c0, %c0] -> %left extents(%c16, %one, %c32) : memref<32x32x32xf16, #npu.space<dram>> to memref<16x1x32xf16, strided<[576, 32, 1], offset: 576>, #npu.space<sram>>
      // Below the share there is nothing in the first tile's windows.
      %below = memref.subview %share[17, 0, 0] [1, 18, 32] [1, 1, 1] : memref<18x18x32xf16, #npu.space<sram>> to memref<1x18x32xf16, strided<[576, 32, 1], offset: 9792>, #npu.space<sram>>
      npu.dma_load %x[%c16, %c0, %c0] -> %below extents(%one, %c18, %c32) : memref<32x32x32xf16, #npu.space<dram>> to memref<1x18x32xf16, strided<[576, 32, 1], offset: 9792>, #npu.space<sram>>
      npu.signal sem(1)
    }
  }
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 20736} : memref<18x18x32xf16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 1, offset = 20736, slot_bytes = 18432} : memref<1x3x3x32x32xf16, #npu.space<sram>>
    scf.for %i = %c0 to %c2 step %c1 {
      %sums = npu.ring %i {depth = 2, id = 2, offset = 0, slot_bytes = 16384} : memref<8x16x32xf32, #npu.space<acc>>
      %o = affine.apply #row(%i)
      %tile = memref.subview %share[%o, 0, 0] [10, 18, 32] [1, 1, 1] : memref<18x18x32xf16, #npu.space<sram>> to memref<10x18x32xf16, strided<[576, 32, 1], offset: ?>, #npu.space<sram>>
      npu.wait sem(2) >= %c1
      %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      npu.wait sem(1) >= %n halo
      npu.conv %tile, %w -> %sums {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<10x18x32xf16, strided<[576, 32, 1], offset: ?>, #npu.space<sram>>, memref<1x3x3x32x32xf16, #npu.space<sram>> -> memref<8x16x32xf32, #npu.space<acc>>
      npu.signal sem(3)
    }
  }
  npu.return
}

// The halo is below the tile: it is not in its windows, but what waits for the convolution may rely on it.
// CHECK-LABEL: npu.kernel @elsewhere
// CHECK: npu.conv
// CHECK-NEXT: npu.wait sem(1) >=
// CHECK-NEXT: npu.signal sem(3)
npu.kernel @elsewhere(%x: memref<32x32x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 20736} : memref<18x18x32xf16, #npu.space<sram>>
    %below = memref.subview %share[17, 0, 0] [1, 18, 32] [1, 1, 1] : memref<18x18x32xf16, #npu.space<sram>> to memref<1x18x32xf16, strided<[576, 32, 1], offset: 9792>, #npu.space<sram>>
    npu.dma_load %x[%c0, %c0, %c0] -> %below : memref<32x32x32xf16, #npu.space<dram>> to memref<1x18x32xf16, strided<[576, 32, 1], offset: 9792>, #npu.space<sram>>
    npu.signal sem(1)
  }
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 20736} : memref<18x18x32xf16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 1, offset = 20736, slot_bytes = 18432} : memref<1x3x3x32x32xf16, #npu.space<sram>>
    %sums = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 16384} : memref<8x16x32xf32, #npu.space<acc>>
    %tile = memref.subview %share[0, 0, 0] [10, 18, 32] [1, 1, 1] : memref<18x18x32xf16, #npu.space<sram>> to memref<10x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
    npu.wait sem(1) >= %c1 halo
    npu.conv %tile, %w -> %sums {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<10x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>, memref<1x3x3x32x32xf16, #npu.space<sram>> -> memref<8x16x32xf32, #npu.space<acc>>
    npu.signal sem(3)
  }
  npu.return
}

// Two of three rows of four pixels: the array would take as long for one row as for eight.
// CHECK-LABEL: npu.kernel @few
// CHECK: npu.wait sem(1) >= %{{[^ ]*}}{{$}}
// CHECK-NEXT: npu.conv
// CHECK-NOT: npu.conv
npu.kernel @few(%x: memref<8x6x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 1920} : memref<5x6x32xf16, #npu.space<sram>>
    %above = memref.subview %share[0, 0, 0] [1, 6, 32] [1, 1, 1] : memref<5x6x32xf16, #npu.space<sram>> to memref<1x6x32xf16, strided<[192, 32, 1]>, #npu.space<sram>>
    npu.dma_load %x[%c0, %c0, %c0] -> %above : memref<8x6x32xf16, #npu.space<dram>> to memref<1x6x32xf16, strided<[192, 32, 1]>, #npu.space<sram>>
    npu.signal sem(1)
  }
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 1920} : memref<5x6x32xf16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 1, offset = 2048, slot_bytes = 73728} : memref<4x3x3x32x32xf16, #npu.space<sram>>
    %sums = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 6144} : memref<3x4x128xf32, #npu.space<acc>>
    npu.wait sem(1) >= %c1 halo
    npu.conv %share, %w -> %sums {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<5x6x32xf16, #npu.space<sram>>, memref<4x3x3x32x32xf16, #npu.space<sram>> -> memref<3x4x128xf32, #npu.space<acc>>
  }
  npu.return
}

// One row.
// CHECK-LABEL: npu.kernel @narrow
// CHECK: npu.wait sem(1) >= %{{[^ ]*}}{{$}}
// CHECK-NEXT: npu.conv
// CHECK-NOT: npu.conv
npu.kernel @narrow(%x: memref<8x18x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 3456} : memref<3x18x32xf16, #npu.space<sram>>
    %above = memref.subview %share[0, 0, 0] [1, 18, 32] [1, 1, 1] : memref<3x18x32xf16, #npu.space<sram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
    npu.dma_load %x[%c0, %c0, %c0] -> %above : memref<8x18x32xf16, #npu.space<dram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
    npu.signal sem(1)
  }
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 3456} : memref<3x18x32xf16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 18432} : memref<1x3x3x32x32xf16, #npu.space<sram>>
    %sums = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 2048} : memref<1x16x32xf32, #npu.space<acc>>
    npu.wait sem(1) >= %c1 halo
    npu.conv %share, %w -> %sums {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<3x18x32xf16, #npu.space<sram>>, memref<1x3x3x32x32xf16, #npu.space<sram>> -> memref<1x16x32xf32, #npu.space<acc>>
  }
  npu.return
}

// The wait is for the second of two signals.
// CHECK-LABEL: npu.kernel @later
// CHECK: npu.wait sem(1) >= %{{[^ ]*}}{{$}}
// CHECK-NEXT: npu.conv
// CHECK-NOT: npu.conv
npu.kernel @later(%x: memref<10x18x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 11520} : memref<10x18x32xf16, #npu.space<sram>>
    npu.signal sem(1)
    %above = memref.subview %share[0, 0, 0] [1, 18, 32] [1, 1, 1] : memref<10x18x32xf16, #npu.space<sram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
    npu.dma_load %x[%c0, %c0, %c0] -> %above : memref<10x18x32xf16, #npu.space<dram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
    npu.signal sem(1)
  }
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 11520} : memref<10x18x32xf16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 1, offset = 11520, slot_bytes = 18432} : memref<1x3x3x32x32xf16, #npu.space<sram>>
    %sums = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 16384} : memref<8x16x32xf32, #npu.space<acc>>
    npu.wait sem(1) >= %c2 halo
    npu.conv %share, %w -> %sums {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<10x18x32xf16, #npu.space<sram>>, memref<1x3x3x32x32xf16, #npu.space<sram>> -> memref<8x16x32xf32, #npu.space<acc>>
  }
  npu.return
}

// Its sums are cut already.
// CHECK-LABEL: npu.kernel @begun
// CHECK: npu.wait sem(1) >= %{{[^ ]*}}{{$}}
// CHECK-NEXT: npu.conv
npu.kernel @begun(%x: memref<10x18x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 11520} : memref<10x18x32xf16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 1, offset = 11520, slot_bytes = 18432} : memref<1x3x3x32x32xf16, #npu.space<sram>>
    %sums = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 16384} : memref<8x16x32xf32, #npu.space<acc>>
    npu.wait sem(1) >= %c1 halo
    npu.conv %share, %w -> %sums {begin = array<i64: 16>, layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<10x18x32xf16, #npu.space<sram>>, memref<1x3x3x32x32xf16, #npu.space<sram>> -> memref<8x16x32xf32, #npu.space<acc>>
  }
  npu.return
}

// Nothing is loaded.
// CHECK-LABEL: npu.kernel @alone
// CHECK: npu.wait sem(1) >= %{{[^ ]*}}{{$}}
// CHECK-NEXT: npu.conv
npu.kernel @alone(%x: memref<10x18x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 11520} : memref<10x18x32xf16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 1, offset = 11520, slot_bytes = 18432} : memref<1x3x3x32x32xf16, #npu.space<sram>>
    %sums = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 16384} : memref<8x16x32xf32, #npu.space<acc>>
    npu.wait sem(1) >= %c1 halo
    npu.conv %share, %w -> %sums {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<10x18x32xf16, #npu.space<sram>>, memref<1x3x3x32x32xf16, #npu.space<sram>> -> memref<8x16x32xf32, #npu.space<acc>>
  }
  npu.return
}

// How many rows it does, loops decide.
// CHECK-LABEL: npu.kernel @rows
// CHECK: npu.wait sem(1) >= %{{[^ ]*}}{{$}}
// CHECK-NEXT: npu.conv
npu.kernel @rows(%x: memref<10x18x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 11520} : memref<10x18x32xf16, #npu.space<sram>>
    %w = npu.ring %c0 {depth = 1, id = 1, offset = 11520, slot_bytes = 18432} : memref<1x3x3x32x32xf16, #npu.space<sram>>
    %sums = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 16384} : memref<8x16x32xf32, #npu.space<acc>>
    scf.for %i = %c0 to %c2 step %c1 {
      %e = affine.min affine_map<(d0) -> (d0 * -8 + 12, 8)>(%i)
      npu.wait sem(1) >= %c1 halo
      npu.conv %share, %w -> %sums extents(%e, %c16, %c32, %c32, %c3, %c3) {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<10x18x32xf16, #npu.space<sram>>, memref<1x3x3x32x32xf16, #npu.space<sram>> -> memref<8x16x32xf32, #npu.space<acc>>
    }
  }
  npu.return
}
