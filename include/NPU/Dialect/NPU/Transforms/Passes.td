//===- Passes.td - passes on the npu dialect and towards it -*- tablegen -*-===//

#ifndef NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD
#define NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def NPUWidenAccumulators : Pass<"npu-widen-accumulators"> {
  let summary = "Accumulate f16 and bf16 contractions in f32 and round once";
  let description = [{
    A contraction or convolution that accumulates in f16 or bf16 rounds after every addition, which no
    matrix engine does. This pass gives it an f32 accumulator and one final rounding. It changes results (they
    get more accurate), so it runs on what the NPU executes and on what the host executes as reference alike.
    It knows linalg only and works in any function.

    A zero-filled accumulator becomes an f32 zero fill, another constant fill an f32 fill of that value; any
    other initial value is extended.

    #### Precondition
    linalg on tensors.

    #### Postcondition
    No linalg op whose body multiplies and adds accumulates in f16 or bf16.

    #### Example
    ```mlir
    %0 = linalg.fill ins(%zero : f16) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
    %1 = linalg.matmul ins(%a, %b : tensor<4x16xf16>, tensor<16x8xf16>)
                       outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
    // becomes
    %2 = linalg.fill ins(%zero_f32 : f32) outs(%e32 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = linalg.matmul ins(%a, %b : tensor<4x16xf16>, tensor<16x8xf16>)
                       outs(%2 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = linalg.generic ... ins(%3 : tensor<4x8xf32>) outs(%e : tensor<4x8xf16>) {
      %t = arith.truncf %in : f32 to f16
      ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NPUVerifyTensorForm : Pass<"npu-verify-tensor-form"> {
  let summary = "Check that kernels are in tensor form";
  let description = [{
    The contract at the end of legalization. Reports every violation at its op and changes nothing.

    #### Precondition
    None.

    #### Postcondition
    Each `npu.kernel` names a target and takes and returns ranked tensors of static shape; its body holds
    only `npu` compute ops on tensors, `tensor.empty`, `arith.constant` and `npu.return`; element types are
    those of the dialect: i1, i8, i16, i32, f16, bf16, f32.

    #### Example
    ```mlir
    npu.kernel @relu(%x: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">} {
      %empty = tensor.empty() : tensor<16xf32>
      %0 = npu.binary max %x -> %empty {imm = 0.000000e+00 : f32} : tensor<16xf32> -> tensor<16xf32>
      npu.return %0 : tensor<16xf32>
    }
    ```
  }];
}

def NPUCheckTarget : Pass<"npu-check-target"> {
  let summary = "Check that the target runs every op of its kernels";
  let description = [{
    Reports each op that the kernel's target cannot run: element types its array has no rate for, float
    operations on a vector unit without them. Changes nothing. The same predicate decides the partition.

    #### Precondition
    Kernels in tensor form.

    #### Postcondition
    The target of each kernel runs all of the kernel's ops.

    #### Example
    ```
    error: 'npu.matmul' op not supported by target 'npu-tiny': f16 matmul (the array has no f16 rate)
    ```
  }];
}

#endif // NPU_DIALECT_NPU_TRANSFORMS_PASSES_TD
