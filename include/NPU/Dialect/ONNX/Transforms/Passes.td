//===- Passes.td - passes on ONNX graphs -----------------------------------===//

#ifndef NPU_DIALECT_ONNX_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_ONNX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ONNXFoldDequantize : Pass<"npu-onnx-fold-dequantize", "::mlir::ModuleOp"> {
  let summary = "Dequantize constants while compiling";
  let description = [{
    A DequantizeLinear of a constant becomes a constant of floats, with the bits that the node would
    compute. Weights whose product stays in floats are then operands as any other weights are; they
    take two to four times the memory, so that tensors of more than 2^28 elements and what does not
    fit into `max-bytes` stay as they are.

    #### Precondition
    `npu-onnx-infer-shapes` has run, and `npu-onnx-fold-qdq`, which wants the integers.

    #### Postcondition
    None.

    #### Example
    ```mlir
    %w = onnx.node "DequantizeLinear"(%wq, %ws) : (tensor<2xi8>, tensor<f32>) -> tensor<2xf32>
    // becomes, if %wq is dense<[2, -3]> and %ws is 0.5,
    %w = onnx.constant dense<[1.0, -1.5]> : tensor<2xf32>
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"int64_t(1) << 31",
           "bytes of all constants that the pass may make">];
  let dependentDialects = ["::npu::onnx_ir::ONNXDialect"];
}

def ONNXFoldQDQ : Pass<"npu-onnx-fold-qdq", "::mlir::ModuleOp"> {
  let summary = "Compute products between DequantizeLinear and QuantizeLinear in integers";
  let description = [{
    Tools write a quantized model as a model of floats whose tensors go through QuantizeLinear and
    DequantizeLinear. A Conv, MatMul or Gemm of dequantized tensors whose only use is quantized
    again becomes a QLinearConv or QLinearMatMul, if the tensors are bytes and the scales and zero
    points are constants. The bias is rounded to a multiple of the product of both scales, an i32;
    a QLinearMatMul gets it as a ninth input, which ONNX does not have, and the attribute
    `onnx.folded_bias`. A Relu in between goes away
    if the zero point of the result is the smallest number of its type.

    #### Precondition
    `npu-onnx-infer-shapes` has run.

    #### Example
    ```mlir
    %x = onnx.node "DequantizeLinear"(%xq, %xs, %xz)
        : (tensor<4x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x8xf32>
    %w = onnx.node "DequantizeLinear"(%wq, %ws, %wz)
        : (tensor<8x2xi8>, tensor<f32>, tensor<i8>) -> tensor<8x2xf32>
    %y = onnx.node "MatMul"(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    %yq = onnx.node "QuantizeLinear"(%y, %ys, %yz)
        : (tensor<4x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x2xui8>
    // becomes
    %yq = onnx.node "QLinearMatMul"(%xq, %xs, %xz, %wq, %ws, %wz, %ys, %yz)
        : (tensor<4x8xui8>, tensor<f32>, tensor<ui8>, tensor<8x2xi8>, tensor<f32>, tensor<i8>,
           tensor<f32>, tensor<ui8>) -> tensor<4x2xui8>
    ```
  }];
  let dependentDialects = ["::npu::onnx_ir::ONNXDialect"];
}

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
    Every value is a ranked tensor of static shape. Results have the elements that `onnx.type`
    declares; another shape than it declares is a warning.

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
