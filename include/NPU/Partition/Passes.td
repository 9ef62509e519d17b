//===- Passes.td - passes that place dispatches ---------------------------===//

#ifndef NPU_PARTITION_PASSES_TD
#define NPU_PARTITION_PASSES_TD

include "mlir/Pass/PassBase.td"

def PartitionDispatches : Pass<"npu-partition", "::mlir::ModuleOp"> {
  let summary = "decide which dispatches the NPU runs";
  let description = [{
    Looks at every dispatch of the module (after npu-import-dispatches), or at every function on tensors if
    there is none, and decides whether the target runs it: by legalizing a copy. What the target does not run
    is an error with a reason and a remedy, at the op's location, or, with `fallback=host`, a remark
    (`--remarks-filter=npu-partition`) and the attribute `npu.placement = "host"` on the function, which later
    passes leave alone.

    `placement` names a JSON file with placements by function: `host` keeps a dispatch from the NPU, `npu` from the
    host. `write-placement` writes such a file with all decisions and reasons.

    #### Example
    ```
    error: Dispatch #3 not supported: reduction without npu equivalent (by 'arith.maximumf'), expected sums of
    products; run this dispatch on the host
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"npu-v1\"",
           "Target: a known name, optionally followed by overrides">,
    Option<"fallback", "fallback", "std::string", "\"error\"",
           "What becomes of dispatches that the target does not run: host or error">,
    Option<"placement", "placement", "std::string", "", "JSON file with placements to keep to">,
    Option<"writePlacement", "write-placement", "std::string", "", "JSON file to write the placements to">
  ];
  let dependentDialects = ["::npu::NPUDialect"];
}

#endif // NPU_PARTITION_PASSES_TD
