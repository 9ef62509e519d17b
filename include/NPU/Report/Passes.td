//===- Passes.td - passes that say something about a model ------------------===//

#ifndef NPU_REPORT_PASSES_TD
#define NPU_REPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def PartitionReport : Pass<"npu-partition-report", "::mlir::ModuleOp"> {
  let summary = "Print the placement of each dispatch with the reasons for rejection";
  let description = [{
    Prints a table of all dispatches: placement, multiply-accumulates, what it computes, and for those on the host each
    reason with what was found, what is possible and what to do. `format=json` prints the same for tools.

    The dispatches are those that npu-run would have of the module. In whatever phase of the front half it is, the
    phases that it lacks run on a copy: a model in linalg or tosa is divided into dispatches, dispatches that stand in
    place are outlined, what is outlined is imported. Functions on tensors that are one dispatch each are taken as they
    are, as npu-codegen-pipeline does. What is no model, or one no more, is an error that says what to run.

    #### Precondition
    No ops of onnx: npu-onnx-pipeline has run. No code for IREE's back ends (`hal.executable`) and no kernels.

    #### Postcondition
    The IR is unchanged.

    #### Example
    <!-- $ npu-opt --npu-partition-report examples/matmul.mlir -o /dev/null -->
    ```
    dispatch  on           MACs  what it computes
    #0        npu       2097152  op: linalg.matmul M=128 N=64 K=256 dtype: f16xf16xf32
    on the NPU: 1 of 1 dispatches, 2097152 of 2097152 MACs; on the host: 0 dispatches
    ```
  }];
  let options = [
    Option<"target", "target", "::npu::TargetName", "\"npu-v1\"",
           "The chip: a known name, optionally with parameters, or @chip.json">,
    Option<"format", "format", "std::string", "\"table\"", "The format of the output: table or json">,
    Option<"placement", "placement", "std::string", "", "A JSON file of placements to keep">
  ];
  let dependentDialects = ["::npu::NPUDialect"];
}

def PrintDispatches : Pass<"npu-print-dispatches", "::mlir::ModuleOp"> {
  let summary = "Print one line for each dispatch: what it computes, its sizes and its types";
  let description = [{
    Writes to the standard output one line for each `flow.dispatch`, in the order in which they
    stand in the host functions. A model whose dispatches are not formed yet is divided into them, on a copy.
    A module of functions that are one dispatch each is read as a list of them; whether a function is one
    depends on `target`. The line describes the dispatch's root: its contraction or
    convolution (the last one, if there are several), else its pooling, else its last linalg op.

    Contractions show B (if there is a batch), M, N and K, convolutions N, H, W (of the input), C,
    F, OH, OW, kernel, stride, dilation and groups; a pooling shows images and channels as one
    number, NC. All come from the op's indexing maps, so a
    `linalg.generic` reads as the named op that computes the same. A dimension of size 1 that the
    maps do not have (IREE folds unit dimensions) shows as 1. Everything else shows its loops'
    sizes. The dtype is one name if operands and accumulator agree, else `<lhs>x<rhs>x<accumulator>`.

    With `extents`, the line has the class of the root (contraction, convolution, pooling, reduction,
    elementwise), the products of its parallel and of its reduction loops, and all loops in their
    order, to compare roots that are written in different ways.

    What cannot be described (an executable that is not in the file) is shown as such.

    #### Precondition
    That of npu-partition-report.

    #### Postcondition
    The IR is unchanged.

    #### Example
    <!-- $ npu-opt --npu-print-dispatches examples/matmul.mlir -o /dev/null -->
    ```
    Dispatch #0: op: linalg.matmul M=128 N=64 K=256 dtype: f16xf16xf32
    ```
  }];
  let options = [
    Option<"extents", "extents", "bool", "false",
           "Print the class and the loops of each root op instead of its sizes and types">,
    Option<"target", "target", "::npu::TargetName", "\"npu-v1\"",
           "The chip: a known name, optionally with parameters, or @chip.json">
  ];
  let dependentDialects = ["::npu::NPUDialect"];
}

#endif // NPU_REPORT_PASSES_TD
