// RUN: npu-opt %s --pass-pipeline='builtin.module(util.func(npu-global-opt-convert-elementwise-to-linalg))' | FileCheck %s

// CHECK-LABEL: util.func public @chain
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 :
// CHECK: arith.addf %{{.*}} : f32
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] :
// CHECK: math.exp %{{.*}} : f32
util.func public @chain(%arg0: tensor<4x?xf32>, %arg1: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = arith.addf %arg0, %arg1 : tensor<4x?xf32>
  %1 = math.exp %0 : tensor<4x?xf32>
  util.return %1 : tensor<4x?xf32>
}

// Scalars and vectors are what generics consist of.
// CHECK-LABEL: util.func public @stays
// CHECK-NOT: linalg.generic
util.func public @stays(%arg0: f32, %arg1: vector<4xf32>) -> (f32, vector<4xf32>) {
  %0 = arith.addf %arg0, %arg0 : f32
  %1 = arith.addf %arg1, %arg1 : vector<4xf32>
  util.return %0, %1 : f32, vector<4xf32>
}
