// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-clone-producers-into-dispatch-regions))' %s | FileCheck %s

// Fill, empty and constant move in; the target of the insertion stays outside.
// CHECK-LABEL: @clone
// CHECK:         %[[T:.*]] = tensor.empty() : tensor<6x8xf32>
// CHECK-NEXT:    flow.dispatch.region
// CHECK-DAG:       arith.constant 0.0
// CHECK-DAG:       tensor.empty() : tensor<4x6xf32>
// CHECK:           %[[F:.*]] = linalg.fill
// CHECK:           linalg.matmul {{.*}} outs(%[[F]]
// CHECK:           tensor.insert_slice %{{.*}} into %[[T]]
util.func public @clone(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %t = tensor.empty() : tensor<6x8xf32>
  %0 = flow.dispatch.region -> (tensor<6x8xf32>) {
    %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = tensor.insert_slice %1 into %t[1, 1] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<6x8xf32>
    flow.return %2 : tensor<6x8xf32>
  }
  util.return %0 : tensor<6x8xf32>
}
