//===- Passes.td - passes that place dispatches ---------------------------===//

#ifndef NPU_PARTITION_PASSES_TD
#define NPU_PARTITION_PASSES_TD

include "mlir/Pass/PassBase.td"

def PartitionDispatches : Pass<"npu-partition", "::mlir::ModuleOp"> {
  let summary = "Place each dispatch on the NPU or on the host";
  let description = [{
    Looks at every dispatch of the module (after npu-import-dispatches), or at every function on tensors if
    there is none, and decides whether the target runs it: by legalizing a copy. What the target does not run
    is an error with a reason and a remedy, at the op's location, or, with `fallback=host`, a remark
    (`--remarks-filter=npu-partition`) and the attribute `npu.placement = #npu.placement<host>` on the function, which later
    passes leave alone.

    `placement` names a JSON file with placements by function: `host` keeps a dispatch from the NPU, `npu` from the
    host. `write-placement` writes such a file with all decisions and reasons.

    #### Example
    ```mlir
    // $ npu-opt --npu-partition --verify-diagnostics
    func.func @largest(%x: tensor<4x8xf64>, %init: tensor<4xf64>) -> tensor<4xf64> {
      // expected-error@below {{not supported: element type without npu equivalent (f64 of operand 0 of linalg.reduce), expected i1, i8, i16, i32, f16, bf16, f32; use i8, i16, i32, f16, bf16 or f32}}
      %0 = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf64>) outs(%init : tensor<4xf64>) dimensions = [1]
      return %0 : tensor<4xf64>
    }
    ```
  }];
  let options = [
    Option<"target", "target", "::npu::TargetName", "\"npu-v1\"",
           "The chip: a known name, optionally with parameters, or @chip.json">,
    Option<"fallback", "fallback", "std::string", "\"error\"",
           "The treatment of dispatches that the target does not support: host or error">,
    Option<"placement", "placement", "std::string", "", "A JSON file of placements to keep">,
    Option<"writePlacement", "write-placement", "std::string", "", "The JSON file to which the placements are written">
  ];
  let dependentDialects = ["::npu::NPUDialect"];
}

def FormSegments : Pass<"npu-form-segments", "::mlir::ModuleOp"> {
  let summary = "Group consecutive dispatches into programs";
  let description = [{
    Wraps dispatches of a host function, and reshapes between them, into `npu.segment`s: as many as follow each other
    without anything between them that needs their results and is no such dispatch. Dispatches of functions that
    npu-partition has placed on the host stay outside, and so do those with dynamic shapes, scalars or operands that they
    change in place, and one alone. What else stands between the dispatches comes before the segment. Segments that are there already stay as they are,
    unless a dispatch in one has to stay outside; what was in it is then put into segments anew.

    #### Example
    ```mlir
    // $ npu-opt --npu-form-segments
    flow.executable private @double {
      flow.executable.export public @double
      builtin.module {
        func.func @double(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
          %0 = tensor.empty() : tensor<4x4xf32>
          %1 = linalg.add ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
          return %1 : tensor<4x4xf32>
        }
      }
    }
    util.func public @main(%x: tensor<4x4xf32>) -> tensor<16xf32> {
      %0 = flow.dispatch @double::@double(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %1 = flow.dispatch @double::@double(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %2 = flow.tensor.reshape %1 : tensor<4x4xf32> -> tensor<16xf32>
      util.return %2 : tensor<16xf32>
    }
    // becomes
    flow.executable private @double {
      flow.executable.export public @double
      builtin.module {
        func.func @double(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
          %0 = tensor.empty() : tensor<4x4xf32>
          %1 = linalg.add ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
          return %1 : tensor<4x4xf32>
        }
      }
    }
    util.func public @main(%arg0: tensor<4x4xf32>) -> tensor<16xf32> {
      %0 = npu.segment -> tensor<4x4xf32> {
        %2 = flow.dispatch @double::@double(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
        %3 = flow.dispatch @double::@double(%2) : (tensor<4x4xf32>) -> tensor<4x4xf32>
        npu.yield %3 : tensor<4x4xf32>
      }
      %1 = flow.tensor.reshape %0 : tensor<4x4xf32> -> tensor<16xf32>
      util.return %1 : tensor<16xf32>
    }
    ```
  }];
  let dependentDialects = ["::npu::NPUDialect"];
}

def LegalizeDispatches : Pass<"npu-legalize-dispatches", "::mlir::ModuleOp"> {
  let summary = "Convert the dispatches of the NPU to kernels in tensor form";
  let description = [{
    Decides as npu-partition does, with the same options, and keeps the kernels that it made to decide: a function
    that the NPU runs becomes its npu.kernel, as npu-linalg-ext-decompose-attention,
    npu-linalg-ext-generalize-ops, convert-linalg-ext-to-npu, npu-global-opt-quantized-conv-to-conv, npu-global-opt-quantized-matmul-to-matmul, npu-slice-operands, npu-detach-elementwise-from-windows, npu-round-constants, npu-narrow-index-arithmetic,
    npu-tabulate-positions, npu-decompose-aggregates, npu-tabulate-functions, npu-fit-sums, npu-expand-scalar-ops,
    npu-widen-accumulators, convert-func-to-kernel, convert-linalg-to-npu and npu-fold-strides make it, checked by npu-verify-tensor-form, npu-check-target
    and npu-check-fit. Functions for the host stay as they are, marked. Equal functions are legalized once, others in
    parallel; each is a remark (`--remarks-filter=npu-codegen`).

    #### Example

    ```mlir
    // $ npu-opt --npu-legalize-dispatches
    func.func @sum(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
      %empty = tensor.empty() : tensor<16xf32>
      %0 = linalg.add ins(%a, %b : tensor<16xf32>, tensor<16xf32>) outs(%empty : tensor<16xf32>) -> tensor<16xf32>
      return %0 : tensor<16xf32>
    }
    // becomes
    npu.kernel @sum(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">} {
      %0 = tensor.empty() : tensor<16xf32>
      %1 = npu.binary add %arg0, %arg1 -> %0 : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
      npu.return %1 : tensor<16xf32>
    }
    ```
  }];
  let options = [
    Option<"target", "target", "::npu::TargetName", "\"npu-v1\"",
           "The chip: a known name, optionally with parameters, or @chip.json">,
    Option<"fallback", "fallback", "std::string", "\"error\"",
           "The treatment of dispatches that the target does not support: host or error">,
    Option<"placement", "placement", "std::string", "", "A JSON file of placements to keep">
  ];
}

#endif // NPU_PARTITION_PASSES_TD
