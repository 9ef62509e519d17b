//===- ResultDims.td - ops that are given the sizes of their results -------===//

#ifndef NPU_DIALECT_IREE_UTIL_IR_RESULTDIMS_TD
#define NPU_DIALECT_IREE_UTIL_IR_RESULTDIMS_TD

include "mlir/IR/OpBase.td"

/// One operand per dynamic dimension of the results, by the name `result_dims` (or whatever the
/// op's getResultDims returns). A `tensor.dim` of a result is one of these operands.
def Util_ResultDims : NativeOpTrait<"ResultDims"> {
  let cppNamespace = "::npu";
}

#endif // NPU_DIALECT_IREE_UTIL_IR_RESULTDIMS_TD
