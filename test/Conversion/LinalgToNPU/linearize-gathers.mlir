// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form -split-input-file | FileCheck %s

// An index of i8 is extended; one that is unsigned, without its sign.
// CHECK-LABEL: npu.kernel @narrow
// CHECK-SAME: (%[[T:.*]]: tensor<50x24xf32>, %[[I:.*]]: tensor<16xi8>
func.func @narrow(%t: tensor<50x24xf32>, %i: tensor<16xi8>) -> (tensor<16x24xf32>, tensor<16x24xf32>) {
  // CHECK: %[[S:.*]] = npu.cast extsi %[[I]]
  // CHECK: %[[C:.*]] = npu.clamp %[[S]] -> %{{.*}} {hi = 49 : i32, lo = 0 : i32}
  // CHECK: npu.gather %[[T]][%[[C]]]
  // CHECK: npu.cast extui %[[I]]
  %e = tensor.empty() : tensor<16x24xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<16xi8>) outs(%e, %e : tensor<16x24xf32>, tensor<16x24xf32>) {
  ^bb0(%a: i8, %o: f32, %p: f32):
    %k = arith.index_cast %a : i8 to index
    %u = arith.index_castui %a : i8 to index
    %j = linalg.index 1 : index
    %r = tensor.extract %t[%k, %j] : tensor<50x24xf32>
    %s = tensor.extract %t[%u, %j] : tensor<50x24xf32>
    linalg.yield %r, %s : f32, f32
  } -> (tensor<16x24xf32>, tensor<16x24xf32>)
  return %0#0, %0#1 : tensor<16x24xf32>, tensor<16x24xf32>
}

// -----

// Two coordinates, and a counter between them, are the number of an element among those of three dimensions.
// CHECK-LABEL: npu.kernel @several
// CHECK-SAME: (%[[T:.*]]: tensor<210x9xf32>, %[[I:.*]]: tensor<16xi32>, %[[K:.*]]: tensor<16xi32>
func.func @several(%t: tensor<5x7x6x9xf32>, %i: tensor<16xi32>, %k: tensor<16xi32>) -> tensor<16x7x9xf32> {
  // CHECK: npu.clamp %[[I]] -> %{{.*}} {hi = 4 : i32, lo = 0 : i32}
  // CHECK: %[[A:.*]] = npu.binary mul %{{.*}} {imm = 7 : i32}
  // CHECK: %[[B:.*]] = npu.binary add %[[A]], %{{.*}}
  // CHECK: %[[L:.*]] = npu.clamp %[[K]] -> %{{.*}} {hi = 5 : i32, lo = 0 : i32}
  // CHECK: %[[M:.*]] = npu.binary mul %[[B]] -> %{{.*}} {imm = 6 : i32}
  // CHECK: %[[S:.*]] = npu.binary add %[[M]], %[[L]]
  // CHECK: %[[C:.*]] = npu.clamp %[[S]] -> %{{.*}} {hi = 209 : i32, lo = 0 : i32}
  // CHECK: npu.gather %[[T]][%[[C]]] -> %{{.*}} {dimension = 0
  %e = tensor.empty() : tensor<16x7x9xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%i, %k : tensor<16xi32>, tensor<16xi32>) outs(%e : tensor<16x7x9xf32>) {
  ^bb0(%a: i32, %b: i32, %o: f32):
    %x = arith.index_cast %a : i32 to index
    %y = linalg.index 1 : index
    %z = arith.index_cast %b : i32 to index
    %w = linalg.index 2 : index
    %r = tensor.extract %t[%x, %y, %z, %w] : tensor<5x7x6x9xf32>
    linalg.yield %r : f32
  } -> tensor<16x7x9xf32>
  return %0 : tensor<16x7x9xf32>
}

// -----

// A constant has another shape as well; and so has an argument of which the table is a reshape.
// CHECK-LABEL: npu.kernel @sources
// CHECK-SAME: (%[[T:.*]]: tensor<6xf32>
func.func @sources(%t: tensor<6xf32>, %i: tensor<4xi32>, %k: tensor<4xi32>) -> tensor<4xf32> {
  // CHECK: %[[C:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>
  %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = tensor.expand_shape %t [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  // CHECK: npu.gather %[[C]]
  // CHECK: npu.gather %[[T]]
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%i, %k : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: i32, %b: i32, %o: f32):
    %x = arith.index_cast %a : i32 to index
    %y = arith.index_cast %b : i32 to index
    %q = tensor.extract %c[%x, %y] : tensor<2x2xf32>
    %r = tensor.extract %s[%x, %y] : tensor<2x3xf32>
    %u = arith.addf %q, %r : f32
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
