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
  let summary = "Detach the initial values of contractions and convolutions as additions";
  let description = [{
    A contraction or convolution whose init is neither a fill nor uninitialized adds to a value, a
    bias as a rule. The addition becomes an elementwise op of its own, which can be fused.

    #### Precondition
    None.

    #### Postcondition
    Contractions and convolutions accumulate from zero. Poolings stay.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-detach-elementwise-from-named-ops))'
    util.func public @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %bias: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%bias : tensor<4x4xf32>) -> tensor<4x4xf32>
      util.return %1 : tensor<4x4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = tensor.empty() : tensor<4x4xf32>
      %cst = arith.constant 0.000000e+00 : f32
      %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
      %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
      %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %4 = arith.addf %in, %in_0 : f32
        linalg.yield %4 : f32
      } -> tensor<4x4xf32>
      util.return %3 : tensor<4x4xf32>
    }
    ```
  }];
}

def SimplifyDepthwiseConv : GlobalOptFunctionPass<"npu-global-opt-simplify-depthwise-conv"> {
  let summary = "Remove the unit channel multiplier of depthwise convolutions";
  let description = [{
    Applies upstream's patterns, as `simplify-depthwise-conv` does.

    #### Precondition
    None.

    #### Postcondition
    No depthwise convolution has a channel multiplier of 1.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-simplify-depthwise-conv))'
    util.func public @f(%a: tensor<1x8x8x4xf32>, %b: tensor<3x3x4x1xf32>, %c: tensor<1x6x6x4x1xf32>) -> tensor<1x6x6x4x1xf32> {
      %1 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
          ins(%a, %b : tensor<1x8x8x4xf32>, tensor<3x3x4x1xf32>) outs(%c : tensor<1x6x6x4x1xf32>) -> tensor<1x6x6x4x1xf32>
      util.return %1 : tensor<1x6x6x4x1xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<3x3x4x1xf32>, %arg2: tensor<1x6x6x4x1xf32>) -> tensor<1x6x6x4x1xf32> {
      %collapsed = tensor.collapse_shape %arg1 [[0], [1], [2, 3]] : tensor<3x3x4x1xf32> into tensor<3x3x4xf32>
      %collapsed_0 = tensor.collapse_shape %arg2 [[0], [1], [2], [3, 4]] : tensor<1x6x6x4x1xf32> into tensor<1x6x6x4xf32>
      %0 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %collapsed : tensor<1x8x8x4xf32>, tensor<3x3x4xf32>) outs(%collapsed_0 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
      %expanded = tensor.expand_shape %0 [[0], [1], [2], [3, 4]] output_shape [1, 6, 6, 4, 1] : tensor<1x6x6x4xf32> into tensor<1x6x6x4x1xf32>
      util.return %expanded : tensor<1x6x6x4x1xf32>
    }
    ```
  }];
}

def ConvertElementwiseToLinalg :
    GlobalOptFunctionPass<"npu-global-opt-convert-elementwise-to-linalg"> {
  let summary = "Convert elementwise ops on tensors to generics";
  let description = [{
    Applies upstream's patterns, as `convert-elementwise-to-linalg` does.

    #### Precondition
    None.

    #### Postcondition
    No elementwise op of arith or math works on ranked tensors.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-convert-elementwise-to-linalg))'
    util.func public @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %1 = arith.addf %a, %b : tensor<4xf32>
      util.return %1 : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<4xf32>, tensor<4xf32>) outs(%arg0 : tensor<4xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.addf %in, %in_0 : f32
        linalg.yield %1 : f32
      } -> tensor<4xf32>
      util.return %0 : tensor<4xf32>
    }
    ```
  }];
}

def GeneralizeLinalgNamedOps :
    GlobalOptFunctionPass<"npu-global-opt-generalize-linalg-named-ops"> {
  let summary = "Generalize named elementwise ops, reductions, and windows with unit loops";
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
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-generalize-linalg-named-ops))'
    util.func public @f(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
      %e = tensor.empty() : tensor<8x4xf32>
      %1 = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
      util.return %1 : tensor<8x4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xf32>) -> tensor<8x4xf32> {
      %0 = tensor.empty() : tensor<8x4xf32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%0 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x4xf32>
      util.return %1 : tensor<8x4xf32>
    }
    ```
  }];
}

