//===- Passes.td - passes on the exit dialect --------------*- tablegen -*-===//

#ifndef NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NPUVerifyProgram : Pass<"npu-verify-program", "::npu::isa::ProgramOp"> {
  let summary = "prove that a program is safe on its target";
  let description = [{
    Runs the program verifier: addresses and types fit the target, every wait ends, and no two accesses of
    different streams to the same byte race. Changes nothing.

    #### Precondition

    None.

    #### Postcondition

    The simulator cannot trap on the program for any input data.

    #### Example

    ```
    error: 'npu_isa.program' op is not safe: ...
    ```
  }];
}

#endif // NPU_DIALECT_NPUISA_TRANSFORMS_PASSES_TD
