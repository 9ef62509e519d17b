// RUN: npu-opt --split-input-file --npu-flow-outline-dispatch-regions %s | FileCheck %s --match-full-lines --strict-whitespace

// 23.1 One dispatch with a workload.
//      CHECK:module {
// CHECK-NEXT:  flow.executable private @half_dispatch_0 {
// CHECK-NEXT:    flow.executable.export public @half_dispatch_0 workgroups(%arg0: index) -> (index, index, index) {
// CHECK-NEXT:      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
// CHECK-NEXT:      flow.return %x, %y, %z : index, index, index
// CHECK-NEXT:    }
// CHECK-NEXT:    builtin.module {
// CHECK-NEXT:      func.func @half_dispatch_0(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %arg1: index, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
// CHECK-NEXT:        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg1, 0 : index
// CHECK-NEXT:        %1 = flow.dispatch.tie_shape %arg0 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%0}
// CHECK-NEXT:        %2 = flow.dispatch.tie_shape %arg2 : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%0}
// CHECK-NEXT:        %3 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [%0], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%0} -> tensor<?xf32>
// CHECK-NEXT:        iree_tensor_ext.dispatch.tensor.store %3, %2, offsets = [0], sizes = [%0], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%0}
// CHECK-NEXT:        return
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func public @half(%arg0: index, %arg1: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:    %0 = flow.dispatch @half_dispatch_0::@half_dispatch_0[%arg0](%arg1, %arg0) : (tensor<?xf32>{%arg0}, index) -> tensor<?xf32>{%arg0}
// CHECK-NEXT:    util.return %0 : tensor<?xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @half(%arg0: index, %arg1: tensor<?xf32>) -> tensor<?xf32> {
  %0 = flow.dispatch.workgroups[%arg0](%arg1, %arg0) : (tensor<?xf32>{%arg0}, index) -> tensor<?xf32>{%arg0} =
      (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %arg3: index, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
    %1 = iree_tensor_ext.dispatch.workload.ordinal %arg3, 0 : index
    %2 = flow.dispatch.tie_shape %arg2 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%1}
    %3 = flow.dispatch.tie_shape %arg4 : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%1}
    %4 = iree_tensor_ext.dispatch.tensor.load %2, offsets = [0], sizes = [%1], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%1} -> tensor<?xf32>
    iree_tensor_ext.dispatch.tensor.store %4, %3, offsets = [0], sizes = [%1], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%1}
    flow.return
  } count(%arg2: index) -> (index, index, index) {
    %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg2)
    flow.return %x, %y, %z : index, index, index
  }
  util.return %0 : tensor<?xf32>
}
