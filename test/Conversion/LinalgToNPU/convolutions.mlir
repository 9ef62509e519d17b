// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form | FileCheck %s

// Named convolutions: the letters follow from the maps.
// CHECK-LABEL: npu.kernel @nhwc_hwcf
func.func @nhwc_hwcf(%i: tensor<2x13x19x4xf32>, %f: tensor<3x3x4x8xf32>) -> tensor<2x6x7x8xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {dilation = array<i64: 1, 3>, stride = array<i64: 2, 2>} : tensor<2x13x19x4xf32>, tensor<3x3x4x8xf32> -> tensor<2x6x7x8xf32>
  %z = arith.constant dense<0.0> : tensor<2x6x7x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>} ins(%i, %f : tensor<2x13x19x4xf32>, tensor<3x3x4x8xf32>) outs(%z : tensor<2x6x7x8xf32>) -> tensor<2x6x7x8xf32>
  return %0 : tensor<2x6x7x8xf32>
}

// CHECK-LABEL: npu.kernel @nhwc_fhwc
func.func @nhwc_fhwc(%i: tensor<1x9x9x4xf32>, %f: tensor<8x3x3x4xf32>) -> tensor<1x7x7x8xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<fyxc>} : tensor<1x9x9x4xf32>, tensor<8x3x3x4xf32> -> tensor<1x7x7x8xf32>
  %z = arith.constant dense<0.0> : tensor<1x7x7x8xf32>
  %0 = linalg.conv_2d_nhwc_fhwc ins(%i, %f : tensor<1x9x9x4xf32>, tensor<8x3x3x4xf32>) outs(%z : tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  return %0 : tensor<1x7x7x8xf32>
}

// CHECK-LABEL: npu.kernel @nchw_fchw
func.func @nchw_fchw(%i: tensor<1x4x9x9xf32>, %f: tensor<8x4x3x3xf32>) -> tensor<1x8x7x7xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<fcyx>, layout_input = #npu.layout<nchw>, layout_output = #npu.layout<nfhw>} : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32> -> tensor<1x8x7x7xf32>
  %z = arith.constant dense<0.0> : tensor<1x8x7x7xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%i, %f : tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32>) outs(%z : tensor<1x8x7x7xf32>) -> tensor<1x8x7x7xf32>
  return %0 : tensor<1x8x7x7xf32>
}

// CHECK-LABEL: npu.kernel @depthwise_nhwc
func.func @depthwise_nhwc(%i: tensor<1x9x9x4xf32>, %f: tensor<3x3x4xf32>) -> tensor<1x7x7x4xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<yxg>, layout_input = #npu.layout<nhwg>, layout_output = #npu.layout<nhwg>} : tensor<1x9x9x4xf32>, tensor<3x3x4xf32> -> tensor<1x7x7x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x7x7x4xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%i, %f : tensor<1x9x9x4xf32>, tensor<3x3x4xf32>) outs(%z : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  return %0 : tensor<1x7x7x4xf32>
}

// CHECK-LABEL: npu.kernel @depthwise_nchw
func.func @depthwise_nchw(%i: tensor<1x4x9x9xf32>, %f: tensor<4x3x3xf32>) -> tensor<1x4x7x7xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<gyx>, layout_input = #npu.layout<nghw>, layout_output = #npu.layout<nghw>} : tensor<1x4x9x9xf32>, tensor<4x3x3xf32> -> tensor<1x4x7x7xf32>
  %z = arith.constant dense<0.0> : tensor<1x4x7x7xf32>
  %0 = linalg.depthwise_conv_2d_nchw_chw ins(%i, %f : tensor<1x4x9x9xf32>, tensor<4x3x3xf32>) outs(%z : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  return %0 : tensor<1x4x7x7xf32>
}

// CHECK-LABEL: npu.kernel @depthwise_multiplier
func.func @depthwise_multiplier(%i: tensor<1x9x9x4xf32>, %f: tensor<3x3x4x2xf32>) -> tensor<1x7x7x4x2xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<yxgf>, layout_input = #npu.layout<nhwg>, layout_output = #npu.layout<nhwgf>} : tensor<1x9x9x4xf32>, tensor<3x3x4x2xf32> -> tensor<1x7x7x4x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x7x7x4x2xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwcm ins(%i, %f : tensor<1x9x9x4xf32>, tensor<3x3x4x2xf32>) outs(%z : tensor<1x7x7x4x2xf32>) -> tensor<1x7x7x4x2xf32>
  return %0 : tensor<1x7x7x4x2xf32>
}

