// RUN: npu-opt %s --pass-pipeline='builtin.module(util.func(npu-global-opt-simplify-depthwise-conv))' | FileCheck %s

// CHECK-LABEL: util.func public @multiplier_1
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
// CHECK-SAME: tensor<3x3x4xf32>
util.func public @multiplier_1(%input: tensor<1x8x8x4xf32>, %filter: tensor<3x3x4x1xf32>, %init: tensor<1x6x6x4x1xf32>) -> tensor<1x6x6x4x1xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%input, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x1xf32>) outs(%init : tensor<1x6x6x4x1xf32>) -> tensor<1x6x6x4x1xf32>
  util.return %0 : tensor<1x6x6x4x1xf32>
}

// CHECK-LABEL: util.func public @multiplier_2
// CHECK: linalg.depthwise_conv_2d_nhwc_hwcm
util.func public @multiplier_2(%input: tensor<1x8x8x4xf32>, %filter: tensor<3x3x4x2xf32>, %init: tensor<1x6x6x4x2xf32>) -> tensor<1x6x6x4x2xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%input, %filter : tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>) outs(%init : tensor<1x6x6x4x2xf32>) -> tensor<1x6x6x4x2xf32>
  util.return %0 : tensor<1x6x6x4x2xf32>
}