def DecomposeConcat : GlobalOptFunctionPass<"npu-global-opt-decompose-concat"> {
  let summary = "Decompose concatenations into insertions";
  let description = [{
    `tensor.concat` becomes a `tensor.insert_slice` per operand into an uninitialized tensor.

    #### Precondition
    None.

    #### Postcondition
    No `tensor.concat` is left.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-decompose-concat))'
    util.func public @f(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
      %1 = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
      util.return %1 : tensor<4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> tensor<4xf32> {
      %0 = tensor.empty() : tensor<4xf32>
      %inserted_slice = tensor.insert_slice %arg0 into %0[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
      %inserted_slice_0 = tensor.insert_slice %arg1 into %inserted_slice[2] [2] [1] : tensor<2xf32> into tensor<4xf32>
      util.return %inserted_slice_0 : tensor<4xf32>
    }
    ```
  }];
}

def PropagateLinalgTranspose :
    GlobalOptFunctionPass<"npu-global-opt-propagate-linalg-transpose"> {
  let summary = "Propagate transposes into contractions";
  let description = [{
    A `linalg.matmul` or `linalg.batch_matmul` of a transposed tensor reads the tensor itself through
    another indexing map. A batch stays the outermost dimension of its operand.

    #### Precondition
    Transpositions are `linalg.transpose`.

    #### Postcondition
    None; transpositions whose result no one else uses are dead.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-propagate-linalg-transpose))'
    util.func public @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %e = tensor.empty() : tensor<8x4xf32>
      %t = linalg.transpose ins(%b : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
      %1 = linalg.matmul ins(%a, %t : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
      util.return %1 : tensor<4x4xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
      util.return %0 : tensor<4x4xf32>
    }
    ```
  }];
}

def ConvertStridedContractionToContraction :
    GlobalOptFunctionPass<"npu-global-opt-convert-strided-contraction-to-contraction"> {
  let summary = "Replace strided reads in contractions by slices before them";
  let description = [{
    A generic that multiplies and adds and reads an input with a stride (a convolution of 1x1 with
    strides) gets the input as a strided slice, and then is a contraction.

    #### Precondition
    Unit dimensions are folded.

    #### Postcondition
    None.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-convert-strided-contraction-to-contraction))'
    util.func public @f(%a: tensor<27x64xf32>, %b: tensor<64x8xf32>, %c: tensor<14x8xf32>) -> tensor<14x8xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m * 2, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : tensor<27x64xf32>, tensor<64x8xf32>) outs(%c : tensor<14x8xf32>) {
      ^bb0(%x: f32, %y: f32, %out: f32):
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %out, %p : f32
        linalg.yield %s : f32
      } -> tensor<14x8xf32>
      util.return %0 : tensor<14x8xf32>
    }
    // becomes
    util.func public @f(%arg0: tensor<27x64xf32>, %arg1: tensor<64x8xf32>, %arg2: tensor<14x8xf32>) -> tensor<14x8xf32> {
      %extracted_slice = tensor.extract_slice %arg0[0, 0] [14, 64] [2, 1] : tensor<27x64xf32> to tensor<14x64xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%extracted_slice, %arg1 : tensor<14x64xf32>, tensor<64x8xf32>) outs(%arg2 : tensor<14x8xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.mulf %in, %in_0 : f32
        %2 = arith.addf %out, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<14x8xf32>
      util.return %0 : tensor<14x8xf32>
    }
    ```
  }];
}

def QuantizedConvToConv : GlobalOptFunctionPass<"npu-global-opt-quantized-conv-to-conv"> {
  let summary = "Convert quantized convolutions to convolutions without zero points";
  let description = [{
    As npu-global-opt-quantized-matmul-to-matmul does it for matmuls: the sum of (x - zx) * (w - zw) over a window is the convolution of x
    and w, minus zw times the sums of x over windows, minus zx times the sums of w, plus the number of products times
    zx * zw. x is what it is behind a pad, which pads with zx. TFLite has no zw, and its filters are constants: then the sums of w are
    computed here, and are part of the bias that the sums start from.

    #### Precondition
    Zero points are scalars.

    #### Postcondition
    No convolution with zero points (`linalg.conv_*_q`, `linalg.depthwise_conv_*_q`) of integers on tensors is left, unless its windows have a dynamic size, or sums are narrower than a zero point.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-quantized-conv-to-conv))'
    util.func public @f(%x: tensor<1x4x4x2xi8>, %bias: tensor<2xi32>) -> tensor<1x3x3x2xi32> {
      %zx = arith.constant -128 : i32
      %zw = arith.constant 0 : i32
      %w = arith.constant dense<3> : tensor<2x2x2xi8>
      %e = tensor.empty() : tensor<1x3x3x2xi32>
      %b = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<2xi32>) outs(%e : tensor<1x3x3x2xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<1x3x3x2xi32>
      %0 = linalg.depthwise_conv_2d_nhwc_hwc_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %zx, %zw : tensor<1x4x4x2xi8>, tensor<2x2x2xi8>, i32, i32) outs(%b : tensor<1x3x3x2xi32>) -> tensor<1x3x3x2xi32>
      util.return %0 : tensor<1x3x3x2xi32>
    }
    // becomes
    util.func public @f(%arg0: tensor<1x4x4x2xi8>, %arg1: tensor<2xi32>) -> tensor<1x3x3x2xi32> {
      %c-128_i32 = arith.constant -128 : i32
      %c0_i32 = arith.constant 0 : i32
      %cst = arith.constant dense<3> : tensor<2x2x2xi8>
      %0 = tensor.empty() : tensor<1x3x3x2xi32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2xi32>) outs(%0 : tensor<1x3x3x2xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<1x3x3x2xi32>
      %cst_0 = arith.constant dense<12> : tensor<2xi32>
      %cst_1 = arith.constant dense<1536> : tensor<2xi32>
      %2 = tensor.empty() : tensor<2xi32>
      %3 = linalg.add ins(%arg1, %cst_1 : tensor<2xi32>, tensor<2xi32>) outs(%2 : tensor<2xi32>) -> tensor<2xi32>
      %4 = tensor.empty() : tensor<1x3x3x2xi32>
      %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2xi32>) outs(%4 : tensor<1x3x3x2xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<1x3x3x2xi32>
      %6 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %cst : tensor<1x4x4x2xi8>, tensor<2x2x2xi8>) outs(%5 : tensor<1x3x3x2xi32>) -> tensor<1x3x3x2xi32>
      util.return %6 : tensor<1x3x3x2xi32>
    }
    ```
  }];
}

