// RUN: npu-opt %s --npu-lower-tosa --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @tosa
// CHECK-NOT: tosa.
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @tosa(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tosa.add %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A model without tosa is not even canonicalized.
// CHECK-LABEL: func.func @linalg
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: arith.constant 1
// CHECK-NEXT: return
func.func @linalg() {
  %0 = arith.constant 1 : i32
  %1 = arith.constant 1 : i32
  return
}
