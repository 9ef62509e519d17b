//===- Passes.td - passes on ONNX graphs -----------------------------------===//

#ifndef NPU_DIALECT_ONNX_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_ONNX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ONNXAssumeType : Pass<"npu-onnx-assume-type", "::mlir::ModuleOp"> {
  let summary = "Give a graph of floats the form that it has after quantization to i8";
  let description = [{
    Puts QuantizeLinear and DequantizeLinear around the values that `npu-quantize` would make bytes
    of, and writes nodes in the form that it would give them: operands and results of products, what
    moves elements, averages, and the ends of regions that compute floats. `npu-run --assume-type=i8`
    asks for it, to tell the time of a model that is not quantized yet. The numbers of the result
    mean nothing:

    * Each scale is another one, pseudo-random and near 1/27, and the zero point is -5, which costs what a measured one
      does; for values that cannot be negative, it is -128, so that a Relu costs nothing, as in a
      quantized model.
    * Weights are rounded with one scale, though each output channel has another scale in the graph.
      Constants that the pass computes have the right shape only. Weights of one number become
      pseudo-random ones.

    No number is known, so that what `npu-quantize` leaves in floats because of ranges is bytes here.
    The other way round, nodes in subgraphs stay in floats, as there. A model that is quantized
    already is an error, and so is one without a product in f32.

    #### Precondition
    `npu-onnx-infer-shapes` has run.

    #### Postcondition
    Results of functions have the types that they had.

    #### Example
    ```mlir
    // $ npu-opt --npu-onnx-assume-type
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
        %w = onnx.constant dense<[[0.5, -1.0], [1.0, 0.25]]> : tensor<2x2xf32>
        %0 = onnx.node "MatMul"(%x, %w) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
        return %0 : tensor<1x2xf32>
      }
    }
    // becomes
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f(%arg0: tensor<1x2xf32>) -> tensor<1x2xf32> {
        %0 = onnx.constant dense<-5> : tensor<i8>
        %1 = onnx.constant dense<0.0327515863> : tensor<f32>
        %2 = onnx.constant dense<0> : tensor<2xi8>
        %3 = onnx.constant dense<[2.718280e-03, 0.00272889831]> : tensor<2xf32>
        %4 = onnx.constant dense<-5> : tensor<i8>
        %5 = onnx.constant dense<0.0314162523> : tensor<f32>
        %6 = onnx.node "QuantizeLinear" version 13(%arg0, %5, %4) : (tensor<1x2xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2xi8>
        %7 = onnx.constant dense<[[64, -127], [127, 32]]> : tensor<2x2xi8>
        %8 = onnx.node "DequantizeLinear" version 13(%6, %5, %4) : (tensor<1x2xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2xf32>
        %9 = onnx.node "DequantizeLinear" version 13(%7, %3, %2) {axis = 1 : i64} : (tensor<2x2xi8>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x2xf32>
        %10 = onnx.node "MatMul"(%8, %9) : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
        %11 = onnx.node "QuantizeLinear" version 13(%10, %1, %0) : (tensor<1x2xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2xi8>
        %12 = onnx.node "DequantizeLinear" version 13(%11, %1, %0) : (tensor<1x2xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2xf32>
        return %12 : tensor<1x2xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::npu::onnx_ir::ONNXDialect"];
}

def ONNXFoldDequantize : Pass<"npu-onnx-fold-dequantize", "::mlir::ModuleOp"> {
  let summary = "Fold the dequantization of constants";
  let description = [{
    A DequantizeLinear of a constant becomes a constant of floats, with the bits that the node would
    compute. Weights whose product stays in floats are then operands as any other weights are; they
    take two to four times the memory, so that tensors of more than 2^28 elements and what does not
    fit into `max-bytes` stay as they are. Not folded are weights in blocks, those of matrices that MatMul and
    Gemm alone read, on their right, and filters of 8 bits that one Conv without groups reads and that as f32 would be at least as many bytes as the images that it reads and writes: kernels make floats of them on chip, so that they take their bits in DRAM.
    Such a node comes right before the one that reads it, as do their dispatches then, which can share a kernel.

    #### Precondition
    `npu-onnx-infer-shapes` has run, and `npu-onnx-fold-qdq`, which wants the integers.

    #### Postcondition
    None.

    #### Example
    ```mlir
    // $ npu-opt --npu-onnx-fold-dequantize
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f() -> tensor<2xf32> {
        %q = onnx.constant dense<[2, -3]> : tensor<2xi8>
        %s = onnx.constant dense<0.5> : tensor<f32>
        %0 = onnx.node "DequantizeLinear"(%q, %s) : (tensor<2xi8>, tensor<f32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
    }
    // becomes
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f() -> tensor<2xf32> {
        %0 = onnx.constant dense<[1.000000e+00, -1.500000e+00]> : tensor<2xf32>
        return %0 : tensor<2xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "::npu::ByteSize", /*default=*/"int64_t(1) << 31",
           "bytes of all constants that the pass may make">];
  let dependentDialects = ["::npu::onnx_ir::ONNXDialect"];
}

def ONNXFoldQDQ : Pass<"npu-onnx-fold-qdq", "::mlir::ModuleOp"> {
  let summary = "Convert ops between DequantizeLinear and QuantizeLinear to integer ops";
  let description = [{
    Tools write a quantized model as a model of floats whose tensors go through QuantizeLinear and
    DequantizeLinear. If tensors are bytes, and scales and zero points constants, they stay integers:

    * What moves elements or takes the largest of them (Reshape, Transpose, Concat, MaxPool and the
      like) is the same on integers: it is done before a DequantizeLinear of one scale that is
      before it.
    * A QuantizeLinear of the scale and zero point of the DequantizeLinear before it is dropped.
    * A Conv, MatMul or Gemm of dequantized tensors, with or without a bias, whose only use is
      quantized again becomes a QLinearConv or QLinearMatMul. Between them may be what moves
      elements, and Relu and Clip, which become a Clip of the integers. The bias is rounded to a
      multiple of the product of both scales, an i32; a QLinearMatMul gets it as a ninth input,
      which ONNX does not have, and the attribute `onnx.folded_bias`.
    * One whose result is used as floats becomes a ConvInteger or MatMulInteger, whose sums are
      multiplied by both scales.

    The sums of integers are exact. ONNX Runtime without optimizations adds up rounded floats, so
    that a number next to the middle between two integers may be rounded to the other one there.

    #### Precondition
    `npu-onnx-infer-shapes` has run.

    #### Example
    ```mlir
    // $ npu-opt --npu-onnx-fold-qdq
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f(%xq: tensor<4x8xui8>) -> tensor<4x2xui8> {
        %s = onnx.constant dense<0.5> : tensor<f32>
        %z = onnx.constant dense<120> : tensor<ui8>
        %wq = onnx.constant dense<3> : tensor<8x2xi8>
        %wz = onnx.constant dense<0> : tensor<i8>
        %x = onnx.node "DequantizeLinear"(%xq, %s, %z) : (tensor<4x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x8xf32>
        %w = onnx.node "DequantizeLinear"(%wq, %s, %wz) : (tensor<8x2xi8>, tensor<f32>, tensor<i8>) -> tensor<8x2xf32>
        %y = onnx.node "MatMul"(%x, %w) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
        %yq = onnx.node "QuantizeLinear"(%y, %s, %z) : (tensor<4x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x2xui8>
        return %yq : tensor<4x2xui8>
      }
    }
    // becomes
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f(%arg0: tensor<4x8xui8>) -> tensor<4x2xui8> {
        %0 = onnx.constant dense<5.000000e-01> : tensor<f32>
        %1 = onnx.constant dense<120> : tensor<ui8>
        %2 = onnx.constant dense<3> : tensor<8x2xi8>
        %3 = onnx.constant dense<0> : tensor<i8>
        %4 = onnx.node "QLinearMatMul" version 29(%arg0, %0, %1, %2, %0, %3, %0, %1) : (tensor<4x8xui8>, tensor<f32>, tensor<ui8>, tensor<8x2xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xui8>
        return %4 : tensor<4x2xui8>
      }
    }
    ```
  }];
  let dependentDialects = ["::npu::onnx_ir::ONNXDialect"];
}

def ONNXInferShapes : Pass<"npu-onnx-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "Infer the types of all values of ONNX graphs, and fold shape computations";
  let description = [{
    Goes through the nodes in their order. A node is checked against the specification of its
    operator, gets the types of its outputs, and is replaced by constants if its specification folds
    it: the shape that a later node needs is often computed by nodes. This is one pass, as each half
    needs the other. On the way

    * nodes that stand for others (attention, recurrent operators, what optimizers fuse) are replaced
      by them;
    * of an `If` whose condition is a constant, its branch is left, and a `Loop` of at most 64
      iterations that only their number ends is written out, so that types may change in it. Others
      stay: both branches give the same types, and iterations leave types as they are;
    * sequences are followed: only their tensors are left.

    Every node that is not supported is an error with its name and the reason; nodes that depend on
    its outputs are passed over. Nodes without uses are erased, so that they need no support.

    #### Precondition
    Arguments of functions have static shapes.

    #### Postcondition
    Every value is a ranked tensor of static shape. Results have the elements that `onnx.type`
    declares; another shape than it declares is a warning.

    #### Example
    ```mlir
    // $ npu-opt --npu-onnx-infer-shapes
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f(%x: tensor<4x8xf32>) -> (!onnx.unknown, !onnx.unknown) {
        %y = onnx.node "Relu"(%x) : (tensor<4x8xf32>) -> !onnx.unknown
        %s = onnx.node "Shape"(%y) : (!onnx.unknown) -> !onnx.unknown
        return %y, %s : !onnx.unknown, !onnx.unknown
      }
    }
    // becomes
    module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
      func.func @f(%arg0: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<2xi64>) {
        %0 = onnx.node "Relu"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
        %1 = onnx.constant dense<[4, 8]> : tensor<2xi64>
        return %0, %1 : tensor<4x8xf32>, tensor<2xi64>
      }
    }
    ```
  }];
  let dependentDialects = ["::npu::onnx_ir::ONNXDialect"];
}

#endif // NPU_DIALECT_ONNX_TRANSFORMS_PASSES_TD
