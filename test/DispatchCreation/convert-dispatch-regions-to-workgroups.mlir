// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-convert-dispatch-regions-to-workgroups,npu-dispatch-creation-materialize-default-workgroup-count-region))' %s | FileCheck %s

// An init from outside ties the result to its argument; an index is workload.
// CHECK-LABEL: @tied
// CHECK:         flow.dispatch.workgroups[%arg2](%arg0, %arg2, %arg1) : (tensor<4xf32>, index, tensor<4xf32>) -> %arg1 =
// CHECK-NEXT:      (%[[A:.*]]: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %[[I:.*]]: index, %[[B:.*]]: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>) {
// CHECK:           iree_tensor_ext.dispatch.workload.ordinal %[[I]], 0 : index
// CHECK:           iree_tensor_ext.dispatch.tensor.store %{{.*}}, %[[B]]
// CHECK:         } count(%[[W:.*]]: index) -> (index, index, index) {
// CHECK:           iree_tensor_ext.dispatch.workgroup_count_from_slice(%[[W]])
util.func public @tied(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    %1 = linalg.fill ins(%x : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    flow.return %1 : tensor<4xf32>
  }
  util.return %0 : tensor<4xf32>
}
