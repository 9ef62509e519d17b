// What the second stage makes takes over the buffer of what the first one gives, which it loads: in the nest with the convolution, one
// iteration behind, it needs a second slot of its own.
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu-choose-tiles,npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' | FileCheck %s

// CHECK-LABEL: npu.kernel @pool_conv
// CHECK: npu.conv
npu.kernel @pool_conv(%arg0: tensor<53x35x40xf32>, %arg1: tensor<16x40x1x1xf32>, %arg2: tensor<16xf32>) -> tensor<27x18x16xf32> attributes {target = #npu.target<"npu-v1:sramBytes=16384,accBytes=8192">} {
  %0 = tensor.empty() : tensor<27x18x40xf32>
  %1 = npu.pool max %arg0 -> %0 {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0 * 2 + d3, d1 * 2 + d4 - 1, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>], pad_value = -3.40282347E+38 : f32, window = array<i64: 2, 2>} : tensor<53x35x40xf32> -> tensor<27x18x40xf32>
  %2 = tensor.empty() : tensor<27x18x40xf32>
  %3 = npu.binary max %1 -> %2 {imm = -3.40282347E+38 : f32, imm_first} : tensor<27x18x40xf32> -> tensor<27x18x40xf32>
  %4 = tensor.empty() : tensor<27x18x16xf32>
  %5 = npu.conv %3, %arg1 -> %4 {layout_filter = #npu.layout<fcyx>, layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>} : tensor<27x18x40xf32>, tensor<16x40x1x1xf32> -> tensor<27x18x16xf32>
  %6 = tensor.empty() : tensor<27x18x16xf32>
  %7 = npu.binary add %5, %arg2 -> %6 {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]} : tensor<27x18x16xf32>, tensor<16xf32> -> tensor<27x18x16xf32>
  %8 = tensor.empty() : tensor<27x18x16xf32>
  %9 = npu.clamp %7 -> %8 {hi = 6.000000e+00 : f32, lo = 0.000000e+00 : f32} : tensor<27x18x16xf32> -> tensor<27x18x16xf32>
  npu.return %9 : tensor<27x18x16xf32>
}
