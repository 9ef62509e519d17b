// RUN: npu-opt --npu-host-lower-tosa %s -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @conv
// CHECK-NOT:     tosa
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @conv(%x: tensor<1x6x6x2xf32>, %f: tensor<4x3x3x2xf32>, %b: tensor<4xf32>)
    -> tensor<1x4x4x4xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %f, %b, %zero, %zero {
      acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>,
      stride = array<i64: 1, 1>}
      : (tensor<1x6x6x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// Scaling within a generic, too, which upstream leaves to a pass of its own.
// CHECK-LABEL: func.func @rescale
// CHECK-NOT:     tosa
// CHECK:         arith.muli
func.func @rescale(%x: i32, %factor: i32, %shift: i8) -> i32 {
  %0 = tosa.apply_scale %x, %factor, %shift {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
  return %0 : i32
}

// -----

// Without tosa nothing happens: upstream's pipeline would fold this.
// CHECK-LABEL: func.func @unchanged
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:         arith.addi %{{.*}}, %[[ZERO]]
func.func @unchanged(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %0 = arith.addi %x, %zero : i32
  return %0 : i32
}
