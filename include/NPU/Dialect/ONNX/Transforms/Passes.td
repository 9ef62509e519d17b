//===- Passes.td - passes on ONNX graphs -----------------------------------===//

#ifndef NPU_DIALECT_ONNX_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_ONNX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ONNXInferShapes : Pass<"npu-onnx-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "Infer the types of all values of ONNX graphs, folding what computes shapes";
  let description = [{
    Goes through the nodes in their order. A node is checked against the specification of its
    operator, gets the types of its outputs, and is replaced by constants if its specification folds
    it: the shape that a later node needs is often computed by nodes. This is one pass, as each half
    needs the other.

    Every node that is not supported is an error with its name and the reason; nodes that depend on
    its outputs are passed over. Nodes without uses are erased, so that they need no support.

    #### Precondition
    Arguments of functions have static shapes.

    #### Postcondition
    Every value is a ranked tensor of static shape, as declared by `onnx.type` where that is given.

    #### Example
    ```mlir
    %y = onnx.node "Relu"(%x) : (tensor<4x8xf32>) -> !onnx.unknown
    %s = onnx.node "Shape"(%y) : (!onnx.unknown) -> !onnx.unknown
    // becomes
    %y = onnx.node "Relu"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %s = onnx.constant dense<[4, 8]> : tensor<2xi64>
    ```
  }];
  let dependentDialects = ["::npu::onnx_ir::ONNXDialect"];
}

#endif // NPU_DIALECT_ONNX_TRANSFORMS_PASSES_TD
