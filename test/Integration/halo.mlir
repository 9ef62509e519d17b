// Windows reach into the rows of other clusters. What is between the convolutions stays in SRAM, each cluster's own rows in its own, and
// only the rows at their borders go through DRAM: 62 rows or columns
// as 16, 16, 16 and 14, windows of three and five, a pooling, and a step of two.
// RUN: npu-run --check --target=npu-v1-x4 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4:dmaOutstanding=2,macPipelined=1 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1:clusters=3 %s | FileCheck %s
// RUN: npu-run --timing-only --target=npu-v1-x4 %s | FileCheck %s --check-prefix=TIME

// CHECK: matches host

// The second convolution gives 246016 bytes, the pooling as many: what is stored and loaded of them are borders.
// TIME:      Dispatch #1:
// TIME:      DRAM: {{[0-9]+}} bytes read, {{[0-9][0-9][0-9][0-9][0-9]}} written
// TIME:      Dispatch #2:
// TIME:      DRAM: {{[0-9][0-9][0-9][0-9][0-9]}} bytes read, {{[0-9][0-9][0-9][0-9][0-9]}} written

func.func @main(%x: tensor<1x62x62x16xf32>, %w: tensor<16x3x3x16xf32>, %v: tensor<16x5x5x16xf32>) -> tensor<1x31x31x16xf32> {
  %b = "tosa.const"() <{values = dense<0.5> : tensor<16xf32>}> : () -> tensor<16xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x62x62x16xf32>, tensor<16x3x3x16xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x62x62x16xf32>
  %1 = tosa.conv2d %0, %v, %b, %z, %z {acc_type = f32, pad = array<i64: 2, 2, 2, 2>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x62x62x16xf32>, tensor<16x5x5x16xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x62x62x16xf32>
  %2 = tosa.max_pool2d %1 {kernel = array<i64: 3, 3>, stride = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>} : (tensor<1x62x62x16xf32>) -> tensor<1x62x62x16xf32>
  %3 = tosa.conv2d %2, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 0, 1, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x62x62x16xf32>, tensor<16x3x3x16xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x31x31x16xf32>
  return %3 : tensor<1x31x31x16xf32>
}
