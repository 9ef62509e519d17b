// Convolutions and poolings of some channels, padded, as networks have them that split channels: loads read the slice where it lies, and fill
// the padding in where the tensor ends.

// RUN: npu-run %s --check --function=conv | FileCheck %s
// RUN: npu-run %s --check --function=conv --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=conv --target=npu-v1:sramBytes=32768 | FileCheck %s
// RUN: npu-run %s --check --function=last | FileCheck %s
// RUN: npu-run %s --check --function=depthwise | FileCheck %s
// RUN: npu-run %s --check --function=pool | FileCheck %s
// RUN: npu-run %s --check --function=pool --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=copy | FileCheck %s
// RUN: npu-run %s --check --function=image_of_batch | FileCheck %s
// RUN: npu-run %s --check --function=top | FileCheck %s
// RUN: npu-run %s --check --function=end | FileCheck %s
// RUN: npu-run %s --check --function=end --target=npu-v1:sramBytes=16384 | FileCheck %s
// RUN: npu-run %s --check --function=middle | FileCheck %s --check-prefix=MIDDLE

// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host

// Around rows from the middle of an image is the image, not the padding.
// MIDDLE: pad without npu equivalent (of a slice)
// MIDDLE: matches host

func.func @conv(%x: tensor<1x16x14x13xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x8x14x13xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[0, 8, 0, 0] [1, 8, 14, 13] [1, 1, 1, 1] : tensor<1x16x14x13xf32> to tensor<1x8x14x13xf32>
  %p = tensor.pad %s low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x8x14x13xf32> to tensor<1x8x16x15xf32>
  %e = tensor.empty() : tensor<1x8x14x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x14x13xf32>) -> tensor<1x8x14x13xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %w : tensor<1x8x16x15xf32>, tensor<8x8x3x3xf32>) outs(%f : tensor<1x8x14x13xf32>) -> tensor<1x8x14x13xf32>
  return %r : tensor<1x8x14x13xf32>
}

// Channels last, bytes, padding of a zero point.
func.func @last(%x: tensor<1x14x13x16xi8>, %w: tensor<3x3x4x8xi8>) -> tensor<1x14x13x8xi32> {
  %zero = arith.constant 0 : i32
  %zp = arith.constant 7 : i8
  %s = tensor.extract_slice %x[0, 0, 0, 5] [1, 14, 13, 4] [1, 1, 1, 1] : tensor<1x14x13x16xi8> to tensor<1x14x13x4xi8>
  %p = tensor.pad %s low[0, 1, 0, 0] high[0, 1, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zp : i8
  } : tensor<1x14x13x4xi8> to tensor<1x16x15x4xi8>
  %e = tensor.empty() : tensor<1x14x13x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x14x13x8xi32>) -> tensor<1x14x13x8xi32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %w : tensor<1x16x15x4xi8>, tensor<3x3x4x8xi8>) outs(%f : tensor<1x14x13x8xi32>) -> tensor<1x14x13x8xi32>
  return %r : tensor<1x14x13x8xi32>
}

func.func @depthwise(%x: tensor<1x24x14x13xf16>, %w: tensor<8x5x5xf16>) -> tensor<1x8x7x7xf16> {
  %zero = arith.constant 0.0 : f16
  %s = tensor.extract_slice %x[0, 3, 0, 0] [1, 8, 14, 13] [1, 1, 1, 1] : tensor<1x24x14x13xf16> to tensor<1x8x14x13xf16>
  %p = tensor.pad %s low[0, 0, 2, 2] high[0, 0, 2, 2] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f16
  } : tensor<1x8x14x13xf16> to tensor<1x8x18x17xf16>
  %e = tensor.empty() : tensor<1x8x7x7xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<1x8x7x7xf16>) -> tensor<1x8x7x7xf16>
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%p, %w : tensor<1x8x18x17xf16>, tensor<8x5x5xf16>) outs(%f : tensor<1x8x7x7xf16>) -> tensor<1x8x7x7xf16>
  return %r : tensor<1x8x7x7xf16>
}

func.func @pool(%x: tensor<1x16x15x13xf32>) -> tensor<1x8x8x7xf32> {
  %least = arith.constant 0xFF800000 : f32
  %s = tensor.extract_slice %x[0, 4, 0, 0] [1, 8, 15, 13] [1, 1, 1, 1] : tensor<1x16x15x13xf32> to tensor<1x8x15x13xf32>
  %p = tensor.pad %s low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %least : f32
  } : tensor<1x8x15x13xf32> to tensor<1x8x17x15xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x8x8x7xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<1x8x8x7xf32>) -> tensor<1x8x8x7xf32>
  %r = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%p, %window : tensor<1x8x17x15xf32>, tensor<3x3xf32>) outs(%f : tensor<1x8x8x7xf32>) -> tensor<1x8x8x7xf32>
  return %r : tensor<1x8x8x7xf32>
}

