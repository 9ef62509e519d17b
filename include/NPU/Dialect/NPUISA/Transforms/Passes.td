//===- Passes.td - passes on the exit dialect --------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NPUTightenWaits : Pass<"npu-tighten-waits", "::npu::isa::ProgramOp"> {
  let summary = "Relax waits to the lowest values that are safe";
  let description = [{
    `npu-pipeline-streams` computes waits in closed form, by whole iterations and whole buffers, and passes behind it take
    loops apart. So a wait may ask for parts that a smaller last tile does not have, or be one that other waits imply.

    For each wait, in the order in which streams come to them, the pass looks for the lowest value with which the
    program is safe, and drops a wait that no access to memory needs. A `sync` that then neither waits nor signals
    goes, too, unless it is all that is in a loop. Every change is a remark. A program that is not safe stays as it
    is: `npu-verify-program` says why it is not. `docs/verifier.md` describes the method.

    #### Precondition
    None.

    #### Postcondition
    If the program is safe, no value that is waited for can be lowered by one without making it unsafe.

    #### Example
    ```mlir
    // $ npu-opt --npu-tighten-waits
    // The first store needs the first load alone, so its wait becomes `sync_value0 = 1`.
    npu_isa.program @copy attributes {regions = [#npu_isa.region<input "from", 256 bytes>, #npu_isa.region<output "to", 256 bytes>], target = "npu-tiny"} {
      npu_isa.stream dmai cluster(0) {
        npu_isa.dma.load {sync_signal0 = 1, to_depth = 1, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, high = 256} ]}
        npu_isa.dma.load {sync_signal0 = 1, to_depth = 1, to_base = 64, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, origin = 64, high = 256} ]}
        npu_isa.halt
      }
      npu_isa.stream dmao cluster(0) {
        npu_isa.dma.store {sync_wait0 = 1, sync_value0 = 2, to_region = 1, from_depth = 1, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, high = 256} ]}
        npu_isa.dma.store {sync_wait0 = 1, sync_value0 = 2, to_region = 1, from_depth = 1, from_base = 64, dims = [{extent_limit = 64, extent_full = 64, dram_stride = 1, chip_stride = 1, origin = 64, high = 256} ]}
        npu_isa.halt
      }
    }
    ```
  }];
}

def NPUVerifyProgram : Pass<"npu-verify-program", "::npu::isa::ProgramOp"> {
  let summary = "Verify that programs are safe on their target";
  let description = [{
    The last contract. Runs the program verifier: every address of every iteration lies in its memory and is
    aligned, operands stand where the instruction and the target want them, one stream signals a semaphore,
    every wait ends, and no two accesses of different streams to the same byte race. Changes nothing. The
    error stands at the instruction at fault: of a race the later one, of a deadlock one that waits in vain.
    `docs/verifier.md` describes the method.

    #### Precondition
    None.

    #### Postcondition
    No input data makes the program leave its memories, race or deadlock. With `tight-waits` no wait is longer than
    accesses to memory need either.

    #### Example
    ```mlir
    // $ npu-opt --npu-verify-program --verify-diagnostics
    npu_isa.program @stuck attributes {regions = [], target = "npu-v1"} {
      npu_isa.stream vpu cluster(0) {
        // expected-error@below {{op is at fault in program 'stuck': deadlock: stream cluster 0 vpu, instruction 0 'sync'}}
        npu_isa.sync {sync_wait0 = 1, sync_value0 = 1}
        npu_isa.halt
      }
    }
    ```
  }];
  let options = [
    Option<"tightWaits", "tight-waits", "bool", "true",
           "Also refuse a wait that would be safe with a value one lower: it costs overlap">
  ];
}

#endif // NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD
