// RUN: npu-opt --npu-input-pipeline %s | FileCheck %s

// CHECK: module @net_1
module @"net-1" {
  // CHECK: util.global private mutable @state = dense<0> : tensor<i32>
  ml_program.global private mutable @state(dense<0> : tensor<i32>) : tensor<i32>

  // Upstream's validation of tosa would refuse the argument's type in every profile.
  // CHECK-LABEL: util.func public @main(%arg0: tensor<2x3xf64>) -> tensor<3x2xf64>
  // CHECK-NOT:     tosa
  // CHECK:         linalg.transpose
  // CHECK:         util.return
  func.func @main(%arg0: tensor<2x3xf64>) -> tensor<3x2xf64> {
    %0 = tosa.transpose %arg0 {perms = array<i32: 1, 0>} : (tensor<2x3xf64>) -> tensor<3x2xf64>
    return %0 : tensor<3x2xf64>
  }

  // CHECK-LABEL: util.func public @branch
  // CHECK:         scf.if
  func.func @branch(%arg0: tensor<i1>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
    %0 = tosa.cond_if %arg0 (%arg2 = %arg1) : tensor<i1> (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%arg3: tensor<4xf32>):
      %1 = tosa.abs %arg3 : (tensor<4xf32>) -> tensor<4xf32>
      tosa.yield %1 : tensor<4xf32>
    } else {
    ^bb0(%arg3: tensor<4xf32>):
      tosa.yield %arg3 : tensor<4xf32>
    }
    return %0 : tensor<4xf32>
  }
}
