// The front half makes a contraction on a slice of a strided 1x1 convolution; it runs on the NPU.
// RUN: npu-opt --npu-front-half %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=FORM --input-file=%t.mlir
// RUN: npu-run --check %t.mlir | FileCheck %s

// FORM:  dispatch.tensor.load {{.*}} strides = [2, 2, 1]
// CHECK: on the NPU: 1 of 1 dispatches, {{.*}}; on the host: none
// CHECK: {{^}}matches host
func.func @main(%input: tensor<1x16x15x32xf32>, %filter: tensor<1x1x32x48xf32>) -> tensor<1x8x8x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x48xf32>) -> tensor<1x8x8x48xf32>
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%input, %filter : tensor<1x16x15x32xf32>, tensor<1x1x32x48xf32>) outs(%f : tensor<1x8x8x48xf32>) -> tensor<1x8x8x48xf32>
  return %0 : tensor<1x8x8x48xf32>
}
