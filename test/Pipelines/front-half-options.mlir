// RUN: npu-opt --npu-front-half %s | FileCheck %s --check-prefix=PLAIN
// RUN: npu-opt --npu-front-half="transform-spec-filename=%S/Inputs/generalize-matmul.mlir" %s | FileCheck %s --check-prefix=SCRIPT
// RUN: npu-opt --npu-front-half=split-matmul-reduction=2 %s | FileCheck %s --check-prefix=SPLIT
// RUN: npu-opt --npu-front-half=trace-dispatch-tensors %s | FileCheck %s --check-prefix=TRACE
// RUN: npu-opt --npu-front-half=invocation-model=coarse-fences %s | FileCheck %s --check-prefix=FENCES
// RUN: not npu-opt --npu-front-half="transform-spec-filename=%S/Inputs/none.mlir" %s 2>&1 | FileCheck %s --check-prefix=MISSING

// PLAIN:       flow.executable private @main_dispatch_0 {
// PLAIN:         func.func @main_dispatch_0_matmul_4x6x8_f32
// PLAIN-NOT:   flow.tensor.trace

// The script sees the model before dispatches are formed.
// SCRIPT:        func.func @main_dispatch_0_matmul_like_4x6x8_f32

// SPLIT:         func.func @main_dispatch_0_matmul_like_2x4x6x4_f32
// SPLIT:         func.func @main_dispatch_1_reduction_24x2_f32

// TRACE:         flow.tensor.trace "main_dispatch_0::main_dispatch_0_matmul_4x6x8_f32 inputs" =
// TRACE-NEXT:    flow.dispatch @main_dispatch_0
// TRACE-NEXT:    flow.tensor.trace "main_dispatch_0::main_dispatch_0_matmul_4x6x8_f32 outputs" =

// FENCES:      util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view
// FENCES:        hal.tensor.import wait(%arg2) => %arg0
// FENCES:        hal.tensor.barrier join({{.*}}) => %arg3

// MISSING: none.mlir
func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %cst = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4x6xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%1 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}
