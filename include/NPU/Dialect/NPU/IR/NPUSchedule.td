//===- NPUSchedule.td - the schedule of a kernel -----------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUSCHEDULE_TD
#define NPU_DIALECT_NPU_IR_NPUSCHEDULE_TD

include "NPU/Dialect/NPU/IR/NPUDialect.td"
include "mlir/IR/AttrTypeBase.td"

/// A node of a schedule. It prints as it does inside of one, between angle brackets.
class NPU_ScheduleNode<string name, string attrMnemonic> : AttrDef<NPU_Dialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def NPU_ScheduleLoopAttr : NPU_ScheduleNode<"ScheduleLoop", "for"> {
  let summary = "a tile loop of a schedule";
  let description = [{
    A loop over the tiles of `tile` elements of dimension `dim`, and what happens in each iteration. A tile as
    large as the dimension makes a loop of one iteration. With `clusters` the loop's tiles are shared by that
    many clusters, each of which takes a contiguous part. Where a loop inside of it has `clusters`, too, each part is that of several, which
    share the inner loop: four clusters as two by two.

    Example: `#npu.for<m = 64 clusters 2 {load @matmul.lhs x2, @matmul -> acc}>`.
  }];
  let parameters = (ins "::mlir::StringAttr":$dim, "int64_t":$tile, "int64_t":$clusters,
                        ArrayRefParameter<"::mlir::Attribute">:$body);
}

def NPU_ScheduleLoadAttr : NPU_ScheduleNode<"ScheduleLoad", "load"> {
  let summary = "a load of a schedule";
  let description = [{
    Loads an operand of a stage from DRAM, as much of it as the loops inside of this node need, into a ring of
    `depth` buffers. The operand is named `stage.operand`. One that another stage computes is taken from its place,
    if that is in SRAM and outside of all loops, so that all of it is there; otherwise it is stored to a scratch
    region in DRAM first.

    Example: `#npu.load<@matmul.lhs x2>`.
  }];
  let parameters = (ins "::mlir::StringAttr":$operand, "int64_t":$depth);
}

def NPU_ScheduleKeepAttr : NPU_ScheduleNode<"ScheduleKeep", "keep"> {
  let summary = "a place for an operand that is loaded in parts";
  let description = [{
    All that the load of the operand further inside moves over stays in one buffer, for the whole kernel or for an
    iteration of the loops around this node. Each part is loaded once, in the first iteration of the loops between
    that do not move it: the stage begins when it has the first part, not when it has all. In the next iteration of
    the loops around this node a part is loaded when it has been read for the last time. Parts do not overlap, and
    no loop between that moves them is split over clusters.

    Example: `#npu.keep<@matmul.rhs>`.
  }];
  let parameters = (ins "::mlir::StringAttr":$operand);
}

def NPU_ScheduleValueAttr : NPU_ScheduleNode<"ScheduleValue", "value"> {
  let summary = "a place for what a stage computes further inside";
  let description = [{
    The values of `stage`, whose leaf is further inside, live here: there is one instance per iteration of the
    loops around this node, it holds the tiles of all loops inside of it, and `depth` instances exist at a time.

    Example: `#npu.value<@matmul -> acc x2>`.
  }];
  let parameters = (ins "::mlir::StringAttr":$stage, "::npu::MemorySpace":$space, "int64_t":$depth);
}

def NPU_ScheduleStageAttr : NPU_ScheduleNode<"ScheduleStage", "stage"> {
  let summary = "a leaf of a schedule";
  let description = [{
    The ops of a stage work on one tile. With a place its values live here, in a ring of `depth` buffers;
    without, an outer `value` names their place. A contraction whose values an outer `value` puts into SRAM has
    a place for its products here, in the accumulator, from which they are added to the values. With `skew 1` the stage works on what the other nodes of its
    loop made one iteration earlier. With `begin k = 64` a contraction does its very first tile in parts of 64
    indices along `k`, each as soon as it is loaded; with `begin k = [64, 96]` the first part has 64 and all others 96. With
    `end m` it does its very last tile in two parts along `m`, the second one as small as those in which its value
    is read, so that little is left to do when it is done.

    Examples: `#npu.stage<@softmax -> sram x2>`, `#npu.stage<@matmul -> acc x2>`, `#npu.stage<@matmul begin k = [64, 96] end m>`.
  }];
  let parameters = (ins "::mlir::StringAttr":$stage, "::std::optional<::npu::MemorySpace>":$space,
                        "int64_t":$depth, "int64_t":$skew, OptionalParameter<"::mlir::StringAttr">:$beginDim,
                        OptionalArrayRefParameter<"int64_t">:$begin,
                        OptionalParameter<"::mlir::StringAttr">:$endDim);
  let builders = [AttrBuilder<(ins "::mlir::StringAttr":$stage, "::std::optional<::npu::MemorySpace>":$space,
                                   "int64_t":$depth, "int64_t":$skew), [{
    return $_get($_ctxt, stage, space, depth, skew, ::mlir::StringAttr(), ::llvm::ArrayRef<int64_t>(),
                 ::mlir::StringAttr());
  }]>];
}

def NPU_ScheduleStripsAttr : NPU_ScheduleNode<"ScheduleStrips", "strips"> {
  let summary = "a schedule strip by strip";
  let description = [{
    All stages of the kernel for a strip of `size` indices along dimension `axis` of its results, then all for the next one, the last strip
    being what is left. What a stage reads of the one before it is made for the strip, so that windows at the border between two strips
    make the same elements twice: nothing is handed on from strip to strip. Each body is the schedule of a strip as a kernel of its own;
    strips that follow each other and are equal, as all but the first and the last usually are, have one body. It is the only
    node of a schedule.

    Example: `#npu.strips<0 = 14 {load @conv0.input, @conv0 -> acc} then {load @conv0.input, @conv0 -> acc}>`.
  }];
  let parameters = (ins "int64_t":$axis, "int64_t":$size, ArrayRefParameter<"::mlir::ArrayAttr">:$bodies);
}

def NPU_ScheduleAttr : AttrDef<NPU_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "loops, places and buffers of a kernel";
  let description = [{
    A tree. Inner nodes are tile loops (`#npu.for`), leaves are the kernel's stages by name (`#npu.stage`).
    Loaded operands (`#npu.load`, or `#npu.keep` where parts of them are loaded further inside) and values
    (`#npu.value`) stand where they live. Everything happens in the
    order it is written. Nodes print without their mnemonics. `cycles` is what the cost model expects, if it
    was asked.

    A result is stored as soon as it is complete: after the leaf or, if its place is outside of loops around
    the leaf, after these.

    Where too much is between the stages, the tree is that of a strip of the results (`#npu.strips`).

    What the tree must satisfy depends on the kernel; `npu-lower-to-tiles` checks it.

    Example, a matmul with a tail; the left operand stays for a row of tiles:

    ```mlir
    #npu.schedule<{for m = 64 {load @matmul.lhs, for n = 64 {value @matmul -> acc x2,
        for k = 128 {load @matmul.rhs x2, @matmul}, load @tail.arg2 x2, @tail -> sram x2}}} cycles 5120>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Attribute">:$body, "int64_t":$cycles);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // NPU_DIALECT_NPU_IR_NPUSCHEDULE_TD
