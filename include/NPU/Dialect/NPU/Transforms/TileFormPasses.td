//===- TileFormPasses.td - from tile form to tile form -------*- tablegen -*-===//
//
// Which cluster does what, and what is in its memory longer than a kernel needs it.
//
//===----------------------------------------------------------------------===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_TILEFORMPASSES_TD
#define NPU_DIALECT_NPU_TRANSFORMS_TILEFORMPASSES_TD

include "mlir/Pass/PassBase.td"

def NPULinkKernels : Pass<"npu-link-kernels"> {
  let summary = "Inline launched kernels into one kernel";
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
  let summary = "Distribute tiles to clusters";
  let description = [{
    Splits the loops that carry `npu.clusters` into contiguous shares of whole tiles: of T iterations every cluster
    runs ceil(T / count), and the body's counter becomes `cluster * ceil(T / count) + counter`. The loop and what stands
    before it, up to the loop before that stores, are put in one `scf.forall` over the clusters; what shares buffers on chip stays together. Later passes see
    every cluster's part as one nest with a constant cluster number. Inside of such a loop there may be others, so that clusters share a second dimension: the `scf.forall` then
    has two, and the numbers of clusters go on fastest along the inner one. The last cluster's iterations past T have extents of zero or less: their ops
    only wait and signal, and all clusters keep the same constant trip counts. What has no such loop is the first cluster's and does not change.
    A load whose place does not depend on the cluster is made for all of them at once (`clusters`). Where it fills a part of a buffer outside of the loop, in the first iteration alone, that
    is the first one of each cluster.

    #### Precondition

    Tile form. Loops with `npu.clusters` that share buffers on chip have the same number of them, and so have the loops inside of these, at most one around the other. Every `npu.dma_store` among them is inside one, or one of each, and its origin depends on the counters, or else
    several clusters would write the same data.

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
  let summary = "Materialize the multipliers and shifts of rescalings in memory";
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
  let summary = "Reduce the numbers of buffers until they fit on chip";
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

def NPUOrderScratch : Pass<"npu-order-scratch", "::npu::KernelOp"> {
  let summary = "Choose the layout of scratch tensors in DRAM to match their tiles";
  let description = [{
    A transfer is charged every beat that each of its contiguous runs touches. What kernels hand on in DRAM has its dimensions in the order that the
    model gave it, and tiles often have another one: of channels first, a row of four pixels is as many runs as there are channels. Scratch memory, which only loads and
    stores of the kernel see, gets the order for which all of them together are charged the least: that of a tile, one with another dimension last, or the one that it has.

    Memory that is seen in several shapes stays as it is, unless they differ in dimensions of one index. Remarks (`npu-order-scratch`) name what is reordered.

    #### Precondition

    Tile form.

    #### Postcondition

    Tile form.

    #### Example
    ```mlir
    // $ npu-opt --npu-order-scratch
    npu.kernel @pixels(%x: memref<64x4x4xf16, #npu.space<dram>>, %y: memref<64x4x4xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %between = memref.alloc() : memref<64x4x4xf16, #npu.space<dram>>
      %a = memref.alloc() : memref<4x4x64xf16, #npu.space<sram>>
      npu.dma_load %x[%c0, %c0, %c0] -> %a {map = affine_map<(d0, d1, d2) -> (d2, d0, d1)>} : memref<64x4x4xf16, #npu.space<dram>> to memref<4x4x64xf16, #npu.space<sram>>
      npu.dma_store %a -> %between[%c0, %c0, %c0] {map = affine_map<(d0, d1, d2) -> (d2, d0, d1)>} : memref<4x4x64xf16, #npu.space<sram>> to memref<64x4x4xf16, #npu.space<dram>>
      %b = memref.alloc() : memref<2x4x64xf16, #npu.space<sram>>
      npu.dma_load %between[%c0, %c0, %c0] -> %b {map = affine_map<(d0, d1, d2) -> (d2, d0, d1)>} : memref<64x4x4xf16, #npu.space<dram>> to memref<2x4x64xf16, #npu.space<sram>>
      npu.dma_store %b -> %y[%c0, %c0, %c0] {map = affine_map<(d0, d1, d2) -> (d2, d0, d1)>} : memref<2x4x64xf16, #npu.space<sram>> to memref<64x4x4xf16, #npu.space<dram>>
      npu.return
    }
    // becomes
    #map = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
    npu.kernel @pixels(%arg0: memref<64x4x4xf16, #npu.space<dram>>, %arg1: memref<64x4x4xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %alloc = memref.alloc() : memref<4x4x64xf16, #npu.space<dram>>
      %alloc_0 = memref.alloc() : memref<4x4x64xf16, #npu.space<sram>>
      npu.dma_load %arg0[%c0, %c0, %c0] -> %alloc_0 {map = #map} : memref<64x4x4xf16, #npu.space<dram>> to memref<4x4x64xf16, #npu.space<sram>>
      npu.dma_store %alloc_0 -> %alloc[%c0, %c0, %c0] : memref<4x4x64xf16, #npu.space<sram>> to memref<4x4x64xf16, #npu.space<dram>>
      %alloc_1 = memref.alloc() : memref<2x4x64xf16, #npu.space<sram>>
      npu.dma_load %alloc[%c0, %c0, %c0] -> %alloc_1 : memref<4x4x64xf16, #npu.space<dram>> to memref<2x4x64xf16, #npu.space<sram>>
      npu.dma_store %alloc_1 -> %arg1[%c0, %c0, %c0] {map = #map} : memref<2x4x64xf16, #npu.space<sram>> to memref<64x4x4xf16, #npu.space<dram>>
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def NPUKeepResident : Pass<"npu-keep-resident", "::npu::KernelOp"> {
  let summary = "Keep intermediate tensors in SRAM between kernels";
  let description = [{
    A tensor in DRAM that is stored and loaded again stays in SRAM where each cluster loads no more than what it has stored itself. A buffer
    of the kernel, one for each cluster, holds the cluster's share of the tensor, with its dimensions in the order of the tile that is stored. That tile
    becomes a part of it, so the store costs nothing. A tile that is loaded becomes one, too, if the ops read it in place: its dimensions have the same order, nothing
    pads it but what is in the share as well, and nothing else writes to it; otherwise the load copies within SRAM. A tile that the vector unit leaves in accumulator memory is written to
    the share instead. Loads of what other clusters store go on reading
    DRAM, and then the tensor stays there as well; but where clusters share one dimension or two and read no more than a share beyond their own, they exchange only that: each
    stores the borders of its share that others read, and loads those of its neighbors into its buffer, once, with what pads the tensor at its edges. Behind a load in the
    loop of its first reader, that is done in the first iteration: it waits for the others, and the load need not.

    A tensor whose tiles are made where the last load of another one takes the same tiles in place, after they have been read, lies in that one's buffer. Where such a tile is worked on
    before, up to an op of the vector unit that reads the other one's and writes all of it, that is done in a tile of its own.

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

def NPUSinkLoads : Pass<"npu-sink-loads", "::npu::KernelOp"> {
  let summary = "Sink loads that wait for other clusters below loads that do not";
  let description = [{
    A DMA engine does its transfers in order. A load of what all clusters have stored before waits for the last of them, and the loads behind it wait with it, as those of weights,
    which are there all the time. Where such a load is in front of a loop, it goes behind the first load in that loop of what the kernel is given, in the
    first iteration alone: all that reads what it brings has to come later.

    Loads with extents that depend on the cluster stay, and so do those of one cluster of what it has stored alone: it waits for itself. What waits for results in
    the cluster's own SRAM stays as well: moved, it would keep these for longer.

    #### Precondition

    Tile form, distributed over clusters.

    #### Postcondition

    Tile form.

    #### Example
    ```mlir
    // $ npu-opt --npu-sink-loads
    npu.kernel @sum(%x: memref<8xf32, #npu.space<dram>>, %w: memref<16xf32, #npu.space<dram>>, %y: memref<16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %between = memref.alloc() : memref<8xf32, #npu.space<dram>>
      scf.forall (%c) in (2) {
        %o = affine.apply affine_map<(d0) -> (d0 * 4)>(%c)
        %a = memref.alloc() : memref<4xf32, #npu.space<sram>>
        npu.dma_load %x[%o] -> %a : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
        npu.dma_store %a -> %between[%o] : memref<4xf32, #npu.space<sram>> to memref<8xf32, #npu.space<dram>>
      }
      scf.forall (%c) in (2) {
        %all = memref.alloc() : memref<8xf32, #npu.space<sram>>
        npu.dma_load %between[%c0] -> %all {clusters = 2 : i64} : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
        %part = memref.subview %all[2] [4] [1] : memref<8xf32, #npu.space<sram>> to memref<4xf32, strided<[1], offset: 2>, #npu.space<sram>>
        scf.for %i = %c0 to %c2 step %c1 {
          %o = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1 * 4)>(%c, %i)
          %b = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
          npu.dma_load %w[%o] -> %b : memref<16xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
          npu.binary add %b, %part -> %b : memref<4xf32, #npu.space<sram>>, memref<4xf32, strided<[1], offset: 2>, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
          npu.dma_store %b -> %y[%o] : memref<4xf32, #npu.space<sram>> to memref<16xf32, #npu.space<dram>>
        }
      }
      npu.return
    }
    // becomes
    npu.kernel @sum(%arg0: memref<8xf32, #npu.space<dram>>, %arg1: memref<16xf32, #npu.space<dram>>, %arg2: memref<16xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %alloc = memref.alloc() : memref<8xf32, #npu.space<dram>>
      scf.forall (%arg3) in (2) {
        %0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%arg3)
        %alloc_0 = memref.alloc() : memref<4xf32, #npu.space<sram>>
        npu.dma_load %arg0[%0] -> %alloc_0 : memref<8xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
        npu.dma_store %alloc_0 -> %alloc[%0] : memref<4xf32, #npu.space<sram>> to memref<8xf32, #npu.space<dram>>
      }
      scf.forall (%arg3) in (2) {
        %alloc_0 = memref.alloc() : memref<8xf32, #npu.space<sram>>
        %subview = memref.subview %alloc_0[2] [4] [1] : memref<8xf32, #npu.space<sram>> to memref<4xf32, strided<[1], offset: 2>, #npu.space<sram>>
        scf.for %arg4 = %c0 to %c2 step %c1 {
          %0 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1 * 4)>(%arg3, %arg4)
          %alloc_1 = memref.alloc() {npu.buffers = 2 : i64} : memref<4xf32, #npu.space<sram>>
          npu.dma_load %arg1[%0] -> %alloc_1 : memref<16xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
          %1 = affine.min affine_map<(d0) -> (d0 * -8 + 8, 8)>(%arg4)
          npu.dma_load %alloc[%c0] -> %alloc_0 extents(%1) {clusters = 2 : i64} : memref<8xf32, #npu.space<dram>> to memref<8xf32, #npu.space<sram>>
          npu.binary add %alloc_1, %subview -> %alloc_1 : memref<4xf32, #npu.space<sram>>, memref<4xf32, strided<[1], offset: 2>, #npu.space<sram>> -> memref<4xf32, #npu.space<sram>>
          npu.dma_store %alloc_1 -> %arg2[%0] : memref<4xf32, #npu.space<sram>> to memref<16xf32, #npu.space<dram>>
        }
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
}

def NPUSpreadLoads : Pass<"npu-spread-loads", "::npu::KernelOp"> {
  let summary = "Distribute small loads to the last cluster";
  let description = [{
    What all clusters need, the first one loads for all (`clusters`), one transfer after the other: while one of them begins, for `dramLatencyCycles`, DRAM has nothing to do. A bias is through
    sooner than it has begun. The last cluster, whose DMA engine has little else to do, makes such loads (`leader`), beside the first one's larger ones: those outside of loops whose bytes take DRAM no
    longer than a transfer takes to begin.

    Where a nest waits for what the first cluster loads for all, that cluster's own halos and padding would keep those loads waiting. Each of them the last cluster brings it instead
    (`clusters = 1`), before it brings itself what it needs in the same place: a multicast fills the buffer of its leader as well. Where the last cluster loads nothing to that place, or less, or where the first tile for all is there before all halos are, the first one makes its loads as before.

    #### Precondition

    Tile form, distributed over clusters, loads of what is kept sunk.

    #### Postcondition

    Tile form.

    #### Example
    ```mlir
    // $ npu-opt --npu-spread-loads
    npu.kernel @add(%x: memref<32xf32, #npu.space<dram>>, %y: memref<32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
      %c0 = arith.constant 0 : index
      scf.forall (%c) in (4) {
        %a = memref.alloc() : memref<32xf32, #npu.space<sram>>
        npu.dma_load %x[%c0] -> %a {clusters = 4 : i64} : memref<32xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
        %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%c)
        %part = memref.subview %a[%o] [8] [1] : memref<32xf32, #npu.space<sram>> to memref<8xf32, strided<[1], offset: ?>, #npu.space<sram>>
        npu.dma_store %part -> %y[%o] : memref<8xf32, strided<[1], offset: ?>, #npu.space<sram>> to memref<32xf32, #npu.space<dram>>
      }
      npu.return
    }
    // becomes
    npu.kernel @add(%arg0: memref<32xf32, #npu.space<dram>>, %arg1: memref<32xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
      %c0 = arith.constant 0 : index
      scf.forall (%arg2) in (4) {
        %alloc = memref.alloc() : memref<32xf32, #npu.space<sram>>
        npu.dma_load %arg0[%c0] -> %alloc {clusters = 4 : i64, leader = 3 : i64} : memref<32xf32, #npu.space<dram>> to memref<32xf32, #npu.space<sram>>
        %0 = affine.apply affine_map<(d0) -> (d0 * 8)>(%arg2)
        %subview = memref.subview %alloc[%0] [8] [1] : memref<32xf32, #npu.space<sram>> to memref<8xf32, strided<[1], offset: ?>, #npu.space<sram>>
        npu.dma_store %subview -> %arg1[%0] : memref<8xf32, strided<[1], offset: ?>, #npu.space<sram>> to memref<32xf32, #npu.space<dram>>
      }
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect"];
}

def NPUPrefetchOperands : Pass<"npu-prefetch-operands", "::npu::KernelOp"> {
  let summary = "Prefetch operands while DRAM is idle";
  let description = [{
    The loads of a loop run ahead as far as its rings have slots. A loop that takes longer for its loads than for its products, as one with many weights
    for few pixels, waits for DRAM, although DRAM may have been idle in the loops before. Where a kernel says `prefetch`, tiles of what it is given, which
    depend on nothing, are loaded behind loops before the one that uses them, into a buffer that holds them all.

    So many tiles come earlier that the loop need not wait any more, of its first iterations, and at least half of the time that their loads take must be
    missing. If not all of them do, the loop is divided into one that finds its tiles in the buffer and one that goes on as before. A loop whose iterations hand
    something on (`npu.previous`) is not. What loads bring in the first iteration alone, only the first one loads, and no contraction whose tiles are there
    does its first one in parts (`begin`).

    Loops help, the nearest first, that are as long on the array or the vector unit as to have DRAM idle, `prefetch` percent of that time. Their last load begins when the slot is free that it
    fills, as many iterations before the end as the ring has slots; what is behind it, but for the first tiles of the next loop, is spare. Rings get more slots
    where that makes more spare, and where memory has no other use. Tiles are loaded in parts where no loop has time for a whole one, as far as a part takes as
    long as a transfer takes to begin. The ring of the tiles that do not come earlier gets slots for all of them, if there is room: a load that waits for a slot keeps those of later loops waiting.

    Where no tile of a loop comes earlier, the loop before it gets more slots so that its own loads are over in time for the first tile, or, if the loop waits for DRAM, for as many tiles as its ring holds.

    Of several clusters, the first one makes the loads for all of them. The others, which have less to load, would come to their prefetches early and take the bandwidth from it. So in front of each prefetch
    behind a loop that loads for all most of the time, and of each load that a divided loop has left, the first cluster makes a load for all that brings nothing: the others wait for it. Clusters that share two dimensions can load tiles for a loop of which they share one.

    Remarks (`npu-prefetch-operands`) say what is loaded earlier, and behind how many loops, and how many slots a loop got for the first tiles of the next one.

    #### Precondition

    Tile form, buffers fitted.

    #### Postcondition

    Tile form, and nothing asks for prefetches.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(npu.kernel(npu-prefetch-operands))'
    npu.kernel @behind(%x: memref<128x32xf16, #npu.space<dram>>, %w: memref<32x512xf16, #npu.space<dram>>, %y: memref<4x512xf32, #npu.space<dram>> {npu.output}) attributes {prefetch = 100, target = #npu.target<"npu-v1">} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %a = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
      npu.dma_load %x[%c0, %c0] -> %a : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
      %row = memref.subview %a[0, 0] [4, 32] [1, 1] : memref<128x32xf16, #npu.space<sram>> to memref<4x32xf16, strided<[32, 1]>, #npu.space<sram>>
      scf.for %i = %c0 to %c16 step %c1 {
        npu.unary neg %a -> %a : memref<128x32xf16, #npu.space<sram>> -> memref<128x32xf16, #npu.space<sram>>
      }
      scf.for %n = %c0 to %c2 step %c1 {
        %column = affine.apply affine_map<(d0) -> (d0 * 256)>(%n)
        %tile = memref.alloc() {npu.buffers = 2 : i64} : memref<8x32x32xf16, #npu.space<sram>>
        npu.dma_load %w[%c0, %column] -> %tile {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<32x512xf16, #npu.space<dram>> to memref<8x32x32xf16, #npu.space<sram>>
        %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<4x256xf32, #npu.space<acc>>
        npu.matmul %row, %tile -> %acc {packed} : memref<4x32xf16, strided<[32, 1]>, #npu.space<sram>>, memref<8x32x32xf16, #npu.space<sram>> -> memref<4x256xf32, #npu.space<acc>>
        npu.dma_store %acc -> %y[%c0, %column] : memref<4x256xf32, #npu.space<acc>> to memref<4x512xf32, #npu.space<dram>>
      }
      npu.return
    }
    // becomes
    npu.kernel @behind(%arg0: memref<128x32xf16, #npu.space<dram>>, %arg1: memref<32x512xf16, #npu.space<dram>>, %arg2: memref<4x512xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
      %alloc = memref.alloc() : memref<1x8x32x32xf16, #npu.space<sram>>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %alloc_0 = memref.alloc() : memref<128x32xf16, #npu.space<sram>>
      npu.dma_load %arg0[%c0, %c0] -> %alloc_0 : memref<128x32xf16, #npu.space<dram>> to memref<128x32xf16, #npu.space<sram>>
      %subview = memref.subview %alloc_0[0, 0] [4, 32] [1, 1] : memref<128x32xf16, #npu.space<sram>> to memref<4x32xf16, strided<[32, 1]>, #npu.space<sram>>
      scf.for %arg3 = %c0 to %c16 step %c1 {
        npu.unary neg %alloc_0 -> %alloc_0 : memref<128x32xf16, #npu.space<sram>> -> memref<128x32xf16, #npu.space<sram>>
      }
      %c0_1 = arith.constant 0 : index
      %c0_2 = arith.constant 0 : index
      %c0_3 = arith.constant 0 : index
      %0 = affine.apply affine_map<(d0) -> (d0 * 256)>(%c0_2)
      %subview_4 = memref.subview %alloc[0, 0, 0, 0] [1, 8, 32, 32] [1, 1, 1, 1] : memref<1x8x32x32xf16, #npu.space<sram>> to memref<8x32x32xf16, strided<[1024, 32, 1]>, #npu.space<sram>>
      npu.dma_load %arg1[%c0_3, %0] -> %subview_4 {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<32x512xf16, #npu.space<dram>> to memref<8x32x32xf16, strided<[1024, 32, 1]>, #npu.space<sram>>
      %c1_5 = arith.constant 1 : index
      %c1_6 = arith.constant 1 : index
      scf.for %arg3 = %c0 to %c1_5 step %c1 {
        %1 = affine.apply affine_map<(d0) -> (d0 * 256)>(%arg3)
        %subview_7 = memref.subview %alloc[%arg3, 0, 0, 0] [1, 8, 32, 32] [1, 1, 1, 1] : memref<1x8x32x32xf16, #npu.space<sram>> to memref<8x32x32xf16, strided<[1024, 32, 1], offset: ?>, #npu.space<sram>>
        %alloc_8 = memref.alloc() {npu.buffers = 2 : i64} : memref<4x256xf32, #npu.space<acc>>
        npu.matmul %subview, %subview_7 -> %alloc_8 {packed} : memref<4x32xf16, strided<[32, 1]>, #npu.space<sram>>, memref<8x32x32xf16, strided<[1024, 32, 1], offset: ?>, #npu.space<sram>> -> memref<4x256xf32, #npu.space<acc>>
        npu.dma_store %alloc_8 -> %arg2[%c0, %1] : memref<4x256xf32, #npu.space<acc>> to memref<4x512xf32, #npu.space<dram>>
      }
      scf.for %arg3 = %c0 to %c1_6 step %c1 {
        %1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%arg3)
        %2 = affine.apply affine_map<(d0) -> (d0 * 256)>(%1)
        %alloc_7 = memref.alloc() {npu.buffers = 2 : i64} : memref<8x32x32xf16, #npu.space<sram>>
        npu.dma_load %arg1[%c0, %2] -> %alloc_7 {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<32x512xf16, #npu.space<dram>> to memref<8x32x32xf16, #npu.space<sram>>
        %alloc_8 = memref.alloc() {npu.buffers = 2 : i64} : memref<4x256xf32, #npu.space<acc>>
        npu.matmul %subview, %alloc_7 -> %alloc_8 {packed} : memref<4x32xf16, strided<[32, 1]>, #npu.space<sram>>, memref<8x32x32xf16, #npu.space<sram>> -> memref<4x256xf32, #npu.space<acc>>
        npu.dma_store %alloc_8 -> %arg2[%c0, %2] : memref<4x256xf32, #npu.space<acc>> to memref<4x512xf32, #npu.space<dram>>
      }
      npu.return
    }

    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

#endif // NPU_DIALECT_NPU_TRANSFORMS_TILEFORMPASSES_TD
