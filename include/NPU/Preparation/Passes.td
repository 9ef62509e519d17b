//===- Passes.td - linalg as kernels want it ------------------*- tablegen -*-===//

#ifndef NPU_PREPARATION_PASSES_TD
#define NPU_PREPARATION_PASSES_TD

include "mlir/Pass/PassBase.td"

def NPUWidenAccumulators : Pass<"npu-widen-accumulators"> {
  let summary = "Accumulate f16 and bf16 sums and contractions in f32 and round once";
  let description = [{
    A contraction, convolution or sum that accumulates in f16 or bf16 rounds after every addition, which no
    matrix engine does. This pass gives it an f32 accumulator and one final rounding. It changes results (they
    get more accurate), so it runs on what the NPU executes and on what the host executes as reference alike.
    It knows linalg only and works in any function.

    A zero-filled accumulator becomes an f32 zero fill, another constant fill an f32 fill of that value; any
    other initial value is extended.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    No linalg op whose body adds, or multiplies and adds, accumulates in f16 or bf16.

    #### Example
    ```mlir
    // $ npu-opt --npu-widen-accumulators
    func.func @f(%a: tensor<4x16xf16>, %b: tensor<16x8xf16>) -> tensor<4x8xf16> {
      %zero = arith.constant 0.0 : f16
      %e = tensor.empty() : tensor<4x8xf16>
      %0 = linalg.fill ins(%zero : f16) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
      %1 = linalg.matmul ins(%a, %b : tensor<4x16xf16>, tensor<16x8xf16>) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
      return %1 : tensor<4x8xf16>
    }
    // becomes
    func.func @f(%arg0: tensor<4x16xf16>, %arg1: tensor<16x8xf16>) -> tensor<4x8xf16> {
      %cst = arith.constant 0.000000e+00 : f16
      %0 = tensor.empty() : tensor<4x8xf16>
      %1 = tensor.empty() : tensor<4x8xf32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
      %3 = linalg.matmul ins(%arg0, %arg1 : tensor<4x16xf16>, tensor<16x8xf16>) outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
      %4 = tensor.empty() : tensor<4x8xf16>
      %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<4x8xf32>) outs(%4 : tensor<4x8xf16>) {
      ^bb0(%in: f32, %out: f16):
        %6 = arith.truncf %in : f32 to f16
        linalg.yield %6 : f16
      } -> tensor<4x8xf16>
      return %5 : tensor<4x8xf16>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NPUSliceOperands : Pass<"npu-slice-operands"> {
  let summary = "Convert affine reads in bodies to slices";
  let description = [{
    An operand whose map has results such as `-d0 + 7` or `d0 * 2 + 1` is a slice that is read in order: backwards in the
    first case, with a negative stride. So is what a body extracts from a tensor by indices of that kind, computed of
    `linalg.index`, provided that they lie in the tensor. Slices of arguments are loaded from where they lie. A reduction loop that
    shares a coordinate with others and goes backwards there is turned round, so that a convolution with a flipped kernel becomes
    one that reads its kernel backwards; its sum is taken in the opposite order. Slices of slices become one: TOSA crops the input
    of a 1x1 convolution with a stride to what it reads first.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    No slice of a slice, and no input of a linalg.generic of static shape has a map in which every result is a constant or a loop of its own, scaled and shifted,
    and that is not a projected permutation.

    #### Example
    ```mlir
    // $ npu-opt --npu-slice-operands
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %e = tensor.empty() : tensor<4x8xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 7 - j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
      } -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = tensor.empty() : tensor<4x8xf32>
      %extracted_slice = tensor.extract_slice %arg0[0, 7] [4, 8] [1, -1] : tensor<4x8xf32> to tensor<4x8xf32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<4x8xf32>
      return %1 : tensor<4x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def NPUDecomposeTransposedConvs : Pass<"npu-decompose-transposed-convs"> {
  let summary = "Decompose transposed convolutions into convolutions";
  let description = [{
    torch-mlir, StableHLO and the import of ONNX write a transposed convolution with a stride s as a convolution of an input whose
    elements they insert s apart into zeros. An element of the result meets every s-th tap of the filter, and which ones depends on its position modulo s.
    The pass makes one convolution of the dense input, with s times as many features for each such dimension and taps fewer by the same factor, and takes the result apart again, as depth to space does.
    A filter that is a constant is rearranged now. Where the filter's size is no multiple of the stride some taps are zeros.

    Sums of floats may have their terms in another order, and products of zeros with infinite or NaN weights do not count.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    No convolution with features and more than one tap reads a tensor whose elements a tensor.insert_slice of
    constant offsets and strides put apart into zeros.

    #### Example
    ```mlir
    // $ npu-opt --npu-decompose-transposed-convs --canonicalize
    func.func @twice(%x: tensor<1x1x5xf32>) -> tensor<1x1x10xf32> {
      %filter = arith.constant dense<[[[3.0, 4.0]]]> : tensor<1x1x2xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<1x1x11xf32>
      %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x11xf32>) -> tensor<1x1x11xf32>
      %spread = tensor.insert_slice %x into %zeros[0, 0, 1] [1, 1, 5] [1, 1, 2] : tensor<1x1x5xf32> into tensor<1x1x11xf32>
      %r = tensor.empty() : tensor<1x1x10xf32>
      %init = linalg.fill ins(%zero : f32) outs(%r : tensor<1x1x10xf32>) -> tensor<1x1x10xf32>
      %0 = linalg.conv_1d_ncw_fcw ins(%spread, %filter : tensor<1x1x11xf32>, tensor<1x1x2xf32>) outs(%init : tensor<1x1x10xf32>) -> tensor<1x1x10xf32>
      return %0 : tensor<1x1x10xf32>
    }
    // becomes
    func.func @twice(%arg0: tensor<1x1x5xf32>) -> tensor<1x1x10xf32> {
      %cst = arith.constant dense<[[[4.000000e+00]], [[3.000000e+00]]]> : tensor<2x1x1xf32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<1x2x5xf32>
      %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
      %2 = linalg.conv_1d_ncw_fcw ins(%arg0, %cst : tensor<1x1x5xf32>, tensor<2x1x1xf32>) outs(%1 : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
      %expanded = tensor.expand_shape %2 [[0], [1, 2], [3]] output_shape [1, 2, 1, 5] : tensor<1x2x5xf32> into tensor<1x2x1x5xf32>
      %3 = tensor.empty() : tensor<1x1x5x2xf32>
      %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x1x5xf32>) outs(%3 : tensor<1x1x5x2xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x5x2xf32>
      %collapsed = tensor.collapse_shape %4 [[0], [1], [2, 3]] : tensor<1x1x5x2xf32> into tensor<1x1x10xf32>
      return %collapsed : tensor<1x1x10xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NPUDetachElementwiseFromWindows : Pass<"npu-detach-elementwise-from-windows"> {
  let summary = "Detach elementwise ops from reductions over windows";
  let description = [{
    A window of an input is reduced as it is: pooling. A body that computes something of each element first, as the squares that
    ONNX's `LRN` sums over neighboring channels or the powers of `LpPool`, would compute it once for each window that has the element.
    The pass computes it once, as a tensor of the input's shape, before the windows. Padding stays at them: it is what the
    computation makes of the constant. Several inputs may be computed with, if windows are the same for each. Products with weights have other maps and are
    contractions; what widens elements alone stays too.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    No linalg.generic with one result computes anything of windows alone, but extends it, before it reduces it.

    #### Example
    ```mlir
    // $ npu-opt --npu-detach-elementwise-from-windows
    func.func @squares(%x: tensor<12xf32>, %init: tensor<8xf32>, %window: tensor<5xf32>) -> tensor<8xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(i, w) -> (i + w)>, affine_map<(i, w) -> (w)>, affine_map<(i, w) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %window : tensor<12xf32>, tensor<5xf32>) outs(%init : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32, %sum: f32):
        %square = arith.mulf %a, %a : f32
        %r = arith.addf %sum, %square : f32
        linalg.yield %r : f32
      } -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @squares(%arg0: tensor<12xf32>, %arg1: tensor<8xf32>, %arg2: tensor<5xf32>) -> tensor<8xf32> {
      %0 = tensor.empty() : tensor<12xf32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<12xf32>) outs(%0 : tensor<12xf32>) {
      ^bb0(%in: f32, %out: f32):
        %3 = arith.mulf %in, %in : f32
        linalg.yield %3 : f32
      } -> tensor<12xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%1, %arg2 : tensor<12xf32>, tensor<5xf32>) outs(%arg1 : tensor<8xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %3 = arith.addf %out, %in : f32
        linalg.yield %3 : f32
      } -> tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NPUNarrowIndexArithmetic : Pass<"npu-narrow-index-arithmetic"> {
  let summary = "Narrow index arithmetic to 32 bits where the ranges allow it";
  let description = [{
    A causal mask compares two counters, a mask of lengths a counter with a number. Models write that with `index` or i64, which no
    vector unit has. The ranges of counters are known from the shapes. What upstream's integer range analysis then bounds to
    32 bits becomes i32, by upstream's patterns; a counter is cast to i32 first. Bodies that read elements by index, and reductions, stay as they are.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    None. What is not bounded keeps its type, and the partition gives the reason.

    #### Example
    ```mlir
    // $ npu-opt --npu-narrow-index-arithmetic
    func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %none = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x8xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%a: f32, %o: f32):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %keep = arith.cmpi sge, %i, %j : index
        %r = arith.select %keep, %a, %none : f32
        linalg.yield %r : f32
      } -> tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = tensor.empty() : tensor<8x8xf32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = linalg.index 0 : index
        %3 = linalg.index 1 : index
        %4 = arith.index_cast %2 : index to i32
        %5 = arith.index_cast %3 : index to i32
        %6 = arith.cmpi sge, %4, %5 : i32
        %7 = arith.select %6, %in, %cst : f32
        linalg.yield %7 : f32
      } -> tensor<8x8xf32>
      return %1 : tensor<8x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"];
}

def NPURoundConstants : Pass<"npu-round-constants"> {
  let summary = "Fold conversions of constants to narrower float types";
  let description = [{
    PyTorch has numbers in f64, such as the epsilon of a normalization. torch-mlir leaves their conversion in the body that uses them, and upstream
    folds an `arith.truncf` only where that loses nothing, so that a body would compute with f64. This pass rounds to the nearest, ties to even, as
    the op does at run time.

    #### Precondition
    None.

    #### Postcondition
    No `arith.truncf` of a scalar constant, except with another rounding mode.

    #### Example
    ```mlir
    // $ npu-opt --npu-round-constants
    func.func @f(%x: f32) -> f32 {
      %epsilon = arith.constant 1.000000e-05 : f64
      %0 = arith.truncf %epsilon : f64 to f32
      %1 = arith.addf %x, %0 : f32
      return %1 : f32
    }
    // becomes
    func.func @f(%arg0: f32) -> f32 {
      %cst = arith.constant 1.000000e-05 : f64
      %cst_0 = arith.constant 9.99999974E-6 : f32
      %0 = arith.addf %arg0, %cst_0 : f32
      return %0 : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NPUNarrowFloats : Pass<"npu-narrow-floats"> {
  let summary = "Narrow f64 computations between f32 values to f32";
  let description = [{
    torch-mlir computes variances in f64. No NPU has that, and IREE computes the whole model in f32 then, its arguments included. This pass does so
    where f64 neither comes in nor goes out: between `arith.extf` and `arith.truncf`, through sums, products, quotients, roots and the like, whose
    results differ by rounding only. What is compared, rounded down or converted to integers stays as it is, and so does what uses a constant that
    f32 would make zero or infinity. The host computes the dispatches of the same model, so that `--check` compares f32 with f32.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    None: what is f64 for another reason stays so, and the partition gives that as the reason for the host.

    #### Example
    ```mlir
    // $ npu-opt --npu-narrow-floats
    func.func @mean(%x: tensor<4x8xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
      %zero = arith.constant 0.0 : f64
      %count = arith.constant 8.0 : f64
      %e = tensor.empty() : tensor<4xf64>
      %f = linalg.fill ins(%zero : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf64>) {
      ^bb0(%in: f32, %o: f64):
        %2 = arith.extf %in : f32 to f64
        %3 = arith.addf %2, %o : f64
        linalg.yield %3 : f64
      } -> tensor<4xf64>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<4xf64>) outs(%out : tensor<4xf32>) {
      ^bb0(%in: f64, %o: f32):
        %2 = arith.divf %in, %count : f64
        %3 = arith.truncf %2 : f64 to f32
        linalg.yield %3 : f32
      } -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    // becomes
    func.func @mean(%arg0: tensor<4x8xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
      %cst = arith.constant 0.000000e+00 : f64
      %cst_0 = arith.constant 8.000000e+00 : f64
      %0 = tensor.empty() : tensor<4xf32>
      %cst_1 = arith.constant 0.000000e+00 : f32
      %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
      %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xf32>) outs(%1 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %4 = arith.addf %in, %out : f32
        linalg.yield %4 : f32
      } -> tensor<4xf32>
      %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<4xf32>) outs(%arg1 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %cst_2 = arith.constant 8.000000e+00 : f32
        %4 = arith.divf %in, %cst_2 : f32
        linalg.yield %4 : f32
      } -> tensor<4xf32>
      return %3 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NPUDecomposeAggregates : Pass<"npu-decompose-aggregates"> {
  let summary = "Decompose linalg.softmax and arg reductions into reductions and element-wise ops";
  let description = [{
    The largest element of each row, the exponentials of the distances to it, their sum, and the quotients: upstream's
    decomposition, with `arith.maximumf` instead of `arith.maxnumf`, which makes no difference: a row with a NaN
    becomes NaN in either case.

    A `linalg.generic` with two results, an extreme and its first or last position, becomes the extreme, and then the
    least or largest position of what equals it, where that is exactly the same, NaNs included. Elements that are not beyond
    what the extreme starts with, and NaNs that never win, are replaced by what it starts with before, so that
    the first position is one of `npu.arg_reduce`. So is what comes from the first NaN of a row on where that becomes the extreme and leaves the position, as torch-mlir
    means it. Elements that the body computes become a tensor of their own before.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    No linalg.softmax.

    #### Example
    ```mlir
    // $ npu-opt --npu-decompose-aggregates
    func.func @f(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
      %e = tensor.empty() : tensor<4x16xf32>
      %0 = linalg.softmax dimension(1) ins(%x : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
      return %0 : tensor<4x16xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<4x16xf32>) -> tensor<4x16xf32> {
      %0 = tensor.empty() : tensor<4x16xf32>
      %1 = tensor.empty() : tensor<4xf32>
      %cst = arith.constant 0xFFC00000 : f32
      %cst_0 = arith.constant 0xFF800000 : f32
      %2 = linalg.fill ins(%cst_0 : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
      %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x16xf32>) outs(%2 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %8 = arith.maximumf %in, %out : f32
        linalg.yield %8 : f32
      } -> tensor<4xf32>
      %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %3 : tensor<4x16xf32>, tensor<4xf32>) outs(%0 : tensor<4x16xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %8 = arith.subf %in, %in_2 : f32
        %9 = math.exp %8 : f32
        linalg.yield %9 : f32
      } -> tensor<4x16xf32>
      %cst_1 = arith.constant 0.000000e+00 : f32
      %5 = linalg.fill ins(%cst_1 : f32) outs(%1 : tensor<4xf32>) -> tensor<4xf32>
      %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<4x16xf32>) outs(%5 : tensor<4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %8 = arith.addf %in, %out : f32
        linalg.yield %8 : f32
      } -> tensor<4xf32>
      %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4, %6 : tensor<4x16xf32>, tensor<4xf32>) outs(%0 : tensor<4x16xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %8 = arith.divf %in, %in_2 : f32
        linalg.yield %8 : f32
      } -> tensor<4x16xf32>
      return %7 : tensor<4x16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def NPUExpandScalarOps : Pass<"npu-expand-scalar-ops"> {
  let summary = "Expand scalar ops that the vector unit does not have";
  let description = [{
    Powers by constants become products, roots and reciprocals, divisions that round down or up become divisions
    that truncate, a remainder becomes a difference, `math.trunc` the floor or the ceiling, division of narrow unsigned numbers that of
    wider signed ones, division of unsigned words that of half the dividend, corrected by one; leading zeros are counted half by half, and `math.isnan` and the like
    are comparisons. `log1p`, `expm1`, `log2`, `log10`, `erfc`, `round`, `tan`, the arc and hyperbolic functions, powers of two operands and remainders of floats become sequences of exponentials, logarithms, roots and quotients in
    f32. Integers stay exact; a power may differ from the library's by rounding, and so may the functions; remainders are exact where the
    quotient is at most 2^44 (docs/isa-math.md). Indices that are kept in bounds as `index`, as StableHLO's gathers do, are before they are
    cast to it. Most of it are upstream's patterns. An op that none of them fits stays.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    No `arith.remsi`, `arith.ceildivsi`, `arith.floordivsi`, `math.trunc` or `math.ctlz` of up to 32 bits in the body of a linalg op, no unsigned
    division or remainder of 32 bits or less, and none of those functions of f32 or narrower.

    #### Example
    ```mlir
    // $ npu-opt --npu-expand-scalar-ops
    func.func @cube(%x: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
      %three = arith.constant 3.0 : f32
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%out : tensor<8xf32>) {
      ^bb0(%in: f32, %o: f32):
        %1 = math.powf %in, %three : f32
        linalg.yield %1 : f32
      } -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @cube(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
      %cst = arith.constant 3.000000e+00 : f32
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<8xf32>) outs(%arg1 : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.mulf %in, %in : f32
        %2 = arith.mulf %in, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect"];
}

def NPUTabulatePositions : Pass<"npu-tabulate-positions"> {
  let summary = "Fold functions of loop counters to constants";
  let description = [{
    An average over windows that reach into padding divides by the number of elements that are no padding, which depends on the position.
    TOSA's form of it computes a multiplier and a shift of that number, in index, in 64 bits, and by counting zeros. What depends on counters alone
    is a constant with one element per position, which this pass folds. The body then has one more input for each such value that something else
    needs.

    Only values that a kernel could not compute become constants: those with an op among their sources whose result no kernel has elements of, or
    which counts bits; the others stay. So do those of more than 2^16 positions, and those of which an op does not fold; a remark says which
    (`--remarks-filter=npu-tables`). A coordinate by which `tensor.extract` reads an element becomes a constant as well, unless it is a counter or an i32 that a kernel
    computes: torch-mlir resizes images by coordinates that it computes in floats and 64 bits.

    #### Precondition
    linalg on tensors, after npu-narrow-index-arithmetic.

    #### Postcondition
    What a body computes of counters alone can be computed by a kernel, except where a remark says why not.

    #### Example
    ```mlir
    // $ npu-opt --npu-tabulate-positions
    func.func @log2_of_position(%x: tensor<6xi32>, %out: tensor<6xi32>) -> tensor<6xi32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<6xi32>) outs(%out : tensor<6xi32>) {
      ^bb0(%in: i32, %o: i32):
        %i = linalg.index 0 : index
        %1 = arith.index_cast %i : index to i32
        %2 = math.ctlz %1 : i32
        %3 = arith.subi %in, %2 : i32
        linalg.yield %3 : i32
      } -> tensor<6xi32>
      return %0 : tensor<6xi32>
    }
    // becomes
    func.func @log2_of_position(%arg0: tensor<6xi32>, %arg1: tensor<6xi32>) -> tensor<6xi32> {
      %cst = arith.constant dense<[32, 31, 30, 30, 29, 29]> : tensor<6xi32>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %cst : tensor<6xi32>, tensor<6xi32>) outs(%arg1 : tensor<6xi32>) {
      ^bb0(%in: i32, %in_0: i32, %out: i32):
        %1 = arith.subi %in, %in_0 : i32
        linalg.yield %1 : i32
      } -> tensor<6xi32>
      return %0 : tensor<6xi32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NPUTabulateFunctions : Pass<"npu-tabulate-functions"> {
  let summary = "Convert float functions of one i8 value to lookup tables";
  let description = [{
    A quantized model dequantizes an i8, applies a function, and quantizes the result: a function of 256 values. This pass folds
    the ops of the function for each of them, and the body reads the table that comes of it: one instruction on bytes instead of several on floats, and a vector unit
    without floats (`vpuFloat` is 0) can do it. The table is in the form that TOSA's TABLE has in linalg. The function has one i8, signed or not, as its input and i8 as its result;
    what it computes in between may be anything that upstream's folders fold. Their elementary functions are the C library's, and so are the host reference's.

    Where an op does not fold for one of the 256 numbers, as a conversion to an integer of a NaN or of what is out of range, or an elementary
    function of f16, the body stays as it is, and a remark says which op (`--remarks-filter=npu-tables`); then a target
    without floats does not run it.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    No result of i8 in the body of a `linalg.generic` is a function of one i8 by ops on floats that fold.

    #### Example
    ```mlir
    // $ npu-opt --npu-tabulate-functions
    func.func @positive(%x: tensor<8xi8>, %out: tensor<8xi8>) -> tensor<8xi8> {
      %zero = arith.constant 0.0 : f32
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%out : tensor<8xi8>) {
      ^bb0(%in: i8, %o: i8):
        %1 = arith.sitofp %in : i8 to f32
        %2 = arith.cmpf oge, %1, %zero : f32
        %3 = arith.extui %2 : i1 to i8
        linalg.yield %3 : i8
      } -> tensor<8xi8>
      return %0 : tensor<8xi8>
    }
    // becomes
    func.func @positive(%arg0: tensor<8xi8>, %arg1: tensor<8xi8>) -> tensor<8xi8> {
      %cst = arith.constant 0.000000e+00 : f32
      %cst_0 = arith.constant dense<"0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101"> : tensor<256xi8>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<8xi8>) outs(%arg1 : tensor<8xi8>) {
      ^bb0(%in: i8, %out: i8):
        %c128 = arith.constant 128 : index
        %1 = arith.index_cast %in : i8 to index
        %2 = arith.addi %1, %c128 : index
        %extracted = tensor.extract %cst_0[%2] : tensor<256xi8>
        linalg.yield %extracted : i8
      } -> tensor<8xi8>
      return %0 : tensor<8xi8>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def NPUFitSums : Pass<"npu-fit-sums"> {
  let summary = "Convert float functions of two i8 values to integer ops";
  let description = [{
    A quantized model adds two tensors of different scales by dequantizing both and quantizing the sum: a step function of a weighted sum of two
    bytes. This pass computes the function for all 65536 pairs and looks for integers
    that give the same byte for each of them: `clamp((a * x + b * y + c) >> s, least, most)` in 32 bits, the products scaled and rounded as TOSA does, and up to three pairs given up
    that are compared with instead, as a float next to the middle between two numbers may be rounded to the wrong side. They are found as a point of a polyhedron by
    upstream's simplex and compared with all pairs, so that they are exact or not there at all: then the body stays as it is, a remark says so
    (`--remarks-filter=npu-tables`), and a target without floats does not run it.

    #### Precondition
    linalg on tensors, after npu-tabulate-functions.

    #### Postcondition
    None, as not every function is a sum.

    #### Example
    ```mlir
    // $ npu-opt --npu-fit-sums
    func.func @half(%x: tensor<8xi8>, %y: tensor<8xi8>, %out: tensor<8xi8>) -> tensor<8xi8> {
      %half = arith.constant 0.45 : f32
      %least = arith.constant -128.0 : f32
      %most = arith.constant 127.0 : f32
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi8>, tensor<8xi8>) outs(%out : tensor<8xi8>) {
      ^bb0(%a: i8, %b: i8, %o: i8):
        %1 = arith.sitofp %a : i8 to f32
        %2 = arith.sitofp %b : i8 to f32
        %3 = arith.addf %1, %2 : f32
        %4 = arith.mulf %3, %half : f32
        %5 = math.roundeven %4 : f32
        %6 = arith.maximumf %5, %least : f32
        %7 = arith.minimumf %6, %most : f32
        %8 = arith.fptosi %7 : f32 to i8
        linalg.yield %8 : i8
      } -> tensor<8xi8>
      return %0 : tensor<8xi8>
    }
    // becomes
    func.func @half(%arg0: tensor<8xi8>, %arg1: tensor<8xi8>, %arg2: tensor<8xi8>) -> tensor<8xi8> {
      %cst = arith.constant 4.500000e-01 : f32
      %cst_0 = arith.constant -1.280000e+02 : f32
      %cst_1 = arith.constant 1.270000e+02 : f32
      %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<8xi8>, tensor<8xi8>) outs(%arg2 : tensor<8xi8>) {
      ^bb0(%in: i8, %in_2: i8, %out: i8):
        %1 = arith.sitofp %in : i8 to f32
        %2 = arith.sitofp %in_2 : i8 to f32
        %3 = arith.addf %1, %2 : f32
        %4 = arith.mulf %3, %cst : f32
        %5 = math.roundeven %4 : f32
        %6 = arith.maximumf %5, %cst_0 : f32
        %7 = arith.minimumf %6, %cst_1 : f32
        %8 = arith.fptosi %7 : f32 to i8
        linalg.yield %8 : i8
      } -> tensor<8xi8>
      return %0 : tensor<8xi8>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tosa::TosaDialect"];
}

def NPUFitRows : Pass<"npu-fit-rows"> {
  let summary = "Convert softmax and normalizations of quantized rows to integer ops";
  let description = [{
    Tools leave the softmax, the layer norms and the RMS norms of a quantized model in floats, between a dequantization and a quantization. For a
    vector unit without floats this pass computes them in integers of 32 bits. `--npu-front-half` runs it with `keep-integers`.

    What is quantized is followed back to the bytes that it is computed of, through all ops on the way, and must be one of these, along
    any loops:

    * a softmax, named or in steps, of numbers that rise in proportion to bytes;
    * `(x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon)`, the variance also as the difference of two means, or
      `(x - z) / sqrt(mean((x - z)^2) + epsilon)`, z being the zero point; times constants and plus constants that depend on any loops.

    The spelling does not matter: roots, powers, reciprocals, products and quotients may come in any order, in one body or in many. Sums of
    bytes and of squares are exact. Exponentials have 29 bits behind the point, and so has, or more, what a row is divided by, with a shift
    for each row. Before it is rounded, a result is off by less than 2^-11 of a step, and for a softmax by 2^-22 more for each
    element of a row at most. So a result differs from the float model's only where that is about to be rounded to the other side, and by one then.
    The ops that round, limit and move the result stay, and are a requantization to a kernel.

    Where that cannot be promised, everything stays in floats, and a remark says why (`--remarks-filter=npu-rows`): rows of more than
    65536 elements, a sum of squares of more than 30 bits, as a large epsilon makes it, steps of a result that are too small, nothing added to a variance that
    may be 0, softmax of other numbers. Sizes must be static.

    #### Precondition
    linalg on tensors, before elementwise ops are fused: an i8 tensor must be there between quantization and dequantization.

    #### Postcondition
    None, as not every function of rows is one of these.

    #### Sketch
    In full in `test/Preparation/fit-rows.mlir`:

    ```mlir
    %f = linalg.generic ... ins(%x : tensor<4x100xi8>) // dequantizes
    %p = linalg.softmax dimension(1) ins(%f : tensor<4x100xf32>) ...
    %q = linalg.generic ... ins(%p : tensor<4x100xf32>) // quantizes
    ```
    becomes
    ```mlir
    %max = linalg.generic ... ins(%x : tensor<4x100xi8>) outs(%least : tensor<4xi32>)
    %powers:2 = linalg.generic ... ins(%x, %max) // from two tables, the upper bits and the lower
    %high = linalg.generic ... ins(%powers#0 : tensor<4x100xi32>) outs(%zeros : tensor<4xi32>)
    %low = linalg.generic ... ins(%powers#1 : tensor<4x100xi32>) outs(%zeros : tensor<4xi32>)
    %inverse:2 = linalg.generic ... ins(%high, %low) -> (tensor<4xi32>, tensor<4xi8>) // a number and a shift
    %p = linalg.generic ... ins(%powers#0, %powers#1, %inverse#0, %inverse#1) // tosa.apply_scale
    %q = linalg.generic ... ins(%p : tensor<4x100xi32>) // quantizes, after a product with what 1 stands for
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

#endif // NPU_PREPARATION_PASSES_TD