// CHECK-LABEL: npu.kernel @grouped_ngchw_fgchw
func.func @grouped_ngchw_fgchw(%i: tensor<1x2x4x9x9xf32>, %f: tensor<8x2x4x3x3xf32>) -> tensor<1x2x8x7x7xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<fgcyx>, layout_input = #npu.layout<ngchw>, layout_output = #npu.layout<ngfhw>} : tensor<1x2x4x9x9xf32>, tensor<8x2x4x3x3xf32> -> tensor<1x2x8x7x7xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x8x7x7xf32>
  %0 = linalg.conv_2d_ngchw_fgchw ins(%i, %f : tensor<1x2x4x9x9xf32>, tensor<8x2x4x3x3xf32>) outs(%z : tensor<1x2x8x7x7xf32>) -> tensor<1x2x8x7x7xf32>
  return %0 : tensor<1x2x8x7x7xf32>
}

// CHECK-LABEL: npu.kernel @grouped_ngchw_gfchw
func.func @grouped_ngchw_gfchw(%i: tensor<1x2x4x9x9xf32>, %f: tensor<2x8x4x3x3xf32>) -> tensor<1x2x8x7x7xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<gfcyx>, layout_input = #npu.layout<ngchw>, layout_output = #npu.layout<ngfhw>} : tensor<1x2x4x9x9xf32>, tensor<2x8x4x3x3xf32> -> tensor<1x2x8x7x7xf32>
  %z = arith.constant dense<0.0> : tensor<1x2x8x7x7xf32>
  %0 = linalg.conv_2d_ngchw_gfchw ins(%i, %f : tensor<1x2x4x9x9xf32>, tensor<2x8x4x3x3xf32>) outs(%z : tensor<1x2x8x7x7xf32>) -> tensor<1x2x8x7x7xf32>
  return %0 : tensor<1x2x8x7x7xf32>
}

// CHECK-LABEL: npu.kernel @grouped_nhwgc
func.func @grouped_nhwgc(%i: tensor<1x9x9x2x4xf32>, %f: tensor<2x8x3x3x4xf32>) -> tensor<1x7x7x2x8xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<gfyxc>, layout_input = #npu.layout<nhwgc>, layout_output = #npu.layout<nhwgf>} : tensor<1x9x9x2x4xf32>, tensor<2x8x3x3x4xf32> -> tensor<1x7x7x2x8xf32>
  %z = arith.constant dense<0.0> : tensor<1x7x7x2x8xf32>
  %0 = linalg.conv_2d_nhwgc_gfhwc ins(%i, %f : tensor<1x9x9x2x4xf32>, tensor<2x8x3x3x4xf32>) outs(%z : tensor<1x7x7x2x8xf32>) -> tensor<1x7x7x2x8xf32>
  return %0 : tensor<1x7x7x2x8xf32>
}

// CHECK-LABEL: npu.kernel @conv_1d_nwc
func.func @conv_1d_nwc(%i: tensor<2x21x4xf32>, %f: tensor<3x4x8xf32>) -> tensor<2x10x8xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<ycf>, layout_input = #npu.layout<nhc>, layout_output = #npu.layout<nhf>, stride = array<i64: 2>} : tensor<2x21x4xf32>, tensor<3x4x8xf32> -> tensor<2x10x8xf32>
  %z = arith.constant dense<0.0> : tensor<2x10x8xf32>
  %0 = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>} ins(%i, %f : tensor<2x21x4xf32>, tensor<3x4x8xf32>) outs(%z : tensor<2x10x8xf32>) -> tensor<2x10x8xf32>
  return %0 : tensor<2x10x8xf32>
}

// CHECK-LABEL: npu.kernel @conv_1d_ncw
func.func @conv_1d_ncw(%i: tensor<2x4x21xf32>, %f: tensor<8x4x3xf32>) -> tensor<2x8x19xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<fcy>, layout_input = #npu.layout<nch>, layout_output = #npu.layout<nfh>} : tensor<2x4x21xf32>, tensor<8x4x3xf32> -> tensor<2x8x19xf32>
  %z = arith.constant dense<0.0> : tensor<2x8x19xf32>
  %0 = linalg.conv_1d_ncw_fcw ins(%i, %f : tensor<2x4x21xf32>, tensor<8x4x3xf32>) outs(%z : tensor<2x8x19xf32>) -> tensor<2x8x19xf32>
  return %0 : tensor<2x8x19xf32>
}

