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

def NPUSumsToProducts : Pass<"npu-sums-to-products"> {
  let summary = "Sum up on the matrix engine, as products with ones";
  let description = [{
    A sum along loops, as of `linalg.reduce` or of a pooling, becomes a contraction or a convolution
    of the same terms with a tensor of ones, which the matrix engine adds in the same time in which a
    vector engine could. Multiplying by one is exact, so nothing but the order of the additions can
    change. The ones have the reduced dimensions; of the others, those that make batches of a
    contraction or the channels of a depthwise convolution, which are all but the innermost one and
    the innermost one respectively. A sum into a single element stays: its ones would be as large as
    what is summed.

    #### Precondition
    linalg on tensors of static shape.

    #### Postcondition
    A linalg op that still adds up an operand as it is does so into a single element, or adds the same
    term in every step of a loop, or bits, or unsigned numbers.

    #### Example
    ```mlir
    // $ npu-opt --npu-sums-to-products
    func.func @f(%x: tensor<8x64xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
      %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x64xf32>) outs(%init : tensor<8xf32>) dimensions = [1]
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<8x64xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
      %cst = arith.constant dense<1.000000e+00> : tensor<64xf32>
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%arg0, %cst : tensor<8x64xf32>, tensor<64xf32>) outs(%arg1 : tensor<8xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.mulf %in, %in_0 : f32
        %2 = arith.addf %out, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"];
}

#endif // NPU_PREPARATION_PASSES_TD
