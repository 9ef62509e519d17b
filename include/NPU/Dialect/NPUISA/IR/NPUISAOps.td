//===- NPUISAOps.td - programs, streams and instructions ------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPUISA_IR_NPUISAOPS_TD
#define NPU_DIALECT_NPUISA_IR_NPUISAOPS_TD

include "NPU/Dialect/NPUISA/IR/NPUISABase.td"
// Generated from include/NPU/Target/ISA/ISA.td.
include "NPU/Target/ISA/Ops.td.inc"

def NPUISA_RegionArrayAttr : TypedArrayAttrBase<NPUISA_RegionAttr, "array of #npu_isa.region">;

def NPUISA_ProgramOp : Op<NPUISA_Dialect, "program",
    [IsolatedFromAbove, Symbol, NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "a complete program of one kernel";
  let description = [{
    Holds one `npu_isa.stream` per cluster and engine that has work. `regions` lists the DRAM regions
    that instructions number from 0. The verifier checks the program's structure: loops,
    engines, counters, region and source numbers.

    `plan` is what a task graph tells about the program.

    Example:

    ```mlir
    npu_isa.program @copy attributes {regions = [#npu_isa.region<input "arg0", 64 bytes>], target = "npu-v1"} {
      npu_isa.stream dmai cluster(0) {
        npu_isa.halt
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$target, NPUISA_RegionArrayAttr:$regions,
                       OptionalAttr<NPUISA_PlanAttr>:$plan);
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::llvm::StringRef":$target,
                   "::llvm::ArrayRef<::mlir::Attribute>":$regions)>
  ];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def NPUISA_StreamOp : Op<NPUISA_Dialect, "stream",
    [HasParent<"ProgramOp">, NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "the in-order program of one engine of one cluster";
  let description = [{
    Holds instruction operations, the last of them `npu_isa.halt`.

    Example: see `npu_isa.program`.
  }];
  let arguments = (ins NPUISA_EngineKindAttr:$engine, ConfinedAttr<I64Attr, [IntNonNegative]>:$cluster);
  let builders = [OpBuilder<(ins "::npu::isa::EngineKind":$engine, "int64_t":$cluster)>];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<EngineKind>($engine) `cluster` `(` $cluster `)` attr-dict-with-keyword $body";
}

#endif // NPU_DIALECT_NPUISA_IR_NPUISAOPS_TD
