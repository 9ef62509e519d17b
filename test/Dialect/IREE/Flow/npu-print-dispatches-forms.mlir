// The list is the same whether dispatches are regions, isolated or outlined.
// RUN: npu-opt %s --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions),npu-print-dispatches)' -o /dev/null | FileCheck %s
// RUN: npu-opt %s --npu-dispatch-creation-pipeline --npu-print-dispatches -o /dev/null | FileCheck %s
// RUN: npu-opt %s --npu-dispatch-creation-pipeline --npu-flow-pipeline --npu-print-dispatches -o /dev/null | FileCheck %s

// CHECK:      Dispatch #0: op: linalg.matmul M=8 N=4 K=16 dtype: f32
// CHECK-NEXT: Dispatch #1: op: linalg.matmul M=8 N=2 K=4 dtype: f32
// CHECK-NOT:  Dispatch
util.func public @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %c: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8x4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%1 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %3 = tensor.empty() : tensor<8x2xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<8x2xf32>) -> tensor<8x2xf32>
  %5 = linalg.matmul ins(%2, %c : tensor<8x4xf32>, tensor<4x2xf32>) outs(%4 : tensor<8x2xf32>) -> tensor<8x2xf32>
  util.return %5 : tensor<8x2xf32>
}
