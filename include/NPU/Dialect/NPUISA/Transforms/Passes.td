//===- Passes.td - passes on the exit dialect --------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NPUTightenWaits : Pass<"npu-tighten-waits", "::npu::isa::ProgramOp"> {
  let summary = "Make no wait longer than it must be";
  let description = [{
    `npu-pipeline-streams` computes waits in closed form, by whole iterations and whole buffers. Passes behind it take
    loops apart, and give the parts waits of their own. Where a last tile is smaller than the others, or where a wait
    implies another one that is not between the same loops, that may ask for more than any access to memory needs.

    For each wait, the pass runs the program verifier on lower values. It keeps the lowest one with which the
    program is still safe, and drops a wait that no access needs. After it `npu-verify-program=tight-waits` finds no slack. A
    `sync` that then neither waits nor signals goes. Every change is a remark. A program that is not safe stays as it is:
    `npu-verify-program` says what is wrong with it.

    #### Precondition
    None.

    #### Postcondition
    No wait of a safe program can be lowered by one.

    #### Example
    ```mlir
    // $ npu-opt --npu-tighten-waits
    // The store needs the first signal alone.
    npu_isa.program @copy attributes {regions = [#npu_isa.region<input "a", 64 bytes>, #npu_isa.region<output "b", 64 bytes>], target = "npu-v1"} {
    }
    ```
  }];
}

def NPUVerifyProgram : Pass<"npu-verify-program", "::npu::isa::ProgramOp"> {
  let summary = "Prove that a program is safe on its target";
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
