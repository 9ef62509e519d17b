//===- Passes.td - passes on kernels -----------------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Tiling
//===----------------------------------------------------------------------===//

def NPUChooseTiles : Pass<"npu-choose-tiles"> {
  let summary = "choose tile sizes, loop order, residency and cluster split";
  let description = [{
    Poses each kernel as a tiling problem, searches it with an analytic cost model, and writes the choice:
    `tile_…` on the root op, `cluster` on the kernel, and `npu.schedule` on the kernel with the order of
    the tile loops (iteration dimensions, outermost first), the level of each buffer (number of loops
    around its load) and its depth (number of instances). Buffers are counted as the inputs of the root,
    its accumulator, then per tail op its loaded operands and its result.

    What is already written is kept and checked: tile sizes, `cluster`, or all of `npu.schedule`. When
    nothing fits, the error lists what the smallest tile needs. A remark of category `npu-tile` tells
    the choice and the predicted cycles.

    #### Precondition

    Tensor form: one root (the contraction or, without one, the element-wise op with the largest domain),
    element-wise ops on its result.

    #### Postcondition

    `npu.schedule`, `cluster` and the tile sizes are present; the footprint is within the target.

    #### Example

    ```mlir
    npu.kernel @k(…) -> tensor<512x512xf32> attributes {target = #npu.target<"npu-v1">} {
      %0 = npu.matmul %A, %B -> %C : …
    // becomes
    npu.kernel @k(…) -> tensor<512x512xf32> attributes {
        cluster = #npu.cluster<dim = 0, count = 1>, npu.schedule = {
        depths = array<i64: 2, 2, 2>, levels = array<i64: 1, 2, 2>, order = array<i64: 0, 1>},
        target = #npu.target<"npu-v1">} {
      %0 = npu.matmul %A, %B -> %C {tile_m = 256, tile_n = 128} : …
    ```
  }];
}

def NPULowerToTiles : Pass<"npu-lower-to-tiles", "::npu::KernelOp"> {
  let summary = "lower a kernel from tensor form to tile form";
  let description = [{
    Creates the tile loops, on-chip buffers, DMA and the ops on tiles of a kernel in tensor form. Tile
    sizes come from the attributes of the root (absent: the whole dimension), loop order, residency and
    depths from `npu.schedule`; without it they are chosen for these tile sizes.

    #### Precondition

    As `npu-choose-tiles`.

    #### Postcondition

    Tile form, as `npu-verify-tile-form` checks it.

    #### Example

    ```mlir
    npu.kernel @k(%A: memref<1024x64xi8, #npu.space<dram>>, …) {
      scf.for %i = %c0 to %c4 step %c1 {
        %om = affine.apply affine_map<(d0) -> (d0 * 256)>(%i)
        %a = memref.alloc() {npu.buffers = 2 : i64} : memref<256x64xi8, #npu.space<sram>>
        npu.dma_load %A[%om, %c0] -> %a extents(%c256, %c64) : …
        %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<256x32xi32, #npu.space<acc>>
        npu.matmul %a, %b -> %acc extents(%c256, %c32, %c64) {packed} : …
        npu.dma_store %acc -> %C[%om, %c0] extents(%c256, %c32) : …
      } {npu.dim = 0 : i64}
      npu.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def NPUVerifyTileForm : Pass<"npu-verify-tile-form", "::npu::KernelOp"> {
  let summary = "check that a kernel is in tile form";
  let description = [{
    Checks what the passes after tiling rely on: memref arguments in dram; loops from 0 by 1 to a
    constant; index values affine in loop counters; on-chip buffers static in sram or acc, with slots
    that fit the target; the matrix engine reads sram, writes acc, and its second operand is packed unless
    depthwise; at most five dimensions in a DMA and four in an element-wise op.

    #### Precondition

    None.

    #### Postcondition

    The IR is unchanged.

    #### Example

    ```mlir
    // error: expected a constant trip count
    scf.for %i = %c0 to %n step %c1 {
    ```
  }];
}

#endif // NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD
