// RUN: npu-opt %s --pass-pipeline="builtin.module(util.func(npu-dispatch-creation-fold-unit-extent-dims))" | FileCheck %s

#input = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y, w + x)>
#filter = affine_map<(n, f, h, w, c, y, x) -> (f, c, y, x)>
#output = affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>

// The only output channel stays, as without it the array would have no columns.
// CHECK-LABEL: util.func public @convolution
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<3x8x8xf32>, tensor<1x3x3x3xf32>) outs(%{{.*}} : tensor<1x6x6xf32>)
util.func public @convolution(%input: tensor<1x3x8x8xf32>, %filter: tensor<1x3x3x3xf32>, %init: tensor<1x1x6x6xf32>)
    -> tensor<1x1x6x6xf32> {
  %0 = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x3x8x8xf32>, tensor<1x3x3x3xf32>) outs(%init : tensor<1x1x6x6xf32>) {
  ^bb0(%x: f32, %w: f32, %y: f32):
    %p = arith.mulf %x, %w : f32
    %q = arith.addf %y, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x1x6x6xf32>
  util.return %0 : tensor<1x1x6x6xf32>
}

#grouped_input = affine_map<(g, f, h, w, c, y, x) -> (g, c, h + y, w + x)>
#grouped_filter = affine_map<(g, f, h, w, c, y, x) -> (g, f, c, y, x)>
#grouped_output = affine_map<(g, f, h, w, c, y, x) -> (g, f, h, w)>

// Where each channel is a group, the groups are what the array has instead.
// CHECK-LABEL: util.func public @depthwise
// CHECK: ins(%{{.*}}, %{{.*}} : tensor<4x8x8xf32>, tensor<4x3x3xf32>) outs(%{{.*}} : tensor<4x6x6xf32>)
util.func public @depthwise(%input: tensor<4x1x8x8xf32>, %filter: tensor<4x1x1x3x3xf32>, %init: tensor<4x1x6x6xf32>)
    -> tensor<4x1x6x6xf32> {
  %0 = linalg.generic {indexing_maps = [#grouped_input, #grouped_filter, #grouped_output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<4x1x8x8xf32>, tensor<4x1x1x3x3xf32>) outs(%init : tensor<4x1x6x6xf32>) {
  ^bb0(%x: f32, %w: f32, %y: f32):
    %p = arith.mulf %x, %w : f32
    %q = arith.addf %y, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x1x6x6xf32>
  util.return %0 : tensor<4x1x6x6xf32>
}
