// RUN: npu-opt --npu-host-decompose-concat %s | FileCheck %s

// CHECK-LABEL: func.func @concat
// CHECK-SAME:      %[[X:.*]]: tensor<2x4xf32>, %[[Y:.*]]: tensor<3x4xf32>
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<5x4xf32>
// CHECK:         %[[FIRST:.*]] = tensor.insert_slice %[[X]] into %[[EMPTY]][0, 0] [2, 4] [1, 1]
// CHECK:         tensor.insert_slice %[[Y]] into %[[FIRST]][2, 0] [3, 4] [1, 1]
func.func @concat(%x: tensor<2x4xf32>, %y: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}
