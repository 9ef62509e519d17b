// Where two quantized convolutions are added up, as at the start of a block of a residual network, the
// second one's sums become bytes where they are made. In the first one's tail they would be read as
// 32 bits, four times the memory between the dispatches.
// RUN: npu-opt %s --npu-front-half | FileCheck %s
// RUN: npu-opt %s --npu-front-half="mode=iree" | FileCheck %s --check-prefix=IREE
// RUN: npu-run --check --function=two_convolutions %s | FileCheck %s --check-prefix=CHECKED

// CHECK-LABEL: util.func public @two_convolutions
// CHECK-COUNT-2: flow.dispatch {{.*}} -> tensor<36x32xi8>
// IREE-LABEL: util.func public @two_convolutions
// IREE:         flow.dispatch {{.*}} -> tensor<36x32xi32>
// CHECKED: matches host

func.func @two_convolutions(%x: tensor<1x6x6x16xi8>, %y: tensor<1x6x6x16xi8>, %w: tensor<32x1x1x16xi8>, %v: tensor<32x1x1x16xi8>, %b: tensor<32xi32>, %c: tensor<32xi32>) -> tensor<1x6x6x32xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1416971728> : tensor<1xi32>}> : () -> tensor<1xi32>
  %right = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %left = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %back = "tosa.const"() <{values = dense<42> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x6x6x16xi8>, tensor<32x1x1x16xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x32xi32>
  %pn = tosa.rescale %p, %m, %right, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x32xi8>
  %q = tosa.conv2d %y, %v, %c, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x6x6x16xi8>, tensor<32x1x1x16xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x32xi32>
  %qn = tosa.rescale %q, %m, %right, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x32xi8>
  %pw = tosa.rescale %pn, %m, %left, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x32xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x6x32xi32>
  %qw = tosa.rescale %qn, %m, %left, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x32xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x6x32xi32>
  %s = tosa.add %pw, %qw : (tensor<1x6x6x32xi32>, tensor<1x6x6x32xi32>) -> tensor<1x6x6x32xi32>
  %r = tosa.rescale %s, %m, %back, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x32xi8>
  return %r : tensor<1x6x6x32xi8>
}

// With one convolution, all is its tail.
// CHECK-LABEL: util.func public @one_convolution
// CHECK-COUNT-1: flow.dispatch {{.*}} -> tensor<36x32xi8>
// CHECK-NOT:   flow.dispatch

func.func @one_convolution(%x: tensor<1x6x6x16xi8>, %w: tensor<32x1x1x16xi8>, %b: tensor<32xi32>, %residual: tensor<1x6x6x32xi8>) -> tensor<1x6x6x32xi8> {
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<1416971728> : tensor<1xi32>}> : () -> tensor<1xi32>
  %right = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %left = "tosa.const"() <{values = dense<20> : tensor<1xi8>}> : () -> tensor<1xi8>
  %back = "tosa.const"() <{values = dense<42> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.conv2d %x, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x6x6x16xi8>, tensor<32x1x1x16xi8>, tensor<32xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x32xi32>
  %pn = tosa.rescale %p, %m, %right, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x32xi8>
  %pw = tosa.rescale %pn, %m, %left, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x32xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x6x32xi32>
  %qw = tosa.rescale %residual, %m, %left, %z, %z32 {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x32xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x6x6x32xi32>
  %s = tosa.add %pw, %qw : (tensor<1x6x6x32xi32>, tensor<1x6x6x32xi32>) -> tensor<1x6x6x32xi32>
  %r = tosa.rescale %s, %m, %back, %z32, %z {rounding_mode = SINGLE_ROUND, scale32 = true, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<1x6x6x32xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x6x6x32xi8>
  return %r : tensor<1x6x6x32xi8>
}
