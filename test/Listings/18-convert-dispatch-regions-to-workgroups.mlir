// RUN: npu-opt --split-input-file --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-convert-dispatch-regions-to-workgroups))' %s | FileCheck %s --match-full-lines --strict-whitespace

// 18.1 Region to workgroups (BEFORE: the AFTER of 17.1).
//      CHECK:#map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT:#map1 = affine_map<(d0, d1) -> (d1)>
// CHECK-NEXT:module {
// CHECK-NEXT:  util.func public @dense(%arg0: tensor<16x24xf16>, %arg1: tensor<24x40xf16>, %arg2: tensor<40xf16>) -> tensor<16x40xf16> {
// CHECK-NEXT:    %0 = flow.dispatch.workgroups(%arg0, %arg1, %arg2) : (tensor<16x24xf16>, tensor<24x40xf16>, tensor<40xf16>) -> tensor<16x40xf16> =
// CHECK-NEXT:        (%arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x24xf16>>, %arg4: !iree_tensor_ext.dispatch.tensor<readonly:tensor<24x40xf16>>, %arg5: !iree_tensor_ext.dispatch.tensor<readonly:tensor<40xf16>>, %arg6: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x40xf16>>) {
// CHECK-NEXT:      %1 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0, 0], sizes = [16, 24], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x24xf16>> -> tensor<16x24xf16>
// CHECK-NEXT:      %2 = iree_tensor_ext.dispatch.tensor.load %arg4, offsets = [0, 0], sizes = [24, 40], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<24x40xf16>> -> tensor<24x40xf16>
// CHECK-NEXT:      %3 = iree_tensor_ext.dispatch.tensor.load %arg5, offsets = [0], sizes = [40], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<40xf16>> -> tensor<40xf16>
// CHECK-NEXT:      %4 = tensor.empty() : tensor<16x40xf16>
// CHECK-NEXT:      %cst = arith.constant 0.000000e+00 : f16
// CHECK-NEXT:      %5 = linalg.fill ins(%cst : f16) outs(%4 : tensor<16x40xf16>) -> tensor<16x40xf16>
// CHECK-NEXT:      %6 = linalg.matmul ins(%1, %2 : tensor<16x24xf16>, tensor<24x40xf16>) outs(%5 : tensor<16x40xf16>) -> tensor<16x40xf16>
// CHECK-NEXT:      %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %3 : tensor<16x40xf16>, tensor<40xf16>) outs(%4 : tensor<16x40xf16>) {
// CHECK-NEXT:      ^bb0(%in: f16, %in_0: f16, %out: f16):
// CHECK-NEXT:        %8 = arith.addf %in, %in_0 : f16
// CHECK-NEXT:        %9 = arith.maximumf %8, %cst : f16
// CHECK-NEXT:        linalg.yield %9 : f16
// CHECK-NEXT:      } -> tensor<16x40xf16>
// CHECK-NEXT:      iree_tensor_ext.dispatch.tensor.store %7, %arg6, offsets = [0, 0], sizes = [16, 40], strides = [1, 1] : tensor<16x40xf16> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x40xf16>>
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %0 : tensor<16x40xf16>
// CHECK-NEXT:  }
// CHECK-NEXT:}
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
util.func public @dense(%arg0: tensor<16x24xf16>, %arg1: tensor<24x40xf16>, %arg2: tensor<40xf16>) -> tensor<16x40xf16> {
  %0 = flow.dispatch.region -> (tensor<16x40xf16>) {
    %1 = tensor.empty() : tensor<16x40xf16>
    %cst = arith.constant 0.000000e+00 : f16
    %2 = linalg.fill ins(%cst : f16) outs(%1 : tensor<16x40xf16>) -> tensor<16x40xf16>
    %3 = linalg.matmul ins(%arg0, %arg1 : tensor<16x24xf16>, tensor<24x40xf16>) outs(%2 : tensor<16x40xf16>) -> tensor<16x40xf16>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg2 : tensor<16x40xf16>, tensor<40xf16>) outs(%1 : tensor<16x40xf16>) {
    ^bb0(%in: f16, %in_0: f16, %out: f16):
      %5 = arith.addf %in, %in_0 : f16
      %6 = arith.maximumf %5, %cst : f16
      linalg.yield %6 : f16
    } -> tensor<16x40xf16>
    flow.return %4 : tensor<16x40xf16>
  }
  util.return %0 : tensor<16x40xf16>
}

// -----

// 18.2 An init from outside makes the result tied: one `readwrite` argument.
//      CHECK:module {
// CHECK-NEXT:  util.func public @accumulate(%arg0: tensor<4x6xf32>, %arg1: tensor<6x4xf32>, %arg2: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT:    %0 = flow.dispatch.workgroups(%arg0, %arg1, %arg2) : (tensor<4x6xf32>, tensor<6x4xf32>, tensor<4x4xf32>) -> %arg2 =
// CHECK-NEXT:        (%arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x4xf32>>, %arg5: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x4xf32>>) {
// CHECK-NEXT:      %1 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x6xf32>
// CHECK-NEXT:      %2 = iree_tensor_ext.dispatch.tensor.load %arg4, offsets = [0, 0], sizes = [6, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<6x4xf32>> -> tensor<6x4xf32>
// CHECK-NEXT:      %3 = iree_tensor_ext.dispatch.tensor.load %arg5, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x4xf32>> -> tensor<4x4xf32>
// CHECK-NEXT:      %4 = linalg.matmul ins(%1, %2 : tensor<4x6xf32>, tensor<6x4xf32>) outs(%3 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:      iree_tensor_ext.dispatch.tensor.store %4, %arg5, offsets = [0, 0], sizes = [4, 4], strides = [1, 1] : tensor<4x4xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4x4xf32>>
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %0 : tensor<4x4xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @accumulate(%arg0: tensor<4x6xf32>, %arg1: tensor<6x4xf32>, %arg2: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = flow.dispatch.region -> (tensor<4x4xf32>) {
    %1 = linalg.matmul ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<6x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
    flow.return %1 : tensor<4x4xf32>
  }
  util.return %0 : tensor<4x4xf32>
}
