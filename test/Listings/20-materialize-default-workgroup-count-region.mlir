// RUN: npu-opt --split-input-file --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-materialize-default-workgroup-count-region))' %s | FileCheck %s --match-full-lines --strict-whitespace

// 20.1 One dynamic size as workload.
//      CHECK:module {
// CHECK-NEXT:  util.func public @twice(%arg0: index, %arg1: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:    %0 = flow.dispatch.workgroups[%arg0](%arg1, %arg0) : (tensor<?xf32>{%arg0}, index) -> tensor<?xf32>{%arg0} =
// CHECK-NEXT:        (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %arg3: index, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
// CHECK-NEXT:      %1 = iree_tensor_ext.dispatch.workload.ordinal %arg3, 0 : index
// CHECK-NEXT:      %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0], sizes = [%1], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%1} -> tensor<?xf32>
// CHECK-NEXT:      iree_tensor_ext.dispatch.tensor.store %2, %arg4, offsets = [0], sizes = [%1], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%1}
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    } count(%arg2: index) -> (index, index, index) {
// CHECK-NEXT:      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg2)
// CHECK-NEXT:      flow.return %x, %y, %z : index, index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %0 : tensor<?xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @twice(%arg0: index, %arg1: tensor<?xf32>) -> tensor<?xf32> {
  %0 = flow.dispatch.workgroups(%arg1, %arg0) : (tensor<?xf32>{%arg0}, index) -> tensor<?xf32>{%arg0} =
      (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %arg3: index, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
    %1 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0], sizes = [%arg3], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%arg3} -> tensor<?xf32>
    iree_tensor_ext.dispatch.tensor.store %1, %arg4, offsets = [0], sizes = [%arg3], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%arg3}
    flow.return
  }
  util.return %0 : tensor<?xf32>
}