def QuantizedMatmulToMatmul : GlobalOptFunctionPass<"npu-global-opt-quantized-matmul-to-matmul"> {
  let summary = "Convert quantized matmuls to matmuls without zero points";
  let description = [{
    The sum of (a - za) * (b - zb) over k is the matmul of a and b, minus zb times the row sums of a,
    minus za times the column sums of b, plus k * za * zb. Terms with a zero point that is the constant
    0 are left out. If b and za are constants and zb is 0, the sums start from what is left.

    #### Precondition
    Zero points are scalars.

    #### Postcondition
    No `linalg.quantized_matmul` or `linalg.quantized_batch_matmul` of integers on tensors is left, unless the number of products is dynamic, or sums are narrower than a zero point.

    #### Example
    ```mlir
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-quantized-matmul-to-matmul))'
    util.func public @f(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %za: i32, %zb: i32) -> tensor<4x4xi32> {
      %c0 = arith.constant 0 : i32
      %e = tensor.empty() : tensor<4x4xi32>
      %zero = linalg.fill ins(%c0 : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
      %0 = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<4x8xi8>, tensor<8x4xi8>, i32, i32) outs(%zero : tensor<4x4xi32>) -> tensor<4x4xi32>
      util.return %0 : tensor<4x4xi32>
    }
    // becomes
    util.func public @f(%arg0: tensor<4x8xi8>, %arg1: tensor<8x4xi8>, %arg2: i32, %arg3: i32) -> tensor<4x4xi32> {
      %c0_i32 = arith.constant 0 : i32
      %0 = tensor.empty() : tensor<4x4xi32>
      %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<4x4xi32>) -> tensor<4x4xi32>
      %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xi8>, tensor<8x4xi8>) outs(%1 : tensor<4x4xi32>) -> tensor<4x4xi32>
      %3 = tensor.empty() : tensor<4xi32>
      %c0_i32_0 = arith.constant 0 : i32
      %4 = linalg.fill ins(%c0_i32_0 : i32) outs(%3 : tensor<4xi32>) -> tensor<4xi32>
      %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xi8>) outs(%4 : tensor<4xi32>) {
      ^bb0(%in: i8, %out: i32):
        %13 = arith.extsi %in : i8 to i32
        %14 = arith.addi %13, %out : i32
        linalg.yield %14 : i32
      } -> tensor<4xi32>
      %6 = tensor.empty() : tensor<4xi32>
      %c0_i32_1 = arith.constant 0 : i32
      %7 = linalg.fill ins(%c0_i32_1 : i32) outs(%6 : tensor<4xi32>) -> tensor<4xi32>
      %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg1 : tensor<8x4xi8>) outs(%7 : tensor<4xi32>) {
      ^bb0(%in: i8, %out: i32):
        %13 = arith.extsi %in : i8 to i32
        %14 = arith.addi %13, %out : i32
        linalg.yield %14 : i32
      } -> tensor<4xi32>
      %9 = arith.muli %arg2, %arg3 : i32
      %c8_i32 = arith.constant 8 : i32
      %10 = arith.muli %9, %c8_i32 : i32
      %11 = tensor.empty() : tensor<4x4xi32>
      %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %5, %arg3, %8, %arg2, %10 : tensor<4x4xi32>, tensor<4xi32>, i32, tensor<4xi32>, i32, i32) outs(%11 : tensor<4x4xi32>) {
      ^bb0(%in: i32, %in_2: i32, %in_3: i32, %in_4: i32, %in_5: i32, %in_6: i32, %out: i32):
        %13 = arith.muli %in_2, %in_3 : i32
        %14 = arith.subi %in, %13 : i32
        %15 = arith.muli %in_4, %in_5 : i32
        %16 = arith.subi %14, %15 : i32
        %17 = arith.addi %16, %in_6 : i32
        linalg.yield %17 : i32
      } -> tensor<4x4xi32>
      util.return %12 : tensor<4x4xi32>
    }
    ```
  }];
}

