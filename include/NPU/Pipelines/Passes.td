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

def RunIfPresent : Pass<"npu-run-if-present"> {
  let summary = "Run pipelines on ops that contain certain ops";
  let description = [{
    Runs `pipelines` if one of `ops` is in the op that the pass runs on, or if that holds symbols as
    described by `private-symbols`. For passes that rewrite those ops only and would otherwise visit
    everything in vain.

    #### Precondition
    The pipelines are for the op that the pass runs on.

    #### Postcondition
    That of the pipelines; nothing changes if none of the ops is present.
  }];
  let options = [
    ListOption<"ops", "ops", "std::string", "The names of the ops, one of which must be present">,
    Option<"privateSymbols", "private-symbols", "bool", /*default=*/"false",
           "run as well if a symbol that is not public stands right in the op">,
    ListOption<"pipelines", "pipelines", "::mlir::OpPassManager",
               "The pipelines to run, one after the other">
  ];
}

def LowerTosa : Pass<"npu-lower-tosa", "::mlir::ModuleOp"> {
  let summary = "Lower tosa to linalg, arith, tensor and scf";
  let description = [{
    Runs upstream's passes on modules with ops of tosa. Other modules stay as they are.

    #### Precondition
    Ops of tosa are in a `func.func`. Zero points of convolutions, matmuls and average pooling are
    constants; the pass says where one is not.

    #### Postcondition
    No op of tosa is left, except those that upstream cannot lower.
  }];
}

#endif // NPU_PIPELINES_PASSES_TD
