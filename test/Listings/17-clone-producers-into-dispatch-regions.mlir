// RUN: npu-opt --split-input-file --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-clone-producers-into-dispatch-regions))' %s | FileCheck %s --match-full-lines --strict-whitespace

// 17.1 Fill, empty and the constant move in (BEFORE: the AFTER of 16.1).
//      CHECK:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:#map1 = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @dense(%arg0: tensor<16x24xf16>, %arg1: tensor<24x40xf16>, %arg2: tensor<40xf16>) -> tensor<16x40xf16> {
// CHECK-NEXT:    %0 = flow.dispatch.region -> (tensor<16x40xf16>) {
// CHECK-NEXT:      %1 = tensor.empty() : tensor<16x40xf16>
// CHECK-NEXT:      %cst = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:      %2 = linalg.fill ins(%cst : f16) outs(%1 : tensor<16x40xf16>) -> tensor<16x40xf16>
// CHECK-NEXT:      %3 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf16>, tensor<24x40xf16>) outs(%2 : tensor<16x40xf16>) -> tensor<16x40xf16>
// CHECK-NEXT:      %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg2 : tensor<16x40xf16>, tensor<40xf16>) outs(%1 : tensor<16x40xf16>) {
// CHECK-NEXT:      ^bb0(%in: f16, %in_0: f16, %out: f16):
// CHECK-NEXT:        %5 = arith.addf %in, %in_0 : f16
// CHECK-NEXT:        %6 = arith.maximumf %5, %cst : f16
// CHECK-NEXT:        linalg.yield %6 : f16
// CHECK-NEXT:      } -> tensor<16x40xf16>
// CHECK-NEXT:      flow.return %4 : tensor<16x40xf16>
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %0 : tensor<16x40xf16>
// CHECK-NEXT:  }
// CHECK-NEXT:}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
util.func public @dense(%arg0: tensor<16x24xf16>, %arg1: tensor<24x40xf16>, %arg2: tensor<40xf16>) -> tensor<16x40xf16> {
  %cst = arith.constant 0.000000e+00 : f16
  %0 = tensor.empty() : tensor<16x40xf16>
  %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<16x40xf16>) -> tensor<16x40xf16>
  %2 = flow.dispatch.region -> (tensor<16x40xf16>) {
    %3 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf16>, tensor<24x40xf16>) outs(%1 : tensor<16x40xf16>) -> tensor<16x40xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg2 : tensor<16x40xf16>, tensor<40xf16>) outs(%0 : tensor<16x40xf16>) {
    ^bb0(%in: f16, %in_0: f16, %out: f16):
      %5 = arith.addf %in, %in_0 : f16
      %6 = arith.maximumf %5, %cst : f16
      linalg.yield %6 : f16
    } -> tensor<16x40xf16>
    flow.return %4 : tensor<16x40xf16>
  }
  util.return %2 : tensor<16x40xf16>
}
