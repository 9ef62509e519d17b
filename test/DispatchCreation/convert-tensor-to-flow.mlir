// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-convert-tensor-to-flow))' %s | FileCheck %s

// Rows are one piece of memory, columns are not.
// CHECK-LABEL: @slices
// CHECK:         flow.tensor.splat %{{.*}} : tensor<8x4xf32>
// CHECK:         flow.tensor.slice %arg0[%{{.*}}, %{{.*}} for %{{.*}}, %{{.*}}] : tensor<8x4xf32> -> tensor<2x4xf32>
// CHECK:         flow.tensor.update
// CHECK:         flow.dispatch.workgroups
// CHECK:           iree_tensor_ext.dispatch.tensor.load {{.*}} offsets = [0, 1], sizes = [8, 1], strides = [1, 1] : {{.*}} -> tensor<8x1xf32>
// CHECK:         flow.tensor.reshape {{.*}} : tensor<8x1xf32> -> tensor<8xf32>
util.func public @slices(%a: tensor<8x4xf32>, %c: f32) -> (tensor<8x4xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = tensor.extract_slice %a[2, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
  %u = tensor.insert_slice %r into %f[4, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
  %l = tensor.extract_slice %a[0, 1] [8, 1] [1, 1] : tensor<8x4xf32> to tensor<8x1xf32>
  %s = tensor.collapse_shape %l [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  util.return %u, %s : tensor<8x4xf32>, tensor<8xf32>
}
