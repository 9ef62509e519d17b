// The tile of the second convolution, which pads what stays on chip, is copied behind the load of its filter: until then both are there.
// RUN: npu-run --check --target=npu-v1:sramBytes=65536,accBytes=8192 %s | FileCheck %s

// CHECK: matches host

func.func @main(%x: tensor<1x28x62x4xf32>, %w2: tensor<32x1x1x4xf32>, %b2: tensor<32xf32>, %w4: tensor<40x2x2x32xf32>, %b4: tensor<40xf32>) -> tensor<1x9x17x40xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %c1 = tosa.max_pool2d %x {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 2, 1, 0>} : (tensor<1x28x62x4xf32>) -> tensor<1x15x31x4xf32>
  %c2 = tosa.conv2d %c1, %w2, %b2, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x15x31x4xf32>, tensor<32x1x1x4xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x16x32xf32>
  %c4 = tosa.conv2d %c2, %w4, %b4, %z, %z {acc_type = f32, pad = array<i64: 1, 2, 1, 2>, stride = array<i64: 1, 1>, dilation = array<i64: 2, 2>} : (tensor<1x8x16x32xf32>, tensor<40x2x2x32xf32>, tensor<40xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x9x17x40xf32>
  return %c4 : tensor<1x9x17x40xf32>
}
