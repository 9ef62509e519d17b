// RUN: npu-opt --split-input-file --npu-dispatch-creation-fold-unit-extent-dims %s | FileCheck %s --match-full-lines --strict-whitespace

// 8.1 Leading and inner unit dimension.
//      CHECK:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @neg(%arg0: tensor<1x7x1x3xf32>) -> tensor<1x7x1x3xf32> {
// CHECK-NEXT:    %collapsed = tensor.collapse_shape %arg0 {{\[\[}}0, 1, 2], [3]] : tensor<1x7x1x3xf32> into tensor<7x3xf32>
// CHECK-NEXT:    %0 = tensor.empty() : tensor<7x3xf32>
// CHECK-NEXT:    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<7x3xf32>) outs(%0 : tensor<7x3xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      %2 = arith.negf %in : f32
// CHECK-NEXT:      linalg.yield %2 : f32
// CHECK-NEXT:    } -> tensor<7x3xf32>
// CHECK-NEXT:    %expanded = tensor.expand_shape %1 {{\[\[}}0, 1, 2], [3]] output_shape [1, 7, 1, 3] : tensor<7x3xf32> into tensor<1x7x1x3xf32>
// CHECK-NEXT:    util.return %expanded : tensor<1x7x1x3xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
util.func public @neg(%arg0: tensor<1x7x1x3xf32>) -> tensor<1x7x1x3xf32> {
  %0 = tensor.empty() : tensor<1x7x1x3xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x7x1x3xf32>) outs(%0 : tensor<1x7x1x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.negf %in : f32
    linalg.yield %2 : f32
  } -> tensor<1x7x1x3xf32>
  util.return %1 : tensor<1x7x1x3xf32>
}

// -----

// 8.2 A private global backed by a parameter shrinks too (not in the per-function variant).
//      CHECK:module {
// CHECK-NEXT:  util.global private @scale = #flow.parameter.named<"net"::"scale"> : tensor<6xi32>
// CHECK-NEXT:  util.func public @get() -> tensor<1x6x1xi32> {
// CHECK-NEXT:    %scale = util.global.load @scale : tensor<6xi32>
// CHECK-NEXT:    %expanded = tensor.expand_shape %scale {{\[\[}}0, 1, 2]] output_shape [1, 6, 1] : tensor<6xi32> into tensor<1x6x1xi32>
// CHECK-NEXT:    util.return %expanded : tensor<1x6x1xi32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private @scale = #flow.parameter.named<"net"::"scale"> : tensor<1x6x1xi32>
util.func public @get() -> tensor<1x6x1xi32> {
  %scale = util.global.load @scale : tensor<1x6x1xi32>
  util.return %scale : tensor<1x6x1xi32>
}
