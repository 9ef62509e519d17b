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

    In tile form the attributes `npu.buffers` and `npu.offset` of `memref.alloc` are the ring depth of an on-chip
    buffer and its byte offset, and `npu.clusters` of `scf.for` says how many clusters share the iterations. The
    argument attribute `npu.output` marks the results of a kernel in tile form.
  }];

  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

class NPU_Op<string mnemonic, list<Trait> traits = []> : Op<NPU_Dialect, mnemonic, traits>;

#endif // NPU_DIALECT_NPU_IR_NPUDIALECT_TD
