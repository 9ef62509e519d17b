// RUN: npu-opt %s --npu-decompose-aggregates | FileCheck %s

// A softmax becomes a maximum, exponentials, a sum and quotients.

// CHECK-LABEL: func.func @softmax
// CHECK-NOT: linalg.softmax
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf
// CHECK: arith.divf
// CHECK-NOT: linalg.softmax
func.func @softmax(%x: tensor<4x16xf32>, %out: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x16xf32>) outs(%out : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// What is no aggregate stays.

// CHECK-LABEL: func.func @other
// CHECK: linalg.matmul
func.func @other(%a: tensor<4x16xf32>, %b: tensor<16x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
