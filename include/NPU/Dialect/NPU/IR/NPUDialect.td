//===- NPUDialect.td - the npu dialect ---------------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_IR_NPUDIALECT_TD
#define NPU_DIALECT_NPU_IR_NPUDIALECT_TD

include "mlir/IR/DialectBase.td"
include "mlir/IR/OpBase.td"

def NPU_Dialect : Dialect {
  let name = "npu";
  let cppNamespace = "::npu";
  let summary = "kernels of a neural processing unit, from tensors to planned buffers";
  let description = [{
    One dialect carries a kernel through three forms:

    * *tensor form*: compute ops on tensors inside `npu.kernel`; what runs where is the `schedule`;
    * *tile form*: the same compute ops on memrefs in `#npu.space<sram|acc>`, data movement as
      `npu.dma_load` and `npu.dma_store`, loops as `scf.for` with constant bounds;
    * *planned form*: the nest once per engine in `npu.stream`, ordered by `npu.wait` and `npu.signal`,
      buffers as `npu.ring` with byte offsets.

    Op verifiers check only what holds on every target; limits of a chip are diagnosed by passes.

    Attributes of the dialect on ops of others, all of them verified; there are no more:

    | attribute | of | says |
    |---|---|---|
    | `npu.buffers`, positive i64 | on-chip `memref.alloc` in tile form | depth of its ring |
    | `npu.offset`, i64 that is not negative | the same | its byte offset |
    | `npu.clusters`, positive i64 | `scf.for` in tile form | how many clusters share the iterations |
    | `npu.placement`, `#npu.placement` | functions | where it runs |
    | `npu.dispatch_number`, i64 that is not negative | ops that dispatch | the dispatch's number in the model |
    | `npu.output`, unit | arguments of a kernel in tile form | it is an output |
    | `npu.inout`, unit | the same, with `npu.output` | its old contents stay where nothing is written |
    | `npu.constant`, dense | the same, without | contents that are part of the program |
  }];

  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class NPU_Op<string mnemonic, list<Trait> traits = []> : Op<NPU_Dialect, mnemonic, traits>;

#endif // NPU_DIALECT_NPU_IR_NPUDIALECT_TD
