// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-quantized-conv-to-conv))' %s | FileCheck %s

// 1 - 2 + 3 and 5, times 128, are what sums start from: the filter is known.
// CHECK-LABEL: @constant
// CHECK: %[[START:.*]] = arith.constant dense<[256, 640]> : tensor<2xi32>
// CHECK: %[[INIT:.*]] = linalg.generic {{.*}} ins(%[[START]] : tensor<2xi32>)
// CHECK: linalg.conv_2d_nhwc_fhwc {{.*}} ins(%arg0, %{{.*}} : tensor<1x4x4x3xi8>, tensor<2x1x1x3xi8>) outs(%[[INIT]] :
// CHECK-NOT: linalg.generic
// CHECK: util.return
util.func public @constant(%x: tensor<1x4x4x3xi8>) -> tensor<1x4x4x2xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %w = arith.constant dense<[[[[1, -2, 3]]], [[[0, 5, 0]]]]> : tensor<2x1x1x3xi8>
  %e = tensor.empty() : tensor<1x4x4x2xi32>
  %i = linalg.fill ins(%zw : i32) outs(%e : tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
  %0 = linalg.conv_2d_nhwc_fhwc_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %zx, %zw : tensor<1x4x4x3xi8>, tensor<2x1x1x3xi8>, i32, i32) outs(%i : tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
  util.return %0 : tensor<1x4x4x2xi32>
}

// A zero point of the filter: sums of the input over channels, and over windows of those.
// CHECK-LABEL: @both
// CHECK: %[[CONV:.*]] = linalg.conv_2d_nhwc_hwcf {{.*}} outs(%arg4 :
// CHECK: %[[CHANNELS:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<1x6x6x3xi8>) outs(%{{.*}} : tensor<1x6x6xi32>)
// CHECK: %[[WINDOWS:.*]] = linalg.generic {{.*}} ins(%[[CHANNELS]], %{{.*}} : tensor<1x6x6xi32>, tensor<3x3xi32>) outs(%{{.*}} : tensor<1x2x2xi32>)
// CHECK: %[[FILTER:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<3x3x3x2xi8>) outs(%{{.*}} : tensor<2xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[CONV]], %[[WINDOWS]], %arg3, %[[FILTER]], %arg2, %{{.*}} :
util.func public @both(%x: tensor<1x6x6x3xi8>, %w: tensor<3x3x3x2xi8>, %zx: i32, %zw: i32, %i: tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32> {
  %0 = linalg.conv_2d_nhwc_hwcf_q {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %zx, %zw : tensor<1x6x6x3xi8>, tensor<3x3x3x2xi8>, i32, i32) outs(%i : tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32>
  util.return %0 : tensor<1x2x2x2xi32>
}

// Floats, windows of a dynamic size, and zero points that are wider than sums stay.
// CHECK-LABEL: @others
// CHECK: linalg.conv_2d_nhwc_hwcf_q
// CHECK: linalg.conv_2d_nhwc_hwcf_q
// CHECK: linalg.conv_2d_nhwc_hwcf_q
util.func public @others(%x: tensor<1x6x6x3xf32>, %w: tensor<3x3x3x2xf32>, %zx: f32, %zw: f32, %i: tensor<1x4x4x2xf32>, %y: tensor<1x6x6x3xi8>, %v: tensor<?x?x3x2xi8>, %u: tensor<3x3x3x2xi8>, %zy: i32, %zu: i64, %j: tensor<1x?x?x2xi32>, %k: tensor<1x4x4x2xi32>) -> (tensor<1x4x4x2xf32>, tensor<1x?x?x2xi32>, tensor<1x4x4x2xi32>) {
  %0 = linalg.conv_2d_nhwc_hwcf_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %zx, %zw : tensor<1x6x6x3xf32>, tensor<3x3x3x2xf32>, f32, f32) outs(%i : tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = linalg.conv_2d_nhwc_hwcf_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%y, %v, %zy, %zy : tensor<1x6x6x3xi8>, tensor<?x?x3x2xi8>, i32, i32) outs(%j : tensor<1x?x?x2xi32>) -> tensor<1x?x?x2xi32>
  %2 = linalg.conv_2d_nhwc_hwcf_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%y, %u, %zu, %zu : tensor<1x6x6x3xi8>, tensor<3x3x3x2xi8>, i64, i64) outs(%k : tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
  util.return %0, %1, %2 : tensor<1x4x4x2xf32>, tensor<1x?x?x2xi32>, tensor<1x4x4x2xi32>
}
