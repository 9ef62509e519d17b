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

    `iree_linalg_ext.online_attention` has no quotient. Instead, the maximum is also that of the
    rows before, and their sum and output are added, times the power of the difference of the
    maxima. Scores, mask and scale are times log2(e) there and the powers are of 2, unless
    `decomposition_config` has `use_exp2 = false`.

    #### Precondition
    The maps are projected permutations; the maximum and the sum have the dimensions of the query
    that are not contracted.

    #### Postcondition
    No `iree_linalg_ext.attention` or `online_attention` is left.

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

def GeneralizeOps : Pass<"npu-linalg-ext-generalize-ops"> {
  let summary = "Generalize scans, arg-compares and gathers to linalg.generic, and topk_v2 to topk";
  let description = [{
    * A scan is a reduction whose steps are a result as well, the form that `npu.scan` is made of.
      Where its region is one op with a neutral element, it starts there. Otherwise the first step
      is chosen by the loop's counter. An exclusive scan is the inclusive one of the input one
      element later, behind a constant accumulator; from any other accumulator on it yields what it
      has before it takes the element.
    * An arg-compare is a reduction to a value and its position, the form that
      `npu-decompose-aggregates` knows as the position of an extreme.
    * A gather reads elements of its source, by loops and by the indices, in its body.
    * A `topk_v2` without output for indices gets one, which nothing uses.

    #### Postcondition
    No `iree_linalg_ext.scan`, `arg_compare`, `gather` or `topk_v2` is left.

    #### Sketch
    In full in `test/Dialect/IREE/LinalgExt/npu-linalg-ext-generalize-ops.mlir`:

    ```mlir
    %0:2 = iree_linalg_ext.scan dimension(1) inclusive(true)
        ins(%x : tensor<4x8xf32>) outs(%o, %a : tensor<4x8xf32>, tensor<4xf32>) {
    ^bb0(%sum: f32, %element: f32):
      %1 = arith.addf %sum, %element : f32
      iree_linalg_ext.yield %1 : f32
    } -> tensor<4x8xf32>, tensor<4xf32>
    ```
    becomes
    ```mlir
    %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    %0:2 = linalg.generic ... ins(%x) outs(%o, %zeros : tensor<4x8xf32>, tensor<4xf32>) {
    ^bb0(%element: f32, %out: f32, %sum: f32):
      %1 = arith.addf %sum, %element : f32
      linalg.yield %1, %1 : f32, f32
    } -> (tensor<4x8xf32>, tensor<4xf32>)
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
}

def LowerToLoops : Pass<"npu-linalg-ext-lower-to-loops"> {
  let summary = "Lower sorts, top-k and scatters to loops";
  let description = [{
    For the host, which has no other form of these ops. The loops are `scf.for` on tensors:

    * a sort is a merge sort of each row, all tensors alike. Elements that the comparator does not
      tell apart stay in order, whether it is as `<` or as `<=`. Where it is one comparison, signed or
      ordered, of the elements of one tensor, NaNs come last, also in a top-k;
    * top-k moves each element along the best so far, best first. Of elements that the comparator
      does not tell apart the one with the smaller index is better. If the outputs are
      `tensor.empty`, there is no best before the first element;
    * a scatter makes one update after the other. An update outside of the tensor is dropped, as
      every `tensor.insert` outside is on the host.

    #### Precondition
    There is no op of `iree_linalg_ext` that is only read and printed, as `map_load`.

    #### Postcondition
    No `iree_linalg_ext.sort`, `topk` or `scatter` is left.

    #### Sketch
    In full in `test/Dialect/IREE/LinalgExt/npu-linalg-ext-lower-to-loops.mlir`:

    ```mlir
    %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false)
        ins(%updates, %indices : tensor<3xi32>, tensor<3x1xi32>) outs(%o : tensor<8xi32>) {
    ^bb0(%update: i32, %original: i32):
      %1 = arith.addi %update, %original : i32
      iree_linalg_ext.yield %1 : i32
    } -> tensor<8xi32>
    ```
    becomes
    ```mlir
    %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%current = %o) -> (tensor<8xi32>) {
      %1 = tensor.extract %indices[%i, %c0] : tensor<3x1xi32>
      %2 = arith.index_cast %1 : i32 to index
      %original = tensor.extract %current[%2] : tensor<8xi32>
      %update = tensor.extract %updates[%i] : tensor<3xi32>
      %3 = arith.addi %update, %original : i32
      %next = tensor.insert %3 into %current[%2] : tensor<8xi32>
      scf.yield %next : tensor<8xi32>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // NPU_DIALECT_IREE_LINALGEXT_TRANSFORMS_PASSES_TD
