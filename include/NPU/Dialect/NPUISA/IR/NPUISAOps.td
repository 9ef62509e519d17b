//===- NPUISAOps.td - programs, streams and instructions ------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPUISA_IR_NPUISAOPS_TD
#define NPU_DIALECT_NPUISA_IR_NPUISAOPS_TD

include "NPU/Dialect/NPUISA/IR/NPUISABase.td"

def NPUISA_ProgramOp : Op<NPUISA_Dialect, "program",
    [IsolatedFromAbove, Symbol, NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "a complete program of one kernel";
  let description = [{
    Holds one `npu_isa.stream` per cluster and engine that has work. `regions` lists the DRAM regions
    that instructions number from 0: dictionaries with `kind` (constants, scratch, input, output,
    inout), `name` and `bytes`, and `data` for constants. The verifier checks the program's structure: loops,
    engines, counters, region and source numbers.

    `loose` says that waits may have slack, as in programs of several stages. `npu-verify-program` then asks for
    no tight waits.

    Example:

    ```mlir
    npu_isa.program @copy attributes {regions = [{bytes = 64 : i64, kind = "input", name = "arg0"} ],
                                      target = "npu-v1"} {
      npu_isa.stream "dmai" cluster(0) {
        npu_isa.halt
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrAttr:$target, ArrayAttr:$regions,
                       UnitAttr:$loose);
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
  let arguments = (ins StrAttr:$engine, I64Attr:$cluster);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$engine `cluster` `(` $cluster `)` attr-dict-with-keyword $body";
}

// Generated from include/NPU/Target/ISA/ISA.td.
include "NPU/Target/ISA/Ops.td.inc"

#endif // NPU_DIALECT_NPUISA_IR_NPUISAOPS_TD
