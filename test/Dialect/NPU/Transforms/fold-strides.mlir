// RUN: npu-opt --npu-fold-strides %s | FileCheck %s

// Rows are read whole, and only those that are needed.
// CHECK-LABEL: @both
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %{{.*}}[0, 0, 1] [16, 4, 7] [1, 2, 1] : tensor<16x8x9xi8> to tensor<16x4x7xi8>
// CHECK: npu.conv %[[ROWS]], %{{.*}} stride = array<i64: 1, 2>
npu.kernel @both(%x: tensor<16x8x9xi8>, %w: tensor<32x16x1x1xi8>) -> tensor<32x4x4xi32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.extract_slice %x[0, 0, 1] [16, 4, 4] [1, 2, 2] : tensor<16x8x9xi8> to tensor<16x4x4xi8>
  %e = tensor.empty() : tensor<32x4x4xi32>
  %1 = npu.conv %0, %w -> %e {layout_input = #npu.layout<chw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<fhw>} : tensor<16x4x4xi8>, tensor<32x16x1x1xi8> -> tensor<32x4x4xi32>
  npu.return %1 : tensor<32x4x4xi32>
}

// Padding is as far away as the elements were.
// CHECK-LABEL: @padding
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 8, 8, 22] [1, 1, 1, 1]
// CHECK: npu.conv {{.*}} pad_high = array<i64: 1, 3>, pad_low = array<i64: 1, 3>, stride = array<i64: 1, 6>}
npu.kernel @padding(%x: tensor<1x8x8x24xi8>, %w: tensor<16x8x3x1xi8>) -> tensor<1x16x8x5xi32> attributes {target = #npu.target<"npu-v1">} {
  %0 = tensor.extract_slice %x[0, 0, 0, 0] [1, 8, 8, 8] [1, 1, 1, 3] : tensor<1x8x8x24xi8> to tensor<1x8x8x8xi8>
  %e = tensor.empty() : tensor<1x16x8x5xi32>
  %1 = npu.conv %0, %w -> %e {layout_input = #npu.layout<nchw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<nfhw>, stride = array<i64: 1, 2>, pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>} : tensor<1x8x8x8xi8>, tensor<16x8x3x1xi8> -> tensor<1x16x8x5xi32>
  npu.return %1 : tensor<1x16x8x5xi32>
}

// Channels that follow each other, rows alone, elements a beat apart, a window, steps too large for the array, no slice:
// these stay.
// CHECK-LABEL: @others
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [4, 4, 16] [2, 2, 1]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [4, 4, 8] [1, 1, 2]
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [16, 4, 2] [1, 1, 33]
// CHECK-COUNT-3: npu.conv {{.*}} {layout
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0] [16, 4, 32] [1, 1, 2]
// CHECK: npu.conv {{.*}} {layout
// CHECK: npu.conv {{.*}} stride = array<i64: 1, 40000>
// CHECK: npu.conv {{.*}} {layout
npu.kernel @others(%x: tensor<8x8x16xi8>, %w: tensor<32x16x1x1xi8>, %y: tensor<16x4x64xi8>, %v: tensor<32x8x1x1xi8>, %u: tensor<32x16x1x3xi8>)
    -> (tensor<32x4x4xi32>, tensor<32x4x4xi32>, tensor<32x4x2xi32>, tensor<32x4x30xi32>, tensor<32x4x1xi32>, tensor<32x4x64xi32>) attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<32x4x4xi32>
  %f = tensor.empty() : tensor<32x4x2xi32>
  %g = tensor.empty() : tensor<32x4x64xi32>
  %0 = tensor.extract_slice %x[0, 0, 0] [4, 4, 16] [2, 2, 1] : tensor<8x8x16xi8> to tensor<4x4x16xi8>
  %1 = tensor.extract_slice %x[0, 0, 0] [4, 4, 8] [1, 1, 2] : tensor<8x8x16xi8> to tensor<4x4x8xi8>
  %2 = tensor.extract_slice %y[0, 0, 0] [16, 4, 2] [1, 1, 33] : tensor<16x4x64xi8> to tensor<16x4x2xi8>
  %3 = npu.conv %0, %w -> %e {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<fhw>} : tensor<4x4x16xi8>, tensor<32x16x1x1xi8> -> tensor<32x4x4xi32>
  %4 = npu.conv %1, %v -> %e {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<fhw>} : tensor<4x4x8xi8>, tensor<32x8x1x1xi8> -> tensor<32x4x4xi32>
  %5 = npu.conv %2, %w -> %f {layout_input = #npu.layout<chw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<fhw>} : tensor<16x4x2xi8>, tensor<32x16x1x1xi8> -> tensor<32x4x2xi32>
  %h = tensor.empty() : tensor<32x4x30xi32>
  %i = tensor.empty() : tensor<32x4x1xi32>
  %7 = tensor.extract_slice %y[0, 0, 0] [16, 4, 32] [1, 1, 2] : tensor<16x4x64xi8> to tensor<16x4x32xi8>
  %8 = npu.conv %7, %u -> %h {layout_input = #npu.layout<chw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<fhw>} : tensor<16x4x32xi8>, tensor<32x16x1x3xi8> -> tensor<32x4x30xi32>
  %9 = npu.conv %7, %w -> %i {layout_input = #npu.layout<chw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<fhw>, stride = array<i64: 1, 40000>} : tensor<16x4x32xi8>, tensor<32x16x1x1xi8> -> tensor<32x4x1xi32>
  %6 = npu.conv %y, %w -> %g {layout_input = #npu.layout<chw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<fhw>} : tensor<16x4x64xi8>, tensor<32x16x1x1xi8> -> tensor<32x4x64xi32>
  npu.return %3, %4, %5, %8, %9, %6 : tensor<32x4x4xi32>, tensor<32x4x4xi32>, tensor<32x4x2xi32>, tensor<32x4x30xi32>, tensor<32x4x1xi32>, tensor<32x4x64xi32>
}
