//===- PlannedFormPasses.td - from tile form to planned form ---*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_PLANNEDFORMPASSES_TD
#define NPU_DIALECT_NPU_TRANSFORMS_PLANNEDFORMPASSES_TD

include "mlir/Pass/PassBase.td"

def NPULinkKernels : Pass<"npu-link-kernels"> {
  let summary = "put kernels that others launch into one kernel";
  let description = [{
    Replaces every `npu.launch` by what the launched kernel does, so that a sequence of kernels becomes one program: its
    transfers run ahead of its computations across what were kernels. Constants of the kernels become constants of the
    one that launches them. A private kernel that nothing refers to any more is erased.

    #### Precondition

    Kernels in tile form, distributed over clusters, and kernels that launch them on memory in DRAM.

    #### Postcondition

    Tile form without launches.

    #### Example
    ```mlir
    // $ npu-opt --npu-link-kernels
    npu.kernel private @copy(%from: memref<64xi8, #npu.space<dram>>, %to: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %buffer = memref.alloc() : memref<64xi8, #npu.space<sram>>
      npu.dma_load %from[%c0] -> %buffer extents(%c64) : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
      npu.dma_store %buffer -> %to[%c0] extents(%c64) : memref<64xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
      npu.return
    }
    npu.kernel @twice(%x: memref<64xi8, #npu.space<dram>>, %y: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %between = memref.alloc() : memref<64xi8, #npu.space<dram>>
      %row = memref.view %y[%c0][] : memref<64xi8, #npu.space<dram>> to memref<16xf32, #npu.space<dram>>
      npu.launch @copy(%x, %between) : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
      npu.launch @copy(%between, %y) : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
      npu.return
    }
    // becomes
    npu.kernel @twice(%arg0: memref<64xi8, #npu.space<dram>>, %arg1: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {schedule = #npu.schedule<{}>, target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %alloc = memref.alloc() : memref<64xi8, #npu.space<dram>>
      %view = memref.view %arg1[%c0][] : memref<64xi8, #npu.space<dram>> to memref<16xf32, #npu.space<dram>>
      %c0_0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %alloc_1 = memref.alloc() : memref<64xi8, #npu.space<sram>>
      npu.dma_load %arg0[%c0_0] -> %alloc_1 extents(%c64) : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
      npu.dma_store %alloc_1 -> %alloc[%c0_0] extents(%c64) : memref<64xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
      %c0_2 = arith.constant 0 : index
      %c64_3 = arith.constant 64 : index
      %alloc_4 = memref.alloc() : memref<64xi8, #npu.space<sram>>
      npu.dma_load %alloc[%c0_2] -> %alloc_4 extents(%c64_3) : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
      npu.dma_store %alloc_4 -> %arg1[%c0_2] extents(%c64_3) : memref<64xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::npu::NPUDialect"];
}

def NPUDistributeClusters : Pass<"npu-distribute-clusters", "::npu::KernelOp"> {
  let summary = "give each cluster its share of the tiles";
  let description = [{
    Splits the loops that carry `npu.clusters` into contiguous shares of whole tiles: of T iterations every cluster
    runs ceil(T / count), and the body's counter becomes `cluster * ceil(T / count) + counter`. The loop and what stands
    before it, up to the loop before that stores, are put in one `scf.forall` over the clusters; what shares buffers on chip stays together. Later passes see
    every cluster's part as one nest with a constant cluster number. The last cluster's iterations past T have extents of zero or less: their ops
    only wait and signal, and all clusters keep the same constant trip counts. What has no such loop is the first cluster's and does not change.
    A load whose place does not depend on the cluster is made for all of them at once (`clusters`). Where it fills a part of a buffer outside of the loop, in the first iteration alone, that
    is the first one of each cluster.

    #### Precondition

    Tile form. Loops with `npu.clusters` that share buffers on chip have the same number of them. Every `npu.dma_store` among them is inside one and its origin depends on that loop's counter, or else
    all clusters would write the same data.

    #### Postcondition

    No loop has `npu.clusters`; what several clusters do is in an `scf.forall` in the kernel's body.

    #### Example
    ```mlir
    // $ npu-opt --npu-distribute-clusters
    npu.kernel @k(%x: memref<250xf32, #npu.space<dram>>, %y: memref<250xf32, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1-x4">} {
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
      } {npu.clusters = 4 : i64}
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<250xf32, #npu.space<dram>>, %arg1: memref<250xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.forall (%arg2) in (4) {
        %c2 = arith.constant 2 : index
        scf.for %arg3 = %c0 to %c2 step %c1 {
          %0 = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%arg2, %arg3)
          %1 = affine.apply affine_map<(d0) -> (d0 * 32)>(%0)
          %2 = affine.min affine_map<(d0) -> (d0 * -32 + 250, 32)>(%0)
          %alloc = memref.alloc() {npu.buffers = 2 : i64} : memref<32xf32, #npu.space<sram>>
          npu.dma_load %arg0[%1] -> %alloc extents(%2) : memref<250xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
          npu.unary neg %alloc -> %alloc extents(%2) : memref<32xf32, #npu.space<sram>> -> memref<32xf32, #npu.space<sram>>
          npu.dma_store %alloc -> %arg1[%1] extents(%2) : memref<32xf32, #npu.space<sram>> to memref<250xf32, #npu.space<dram>>
        }
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect"];
}

def NPUMaterializeScalars : Pass<"npu-materialize-scalars", "::npu::KernelOp"> {
  let summary = "put the multiplier and shift of rescalings into memory";
  let description = [{
    The vector unit reads the multipliers and shifts of a rescaling from memory. This pass gives an
    `npu.rescale` with constants two buffers of one element, which `npu.fill` writes once before all loops.
    Equal constants share a buffer.

    #### Precondition

    Tile form, possibly distributed over clusters.

    #### Postcondition

    No `npu.rescale` has constant multipliers or shifts.

    #### Example
    ```mlir
    // $ npu-opt --npu-materialize-scalars
    npu.kernel @k(%d: memref<16xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %x = memref.alloc() : memref<16xi32, #npu.space<sram>>
      %y = memref.alloc() : memref<16xi8, #npu.space<sram>>
      npu.rescale %x -> %y {multiplier = 1073741824, shift = 37} : memref<16xi32, #npu.space<sram>> -> memref<16xi8, #npu.space<sram>>
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<16xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %alloc = memref.alloc() : memref<i8, #npu.space<sram>>
      npu.fill %alloc {value = 37 : i8} : memref<i8, #npu.space<sram>>
      %alloc_0 = memref.alloc() : memref<i32, #npu.space<sram>>
      npu.fill %alloc_0 {value = 1073741824 : i32} : memref<i32, #npu.space<sram>>
      %alloc_1 = memref.alloc() : memref<16xi32, #npu.space<sram>>
      %alloc_2 = memref.alloc() : memref<16xi8, #npu.space<sram>>
      npu.rescale %alloc_1 scales(%alloc_0, %alloc) -> %alloc_2 {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>]} : memref<16xi32, #npu.space<sram>>, memref<i32, #npu.space<sram>>, memref<i8, #npu.space<sram>> -> memref<16xi8, #npu.space<sram>>
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NPUFitBuffers : Pass<"npu-fit-buffers", "::npu::KernelOp"> {
  let summary = "reduce ring depths until the on-chip buffers fit";
  let description = [{
    Makes the ring depths (`npu.buffers`) of on-chip allocations explicit and useful: a buffer of one engine
    only, or with one instance, needs one slot. If SRAM then cannot hold all, constants in memory, which live from the beginning to the last op that
    reads them, are written in front of each op of the nest that reads them. If SRAM or ACC still cannot hold all buffers of the kernel,
    the depth of the largest buffer in that memory that has more than one slot is reduced by one, with a
    remark, until they fit. Only then does an error say what is required, what the target has, and which
    buffers live at the peak.

    This happens before synchronization is inserted, because the waits for free slots depend on the depths.

    #### Precondition

    Tile form.

    #### Postcondition

    Every on-chip `memref.alloc` has `npu.buffers` and all of them fit the target.

    #### Example
    ```mlir
    // $ npu-opt --npu-fit-buffers
    npu.kernel @k(%x: memref<2000xf32, #npu.space<dram>>, %y: memref<2000xf32, #npu.space<dram>> {npu.output})
        attributes {target = #npu.target<"npu-v1:sramBytes=1024">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c8 step %c1 {
        %o = affine.apply affine_map<(d0) -> (d0 * 256)>(%i)
        %n = affine.min affine_map<(d0) -> (2000 - d0 * 256, 256)>(%i)
        %t = memref.alloc() {npu.buffers = 2 : i64} : memref<256xf32, #npu.space<sram>>
        npu.dma_load %x[%o] -> %t extents(%n) : memref<2000xf32, #npu.space<dram>> to memref<256xf32, #npu.space<sram>>
        npu.unary neg %t -> %t extents(%n) : memref<256xf32, #npu.space<sram>> -> memref<256xf32, #npu.space<sram>>
        npu.dma_store %t -> %y[%o] extents(%n) : memref<256xf32, #npu.space<sram>> to memref<2000xf32, #npu.space<dram>>
      }
      npu.return
    }
    // becomes
    npu.kernel @k(%arg0: memref<2000xf32, #npu.space<dram>>, %arg1: memref<2000xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1:sramBytes=1024">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      scf.for %arg2 = %c0 to %c8 step %c1 {
        %0 = affine.apply affine_map<(d0) -> (d0 * 256)>(%arg2)
        %1 = affine.min affine_map<(d0) -> (d0 * -256 + 2000, 256)>(%arg2)
        %alloc = memref.alloc() {npu.buffers = 1 : i64} : memref<256xf32, #npu.space<sram>>
        npu.dma_load %arg0[%0] -> %alloc extents(%1) : memref<2000xf32, #npu.space<dram>> to memref<256xf32, #npu.space<sram>>
        npu.unary neg %alloc -> %alloc extents(%1) : memref<256xf32, #npu.space<sram>> -> memref<256xf32, #npu.space<sram>>
        npu.dma_store %alloc -> %arg1[%0] extents(%1) : memref<256xf32, #npu.space<sram>> to memref<2000xf32, #npu.space<dram>>
      }
      npu.return
    }
    ```
  }];
}

def NPUKeepResident : Pass<"npu-keep-resident", "::npu::KernelOp"> {
  let summary = "keep what kernels hand on in the SRAM of the clusters that use it";
  let description = [{
    A tensor in DRAM that is stored and loaded again stays in SRAM where each cluster loads no more than what it has stored itself. A buffer
    of the kernel, one for each cluster, holds the cluster's share of the tensor, with its dimensions in the order of the tile that is stored. That tile
    becomes a part of it, so the store costs nothing. A tile that is loaded becomes one, too, if the ops read it in place: its dimensions have the same order, nothing
    pads it, and nothing else writes to it; otherwise the load copies within SRAM. A tile that the vector unit leaves in accumulator memory is written to
    the share instead. Loads of what other clusters store go on reading
    DRAM, and then the tensor stays there as well; but where clusters share one dimension and read no more than a share beyond their own, they exchange only that: each
    stores the borders of its share, and loads those of its neighbours into its buffer, once.

    A tensor whose tiles are made where the last load of another one takes the same tiles in place, after they have been read, lies in that one's buffer.

    Tensors that save the most transfers for their bytes come first; they stay as long as all fits. If little is missing, rings through which little passes lose a slot.
    What finds no room until the last kernel has read it stays for the first ones that read it, if there is room for that, and is in DRAM as well.
    Remarks (`npu-keep-resident`) say which tensors stay, and why others do not.

    #### Precondition

    Tile form, buffers fitted.

    #### Postcondition

    Tile form. Buffers of the kernel itself belong to each cluster that uses them.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(npu.kernel(npu-keep-resident))'
    npu.kernel @negate_twice(%x: memref<64xf32, #npu.space<dram>>, %y: memref<64xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %between = memref.alloc() : memref<64xf32, #npu.space<dram>>
      %a = memref.alloc() : memref<64xf32, #npu.space<sram>>
      npu.dma_load %x[%c0] -> %a : memref<64xf32, #npu.space<dram>> to memref<64xf32, #npu.space<sram>>
      npu.unary neg %a -> %a : memref<64xf32, #npu.space<sram>> -> memref<64xf32, #npu.space<sram>>
      npu.dma_store %a -> %between[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
      %b = memref.alloc() : memref<64xf32, #npu.space<sram>>
      npu.dma_load %between[%c0] -> %b : memref<64xf32, #npu.space<dram>> to memref<64xf32, #npu.space<sram>>
      %c = memref.alloc() : memref<64xf32, #npu.space<sram>>
      npu.unary neg %b -> %c : memref<64xf32, #npu.space<sram>> -> memref<64xf32, #npu.space<sram>>
      npu.dma_store %c -> %y[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
      npu.return
    }
    // becomes
    npu.kernel @negate_twice(%arg0: memref<64xf32, #npu.space<dram>>, %arg1: memref<64xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %alloc = memref.alloc() : memref<64xf32, #npu.space<sram>>
      %c0 = arith.constant 0 : index
      %subview = memref.subview %alloc[0] [64] [1] : memref<64xf32, #npu.space<sram>> to memref<64xf32, strided<[1]>, #npu.space<sram>>
      npu.dma_load %arg0[%c0] -> %subview : memref<64xf32, #npu.space<dram>> to memref<64xf32, strided<[1]>, #npu.space<sram>>
      npu.unary neg %subview -> %subview : memref<64xf32, strided<[1]>, #npu.space<sram>> -> memref<64xf32, strided<[1]>, #npu.space<sram>>
      %subview_0 = memref.subview %alloc[0] [64] [1] : memref<64xf32, #npu.space<sram>> to memref<64xf32, strided<[1]>, #npu.space<sram>>
      %alloc_1 = memref.alloc() : memref<64xf32, #npu.space<sram>>
      npu.unary neg %subview_0 -> %alloc_1 : memref<64xf32, strided<[1]>, #npu.space<sram>> -> memref<64xf32, #npu.space<sram>>
      npu.dma_store %alloc_1 -> %arg1[%c0] : memref<64xf32, #npu.space<sram>> to memref<64xf32, #npu.space<dram>>
      npu.return
    }

    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def NPUPlanMemory : Pass<"npu-plan-memory", "::npu::KernelOp"> {
  let summary = "assign byte offsets to buffers";
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
  let summary = "split a kernel into one synchronised stream per engine and cluster";
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
    reads are synchronised likewise, over all clusters, where the boxes of two transfers may meet; buffers that are only read or only written need nothing.
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
  let summary = "do the last tile of a contraction in two parts, so that little is left to do after it";
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

def NPUSplitFirstTiles : Pass<"npu-split-first-tiles", "::npu::KernelOp"> {
  let summary = "do the first tile of a contraction in parts, each as soon as it is loaded";
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
  let summary = "check that a kernel is in planned form";
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
