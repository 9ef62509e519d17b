// RUN: npu-opt --split-input-file --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions))' %s | FileCheck %s --match-full-lines --strict-whitespace

// 16.1 Matmul + bias + relu: one region.
//      CHECK:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:#map1 = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @dense(%arg0: tensor<16x24xf16>, %arg1: tensor<24x40xf16>, %arg2: tensor<40xf16>) -> tensor<16x40xf16> {
// CHECK-NEXT:    %cst = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:    %0 = tensor.empty() : tensor<16x40xf16>
// CHECK-NEXT:    %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<16x40xf16>) -> tensor<16x40xf16>
// CHECK-NEXT:    %2 = flow.dispatch.region -> (tensor<16x40xf16>) {
// CHECK-NEXT:      %3 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf16>, tensor<24x40xf16>) outs(%1 : tensor<16x40xf16>) -> tensor<16x40xf16>
// CHECK-NEXT:      %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg2 : tensor<16x40xf16>, tensor<40xf16>) outs(%0 : tensor<16x40xf16>) {
// CHECK-NEXT:      ^bb0(%in: f16, %in_0: f16, %out: f16):
// CHECK-NEXT:        %5 = arith.addf %in, %in_0 : f16
// CHECK-NEXT:        %6 = arith.maximumf %5, %cst : f16
// CHECK-NEXT:        linalg.yield %6 : f16
// CHECK-NEXT:      } -> tensor<16x40xf16>
// CHECK-NEXT:      flow.return %4 : tensor<16x40xf16>
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %2 : tensor<16x40xf16>
// CHECK-NEXT:  }
// CHECK-NEXT:}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
util.func public @dense(%arg0: tensor<16x24xf16>, %arg1: tensor<24x40xf16>, %arg2: tensor<40xf16>) -> tensor<16x40xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %0 = tensor.empty() : tensor<16x40xf16>
  %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<16x40xf16>) -> tensor<16x40xf16>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf16>, tensor<24x40xf16>) outs(%1 : tensor<16x40xf16>) -> tensor<16x40xf16>
  %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<16x40xf16>, tensor<40xf16>) outs(%0 : tensor<16x40xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %4 = arith.addf %in, %in_0 : f16
    %5 = arith.maximumf %4, %cst : f16
    linalg.yield %5 : f16
  } -> tensor<16x40xf16>
  util.return %3 : tensor<16x40xf16>
}

// -----

// 16.2 Convolution + bias: the in-place rule holds, one region.
//      CHECK:#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-NEXT:#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @conv(%arg0: tensor<1x9x9x4xf32>, %arg1: tensor<2x2x4x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
// CHECK-NEXT:    %0 = tensor.empty() : tensor<1x8x8x8xf32>
// CHECK-NEXT:    %1 = flow.dispatch.region -> (tensor<1x8x8x8xf32>) {
// CHECK-NEXT:      %2 = linalg.conv_2d_nhwc_hwcf ins(%arg0, %arg1 : tensor<1x9x9x4xf32>, tensor<2x2x4x8xf32>) outs(%arg3 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
// CHECK-NEXT:      %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %arg2 : tensor<1x8x8x8xf32>, tensor<8xf32>) outs(%0 : tensor<1x8x8x8xf32>) {
// CHECK-NEXT:      ^bb0(%in: f32, %in_0: f32, %out: f32):
// CHECK-NEXT:        %4 = arith.addf %in, %in_0 : f32
// CHECK-NEXT:        linalg.yield %4 : f32
// CHECK-NEXT:      } -> tensor<1x8x8x8xf32>
// CHECK-NEXT:      flow.return %3 : tensor<1x8x8x8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %1 : tensor<1x8x8x8xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3)>
util.func public @conv(%arg0: tensor<1x9x9x4xf32>, %arg1: tensor<2x2x4x8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %0 = tensor.empty() : tensor<1x8x8x8xf32>
  %1 = linalg.conv_2d_nhwc_hwcf ins(%arg0, %arg1 : tensor<1x9x9x4xf32>, tensor<2x2x4x8xf32>) outs(%arg3 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg2 : tensor<1x8x8x8xf32>, tensor<8xf32>) outs(%0 : tensor<1x8x8x8xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %3 = arith.addf %in, %in_0 : f32
    linalg.yield %3 : f32
  } -> tensor<1x8x8x8xf32>
  util.return %2 : tensor<1x8x8x8xf32>
}

// -----

// 16.3 The matmul result has two users: not fused into either.
//      CHECK:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @fork(%arg0: tensor<8x6xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
// CHECK-NEXT:    %0 = tensor.empty() : tensor<8x8xf32>
// CHECK-NEXT:    %1 = flow.dispatch.region -> (tensor<8x8xf32>) {
// CHECK-NEXT:      %4 = linalg.matmul ins(%arg0, %arg1 : tensor<8x6xf32>, tensor<6x8xf32>) outs(%arg2 : tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:      flow.return %4 : tensor<8x8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %2 = flow.dispatch.region -> (tensor<8x8xf32>) {
// CHECK-NEXT:      %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) {
// CHECK-NEXT:      ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:        %5 = math.exp %in : f32
// CHECK-NEXT:        linalg.yield %5 : f32
// CHECK-NEXT:      } -> tensor<8x8xf32>
// CHECK-NEXT:      flow.return %4 : tensor<8x8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %3 = flow.dispatch.region -> (tensor<8x8xf32>) {
// CHECK-NEXT:      %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) {
// CHECK-NEXT:      ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:        %5 = arith.negf %in : f32
// CHECK-NEXT:        linalg.yield %5 : f32
// CHECK-NEXT:      } -> tensor<8x8xf32>
// CHECK-NEXT:      flow.return %4 : tensor<8x8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
#map = affine_map<(d0, d1) -> (d0, d1)>
util.func public @fork(%arg0: tensor<8x6xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = tensor.empty() : tensor<8x8xf32>
  %1 = linalg.matmul ins(%arg0, %arg1 : tensor<8x6xf32>, tensor<6x8xf32>) outs(%arg2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = math.exp %in : f32
    linalg.yield %4 : f32
  } -> tensor<8x8xf32>
  %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x8xf32>) outs(%0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %4 = arith.negf %in : f32
    linalg.yield %4 : f32
  } -> tensor<8x8xf32>
  util.return %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}