// Nothing takes the padding in.
func.func @copy(%x: tensor<4x6x5xf32>) -> tensor<8x9xf32> {
  %one = arith.constant 1.0 : f32
  %s = tensor.extract_slice %x[2, 0, 0] [1, 6, 5] [1, 1, 1] : tensor<4x6x5xf32> to tensor<6x5xf32>
  %p = tensor.pad %s low[1, 3] high[1, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %one : f32
  } : tensor<6x5xf32> to tensor<8x9xf32>
  return %p : tensor<8x9xf32>
}

// A dimension that is dropped has a place.
func.func @image_of_batch(%x: tensor<3x9x10x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x9x10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[2, 0, 0, 0] [1, 9, 10, 4] [1, 1, 1, 1] : tensor<3x9x10x4xf32> to tensor<1x9x10x4xf32>
  %p = tensor.pad %s low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x9x10x4xf32> to tensor<1x11x12x4xf32>
  %e = tensor.empty() : tensor<1x9x10x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x9x10x8xf32>) -> tensor<1x9x10x8xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %w : tensor<1x11x12x4xf32>, tensor<3x3x4x8xf32>) outs(%f : tensor<1x9x10x8xf32>) -> tensor<1x9x10x8xf32>
  return %r : tensor<1x9x10x8xf32>
}

// The upper rows, padded above: their lower end is none of the tensor, and is not padded.
func.func @top(%x: tensor<1x14x13x8xf32>) -> tensor<1x8x13x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 9, 13, 8] [1, 1, 1, 1] : tensor<1x14x13x8xf32> to tensor<1x9x13x8xf32>
  %p = tensor.pad %s low[0, 1, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x9x13x8xf32> to tensor<1x10x13x8xf32>
  %window = tensor.empty() : tensor<3x1xf32>
  %e = tensor.empty() : tensor<1x8x13x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x13x8xf32>) -> tensor<1x8x13x8xf32>
  %r = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %window : tensor<1x10x13x8xf32>, tensor<3x1xf32>) outs(%f : tensor<1x8x13x8xf32>) -> tensor<1x8x13x8xf32>
  return %r : tensor<1x8x13x8xf32>
}

// The last columns, padded behind, and no rows but the middle ones.
func.func @end(%x: tensor<1x14x43x8xf32>) -> tensor<1x9x21x8xf32> {
  %least = arith.constant 0xFF800000 : f32
  %s = tensor.extract_slice %x[0, 3, 1, 0] [1, 11, 42, 8] [1, 1, 1, 1] : tensor<1x14x43x8xf32> to tensor<1x11x42x8xf32>
  %p = tensor.pad %s low[0, 0, 0, 0] high[0, 0, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %least : f32
  } : tensor<1x11x42x8xf32> to tensor<1x11x43x8xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x9x21x8xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<1x9x21x8xf32>) -> tensor<1x9x21x8xf32>
  %r = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<[1, 2]> : vector<2xi64>}
      ins(%p, %window : tensor<1x11x43x8xf32>, tensor<3x3xf32>) outs(%f : tensor<1x9x21x8xf32>) -> tensor<1x9x21x8xf32>
  return %r : tensor<1x9x21x8xf32>
}

func.func @middle(%x: tensor<1x14x13x8xf32>) -> tensor<1x9x13x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.extract_slice %x[0, 3, 0, 0] [1, 9, 13, 8] [1, 1, 1, 1] : tensor<1x14x13x8xf32> to tensor<1x9x13x8xf32>
  %p = tensor.pad %s low[0, 1, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x9x13x8xf32> to tensor<1x11x13x8xf32>
  %window = tensor.empty() : tensor<3x1xf32>
  %e = tensor.empty() : tensor<1x9x13x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x9x13x8xf32>) -> tensor<1x9x13x8xf32>
  %r = linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %window : tensor<1x11x13x8xf32>, tensor<3x1xf32>) outs(%f : tensor<1x9x13x8xf32>) -> tensor<1x9x13x8xf32>
  return %r : tensor<1x9x13x8xf32>
}
