//===- Passes.td - passes on the exit dialect --------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

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
    accesses to memory need either; with `slack-remarks` too, as when a model is compiled, such a wait is a remark
    and the program stands.

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
           "Also refuse a wait that would be safe with a value one lower: it costs overlap">,
    Option<"slackRemarks", "slack-remarks", "bool", "false",
           "Tell of such a wait in a remark instead">
  ];
}

#endif // NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD
