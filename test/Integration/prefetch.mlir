// Three convolutions that the array has to work for, and a product with a megabyte of weights for one row, for which it has not: on four clusters
// weights come while the convolutions run, which takes a fifth of the cycles away.
//
// RUN: rm -rf %t && mkdir %t
// RUN: npu-run --check --target=npu-v1-x4 --input="smallints(1)" --npu-schedule=%t/on.json --report=%t/on %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=WRITTEN --input-file=%t/on.json
// RUN: npu-run --check --target=npu-v1-x4 --input="smallints(1)" --npu-schedule=%t/on.json --report=%t/again %s 2>&1 | FileCheck %s
// RUN: cmp %t/on/per-dispatch.csv %t/again/per-dispatch.csv
// RUN: sed -E "s/\"prefetch\": [0-9]+/\"prefetch\": 0/" %t/on.json > %t/off.json
// RUN: npu-run --check --target=npu-v1-x4 --input="smallints(1)" --npu-schedule=%t/off.json --report=%t/off %s 2>&1 | FileCheck %s
// RUN: %python %S/../Tools/npu-run/Inputs/compare-segments.py %t/on/per-dispatch.csv %t/off/per-dispatch.csv | FileCheck %s --check-prefix=FEWER
//
// CHECK: matches host
// WRITTEN: {"prefetch": {{[0-9]+}}, "windows": [
// FEWER: fewer cycles

func.func @main(%x: tensor<1x56x56x64xf16>, %f0: tensor<64x3x3x64xf16>, %f1: tensor<64x3x3x64xf16>, %f2: tensor<512x1x1x64xf16>, %w: tensor<1000x1x1x512xf16>, %b64: tensor<64xf16>, %b512: tensor<512xf16>, %b1000: tensor<1000xf16>) -> tensor<1x1x1x1000xf16> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.conv2d %x, %f0, %b64, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x64xf16>, tensor<64x3x3x64xf16>, tensor<64xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x56x56x64xf16>
  %1 = tosa.clamp %0 {min_val = 0.0 : f16, max_val = 6.0 : f16} : (tensor<1x56x56x64xf16>) -> tensor<1x56x56x64xf16>
  %2 = tosa.conv2d %1, %f1, %b64, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x64xf16>, tensor<64x3x3x64xf16>, tensor<64xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x56x56x64xf16>
  %3 = tosa.clamp %2 {min_val = 0.0 : f16, max_val = 6.0 : f16} : (tensor<1x56x56x64xf16>) -> tensor<1x56x56x64xf16>
  %4 = tosa.conv2d %3, %f2, %b512, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x64xf16>, tensor<512x1x1x64xf16>, tensor<512xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x56x56x512xf16>
  %5 = tosa.clamp %4 {min_val = 0.0 : f16, max_val = 6.0 : f16} : (tensor<1x56x56x512xf16>) -> tensor<1x56x56x512xf16>
  %6 = tosa.reduce_max %5 {axis = 1 : i32} : (tensor<1x56x56x512xf16>) -> tensor<1x1x56x512xf16>
  %7 = tosa.reduce_max %6 {axis = 2 : i32} : (tensor<1x1x56x512xf16>) -> tensor<1x1x1x512xf16>
  %8 = tosa.conv2d %7, %w, %b1000, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x1x1x512xf16>, tensor<1000x1x1x512xf16>, tensor<1000xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x1x1x1000xf16>
  return %8 : tensor<1x1x1x1000xf16>
}