// CHECK-LABEL: npu.kernel @conv_2d
func.func @conv_2d(%i: tensor<9x9xf32>, %f: tensor<3x3xf32>) -> tensor<7x7xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<yx>, layout_input = #npu.layout<hw>, layout_output = #npu.layout<hw>} : tensor<9x9xf32>, tensor<3x3xf32> -> tensor<7x7xf32>
  %z = arith.constant dense<0.0> : tensor<7x7xf32>
  %0 = linalg.conv_2d ins(%i, %f : tensor<9x9xf32>, tensor<3x3xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
  return %0 : tensor<7x7xf32>
}

// Without batch, as unit dimensions are folded.
// CHECK-LABEL: npu.kernel @no_batch
func.func @no_batch(%i: tensor<9x9x4xi8>, %f: tensor<3x3x4x8xi8>) -> tensor<4x4x8xi32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, stride = array<i64: 2, 2>} :
  %z = arith.constant dense<0> : tensor<4x4x8xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 * 2 + d3, d1 * 2 + d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5, d2)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%i, %f : tensor<9x9x4xi8>, tensor<3x3x4x8xi8>) outs(%z : tensor<4x4x8xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %s : i32
    linalg.yield %4 : i32
  } -> tensor<4x4x8xi32>
  return %0 : tensor<4x4x8xi32>
}

// One input channel, folded.
// CHECK-LABEL: npu.kernel @no_channel
func.func @no_channel(%i: tensor<9x9xi8>, %f: tensor<3x3x8xi8>) -> tensor<7x7x8xi32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<yxf>, layout_input = #npu.layout<hw>, layout_output = #npu.layout<hwf>} :
  %z = arith.constant dense<0> : tensor<7x7x8xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0 + d3, d1 + d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%i, %f : tensor<9x9xi8>, tensor<3x3x8xi8>) outs(%z : tensor<7x7x8xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %s : i32
    linalg.yield %4 : i32
  } -> tensor<7x7x8xi32>
  return %0 : tensor<7x7x8xi32>
}

// A kernel of one row, folded, is a one-dimensional convolution of a batch of rows.
// CHECK-LABEL: npu.kernel @kernel_row
func.func @kernel_row(%i: tensor<7x9x4xi8>, %f: tensor<3x4x8xi8>) -> tensor<7x7x8xi32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<ycf>, layout_input = #npu.layout<nhc>, layout_output = #npu.layout<nhf>} :
  %z = arith.constant dense<0> : tensor<7x7x8xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%i, %f : tensor<7x9x4xi8>, tensor<3x4x8xi8>) outs(%z : tensor<7x7x8xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %s : i32
    linalg.yield %4 : i32
  } -> tensor<7x7x8xi32>
  return %0 : tensor<7x7x8xi32>
}

// With a batch besides, the rows get a kernel of one.
// CHECK-LABEL: npu.kernel @kernel_row_batch
// CHECK-SAME: tensor<3x4x8x1xi8>
func.func @kernel_row_batch(%i: tensor<2x7x9x4xi8>, %f: tensor<3x4x8xi8>) -> tensor<2x7x7x8xi32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<xcfy>} :
  %z = arith.constant dense<0> : tensor<2x7x7x8xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 + d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%i, %f : tensor<2x7x9x4xi8>, tensor<3x4x8xi8>) outs(%z : tensor<2x7x7x8xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %s : i32
    linalg.yield %4 : i32
  } -> tensor<2x7x7x8xi32>
  return %0 : tensor<2x7x7x8xi32>
}

// A 1x1 kernel with a stride.
// CHECK-LABEL: npu.kernel @strided_pointwise
// CHECK-SAME: tensor<4x8x1x1xi8>
func.func @strided_pointwise(%i: tensor<9x9x4xi8>, %f: tensor<4x8xi8>) -> tensor<5x5x8xi32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<cfyx>, layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, stride = array<i64: 2, 2>} :
  %z = arith.constant dense<0> : tensor<5x5x8xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 * 2, d1 * 2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%i, %f : tensor<9x9x4xi8>, tensor<4x8xi8>) outs(%z : tensor<5x5x8xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %s : i32
    linalg.yield %4 : i32
  } -> tensor<5x5x8xi32>
  return %0 : tensor<5x5x8xi32>
}

