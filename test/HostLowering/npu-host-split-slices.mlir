// RUN: npu-opt %s --pass-pipeline='builtin.module(func.func(npu-host-split-slices))' | FileCheck %s
// RUN: npu-run %s --function=extract --device=host --input=random\(1\) | FileCheck %s --check-prefix=RAN

// RAN: output0: 4x1xf32

// CHECK-LABEL: func.func @extract
// CHECK:         %[[SLICE:.*]] = tensor.extract_slice %arg0[0, 0, 0] [4, 1, 1] [2, 1, 1] : tensor<8x1x4xf32> to tensor<4x1x1xf32>
// CHECK:         tensor.collapse_shape %[[SLICE]] {{\[\[}}0, 1], [2]] : tensor<4x1x1xf32> into tensor<4x1xf32>
func.func @extract(%x: tensor<8x1x4xf32>) -> tensor<4x1xf32> {
  %0 = tensor.extract_slice %x[0, 0, 0] [4, 1, 1] [2, 1, 1] : tensor<8x1x4xf32> to tensor<4x1xf32>
  %1 = arith.addf %0, %0 : tensor<4x1xf32>
  return %1 : tensor<4x1xf32>
}

// Leading dimensions go to the first group; no dimension may be left.
// CHECK-LABEL: func.func @insert
// CHECK:         %[[ROW:.*]] = tensor.expand_shape %arg0 {{\[\[}}0, 1]] output_shape [1, %arg3] : tensor<?xf32> into tensor<1x?xf32>
// CHECK:         %[[ROWS:.*]] = tensor.insert_slice %[[ROW]] into %arg2[0, 0] [1, %arg3] [1, 2] : tensor<1x?xf32> into tensor<4x8xf32>
// CHECK:         %[[ONE:.*]] = tensor.expand_shape %arg1 [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CHECK:         tensor.insert_slice %[[ONE]] into %[[ROWS]][1, 1] [1, 1] [2, 2] : tensor<1x1xf32> into tensor<4x8xf32>
func.func @insert(%x: tensor<?xf32>, %y: tensor<f32>, %z: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %0 = tensor.insert_slice %x into %z[0, 0] [1, %n] [1, 2] : tensor<?xf32> into tensor<4x8xf32>
  %1 = tensor.insert_slice %y into %0[1, 1] [1, 1] [2, 2] : tensor<f32> into tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Without strides, or of one rank.
// CHECK-LABEL: func.func @other
// CHECK-NEXT:    tensor.extract_slice %arg0[0, 0, 0] [4, 1, 1] [1, 1, 1] : tensor<8x1x4xf32> to tensor<4x1xf32>
// CHECK-NEXT:    tensor.extract_slice %arg0[0, 0, 0] [4, 1, 1] [2, 1, 1] : tensor<8x1x4xf32> to tensor<4x1x1xf32>
func.func @other(%x: tensor<8x1x4xf32>) -> (tensor<4x1xf32>, tensor<4x1x1xf32>) {
  %0 = tensor.extract_slice %x[0, 0, 0] [4, 1, 1] [1, 1, 1] : tensor<8x1x4xf32> to tensor<4x1xf32>
  %1 = tensor.extract_slice %x[0, 0, 0] [4, 1, 1] [2, 1, 1] : tensor<8x1x4xf32> to tensor<4x1x1xf32>
  return %0, %1 : tensor<4x1xf32>, tensor<4x1x1xf32>
}
