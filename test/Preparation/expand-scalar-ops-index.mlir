// RUN: npu-opt %s --npu-expand-scalar-ops --mlir-print-local-scope | FileCheck %s

// StableHLO's gathers keep their coordinates in bounds as index.
// CHECK-LABEL: func @clamped(
// CHECK: ^bb0(%[[I:.*]]: i32, %{{.*}}: f32):
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[LOW:.*]] = arith.maxsi %[[I]], %[[ZERO]] : i32
// CHECK: %[[MOST:.*]] = arith.constant 60 : i32
// CHECK: %[[IN:.*]] = arith.minsi %[[LOW]], %[[MOST]] : i32
// CHECK: %[[COUNT:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[SUM:.*]] = arith.addi %[[IN]], %[[COUNT]] : i32
// CHECK: %[[AT:.*]] = arith.index_cast %[[SUM]] : i32 to index
// CHECK: tensor.extract %{{.*}}[%[[AT]],
func.func @clamped(%table: tensor<64x32xf32>, %indices: tensor<8xi32>) -> tensor<8x4x32xf32> {
  %e = tensor.empty() : tensor<8x4x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%indices : tensor<8xi32>) outs(%e : tensor<8x4x32xf32>) {
  ^bb0(%i: i32, %o: f32):
    %row = linalg.index 1 : index
    %column = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %c60 = arith.constant 60 : index
    %cast = arith.index_cast %i : i32 to index
    %low = arith.maxsi %cast, %c0 : index
    %in = arith.minsi %low, %c60 : index
    %at = arith.addi %in, %row : index
    %v = tensor.extract %table[%at, %column] : tensor<64x32xf32>
    linalg.yield %v : f32
  } -> tensor<8x4x32xf32>
  return %0 : tensor<8x4x32xf32>
}

// A bound that i8 does not have, a sum that has none, and a sum that i8 may not have.
// CHECK-LABEL: func @others(
// CHECK: arith.minsi %{{.*}}, %{{.*}} : index
// CHECK: arith.addi %{{.*}}, %{{.*}} : index
// CHECK: arith.minsi %{{.*}}, %{{.*}} : i8
// CHECK: arith.addi %{{.*}}, %{{.*}} : index
func.func @others(%table: tensor<640xf32>, %narrow: tensor<8xi8>, %indices: tensor<8xi32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%narrow, %indices : tensor<8xi8>, tensor<8xi32>) outs(%e : tensor<8xf32>) {
  ^bb0(%n: i8, %i: i32, %o: f32):
    %count = linalg.index 0 : index
    %c300 = arith.constant 300 : index
    %c126 = arith.constant 126 : index
    %byte = arith.index_cast %n : i8 to index
    %word = arith.index_cast %i : i32 to index
    %far = arith.minsi %byte, %c300 : index
    %sum = arith.addi %word, %count : index
    %near = arith.minsi %byte, %c126 : index
    %past = arith.addi %near, %count : index
    %a = tensor.extract %table[%far] : tensor<640xf32>
    %b = tensor.extract %table[%sum] : tensor<640xf32>
    %c = tensor.extract %table[%past] : tensor<640xf32>
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    linalg.yield %abc : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func @classes(
// CHECK: arith.cmpf uno, %[[X:.*]], %[[X]] : f32
// CHECK: %[[MAGNITUDE:.*]] = math.absf %[[X]]
// CHECK: arith.cmpf olt, %[[MAGNITUDE]], %{{.*}} : f32
// CHECK: arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
// CHECK: %[[WIDE:.*]] = arith.fptosi %[[X]] : f32 to i32
// CHECK: arith.trunci %[[WIDE]] : i32 to i8
func.func @classes(%x: tensor<8xf32>) -> (tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi8>) {
  %e = tensor.empty() : tensor<8xi1>
  %b = tensor.empty() : tensor<8xi8>
  %0:4 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e, %e, %e, %b : tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi8>) {
  ^bb0(%v: f32, %o0: i1, %o1: i1, %o2: i1, %o3: i8):
    %isnan = math.isnan %v : f32
    %isfinite = math.isfinite %v : f32
    %isinf = math.isinf %v : f32
    %byte = arith.fptoui %v : f32 to i8
    linalg.yield %isnan, %isfinite, %isinf, %byte : i1, i1, i1, i8
  } -> (tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi8>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<8xi1>, tensor<8xi1>, tensor<8xi1>, tensor<8xi8>
}
