//===- Passes.td - passes on the npu dialect ---------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// From tile form to planned form
//===----------------------------------------------------------------------===//

def NPUDistributeClusters : Pass<"npu-distribute-clusters", "::npu::KernelOp"> {
  let summary = "give each cluster its share of the tiles";
  let description = [{
    Splits the loops that carry `npu.dim = d`, where d is the dimension of the kernel's `#npu.cluster`
    attribute, into contiguous shares of whole tiles: of T iterations every cluster runs ceil(T / count),
    and the body's counter becomes `cluster * ceil(T / count) + counter`. The kernel's body is wrapped in
    one `scf.forall` over the clusters, so later passes see every cluster's program as one nest with a
    constant cluster number. The last cluster's iterations past T have extents of zero or less: their ops
    only wait and signal, and all clusters keep the same constant trip counts. With one cluster nothing
    changes. The kernel's cluster attribute stays.

    #### Precondition

    Tile form. Every `npu.dma_store` is inside a split loop, or else all clusters would write the same data.

    #### Postcondition

    With more than one cluster the kernel's body is one `scf.forall` over the clusters.

    #### Example

    ```mlir
    scf.forall (%cluster) in (4) {
      scf.for %i = %c0 to %c2 step %c1 {
        %0 = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%cluster, %i)
        %m = affine.min affine_map<(d0) -> (250 - d0 * 32, 32)>(%0)
        ...
      } {npu.dim = 0 : i64}
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect"];
}

def NPUFitBuffers : Pass<"npu-fit-buffers", "::npu::KernelOp"> {
  let summary = "reduce ring depths until the on-chip buffers fit";
  let description = [{
    Makes the ring depths (`npu.buffers`) of on-chip allocations explicit and useful: a buffer of one engine
    only, or with one instance, needs one slot. If SRAM or ACC then cannot hold all buffers of the kernel,
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
    %a = memref.alloc() {npu.buffers = 2 : i64} : memref<64x128xf16, #npu.space<sram>>
    ```
  }];
}

def NPUPipelineStreams : Pass<"npu-pipeline-streams", "::npu::KernelOp"> {
  let summary = "split a kernel into one synchronised stream per engine and cluster";
  let description = [{
    Clones the nest once per engine that has work and per cluster into `npu.stream`, with that engine's ops
    and the loops and index computations they need. Loops of one iteration disappear. Every on-chip
    allocation becomes a ring whose position is the linear number of the iteration of the loops around it.

    Every pair of ops of different engines that touch the same buffer, at least one writing, keeps its
    program order: within an instance, from iteration to iteration of loops inside the buffer's scope, and
    from an instance to the next that uses the same slot. An op that others wait for signals its own
    semaphore after every execution; the waiting op's `npu.wait` compares with the number of signals of all
    executions it depends on, an affine function of the counters since trip counts are constant. Waits that
    other waits and the order of the streams imply are left out. Buffers in DRAM that the kernel writes and
    reads are synchronised likewise; buffers that are only read or only written need nothing.

    #### Precondition

    Tile form, possibly distributed over clusters.

    #### Postcondition

    Planned form without offsets: the kernel's body is a list of streams.

    #### Example

    ```mlir
    npu.stream mxu cluster(0) {
      scf.for %k = %c0 to %c4 step %c1 {
        %a = npu.ring %k {depth = 2, id = 0, slot_bytes = 16384} : memref<64x128xf16, #npu.space<sram>>
        %v = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)
        npu.wait sem(1) >= %v
        npu.matmul %a, ...
        npu.signal sem(2)
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def NPUPlanMemory : Pass<"npu-plan-memory", "::npu::KernelOp"> {
  let summary = "assign byte offsets to on-chip rings";
  let description = [{
    Gives every ring its offset in SRAM or ACC, aligned to 64 bytes. Streams run at the same time and only
    the buffers' own semaphores order them, so all buffers of a kernel live together. If they do not fit,
    an error lists required and available bytes and the live buffers at the peak. The remark category
    `npu-plan-memory` reports the peaks.

    #### Precondition

    Planned form, with or without offsets.

    #### Postcondition

    Planned form with offsets.

    #### Example

    ```mlir
    %a = npu.ring %i {depth = 2, id = 0, offset = 4096, slot_bytes = 16384}
        : memref<64x128xf16, #npu.space<sram>>
    ```
  }];
}

def NPUVerifyPlannedForm : Pass<"npu-verify-planned-form", "::npu::KernelOp"> {
  let summary = "check that a kernel is in planned form";
  let description = [{
    Contract between planning and instruction selection.

    #### Precondition

    None.

    #### Postcondition

    The kernel names a known target; its body is a list of `npu.stream`, one per cluster and engine at most.
    A stream holds loops from 0 in steps of 1 with constant trip counts, index computations, views, rings
    with offsets inside the target's memory, semaphore ops, and the ops of its engine.

    #### Example

    See `npu-pipeline-streams`.
  }];
}

#endif // NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD
