// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-fold-biases))' -split-input-file | FileCheck %s

// Groups of any other one are done one after the other: a result of one channel for each has no columns.
// CHECK-LABEL: @grouped
// CHECK: npu.conv %{{[^b]*}} {
// CHECK: npu.binary add
npu.kernel @grouped(%x: tensor<1x8x8x16x5xi8>, %w: tensor<3x3x16x5xi8>, %b: tensor<16xi32>) -> tensor<1x6x6x16xi32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<1x6x6x16xi32>
  %0 = npu.conv %x, %w -> %e {layout_input = #npu.layout<nhwgc>, layout_filter = #npu.layout<yxgc>, layout_output = #npu.layout<nhwg>} : tensor<1x8x8x16x5xi8>, tensor<3x3x16x5xi8> -> tensor<1x6x6x16xi32>
  %1 = npu.binary add %0, %b -> %e {indexing_maps = [affine_map<(n, h, w, g) -> (n, h, w, g)>, affine_map<(n, h, w, g) -> (g)>, affine_map<(n, h, w, g) -> (n, h, w, g)>]} : tensor<1x6x6x16xi32>, tensor<16xi32> -> tensor<1x6x6x16xi32>
  npu.return %1 : tensor<1x6x6x16xi32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

// Either side of the addition, an argument or a constant that stands behind.
// CHECK-LABEL: @matmul
// CHECK: %[[C:.*]] = arith.constant dense<7> : tensor<16xi32>
// CHECK: npu.matmul %{{.*}}, %{{.*}} bias(%[[C]] : tensor<16xi32>)
// CHECK-NEXT: npu.return
npu.kernel @matmul(%x: tensor<64x32xi8>, %w: tensor<32x16xi8>) -> tensor<64x16xi32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<64x16xi32>
  %0 = npu.matmul %x, %w -> %e : tensor<64x32xi8>, tensor<32x16xi8> -> tensor<64x16xi32>
  %b = arith.constant dense<7> : tensor<16xi32>
  %1 = npu.binary add %b, %0 -> %e {indexing_maps = [#row, #id, #id]} : tensor<16xi32>, tensor<64x16xi32> -> tensor<64x16xi32>
  npu.return %1 : tensor<64x16xi32>
}

// -----

// Through a copy that broadcasts, as TOSA's bias comes, and with channels first.
// CHECK-LABEL: @conv
// CHECK-NOT: npu.copy
// CHECK: npu.conv %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<32xi32>)
// CHECK-NEXT: npu.return
npu.kernel @conv(%x: tensor<1x16x8x8xi8>, %w: tensor<32x16x3x3xi8>, %b: tensor<32xi32>) -> tensor<1x32x6x6xi32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<1x32x6x6xi32>
  %0 = npu.copy %b -> %e {indexing_maps = [affine_map<(n, f, h, w) -> (f)>, affine_map<(n, f, h, w) -> (n, f, h, w)>]} : tensor<32xi32> -> tensor<1x32x6x6xi32>
  %1 = npu.conv %x, %w -> %e {layout_input = #npu.layout<nchw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<nfhw>} : tensor<1x16x8x8xi8>, tensor<32x16x3x3xi8> -> tensor<1x32x6x6xi32>
  %2 = npu.binary add %1, %0 -> %e : tensor<1x32x6x6xi32>, tensor<1x32x6x6xi32> -> tensor<1x32x6x6xi32>
  npu.return %2 : tensor<1x32x6x6xi32>
}

// -----

// Channels of a depthwise convolution are its columns.
// CHECK-LABEL: @depthwise
// CHECK: npu.conv %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<16xi32>)
npu.kernel @depthwise(%x: tensor<1x8x8x16xi8>, %w: tensor<3x3x16xi8>, %b: tensor<16xi32>) -> tensor<1x6x6x16xi32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<1x6x6x16xi32>
  %0 = npu.conv %x, %w -> %e {layout_input = #npu.layout<nhwg>, layout_filter = #npu.layout<yxg>, layout_output = #npu.layout<nhwg>} : tensor<1x8x8x16xi8>, tensor<3x3x16xi8> -> tensor<1x6x6x16xi32>
  %1 = npu.binary add %0, %b -> %e {indexing_maps = [affine_map<(n, h, w, g) -> (n, h, w, g)>, affine_map<(n, h, w, g) -> (g)>, affine_map<(n, h, w, g) -> (n, h, w, g)>]} : tensor<1x6x6x16xi32>, tensor<16xi32> -> tensor<1x6x6x16xi32>
  npu.return %1 : tensor<1x6x6x16xi32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#column = affine_map<(m, n) -> (m)>

// One per row, of floats, a result that something else reads, what another op computes, and a constant: these stay.
// CHECK-LABEL: @others
// CHECK-COUNT-5: npu.binary add
npu.kernel @others(%x: tensor<16x32xi8>, %w: tensor<32x16xi8>, %b: tensor<16xi32>, %y: tensor<16x32xf16>, %v: tensor<32x16xf16>, %c: tensor<16xf32>)
    -> (tensor<16x16xi32>, tensor<16x16xf32>, tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi32>) attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<16x16xi32>
  %f = tensor.empty() : tensor<16x16xf32>
  %g = tensor.empty() : tensor<16xi32>
  %0 = npu.matmul %x, %w -> %e : tensor<16x32xi8>, tensor<32x16xi8> -> tensor<16x16xi32>
  %1 = npu.binary add %0, %b -> %e {indexing_maps = [#id, #column, #id]} : tensor<16x16xi32>, tensor<16xi32> -> tensor<16x16xi32>
  %2 = npu.matmul %y, %v -> %f : tensor<16x32xf16>, tensor<32x16xf16> -> tensor<16x16xf32>
  %3 = npu.binary add %2, %c -> %f {indexing_maps = [#id, #row, #id]} : tensor<16x16xf32>, tensor<16xf32> -> tensor<16x16xf32>
  %4 = npu.matmul %x, %w -> %e : tensor<16x32xi8>, tensor<32x16xi8> -> tensor<16x16xi32>
  %5 = npu.binary add %4, %b -> %e {indexing_maps = [#id, #row, #id]} : tensor<16x16xi32>, tensor<16xi32> -> tensor<16x16xi32>
  %6 = npu.unary neg %b -> %g : tensor<16xi32> -> tensor<16xi32>
  %7 = npu.matmul %x, %w -> %e : tensor<16x32xi8>, tensor<32x16xi8> -> tensor<16x16xi32>
  %8 = npu.binary add %7, %6 -> %e {indexing_maps = [#id, #row, #id]} : tensor<16x16xi32>, tensor<16xi32> -> tensor<16x16xi32>
  %9 = npu.matmul %x, %w -> %e : tensor<16x32xi8>, tensor<32x16xi8> -> tensor<16x16xi32>
  %10 = npu.binary add %9 -> %e {imm = 3 : i32} : tensor<16x16xi32> -> tensor<16x16xi32>
  npu.return %1, %3, %4, %5, %8, %10 : tensor<16x16xi32>, tensor<16x16xf32>, tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi32>, tensor<16x16xi32>
}
