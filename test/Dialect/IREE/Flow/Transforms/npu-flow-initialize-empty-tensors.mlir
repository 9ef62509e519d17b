// RUN: npu-opt --npu-flow-initialize-empty-tensors=zero-fill %s | FileCheck %s

// CHECK-LABEL: util.func public @blank
// CHECK:         %[[F:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         flow.tensor.splat %[[F]] : tensor<?x3xf32>{%arg0}
// CHECK:         %[[I:.*]] = arith.constant 0 : i8
// CHECK:         flow.tensor.splat %[[I]] : tensor<7xi8>
// CHECK:         flow.tensor.empty : tensor<4xcomplex<f32>>
util.func public @blank(%arg0: index) -> (tensor<?x3xf32>, tensor<7xi8>, tensor<4xcomplex<f32>>) {
  %0 = tensor.empty(%arg0) : tensor<?x3xf32>
  %1 = tensor.empty() : tensor<7xi8>
  %2 = tensor.empty() : tensor<4xcomplex<f32>>
  util.return %0, %1, %2 : tensor<?x3xf32>, tensor<7xi8>, tensor<4xcomplex<f32>>
}
