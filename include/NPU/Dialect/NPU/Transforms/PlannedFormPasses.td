//===- PlannedFormPasses.td - from tile form to planned form ---*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_PLANNEDFORMPASSES_TD
#define NPU_DIALECT_NPU_TRANSFORMS_PLANNEDFORMPASSES_TD

include "mlir/Pass/PassBase.td"

def NPUPlanMemory : Pass<"npu-plan-memory", "::npu::KernelOp"> {
  let summary = "Assign offsets to buffers";
  let description = [{
    Gives every allocation its offset in SRAM, ACC or the program's scratch memory in DRAM, `npu.offset`, a multiple of the ISA's `bufferAlignment`. Buffers in a
    loop live as long as the outermost loop around them, because its iterations overlap; buffers of which one is done with
    before the other is touched may share bytes. This happens before streams are made, since whoever takes over
    shared bytes has to wait; where there is room, buffers share no bytes with the loop before theirs, whose work then
    overlaps their loads. If they do not fit, an error lists required and available bytes and the live
    buffers at the peak. `planned_bytes` keeps the peaks, and the remark category `npu-plan-memory` reports
    them.

    #### Precondition

    Tile form, possibly distributed over clusters.

    #### Postcondition

    Every `memref.alloc` has `npu.offset`.

    #### Example
    ```mlir
    // $ npu-opt --npu-plan-memory
    npu.kernel @k(%x: memref<250xf32, #npu.space<dram>>, %y: memref<250xf32, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
        %n = affine.min affine_map<(d0) -> (250 - d0 * 32, 32)>(%i)
        %t = memref.alloc() {npu.buffers = 2 : i64} : memref<32xf32, #npu.space<sram>>
        npu.dma_load %x[%o] -> %t extents(%n) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
        npu.unary neg %t -> %t extents(%n) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
        npu.dma_store %t -> %y[%o] extents(%n) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
      }
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<250xf32, #npu.space<dram>>, %arg1: memref<250xf32, #npu.space<dram>> {npu.output}) attributes {planned_bytes = #npu.planned_bytes<sram = 256, acc = 0>, target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %arg2 = %c0 to %c8 step %c1 {
        %0 = affine.apply affine_map<(d0) -> (d0 * 32)>(%arg2)
        %1 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%arg2)
        %alloc = memref.alloc() {npu.buffers = 2 : i64, npu.offset = 0 : i64} : memref<32xf32, #npu.space<sram>>
        npu.dma_load %arg0[%0] -> %alloc extents(%1) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
        npu.unary neg %alloc -> %alloc extents(%1) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
        npu.dma_store %alloc -> %arg1[%0] extents(%1) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
      }
      npu.return
    }
    ```
  }];
}

