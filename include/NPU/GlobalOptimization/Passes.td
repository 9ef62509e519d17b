//===- Passes.td - passes on whole models before dispatches are formed -----===//

#ifndef NPU_GLOBALOPTIMIZATION_PASSES_TD
#define NPU_GLOBALOPTIMIZATION_PASSES_TD

include "mlir/Pass/PassBase.td"

class GlobalOptFunctionPass<string flag> :
    InterfacePass<flag, "::mlir::FunctionOpInterface"> {
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def DetachElementwiseFromNamedOps :
    GlobalOptFunctionPass<"npu-global-opt-detach-elementwise-from-named-ops"> {
  let summary = "Start contractions and convolutions from zero, add their init afterwards";
  let description = [{
    A contraction or convolution whose init is neither a fill nor uninitialized adds to a value, a
    bias as a rule. The addition becomes an elementwise op of its own, which can be fused.

    #### Precondition
    None.

    #### Postcondition
    Contractions and convolutions accumulate from zero. Poolings stay.

    #### Example
    ```mlir
    %1 = linalg.matmul ins(%a, %b) outs(%bias)
    // becomes
    %0 = linalg.fill ins(%zero) outs(%empty)
    %1 = linalg.matmul ins(%a, %b) outs(%0)
    %2 = linalg.generic ins(%1, %bias) outs(%empty) { arith.addf }
    ```
  }];
}

def SimplifyDepthwiseConv : GlobalOptFunctionPass<"npu-global-opt-simplify-depthwise-conv"> {
  let summary = "Drop the channel multiplier of depthwise convolutions where it is 1";
  let description = [{
    Applies upstream's patterns, as `simplify-depthwise-conv` does.

    #### Precondition
    None.

    #### Postcondition
    No depthwise convolution has a channel multiplier of 1.

    #### Example
    ```mlir
    %1 = linalg.depthwise_conv_2d_nhwc_hwcm
      ins(%a, %b : tensor<1x8x8x4xf32>, tensor<3x3x4x1xf32>) outs(%c : tensor<1x6x6x4x1xf32>) ...
    // becomes
    %1 = linalg.depthwise_conv_2d_nhwc_hwc
      ins(%a, %d : tensor<1x8x8x4xf32>, tensor<3x3x4xf32>) outs(%e : tensor<1x6x6x4xf32>) ...
    ```
  }];
}

def ConvertElementwiseToLinalg :
    GlobalOptFunctionPass<"npu-global-opt-convert-elementwise-to-linalg"> {
  let summary = "Turn elementwise ops on tensors into generics";
  let description = [{
    Applies upstream's patterns, as `convert-elementwise-to-linalg` does.

    #### Precondition
    None.

    #### Postcondition
    No elementwise op of arith or math works on ranked tensors.

    #### Example
    ```mlir
    %1 = arith.addf %a, %b : tensor<4xf32>
    // becomes
    %1 = linalg.generic ins(%a, %b) outs(%a) { arith.addf }
    ```
  }];
}

def GeneralizeLinalgNamedOps :
    GlobalOptFunctionPass<"npu-global-opt-generalize-linalg-named-ops"> {
  let summary = "Turn named elementwise ops, reductions and windows with unit loops into generics";
  let description = [{
    Named ops of one element at a time (`linalg.add`, `linalg.transpose`, `linalg.broadcast`, ...) and
    `linalg.reduce` become `linalg.generic`, so that they fuse, and so do convolutions and poolings
    that have a loop of one iteration, so that it can be folded. Contractions and fills keep their names.

    #### Precondition
    None.

    #### Postcondition
    The named linalg ops left are contractions, fills, and windows without unit loops.

    #### Example
    ```mlir
    %1 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
    // becomes
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, ...]} ...
    ```
  }];
}

def DecomposeConcat : GlobalOptFunctionPass<"npu-global-opt-decompose-concat"> {
  let summary = "Turn concatenations into insertions";
  let description = [{
    `tensor.concat` becomes a `tensor.insert_slice` per operand into an uninitialized tensor.

    #### Precondition
    None.

    #### Postcondition
    No `tensor.concat` is left.

    #### Example
    ```mlir
    %1 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    // becomes
    %0 = tensor.insert_slice %a into %empty[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
    %1 = tensor.insert_slice %b into %0[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
    ```
  }];
}

def PropagateLinalgTranspose :
    GlobalOptFunctionPass<"npu-global-opt-propagate-linalg-transpose"> {
  let summary = "Read transposed operands of contractions in place";
  let description = [{
    A `linalg.matmul` or `linalg.batch_matmul` of a transposed tensor reads the tensor itself through
    another indexing map. A batch stays the outermost dimension of its operand.

    #### Precondition
    Transpositions are `linalg.transpose`.

    #### Postcondition
    None; transpositions whose result no one else uses are dead.

    #### Example
    ```mlir
    %t = linalg.transpose ins(%b : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
    %1 = linalg.matmul ins(%a, %t) outs(%c)
    // becomes
    %1 = linalg.matmul indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
      affine_map<(m, n, k) -> (m, n)>] ins(%a, %b) outs(%c)
    ```
  }];
}

def ConvertStridedContractionToContraction :
    GlobalOptFunctionPass<"npu-global-opt-convert-strided-contraction-to-contraction"> {
  let summary = "Take every n-th element before a contraction instead of in it";
  let description = [{
    A generic that multiplies and adds and reads an input with a stride (a convolution of 1x1 with
    strides) gets the input as a strided slice, and then is a contraction.

    #### Precondition
    Unit dimensions are folded.

    #### Postcondition
    None.

    #### Example
    ```mlir
    linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m * 2, k)>, ...]} ins(%a, %b)
    // becomes
    %s = tensor.extract_slice %a[0, 0] [14, 64] [2, 1] : ...
    linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, ...]} ins(%s, %b)
    ```
  }];
}

def QuantizedMatmulToMatmul : GlobalOptFunctionPass<"npu-global-opt-quantized-matmul-to-matmul"> {
  let summary = "Take the zero points out of quantized matmuls";
  let description = [{
    The sum of (a - za) * (b - zb) over k is the matmul of a and b, minus zb times the row sums of a,
    minus za times the column sums of b, plus k * za * zb. Terms with a zero point that is the constant
    0 are left out.

    #### Precondition
    Zero points are scalars.

    #### Postcondition
    No `linalg.quantized_matmul` on tensors is left.

    #### Example
    ```mlir
    linalg.quantized_matmul ins(%a, %b, %za, %zb) outs(%zero)
    // becomes
    %m = linalg.matmul ins(%a, %b) outs(%zero)
    %r = linalg.generic ins(%a) ... { sum over k }
    %c = linalg.generic ins(%b) ... { sum over k }
    linalg.generic ins(%m, %r, %zb, %c, %za, %kzz) ...
    ```
  }];
}

def RaiseSpecialOps : GlobalOptFunctionPass<"npu-global-opt-raise-special-ops"> {
  let summary = "Recognize ops that stand there in parts";
  let description = [{
    exp(x - max(x)) / sum(exp(x - max(x))) along one dimension becomes `linalg.softmax`, and so does
    the form that multiplies by the reciprocal of the sum. As in IREE each part must be a
    `linalg.generic` of one op; what is fused already stays.

    #### Precondition
    Elementwise ops and reductions are `linalg.generic`, unit dimensions are folded.

    #### Postcondition
    None.

    #### Example
    ```mlir
    %max = linalg.generic ins(%x) ... { arith.maximumf }
    %sub = linalg.generic ins(%x, %max) ... { arith.subf }
    %exp = linalg.generic ins(%sub) ... { math.exp }
    %sum = linalg.generic ins(%exp) ... { arith.addf }
    %1 = linalg.generic ins(%exp, %sum) ... { arith.divf }
    // becomes
    %1 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>)
    ```
  }];
}

#endif // NPU_GLOBALOPTIMIZATION_PASSES_TD
