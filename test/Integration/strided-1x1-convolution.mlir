// The front half makes a contraction on a slice of a strided 1x1 convolution; it runs on the NPU.
// RUN: npu-opt --npu-front-half %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=FORM --input-file=%t.mlir
// RUN: npu-run --check %t.mlir --function=nhwc | FileCheck %s
// RUN: npu-run --check %t.mlir --function=nchw | FileCheck %s
// RUN: npu-run --check %t.mlir --function=nchw --target=npu-v1:sramBytes=8192 | FileCheck %s
// RUN: npu-run --check %t.mlir --function=nchw_i8 --target=npu-tiny | FileCheck %s

// FORM-DAG: dispatch.tensor.load {{.*}} strides = [2, 2, 1]
// FORM-DAG: dispatch.tensor.load {{.*}} strides = [1, 2, 2]
// FORM-DAG: dispatch.tensor.load {{.*}} strides = [1, 3, 3]
// CHECK: on the NPU: 1 of 1 dispatches, {{.*}}; on the host: none
// CHECK: {{^}}matches host
func.func @nhwc(%input: tensor<1x16x15x32xf32>, %filter: tensor<1x1x32x48xf32>) -> tensor<1x8x8x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x48xf32>) -> tensor<1x8x8x48xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%input, %filter : tensor<1x16x15x32xf32>, tensor<1x1x32x48xf32>) outs(%f : tensor<1x8x8x48xf32>) -> tensor<1x8x8x48xf32>
  return %0 : tensor<1x8x8x48xf32>
}

func.func @nchw(%input: tensor<1x40x16x15xf32>, %filter: tensor<48x40x1x1xf32>) -> tensor<1x48x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x48x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x48x8x8xf32>) -> tensor<1x48x8x8xf32>
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%input, %filter : tensor<1x40x16x15xf32>, tensor<48x40x1x1xf32>) outs(%f : tensor<1x48x8x8xf32>) -> tensor<1x48x8x8xf32>
  return %0 : tensor<1x48x8x8xf32>
}

func.func @nchw_i8(%input: tensor<1x40x19x22xi8>, %filter: tensor<48x40x1x1xi8>) -> tensor<1x48x7x8xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x48x7x8xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x48x7x8xi32>) -> tensor<1x48x7x8xi32>
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<3> : tensor<2xi64>} ins(%input, %filter : tensor<1x40x19x22xi8>, tensor<48x40x1x1xi8>) outs(%f : tensor<1x48x7x8xi32>) -> tensor<1x48x7x8xi32>
  return %0 : tensor<1x48x7x8xi32>
}
