//===- Passes.td - passes on iree_linalg_ext -------------------------------===//

#ifndef NPU_DIALECT_IREE_LINALGEXT_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_IREE_LINALGEXT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeAttention : Pass<"npu-linalg-ext-decompose-attention"> {
  let summary = "Replace attention by linalg ops";
  let description = [{
    Rewrites `iree_linalg_ext.attention` as two contractions with a softmax between them:

    1. the scores, query times key, accumulated in f32 (f64 if an operand is f64);
    2. each score times the scale, through the op's region, plus the mask (an `i1` mask keeps a
       score where it is true and makes it minus infinity where not);
    3. the weights, `exp(score - maximum of the row)`, and their sum over the row;
    4. weights times value, where the weights are first rounded to the type of the values;
    5. the quotient of that and the sum, rounded to the type of the output.

    The dimensions are told apart by the indexing maps alone: those of query and key that neither
    value nor output has are contracted first, those of key and value that query and output do not
    have are the row of the softmax.

    #### Precondition
    The maps are projected permutations.

    #### Postcondition
    No `iree_linalg_ext.attention` is left.

    #### Sketch
    In full in `test/Dialect/IREE/LinalgExt/npu-linalg-ext-decompose-attention.mlir`:

    ```mlir
    %1 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #scale, #o]}
        ins(%q, %k, %v, %scale : tensor<8x4xf32>, tensor<16x4xf32>, tensor<16x2xf32>, f32)
        outs(%0 : tensor<8x2xf32>) {
    ^bb0(%score: f32):
      iree_linalg_ext.yield %score : f32
    } -> tensor<8x2xf32>
    ```
    becomes
    ```mlir
    %scores = linalg.generic ... ins(%q, %k) outs(%zeros : tensor<8x16xf32>)
    %scaled = linalg.generic ... ins(%scores, %scale) outs(%empty : tensor<8x16xf32>)
    %maximum = linalg.generic ... ins(%scaled) outs(%infinities : tensor<8xf32>)
    %weights = linalg.generic ... ins(%scaled, %maximum) outs(%empty : tensor<8x16xf32>)
    %sum = linalg.generic ... ins(%weights) outs(%zeros : tensor<8xf32>)
    %product = linalg.generic ... ins(%weights, %v) outs(%zeros : tensor<8x2xf32>)
    %1 = linalg.generic ... ins(%product, %sum) outs(%0 : tensor<8x2xf32>)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // NPU_DIALECT_IREE_LINALGEXT_TRANSFORMS_PASSES_TD
