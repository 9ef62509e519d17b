// RUN: npu-opt %s --pass-pipeline='builtin.module(util.func(npu-clean-up))' | FileCheck %s
// RUN: npu-opt %s --mlir-disable-threading --mlir-timing -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(util.func(npu-clean-up,npu-global-opt-quantized-matmul-to-matmul,npu-clean-up,npu-global-opt-detach-elementwise-from-named-ops,npu-clean-up))' \
// RUN:   2>&1 | FileCheck %s --check-prefix=TIMING

// That both operands of the dispatch are the same value shows only when the common subexpression is
// gone; then the dispatch needs one.
// CHECK-LABEL: util.func public @both_at_once
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK-NOT: arith.addf
// CHECK: flow.dispatch.workgroups(%[[SUM]]) :
util.func public @both_at_once(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.addf %arg0, %arg0 : tensor<8xf32>
  %1 = arith.addf %arg0, %arg0 : tensor<8xf32>
  %2 = flow.dispatch.workgroups(%0, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> =
      (%arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>) {
    %3 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
    %4 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
    %5 = arith.mulf %3, %4 : tensor<8xf32>
    iree_tensor_ext.dispatch.tensor.store %5, %arg3, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
    flow.return
  }
  util.return %2 : tensor<8xf32>
}

// Between the first two clean-ups nothing changes; the second one does not even start.
// TIMING: CleanUp
// TIMING-NEXT: (A) IsClean
// TIMING-NEXT: QuantizedMatmulToMatmul
// TIMING-NEXT: (A) npu::PresentOps
// TIMING-NEXT: CleanUp
// TIMING-NEXT: DetachElementwiseFromNamedOps
// TIMING-NEXT: CleanUp
// TIMING-NEXT: (A) IsClean
util.func public @changed(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%arg0, %arg0 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%arg1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  util.return %0 : tensor<4x4xf32>
}
