// Of fourteen rows four clusters have four, four, four and two; two by two they have seven, and as many columns. What is between the convolutions
// stays in SRAM. Where windows reach beyond a share, each cluster stores the row and the column at its borders to others, and loads theirs, corners as well.
//
// RUN: rm -rf %t && mkdir %t
// RUN: npu-run --check --target=npu-v1-x4 --input="smallints(1)" --npu-schedule=%t/schedule.json %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=WRITTEN --input-file=%t/schedule.json
// RUN: npu-run --check --target=npu-v1-x4:dmaOutstanding=2,macPipelined=1 --input="smallints(1)" %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4:clusters=6 --input="smallints(1)" %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4:clusters=8,sramBytes=262144 --input="smallints(1)" %s | FileCheck %s
// RUN: npu-run --timing-only --target=npu-v1-x4 %s | FileCheck %s --check-prefix=TIME
//
// CHECK: matches host
// WRITTEN: h = 7 clusters 2 {{.*}}w = 7 clusters 2 {
//
// Of 100352 bytes each cluster stores a row of seven pixels and a column: nobody reads those at the edges. The sum, four times as large, is read by its own cluster alone.
// TIME:      Dispatch #0:
// TIME:      DRAM: {{[0-9]+}} bytes read, 28672 written
// TIME:      Dispatch #2:
// TIME:      DRAM: {{[0-9]+}} bytes read, 0 written

func.func @main(%x: tensor<1x14x14x512xf32>, %f0: tensor<128x1x1x512xf32>, %f1: tensor<128x3x3x128xf32>, %f2: tensor<512x1x1x128xf32>, %b0: tensor<128xf32>, %b1: tensor<512xf32>) -> tensor<1x14x14x512xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %f0, %b0, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x512xf32>, tensor<128x1x1x512xf32>, tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x128xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x14x14x128xf32>) -> tensor<1x14x14x128xf32>
  %2 = tosa.conv2d %1, %f1, %b0, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x128xf32>, tensor<128x3x3x128xf32>, tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x128xf32>
  %3 = tosa.clamp %2 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x14x14x128xf32>) -> tensor<1x14x14x128xf32>
  %4 = tosa.conv2d %3, %f2, %b1, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x128xf32>, tensor<512x1x1x128xf32>, tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x512xf32>
  %5 = tosa.add %4, %x : (tensor<1x14x14x512xf32>, tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
  %6 = tosa.clamp %5 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
  %7 = tosa.conv2d %6, %f0, %b0, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x512xf32>, tensor<128x1x1x512xf32>, tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x128xf32>
  %8 = tosa.clamp %7 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x14x14x128xf32>) -> tensor<1x14x14x128xf32>
  %9 = tosa.conv2d %8, %f1, %b0, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x128xf32>, tensor<128x3x3x128xf32>, tensor<128xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x128xf32>
  %10 = tosa.clamp %9 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x14x14x128xf32>) -> tensor<1x14x14x128xf32>
  %11 = tosa.conv2d %10, %f2, %b1, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x128xf32>, tensor<512x1x1x128xf32>, tensor<512xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x14x14x512xf32>
  %12 = tosa.add %11, %6 : (tensor<1x14x14x512xf32>, tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
  %13 = tosa.clamp %12 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x14x14x512xf32>) -> tensor<1x14x14x512xf32>
  return %13 : tensor<1x14x14x512xf32>
}
