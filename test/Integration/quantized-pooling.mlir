// TOSA's average pooling of i8 with zero points on a chip without floats, also where windows reach into padding and the number that the sum is
// divided by depends on the position.

// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=inside | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=padded | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny:clusters=2,sramBytes=4096 --function=padded | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=wide | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --target=npu-tiny --function=global | FileCheck %s

// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host

func.func @inside(%x: tensor<1x32x30x16xi8>) -> tensor<1x16x15x16xi8> {
  %in_zp = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %out_zp = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %in_zp, %out_zp {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x32x30x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x16x15x16xi8>
  return %0 : tensor<1x16x15x16xi8>
}

func.func @padded(%x: tensor<1x32x30x16xi8>) -> tensor<1x32x30x16xi8> {
  %in_zp = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %out_zp = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %in_zp, %out_zp {acc_type = i32, kernel = array<i64: 3, 3>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x32x30x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x32x30x16xi8>
  return %0 : tensor<1x32x30x16xi8>
}

// A batch, strides, other padding on each side, and numbers of 16 bits.
func.func @wide(%x: tensor<2x13x15x8xi16>) -> tensor<2x7x5x8xi16> {
  %zp = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %0 = tosa.avg_pool2d %x, %zp, %zp {acc_type = i32, kernel = array<i64: 3, 5>, pad = array<i64: 1, 1, 2, 0>, stride = array<i64: 2, 3>} : (tensor<2x13x15x8xi16>, tensor<1xi16>, tensor<1xi16>) -> tensor<2x7x5x8xi16>
  return %0 : tensor<2x7x5x8xi16>
}

func.func @global(%x: tensor<1x7x7x64xi8>) -> tensor<1x1x1x64xi8> {
  %in_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %out_zp = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.avg_pool2d %x, %in_zp, %out_zp {acc_type = i32, kernel = array<i64: 7, 7>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x64xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x64xi8>
  return %0 : tensor<1x1x1x64xi8>
}
