//===- Passes.td - passes that pipelines consist of ------------------------===//

#ifndef NPU_PIPELINES_PASSES_TD
#define NPU_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def CleanUp : Pass<"npu-clean-up"> {
  let summary = "Canonicalize and merge common subexpressions, unless nothing changed";
  let description = [{
    Does what `canonicalize` and `cse` do, once for every change: an op that was cleaned up before,
    and that all passes since then left as it was, is not visited again. Passes say that they changed
    nothing by preserving all analyses.

    #### Precondition
    None.

    #### Postcondition
    That of `canonicalize` and `cse`, both at once.
  }];
}

def LowerTosa : Pass<"npu-lower-tosa", "::mlir::ModuleOp"> {
  let summary = "Lower tosa to linalg, arith, tensor and scf";
  let description = [{
    Runs upstream's passes on modules with ops of tosa. Other modules stay as they are.

    #### Precondition
    Ops of tosa are in a `func.func`.

    #### Postcondition
    No op of tosa is left, except those that upstream cannot lower.
  }];
}

#endif // NPU_PIPELINES_PASSES_TD
