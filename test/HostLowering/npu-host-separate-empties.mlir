// RUN: npu-opt --npu-host-separate-empties %s | FileCheck %s

// CHECK-LABEL: func.func @twice
// CHECK-DAG:     %[[FIRST:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-DAG:     %[[SECOND:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NOT:     tensor.empty
// CHECK:         linalg.add {{.*}} outs(%[[ONE:.*]] :
// CHECK-NOT:     outs(%[[ONE]] :
// CHECK:         return
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.add ins(%0, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