def NPUPipelineStreams : Pass<"npu-pipeline-streams", "::npu::KernelOp"> {
  let summary = "Split kernels into one synchronized stream per engine and cluster";
  let description = [{
    Clones the nest once per engine that has work and per cluster into `npu.stream`, with that engine's ops
    and the loops and index computations they need. Every on-chip
    allocation becomes a ring whose position is the linear number of the iteration of the loops around it.

    Every pair of ops of different engines that touch the same buffer, at least one writing, keeps its
    program order: within an instance, from iteration to iteration of loops inside the buffer's scope, and
    from an instance to the next that uses the same slot. An op that others wait for signals its own
    semaphore after every execution; the waiting op's `npu.wait` compares with the number of signals of all
    executions it depends on, an affine function of the counters since trip counts are constant. Waits that
    other waits and the order of the streams imply are left out. Where planned buffers share bytes, ops that touch the
    later one wait for all that touch the earlier one. Buffers in DRAM that the kernel writes and
    reads are synchronized likewise, over all clusters, where the boxes of two transfers may meet; buffers that are only read or only written need nothing.
    A loop that uses what an earlier one has left in DRAM, or in a buffer on chip that no loop has for itself, follows it: an iteration waits for the iterations whose boxes
    meet its own, as far as a linear function of its counters can say so, and not for the end of the earlier loop. Where it asks for an iteration more than there is, as a window
    does at the edge, the earlier loop's stream gives so many signals more behind it. What a load fills in the first iteration alone waits for no reader.
    Ops of different clusters in one loop over them are independent, but for what one of them loads for the others.

    #### Precondition

    Tile form, possibly distributed over clusters, with `npu.offset` for programs.

    #### Postcondition

    Planned form: the kernel's body is a list of streams.

    #### Example
    ```mlir
    // $ npu-opt --npu-pipeline-streams
    npu.kernel @k(%x: memref<250xf32, #npu.space<dram>>, %y: memref<250xf32, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %o = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
        %n = affine.min affine_map<(d0) -> (250 - d0 * 32, 32)>(%i)
        %t = memref.alloc() {npu.buffers = 2 : i64, npu.offset = 0 : i64} : memref<32xf32, #npu.space<sram>>
        npu.dma_load %x[%o] -> %t extents(%n) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
        npu.unary neg %t -> %t extents(%n) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
        npu.dma_store %t -> %y[%o] extents(%n) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
      }
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<250xf32, #npu.space<dram>>, %arg1: memref<250xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        scf.for %arg2 = %c0 to %c8 step %c1 {
          %0 = affine.apply affine_map<(d0) -> (d0 * 32)>(%arg2)
          %1 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%arg2)
          %2 = npu.ring %arg2 {depth = 2, id = 0, offset = 0, slot_bytes = 128} : memref<32xf32, #npu.space<sram>>
          %3 = affine.apply affine_map<(d0) -> (d0 - 1)>(%arg2)
          npu.wait sem(1) >= %3
          npu.dma_load %arg0[%0] -> %2 extents(%1) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
          npu.signal sem(2)
        }
      }
      npu.stream dmao cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        scf.for %arg2 = %c0 to %c8 step %c1 {
          %0 = affine.apply affine_map<(d0) -> (d0 * 32)>(%arg2)
          %1 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%arg2)
          %2 = npu.ring %arg2 {depth = 2, id = 0, offset = 0, slot_bytes = 128} : memref<32xf32, #npu.space<sram>>
          %3 = affine.apply affine_map<(d0) -> (d0 + 1)>(%arg2)
          npu.wait sem(3) >= %3
          npu.dma_store %2 -> %arg1[%0] extents(%1) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
          npu.signal sem(1)
        }
      }
      npu.stream vpu cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        scf.for %arg2 = %c0 to %c8 step %c1 {
          %0 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%arg2)
          %1 = npu.ring %arg2 {depth = 2, id = 0, offset = 0, slot_bytes = 128} : memref<32xf32, #npu.space<sram>>
          %2 = affine.apply affine_map<(d0) -> (d0 + 1)>(%arg2)
          npu.wait sem(2) >= %2
          npu.unary neg %1 -> %1 extents(%0) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
          npu.signal sem(3)
        }
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def NPUSplitLastTiles : Pass<"npu-split-last-tiles", "::npu::KernelOp"> {
  let summary = "Split the last tile of a contraction to overlap its epilogue";
  let description = [{
    When a contraction has done its last tile, what reads it and the store of that are still to come, and the array has nothing to do. With
    `end` it does all of that tile but the last part first, so that the rest of the kernel goes on with these parts in the meantime. Here the last
    iteration of the loops around it is put behind them, in its stream and in that of the engine that reads what it adds up, and the contraction is cut
    in two: the second part is as large as those in which it is read. Each part's wait for the whole tile becomes one for a semaphore of its own, but for the last part's.

    If nothing reads the tile part by part, in a loop of its own that waits for the contraction, if the last tile is not larger than such a part, or if what reads it writes where its operands are, it stays
    whole, and a remark (`npu-split-last-tiles`) tells. Others that write there wait for the contraction itself, which `npu-pipeline-streams` sees to.

    #### Precondition

    Planned form.

    #### Postcondition

    Planned form, without `end`.

    #### Example
    ```mlir
    // $ npu-opt --npu-split-last-tiles
    npu.kernel @k(%a: memref<32x64xf16, #npu.space<dram>>, %b: memref<64x32xf16, #npu.space<dram>>, %c: memref<32x32xf16, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %a0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
        %b0 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
        npu.dma_load %a[%c0, %c0] -> %a0 : memref<32x64xf16, #npu.space<dram>> to memref<32x64xf16, #npu.space<sram>>
        npu.dma_load %b[%c0, %c0] -> %b0 {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<64x32xf16, #npu.space<dram>> to memref<1x64x32xf16, #npu.space<sram>>
        npu.signal sem(1)
      }
      npu.stream dmao cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        scf.for %i = %c0 to %c4 step %c1 {
          %row = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
          %done = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
          %v = npu.ring %i {depth = 4, id = 3, offset = 8192, slot_bytes = 512} : memref<8x32xf16, #npu.space<sram>>
          npu.wait sem(3) >= %done
          npu.dma_store %v -> %c[%row, %c0] : memref<8x32xf16, #npu.space<sram>> to memref<32x32xf16, #npu.space<dram>>
        }
      }
      npu.stream mxu cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %a0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
        %b0 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
        %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
        npu.wait sem(1) >= %c1
        npu.matmul %a0, %b0 -> %acc {end = "m", packed} : memref<32x64xf16, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
        npu.signal sem(2)
      }
      npu.stream vpu cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
        scf.for %i = %c0 to %c4 step %c1 {
          %row = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
          %part = memref.subview %acc[%row, 0] [8, 32] [1, 1] : memref<32x32xf32, #npu.space<acc>> to memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>>
          %v = npu.ring %i {depth = 4, id = 3, offset = 8192, slot_bytes = 512} : memref<8x32xf16, #npu.space<sram>>
          npu.wait sem(2) >= %c1
          npu.cast truncf %part -> %v : memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>> -> memref<8x32xf16, #npu.space<sram>>
          npu.signal sem(3)
        }
      }
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<32x64xf16, #npu.space<dram>>, %arg1: memref<64x32xf16, #npu.space<dram>>, %arg2: memref<32x32xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
        %1 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
        npu.dma_load %arg0[%c0, %c0] -> %0 : memref<32x64xf16, #npu.space<dram>> to memref<32x64xf16, #npu.space<sram>>
        npu.dma_load %arg1[%c0, %c0] -> %1 {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<64x32xf16, #npu.space<dram>> to memref<1x64x32xf16, #npu.space<sram>>
        npu.signal sem(1)
      }
      npu.stream dmao cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        scf.for %arg3 = %c0 to %c4 step %c1 {
          %0 = affine.apply affine_map<(d0) -> (d0 * 8)>(%arg3)
          %1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%arg3)
          %2 = npu.ring %arg3 {depth = 4, id = 3, offset = 8192, slot_bytes = 512} : memref<8x32xf16, #npu.space<sram>>
          npu.wait sem(3) >= %1
          npu.dma_store %2 -> %arg2[%0, %c0] : memref<8x32xf16, #npu.space<sram>> to memref<32x32xf16, #npu.space<dram>>
        }
      }
      npu.stream mxu cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
        %1 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
        %2 = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
        npu.wait sem(1) >= %c1
        %subview = memref.subview %0[0, 0] [24, 64] [1, 1] : memref<32x64xf16, #npu.space<sram>> to memref<24x64xf16, strided<[64, 1]>, #npu.space<sram>>
        %subview_0 = memref.subview %2[0, 0] [24, 32] [1, 1] : memref<32x32xf32, #npu.space<acc>> to memref<24x32xf32, strided<[32, 1]>, #npu.space<acc>>
        npu.matmul %subview, %1 -> %subview_0 {packed} : memref<24x64xf16, strided<[64, 1]>, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<24x32xf32, strided<[32, 1]>, #npu.space<acc>>
        npu.signal sem(4)
        %subview_1 = memref.subview %0[24, 0] [8, 64] [1, 1] : memref<32x64xf16, #npu.space<sram>> to memref<8x64xf16, strided<[64, 1], offset: 1536>, #npu.space<sram>>
        %subview_2 = memref.subview %2[24, 0] [8, 32] [1, 1] : memref<32x32xf32, #npu.space<acc>> to memref<8x32xf32, strided<[32, 1], offset: 768>, #npu.space<acc>>
        npu.matmul %subview_1, %1 -> %subview_2 {packed} : memref<8x64xf16, strided<[64, 1], offset: 1536>, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<8x32xf32, strided<[32, 1], offset: 768>, #npu.space<acc>>
        npu.signal sem(2)
      }
      npu.stream vpu cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %0 = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
        %c3 = arith.constant 3 : index
        scf.for %arg3 = %c0 to %c3 step %c1 {
          %1 = affine.apply affine_map<(d0) -> (d0 * 8)>(%arg3)
          %subview = memref.subview %0[%1, 0] [8, 32] [1, 1] : memref<32x32xf32, #npu.space<acc>> to memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>>
          %2 = npu.ring %arg3 {depth = 4, id = 3, offset = 8192, slot_bytes = 512} : memref<8x32xf16, #npu.space<sram>>
          npu.wait sem(4) >= %c1
          npu.cast truncf %subview -> %2 : memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>> -> memref<8x32xf16, #npu.space<sram>>
          npu.signal sem(3)
        }
        scf.for %arg3 = %c0 to %c1 step %c1 {
          %1 = affine.apply affine_map<(d0) -> (d0 + 3)>(%arg3)
          %2 = affine.apply affine_map<(d0) -> (d0 * 8 + 24)>(%arg3)
          %subview = memref.subview %0[%2, 0] [8, 32] [1, 1] : memref<32x32xf32, #npu.space<acc>> to memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>>
          %3 = npu.ring %1 {depth = 4, id = 3, offset = 8192, slot_bytes = 512} : memref<8x32xf16, #npu.space<sram>>
          npu.wait sem(2) >= %c1
          npu.cast truncf %subview -> %3 : memref<8x32xf32, strided<[32, 1], offset: ?>, #npu.space<acc>> -> memref<8x32xf16, #npu.space<sram>>
          npu.signal sem(3)
        }
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def NPUDeferHalos : Pass<"npu-defer-halos", "::npu::KernelOp"> {
  let summary = "Compute the interior of convolutions before the halos arrive";
  let description = [{
    Windows at the border of a cluster's share reach into what other clusters have. These store it when they have made it, and the cluster loads it; meanwhile its array would have nothing to do. Most windows
    of a share do not reach that far. The first tile of a convolution that waits for such loads (`halo`) is done in parts: those inside first, then, behind the wait, those at the borders.
    The first iteration of the loops around it is put before them.

    What reaches into a halo is worked out from the boxes of the loads and of the tile. It stays whole where all windows do, and where the array takes longer for the parts, each of which it fills and drains
    for, than the halo can take on its way: all clusters store and load as much at the same time. Remarks (`npu-defer-halos`) say why.

    #### Precondition

    Planned form.

    #### Postcondition

    Planned form; no wait is for a `halo`.

    #### Example
    ```mlir
    // $ npu-opt --npu-defer-halos
    npu.kernel @k(%x: memref<8x18x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %share = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 11520} : memref<10x18x32xf16, #npu.space<sram>>
        %above = memref.subview %share[0, 0, 0] [1, 18, 32] [1, 1, 1] : memref<10x18x32xf16, #npu.space<sram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
        npu.dma_load %x[%c0, %c0, %c0] -> %above : memref<8x18x32xf16, #npu.space<dram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
        npu.signal sem(1)
      }
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
    // becomes
    npu.kernel @k(%arg0: memref<8x18x32xf16, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1-x4">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 11520} : memref<10x18x32xf16, #npu.space<sram>>
        %subview = memref.subview %0[0, 0, 0] [1, 18, 32] [1, 1, 1] : memref<10x18x32xf16, #npu.space<sram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
        npu.dma_load %arg0[%c0, %c0, %c0] -> %subview : memref<8x18x32xf16, #npu.space<dram>> to memref<1x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
        npu.signal sem(1)
      }
      npu.stream mxu cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 11520} : memref<10x18x32xf16, #npu.space<sram>>
        %1 = npu.ring %c0 {depth = 1, id = 1, offset = 11520, slot_bytes = 18432} : memref<1x3x3x32x32xf16, #npu.space<sram>>
        %2 = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 16384} : memref<8x16x32xf32, #npu.space<acc>>
        %subview = memref.subview %0[0, 0, 0] [3, 18, 32] [1, 1, 1] : memref<10x18x32xf16, #npu.space<sram>> to memref<3x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>
        %subview_0 = memref.subview %2[0, 0, 0] [1, 16, 32] [1, 1, 1] : memref<8x16x32xf32, #npu.space<acc>> to memref<1x16x32xf32, strided<[512, 32, 1]>, #npu.space<acc>>
        %subview_1 = memref.subview %0[1, 0, 0] [9, 18, 32] [1, 1, 1] : memref<10x18x32xf16, #npu.space<sram>> to memref<9x18x32xf16, strided<[576, 32, 1], offset: 576>, #npu.space<sram>>
        %subview_2 = memref.subview %2[1, 0, 0] [7, 16, 32] [1, 1, 1] : memref<8x16x32xf32, #npu.space<acc>> to memref<7x16x32xf32, strided<[512, 32, 1], offset: 512>, #npu.space<acc>>
        npu.conv %subview_1, %1 -> %subview_2 {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<9x18x32xf16, strided<[576, 32, 1], offset: 576>, #npu.space<sram>>, memref<1x3x3x32x32xf16, #npu.space<sram>> -> memref<7x16x32xf32, strided<[512, 32, 1], offset: 512>, #npu.space<acc>>
        npu.wait sem(1) >= %c1
        npu.conv %subview, %1 -> %subview_0 {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<3x18x32xf16, strided<[576, 32, 1]>, #npu.space<sram>>, memref<1x3x3x32x32xf16, #npu.space<sram>> -> memref<1x16x32xf32, strided<[512, 32, 1]>, #npu.space<acc>>
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def NPUDropIdleLoads : Pass<"npu-drop-idle-loads", "::npu::KernelOp"> {
  let summary = "Remove loads from iterations in which they are empty";
  let description = [{
    A load whose extents are empty moves nothing, but it is issued. Where a load in loops brings something in the first iteration alone, as a halo, that iteration is put before the loops, and the load is gone
    from the others. A load that brings nothing in any iteration goes, unless it is one for several clusters, which wait for it.

    The signal of such a load says no more than the one before it. Where waits can be counted without it, it goes, too; elsewhere no wait
    asks for more than the first of signals that are given at once.

    #### Precondition

    Planned form.

    #### Postcondition

    Planned form.

    #### Example
    ```mlir
    // $ npu-opt --npu-drop-idle-loads
    npu.kernel @k(%x: memref<8xf32, #npu.space<dram>>, %w: memref<24xf32, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
        scf.for %i = %c0 to %c3 step %c1 {
          %b = npu.ring %i {depth = 3, id = 1, offset = 32, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
          %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
          npu.dma_load %w[%o] -> %b : memref<24xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
          %n = affine.min affine_map<(d0) -> (d0 * -8 + 8, 8)>(%i)
          npu.dma_load %x[%c0] -> %a extents(%n) : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
          npu.signal sem(1)
        }
      }
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<8xf32, #npu.space<dram>>, %arg1: memref<24xf32, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
        %1 = npu.ring %c0 {depth = 3, id = 1, offset = 32, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
        npu.dma_load %arg1[%c0] -> %1 : memref<24xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
        %c8 = arith.constant 8 : index
        npu.dma_load %arg0[%c0] -> %0 extents(%c8) : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
        npu.signal sem(1)
        %c2 = arith.constant 2 : index
        scf.for %arg2 = %c0 to %c2 step %c1 {
          %2 = affine.apply affine_map<(d0) -> (d0 + 1)>(%arg2)
          %3 = npu.ring %2 {depth = 3, id = 1, offset = 32, slot_bytes = 32} : memref<8xf32, #npu.space<sram>>
          %4 = affine.apply affine_map<(d0) -> (d0 * 8 + 8)>(%arg2)
          npu.dma_load %arg1[%4] -> %3 : memref<24xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
          npu.signal sem(1)
        }
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
}

def NPUSplitFirstTiles : Pass<"npu-split-first-tiles", "::npu::KernelOp"> {
  let summary = "Split the first tile of a contraction to overlap its loads";
  let description = [{
    A contraction with `begin` waits for its first tile as a whole; nothing else can be done in that time. Here the first iteration of the loops
    around it is put before them, in its stream and in that of the engine that loads, and then the contraction and the loads of its operands are cut into
    parts of so many elements of the sums. The loads are done part by part, and the array works on one part while the next one is loaded. All other streams stay as they
    are: the last part signals, and waits for, what the whole did, and the others have a semaphore of their own.

    An operand that is loaded by no transfer of its own, because it is made or kept on chip, is there as a whole, and so is one that is copied within SRAM from
    where another one is loaded to. If both are, or if a transfer is for several
    clusters, the tile stays whole, and a remark (`npu-split-first-tiles`) tells.

    #### Precondition

    Planned form.

    #### Postcondition

    Planned form, without `begin`.

    #### Example
    ```mlir
    // $ npu-opt --npu-split-first-tiles
    npu.kernel @k(%a: memref<32x64xf16, #npu.space<dram>>, %b: memref<64x32xf16, #npu.space<dram>>, %c: memref<32x32xf32, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %a0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
        %b0 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
        npu.dma_load %a[%c0, %c0] -> %a0 : memref<32x64xf16, #npu.space<dram>> to memref<32x64xf16, #npu.space<sram>>
        npu.dma_load %b[%c0, %c0] -> %b0 {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<64x32xf16, #npu.space<dram>> to memref<1x64x32xf16, #npu.space<sram>>
        npu.signal sem(1)
      }
      npu.stream dmao cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
        npu.wait sem(2) >= %c1
        npu.dma_store %acc -> %c[%c0, %c0] : memref<32x32xf32, #npu.space<acc>> to memref<32x32xf32, #npu.space<dram>>
      }
      npu.stream mxu cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %c64 = arith.constant 64 : index
        %a0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
        %b0 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
        %acc = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
        npu.wait sem(1) >= %c1
        npu.matmul %a0, %b0 -> %acc extents(%c32, %c32, %c64) {begin = array<i64: 32>, packed} : memref<32x64xf16, #npu.space<sram>>, memref<1x64x32xf16, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
        npu.signal sem(2)
      }
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<32x64xf16, #npu.space<dram>>, %arg1: memref<64x32xf16, #npu.space<dram>>, %arg2: memref<32x32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      npu.stream dmai cluster(0) {
        %c0 = arith.constant 0 : index
        %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
        %1 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
        %subview = memref.subview %0[0, 0] [32, 32] [1, 1] : memref<32x64xf16, #npu.space<sram>> to memref<32x32xf16, strided<[64, 1]>, #npu.space<sram>>
        npu.dma_load %arg0[%c0, %c0] -> %subview : memref<32x64xf16, #npu.space<dram>> to memref<32x32xf16, strided<[64, 1]>, #npu.space<sram>>
        %subview_0 = memref.subview %1[0, 0, 0] [1, 32, 32] [1, 1, 1] : memref<1x64x32xf16, #npu.space<sram>> to memref<1x32x32xf16, strided<[2048, 32, 1]>, #npu.space<sram>>
        npu.dma_load %arg1[%c0, %c0] -> %subview_0 {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<64x32xf16, #npu.space<dram>> to memref<1x32x32xf16, strided<[2048, 32, 1]>, #npu.space<sram>>
        npu.signal sem(3)
        %subview_1 = memref.subview %0[0, 32] [32, 32] [1, 1] : memref<32x64xf16, #npu.space<sram>> to memref<32x32xf16, strided<[64, 1], offset: 32>, #npu.space<sram>>
        %c32 = arith.constant 32 : index
        npu.dma_load %arg0[%c0, %c32] -> %subview_1 : memref<32x64xf16, #npu.space<dram>> to memref<32x32xf16, strided<[64, 1], offset: 32>, #npu.space<sram>>
        %subview_2 = memref.subview %1[0, 32, 0] [1, 32, 32] [1, 1, 1] : memref<1x64x32xf16, #npu.space<sram>> to memref<1x32x32xf16, strided<[2048, 32, 1], offset: 1024>, #npu.space<sram>>
        npu.dma_load %arg1[%c32, %c0] -> %subview_2 {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<64x32xf16, #npu.space<dram>> to memref<1x32x32xf16, strided<[2048, 32, 1], offset: 1024>, #npu.space<sram>>
        npu.signal sem(1)
      }
      npu.stream dmao cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %0 = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
        npu.wait sem(2) >= %c1
        npu.dma_store %0 -> %arg2[%c0, %c0] : memref<32x32xf32, #npu.space<acc>> to memref<32x32xf32, #npu.space<dram>>
      }
      npu.stream mxu cluster(0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 4096} : memref<32x64xf16, #npu.space<sram>>
        %1 = npu.ring %c0 {depth = 1, id = 1, offset = 4096, slot_bytes = 4096} : memref<1x64x32xf16, #npu.space<sram>>
        %2 = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 4096} : memref<32x32xf32, #npu.space<acc>>
        npu.wait sem(3) >= %c1
        %subview = memref.subview %0[0, 0] [32, 32] [1, 1] : memref<32x64xf16, #npu.space<sram>> to memref<32x32xf16, strided<[64, 1]>, #npu.space<sram>>
        %subview_0 = memref.subview %1[0, 0, 0] [1, 32, 32] [1, 1, 1] : memref<1x64x32xf16, #npu.space<sram>> to memref<1x32x32xf16, strided<[2048, 32, 1]>, #npu.space<sram>>
        npu.matmul %subview, %subview_0 -> %2 extents(%c32, %c32, %c32) {packed} : memref<32x32xf16, strided<[64, 1]>, #npu.space<sram>>, memref<1x32x32xf16, strided<[2048, 32, 1]>, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
        npu.wait sem(1) >= %c1
        %subview_1 = memref.subview %0[0, 32] [32, 32] [1, 1] : memref<32x64xf16, #npu.space<sram>> to memref<32x32xf16, strided<[64, 1], offset: 32>, #npu.space<sram>>
        %subview_2 = memref.subview %1[0, 32, 0] [1, 32, 32] [1, 1, 1] : memref<1x64x32xf16, #npu.space<sram>> to memref<1x32x32xf16, strided<[2048, 32, 1], offset: 1024>, #npu.space<sram>>
        npu.matmul %subview_1, %subview_2 -> %2 extents(%c32, %c32, %c32) {accumulate, packed} : memref<32x32xf16, strided<[64, 1], offset: 32>, #npu.space<sram>>, memref<1x32x32xf16, strided<[2048, 32, 1], offset: 1024>, #npu.space<sram>> -> memref<32x32xf32, #npu.space<acc>>
        npu.signal sem(2)
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

def NPUVerifyPlannedForm : Pass<"npu-verify-planned-form", "::npu::KernelOp"> {
  let summary = "Check that kernels are in planned form";
  let description = [{
    Contract between planning and instruction selection.

    #### Precondition

    None.

    #### Postcondition

    The kernel names a known target; its body is a list of `npu.stream`, one per cluster and engine at most, and
    buffers in DRAM. A stream holds loops from 0 in steps of 1 to positive constants, index computations, views, rings
    with offsets inside the target's memory and inside `planned_bytes`, semaphore ops, and the ops of its engine.

    #### Example
    ```mlir
    // $ npu-opt --npu-verify-planned-form --verify-diagnostics
    npu.kernel @k(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      // expected-error@below {{'npu.stream' op is for cluster 1 but target 'npu-v1' has 1}}
      npu.stream dmai cluster(1) {
      }
      npu.return
    }
    ```
  }];
}

#endif // NPU_DIALECT_NPU_TRANSFORMS_PLANNEDFORMPASSES_TD
