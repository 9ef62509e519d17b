// What the pooling's windows read is 301056 bytes: more than the memory has, and it would go through DRAM. Strips of it fit.
// RUN: npu-opt %s --npu-choose-tiles | FileCheck %s
// RUN: npu-opt %s --npu-choose-tiles --remarks-filter=npu-tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: npu.kernel @too_much
// CHECK-SAME: schedule = #npu.schedule<{strips 0 = 14 {value @tail0 -> sram, {{.*}}load @conv1.input{{.*}} then {value @tail0 -> sram
// REMARK: remark: [Passed] Strips | {{.*}}Function=too_much | axis=0, size=14
npu.kernel @too_much(%x: tensor<56x56x16xi8>, %w: tensor<96x16x1x1xi8>, %v: tensor<3x3x96xi8>) -> tensor<28x28x96xi8> attributes {target = #npu.target<"npu-v1:sramBytes=262144">} {
  %e = tensor.empty() : tensor<56x56x96xi32>
  %b = tensor.empty() : tensor<56x56x96xi8>
  %f = tensor.empty() : tensor<28x28x96xi32>
  %g = tensor.empty() : tensor<28x28x96xi8>
  %0 = npu.conv %x, %w -> %e {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<hwf>} : tensor<56x56x16xi8>, tensor<96x16x1x1xi8> -> tensor<56x56x96xi32>
  %1 = npu.rescale %0 -> %b {multiplier = 1518500250, shift = 40} : tensor<56x56x96xi32> -> tensor<56x56x96xi8>
  %2 = npu.conv %1, %v -> %f {layout_input = #npu.layout<hwg>, layout_filter = #npu.layout<yxg>, layout_output = #npu.layout<hwg>, pad_low = array<i64: 1, 1>, stride = array<i64: 2, 2>} : tensor<56x56x96xi8>, tensor<3x3x96xi8> -> tensor<28x28x96xi32>
  %3 = npu.rescale %2 -> %g {multiplier = 1518500250, shift = 40} : tensor<28x28x96xi32> -> tensor<28x28x96xi8>
  npu.return %3 : tensor<28x28x96xi8>
}

// With memory for all of it there is nothing to cut.
// CHECK-LABEL: npu.kernel @enough
// CHECK-NOT: strips
npu.kernel @enough(%x: tensor<56x56x16xi8>, %w: tensor<96x16x1x1xi8>, %v: tensor<3x3x96xi8>) -> tensor<28x28x96xi8> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<56x56x96xi32>
  %b = tensor.empty() : tensor<56x56x96xi8>
  %f = tensor.empty() : tensor<28x28x96xi32>
  %g = tensor.empty() : tensor<28x28x96xi8>
  %0 = npu.conv %x, %w -> %e {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<hwf>} : tensor<56x56x16xi8>, tensor<96x16x1x1xi8> -> tensor<56x56x96xi32>
  %1 = npu.rescale %0 -> %b {multiplier = 1518500250, shift = 40} : tensor<56x56x96xi32> -> tensor<56x56x96xi8>
  %2 = npu.conv %1, %v -> %f {layout_input = #npu.layout<hwg>, layout_filter = #npu.layout<yxg>, layout_output = #npu.layout<hwg>, pad_low = array<i64: 1, 1>, stride = array<i64: 2, 2>} : tensor<56x56x96xi8>, tensor<3x3x96xi8> -> tensor<28x28x96xi32>
  %3 = npu.rescale %2 -> %g {multiplier = 1518500250, shift = 40} : tensor<28x28x96xi32> -> tensor<28x28x96xi8>
  npu.return %3 : tensor<28x28x96xi8>
}

// What nobody needs is gone, and in no strip.
// RUN: npu-opt %s --pass-pipeline='builtin.module(npu-choose-tiles,npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' -o /dev/null
// CHECK-LABEL: npu.kernel @dead
// CHECK-SAME: strips 0 = 14
// CHECK-NOT: npu.unary
npu.kernel @dead(%x: tensor<56x56x16xi8>, %w: tensor<96x16x1x1xi8>, %v: tensor<3x3x96xi8>, %q: tensor<56x64xi8>) -> tensor<28x28x96xi8> attributes {target = #npu.target<"npu-v1:sramBytes=262144">} {
  %e = tensor.empty() : tensor<56x56x96xi32>
  %b = tensor.empty() : tensor<56x56x96xi8>
  %f = tensor.empty() : tensor<28x28x96xi32>
  %g = tensor.empty() : tensor<28x28x96xi8>
  %0 = npu.conv %x, %w -> %e {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<hwf>} : tensor<56x56x16xi8>, tensor<96x16x1x1xi8> -> tensor<56x56x96xi32>
  %1 = npu.rescale %0 -> %b {multiplier = 1518500250, shift = 40} : tensor<56x56x96xi32> -> tensor<56x56x96xi8>
  %qe = tensor.empty() : tensor<56x64xi8>
  %qq = npu.unary neg %q -> %qe : tensor<56x64xi8> -> tensor<56x64xi8>
  %2 = npu.conv %1, %v -> %f {layout_input = #npu.layout<hwg>, layout_filter = #npu.layout<yxg>, layout_output = #npu.layout<hwg>, pad_low = array<i64: 1, 1>, stride = array<i64: 2, 2>} : tensor<56x56x96xi8>, tensor<3x3x96xi8> -> tensor<28x28x96xi32>
  %3 = npu.rescale %2 -> %g {multiplier = 1518500250, shift = 40} : tensor<28x28x96xi32> -> tensor<28x28x96xi8>
  npu.return %3 : tensor<28x28x96xi8>
}

// A tail in f32 does not take the place of sums in the accumulators if windows read its result, which stays in SRAM.
// CHECK-LABEL: npu.kernel @pooled
// CHECK-SAME: strips 0 = {{[0-9]+}} {value @tail0 -> sram, {{.*}}@tail0{{[,}]}}{{.*}}load @pool1.tail0
npu.kernel @pooled(%x: tensor<56x56x16xf32>, %w: tensor<96x16x1x1xf32>) -> tensor<28x28x96xf32> attributes {target = #npu.target<"npu-v1:sramBytes=262144">} {
  %e = tensor.empty() : tensor<56x56x96xf32>
  %f = tensor.empty() : tensor<28x28x96xf32>
  %0 = npu.conv %x, %w -> %e {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<hwf>} : tensor<56x56x16xf32>, tensor<96x16x1x1xf32> -> tensor<56x56x96xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32} : tensor<56x56x96xf32> -> tensor<56x56x96xf32>
  %2 = npu.pool max %1 -> %f {window = array<i64: 2, 2>, indexing_maps = [affine_map<(y, x, c, p, q) -> (y * 2 + p, x * 2 + q, c)>, affine_map<(y, x, c, p, q) -> (y, x, c)>]} : tensor<56x56x96xf32> -> tensor<28x28x96xf32>
  npu.return %2 : tensor<28x28x96xf32>
}
