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

def GeneralizeLinalgNamedOps :
    GlobalOptFunctionPass<"npu-global-opt-generalize-linalg-named-ops"> {
  let summary = "Turn named elementwise ops and windows with unit loops into generics";
  let description = [{
    Named ops of one element at a time (`linalg.add`, `linalg.transpose`, `linalg.broadcast`, ...)
    become `linalg.generic`, so that they fuse, and so do convolutions and poolings that have a loop
    of one iteration, so that it can be folded. Contractions and fills keep their names.

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

#endif // NPU_GLOBALOPTIMIZATION_PASSES_TD
