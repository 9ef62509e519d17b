// Dispatches form around an op that nobody knows.
// RUN: npu-opt --allow-unregistered-dialect --npu-front-half %s | FileCheck %s

// CHECK-LABEL: util.func private @_main
// CHECK-NEXT: %[[SUM:.*]] = flow.dispatch @{{.*}}(%arg0, %arg1)
// CHECK-NEXT: %[[OTHER:.*]] = "other.op"(%[[SUM]])
// CHECK-NEXT: flow.dispatch @{{.*}}(%[[OTHER]], %arg1)
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.addf %a, %b : tensor<8xf32>
  %1 = "other.op"(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = arith.addf %1, %b : tensor<8xf32>
  return %2 : tensor<8xf32>
}
