// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-collapse-dimensions))' %s | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
// Two outer loops become one in both ops; the reduced one stays by itself.
// CHECK-LABEL: @softmax
// CHECK:         %[[C:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]] : tensor<4x16x8xf32> into tensor<64x8xf32>
// CHECK:         %[[R:.*]] = flow.dispatch.region -> (tensor<64x8xf32>)
// CHECK-NOT:       tensor.{{collapse|expand}}_shape
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[C]] : tensor<64x8xf32>)
// CHECK-NOT:       tensor.{{collapse|expand}}_shape
// CHECK:           linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : tensor<64x8xf32>, tensor<64xf32>)
// CHECK:         tensor.expand_shape %[[R]]
util.func public @softmax(%a: tensor<4x16x8xf32>) -> tensor<4x16x8xf32> {
  %0 = flow.dispatch.region -> (tensor<4x16x8xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x16xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a : tensor<4x16x8xf32>) outs(%f : tensor<4x16xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.maximumf %x, %o : f32
      linalg.yield %s : f32
    } -> tensor<4x16xf32>
    %g = tensor.empty() : tensor<4x16x8xf32>
    %2 = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %1 : tensor<4x16x8xf32>, tensor<4x16xf32>) outs(%g : tensor<4x16x8xf32>) {
    ^bb0(%x: f32, %m: f32, %o: f32):
      %d = arith.subf %x, %m : f32
      linalg.yield %d : f32
    } -> tensor<4x16x8xf32>
    flow.return %2 : tensor<4x16x8xf32>
  }
  util.return %0 : tensor<4x16x8xf32>
}

// What is indexed by more than loops stays.
// CHECK-LABEL: util.func public @constant_index
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
util.func public @constant_index(%a: tensor<4x8x2xf32>) -> tensor<4x8x6xf32> {
  %0 = flow.dispatch.region -> (tensor<4x8x6xf32>) {
    %1 = tensor.empty() : tensor<4x8x6xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<4x8x2xf32>) outs(%1 : tensor<4x8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.negf %in : f32
      linalg.yield %3 : f32
    } -> tensor<4x8x6xf32>
    flow.return %2 : tensor<4x8x6xf32>
  }
  util.return %0 : tensor<4x8x6xf32>
}

// A constant that was cloned into two dispatches stays in both.
// CHECK-LABEL: util.func public @constants
// CHECK-NOT:     arith.constant
// CHECK:         flow.dispatch.region
// CHECK:           arith.constant
// CHECK:         flow.dispatch.region
// CHECK:           arith.constant
util.func public @constants(%a: tensor<4x8xf32>) -> tensor<32xf32> {
  %0 = flow.dispatch.region -> (tensor<4x8xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x8xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    flow.return %1 : tensor<4x8xf32>
  }
  %2 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %3 = flow.dispatch.region -> (tensor<32xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<32xf32>
    %4 = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
    %5 = linalg.add ins(%2, %4 : tensor<32xf32>, tensor<32xf32>) outs(%e : tensor<32xf32>) -> tensor<32xf32>
    flow.return %5 : tensor<32xf32>
  }
  util.return %3 : tensor<32xf32>
}
