// A fill that nothing reads but the caller is a constant of the host program, not a dispatch. Before a
// contraction (matmul.mlir) it starts the accumulator.

// RUN: npu-run --expected_output=2x4xf32=2 %s

func.func @fill() -> tensor<2x4xf32> {
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<2x4xf32>
  %0 = linalg.fill ins(%two : f32) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
