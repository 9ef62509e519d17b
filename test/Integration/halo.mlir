// Windows reach into the rows of other clusters. What is between the convolutions stays in SRAM, each cluster's own rows in its own, and
// only the rows at their borders go through DRAM: 14 rows as 4, 4, 4 and 2, windows of five rows, a step of two, and a pooling.
// RUN: npu-run --check --target=npu-v1-x4 --input=random --input=random --input=random %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4:dmaOutstanding=2,macPipelined=1 --input=random --input=random --input=random %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1:clusters=3 --input=random --input=random --input=random %s | FileCheck %s
// RUN: npu-run --timing-only --target=npu-v1-x4 %s | FileCheck %s --check-prefix=TIME

// CHECK: matches host

// The first convolution gives 14 rows of 1792 bytes, of which each cluster stores two at either end.
// TIME:      Dispatch #0:
// TIME:      DRAM: {{.*}} bytes read, 25088 written
// TIME:      Dispatch #1:
// TIME:      DRAM: {{.*}} bytes read, 10752 written
// TIME:      Dispatch #2:
// TIME:      4 of 4 dispatches

func.func @main(%x: tensor<1x14x14x16xf32>, %w: tensor<32x3x3x16xf32>, %v: tensor<32x5x5x32xf32>) -> tensor<1x7x7x32xf32> {
  %b = "tosa.const"() <{values = dense<0.5> : tensor<32xf32>}> : () -> tensor<32xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x16xf32>, tensor<32x3x3x16xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x32xf32>
  %1 = tosa.conv2d %0, %v, %b, %z, %z {acc_type = f32, pad = array<i64: 2, 2, 2, 2>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x32xf32>, tensor<32x5x5x32xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x32xf32>
  %2 = tosa.max_pool2d %1 {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>} : (tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  %3 = tosa.conv2d %2, %v, %b, %z, %z {acc_type = f32, pad = array<i64: 2, 1, 2, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x32xf32>, tensor<32x5x5x32xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x7x7x32xf32>
  return %3 : tensor<1x7x7x32xf32>
}