// A pad along space becomes the convolution's padding.
// CHECK-LABEL: npu.kernel @padded
func.func @padded(%i: tensor<1x4x8x9xi8>, %f: tensor<8x4x3x3xi8>) -> tensor<1x8x8x9xi32> {
  // CHECK-NOT: tensor.pad
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<fcyx>, layout_input = #npu.layout<nchw>, layout_output = #npu.layout<nfhw>, pad_high = array<i64: 0, 1>, pad_low = array<i64: 2, 1>, pad_value = -5 : i8} : tensor<1x4x8x9xi8>, tensor<8x4x3x3xi8> -> tensor<1x8x8x9xi32>
  %zp = arith.constant -5 : i8
  %p = tensor.pad %i low[0, 0, 2, 1] high[0, 0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zp : i8
  } : tensor<1x4x8x9xi8> to tensor<1x4x10x11xi8>
  %z = arith.constant dense<0> : tensor<1x8x8x9xi32>
  %0 = linalg.conv_2d_nchw_fchw ins(%p, %f : tensor<1x4x10x11xi8>, tensor<8x4x3x3xi8>) outs(%z : tensor<1x8x8x9xi32>) -> tensor<1x8x8x9xi32>
  return %0 : tensor<1x8x8x9xi32>
}

// One channel and one filter need no dimensions.
// CHECK-LABEL: npu.kernel @without_channels
func.func @without_channels(%i: tensor<9x8xf32>, %f: tensor<3x2xf32>) -> tensor<7x7xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<yx>, layout_input = #npu.layout<hw>, layout_output = #npu.layout<hw>} : tensor<9x8xf32>, tensor<3x2xf32> -> tensor<7x7xf32>
  %z = arith.constant dense<0.0> : tensor<7x7xf32>
  %0 = linalg.conv_2d ins(%i, %f : tensor<9x8xf32>, tensor<3x2xf32>) outs(%z : tensor<7x7xf32>) -> tensor<7x7xf32>
  return %0 : tensor<7x7xf32>
}

// Nor does a product of several rows and no columns.
// CHECK-LABEL: npu.kernel @rows
func.func @rows(%a: tensor<3x4x16xf32>, %b: tensor<16xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<cyx>, layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hw>} : tensor<3x4x16xf32>, tensor<16x1x1xf32> -> tensor<3x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x4x16xf32>, tensor<16xf32>) outs(%c : tensor<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %z, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// A convolution of volumes; its padding is the op's.
// CHECK-LABEL: npu.kernel @volumes
func.func @volumes(%i: tensor<1x4x5x6x7xi8>, %f: tensor<8x4x3x3x3xi8>) -> tensor<1x8x3x4x4xi32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<fczyx>, layout_input = #npu.layout<ncdhw>, layout_output = #npu.layout<nfdhw>, pad_high = array<i64: 0, 0, 1>, pad_low = array<i64: 0, 0, 1>, pad_value = 0 : i8, stride = array<i64: 1, 1, 2>}
  %zero = arith.constant 0 : i8
  %p = tensor.pad %i low[0, 0, 0, 0, 1] high[0, 0, 0, 0, 1] {
  ^bb0(%a: index, %b: index, %d: index, %e: index, %g: index):
    tensor.yield %zero : i8
  } : tensor<1x4x5x6x7xi8> to tensor<1x4x5x6x9xi8>
  %z = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x8x3x4x4xi32>
  %init = linalg.fill ins(%z : i32) outs(%empty : tensor<1x8x3x4x4xi32>) -> tensor<1x8x3x4x4xi32>
  %0 = linalg.conv_3d_ncdhw_fcdhw {strides = dense<[1, 1, 2]> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
      ins(%p, %f : tensor<1x4x5x6x9xi8>, tensor<8x4x3x3x3xi8>) outs(%init : tensor<1x8x3x4x4xi32>) -> tensor<1x8x3x4x4xi32>
  return %0 : tensor<1x8x3x4x4xi32>
}
