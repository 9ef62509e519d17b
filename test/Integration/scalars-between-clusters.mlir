// A scalar that one kernel makes and all clusters of the next one read, and windows that move along one dimension alone.
// RUN: npu-run --check --target=npu-v1-x4 --input="smallints(1)" --function=sum %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4 --input="smallints(1)" --function=rows %s | FileCheck %s
// CHECK: matches host

func.func @sum(%x: tensor<1x16x16x32xf32>, %f: tensor<32x3x3x32xf32>, %b: tensor<32xf32>) -> tensor<1x16x16x32xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<1x16x16x32xf32>) -> tensor<1x1x16x32xf32>
  %1 = tosa.reduce_max %0 {axis = 2 : i32} : (tensor<1x1x16x32xf32>) -> tensor<1x1x1x32xf32>
  %2 = tosa.reduce_max %1 {axis = 3 : i32} : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x1xf32>
  %3 = tosa.conv2d %x, %f, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x16x16x32xf32>, tensor<32x3x3x32xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x16x16x32xf32>
  %4 = tosa.add %3, %2 : (tensor<1x16x16x32xf32>, tensor<1x1x1x1xf32>) -> tensor<1x16x16x32xf32>
  return %4 : tensor<1x16x16x32xf32>
}

func.func @rows(%x: tensor<1x130x64xf32>, %w: tensor<3x64x64xf32>, %v: tensor<3x64x32xf32>) -> tensor<1x126x32xf32> {
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x128x64xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
  %0 = linalg.conv_1d_nwc_wcf {strides = dense<1> : vector<1xi64>, dilations = dense<1> : vector<1xi64>} ins(%x, %w : tensor<1x130x64xf32>, tensor<3x64x64xf32>) outs(%f0 : tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
  %e1 = tensor.empty() : tensor<1x126x32xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<1x126x32xf32>) -> tensor<1x126x32xf32>
  %1 = linalg.conv_1d_nwc_wcf {strides = dense<1> : vector<1xi64>, dilations = dense<1> : vector<1xi64>} ins(%0, %v : tensor<1x128x64xf32>, tensor<3x64x32xf32>) outs(%f1 : tensor<1x126x32xf32>) -> tensor<1x126x32xf32>
  return %1 : tensor<1x126x32xf32>
}
