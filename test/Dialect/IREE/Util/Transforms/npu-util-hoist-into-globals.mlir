// RUN: npu-opt --npu-util-hoist-into-globals --canonicalize %s --split-input-file | FileCheck %s
// RUN: npu-opt --npu-util-hoist-into-globals=max-size-increase-threshold=100 --canonicalize %s --split-input-file | FileCheck %s --check-prefix=SMALL

// The sum of weights is computed once; its other shape is made where it is used.
// CHECK:       util.global private @w = dense<[1, 2, 3, 4]> : tensor<4xi32>
// CHECK-NEXT:  util.global private @__hoisted_tensor_4xi32 : tensor<4xi32>
// CHECK-NEXT:  util.initializer {
// CHECK-DAG:     %[[C:.*]] = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
// CHECK-DAG:     %[[W:.*]] = util.global.load immutable @w
// CHECK:         %[[S:.*]] = arith.addi %[[W]], %[[C]]
// CHECK-NEXT:    util.global.store %[[S]], @__hoisted_tensor_4xi32
// CHECK-NEXT:    util.return
// CHECK:       util.func public @f
// CHECK-NEXT:    %[[L:.*]] = util.global.load immutable @__hoisted_tensor_4xi32
// CHECK-NEXT:    %[[E:.*]] = tensor.expand_shape %[[L]]
// CHECK-NEXT:    %[[R:.*]] = arith.addi %arg0, %[[E]]
// CHECK-NEXT:    util.return %[[R]], %[[L]]
util.global private @w = dense<[1, 2, 3, 4]> : tensor<4xi32>
util.func public @f(%arg0: tensor<2x2xi32>) -> (tensor<2x2xi32>, tensor<4xi32>) {
  %c = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
  %w = util.global.load immutable @w : tensor<4xi32>
  %0 = arith.addi %w, %c : tensor<4xi32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  %2 = arith.addi %arg0, %1 : tensor<2x2xi32>
  util.return %2, %0 : tensor<2x2xi32>, tensor<4xi32>
}

// -----

// What changes, what is a repeated value, what depends on an argument or has effects stays; so do
// constants as such.
// CHECK-NOT:   __hoisted
// CHECK-LABEL: util.func public @g
util.global private mutable @state = dense<[1, 2, 3, 4]> : tensor<4xi32>
util.func public @g(%arg0: tensor<4xi32>, %arg1: i32) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %c = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
  %z = arith.constant 7 : i32
  %s = util.global.load @state : tensor<4xi32>
  %0 = arith.addi %s, %c : tensor<4xi32>
  %e = tensor.empty() : tensor<4xi32>
  %1 = linalg.fill ins(%z : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%c : tensor<4xi32>) outs(%e : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %4 = arith.addi %in, %arg1 : i32
    linalg.yield %4 : i32
  } -> tensor<4xi32>
  %b = util.optimization_barrier %c : tensor<4xi32>
  %3 = arith.addi %b, %c : tensor<4xi32>
  util.return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// -----

// 256 bytes of 4: too large for SMALL. The initializer comes after the global that it reads.
// CHECK-LABEL: util.func public @broadcast
// CHECK:       util.global private @v
// CHECK:       util.global private @__hoisted_tensor_64xi32
// CHECK:       util.initializer
// SMALL-NOT:   __hoisted_tensor_64xi32
// SMALL-LABEL: util.func public @broadcast
util.func public @broadcast(%arg0: tensor<64xi32>) -> tensor<64xi32> {
  %v = util.global.load immutable @v : tensor<1xi32>
  %e = tensor.empty() : tensor<64xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v : tensor<1xi32>) outs(%e : tensor<64xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<64xi32>
  %1 = arith.addi %0, %arg0 : tensor<64xi32>
  util.return %1 : tensor<64xi32>
}
util.global private @v = dense<5> : tensor<1xi32>