def RaiseSpecialOps : GlobalOptFunctionPass<"npu-global-opt-raise-special-ops"> {
  let summary = "Raise decomposed ops, such as a softmax, to named ops";
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
    // $ npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-raise-special-ops))'
    #id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
    #row = affine_map<(d0, d1, d2) -> (d0, d2)>
    util.func public @softmax(%x: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
      %lowest = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %row = tensor.empty() : tensor<4x16xf32>
      %full = tensor.empty() : tensor<4x8x16xf32>
      %m0 = linalg.fill ins(%lowest : f32) outs(%row : tensor<4x16xf32>) -> tensor<4x16xf32>
      %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<4x8x16xf32>) outs(%m0 : tensor<4x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %0 = arith.maximumf %out, %in : f32
        linalg.yield %0 : f32
      } -> tensor<4x16xf32>
      %sub = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<4x8x16xf32>, tensor<4x16xf32>) outs(%full : tensor<4x8x16xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %0 = arith.subf %in, %in_0 : f32
        linalg.yield %0 : f32
      } -> tensor<4x8x16xf32>
      %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sub : tensor<4x8x16xf32>) outs(%full : tensor<4x8x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %0 = math.exp %in : f32
        linalg.yield %0 : f32
      } -> tensor<4x8x16xf32>
      %s0 = linalg.fill ins(%zero : f32) outs(%row : tensor<4x16xf32>) -> tensor<4x16xf32>
      %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "parallel"]} ins(%exp : tensor<4x8x16xf32>) outs(%s0 : tensor<4x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %0 = arith.addf %in, %out : f32
        linalg.yield %0 : f32
      } -> tensor<4x16xf32>
      %div = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<4x8x16xf32>, tensor<4x16xf32>) outs(%full : tensor<4x8x16xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %0 = arith.divf %in, %in_0 : f32
        linalg.yield %0 : f32
      } -> tensor<4x8x16xf32>
      util.return %div : tensor<4x8x16xf32>
    }
    // becomes
    util.func public @softmax(%arg0: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
      %cst = arith.constant 0xFF800000 : f32
      %cst_0 = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<4x16xf32>
      %1 = tensor.empty() : tensor<4x8x16xf32>
      %2 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
      %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg0 : tensor<4x8x16xf32>) outs(%2 : tensor<4x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %10 = arith.maximumf %out, %in : f32
        linalg.yield %10 : f32
      } -> tensor<4x16xf32>
      %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %3 : tensor<4x8x16xf32>, tensor<4x16xf32>) outs(%1 : tensor<4x8x16xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %10 = arith.subf %in, %in_1 : f32
        linalg.yield %10 : f32
      } -> tensor<4x8x16xf32>
      %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x8x16xf32>) outs(%1 : tensor<4x8x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %10 = math.exp %in : f32
        linalg.yield %10 : f32
      } -> tensor<4x8x16xf32>
      %6 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
      %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%5 : tensor<4x8x16xf32>) outs(%6 : tensor<4x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %10 = arith.addf %in, %out : f32
        linalg.yield %10 : f32
      } -> tensor<4x16xf32>
      %8 = tensor.empty() : tensor<4x8x16xf32>
      %9 = linalg.softmax dimension(1) ins(%arg0 : tensor<4x8x16xf32>) outs(%8 : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
      util.return %9 : tensor<4x8x16xf32>
    }
    ```
  }];
}

#endif // NPU_GLOBALOPTIMIZATION_PASSES_TD
