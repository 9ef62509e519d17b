// RUN: npu-opt --npu-host-eliminate-empties --split-input-file %s | FileCheck %s

// What is inserted is computed where it goes.
// CHECK-LABEL: func.func @insert
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice
// CHECK:         linalg.add {{.*}} outs(%[[SLICE]] :
func.func @insert(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.insert_slice %0 into %y[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Without insertions the pass does not look.
// RUN: npu-opt --npu-host-eliminate-empties --split-input-file --mlir-print-ir-before=eliminate-empty-tensors %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=RUNS
// RUNS:     func.func @insert
// RUNS-NOT: func.func @add
func.func @add(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
