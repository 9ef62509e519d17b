// RUN: npu-opt --split-input-file --allow-unregistered-dialect --npu-flow-capture-dynamic-dims %s | FileCheck %s --match-full-lines --strict-whitespace

// 21.1 The size is not an argument yet.
//      CHECK:module {
// CHECK-NEXT:  util.func public @pass(%arg0: index, %arg1: tensor<?x4xi16>) -> tensor<?x4xi16> {
// CHECK-NEXT:    %0 = flow.dispatch.workgroups(%arg1, %arg0) : (tensor<?x4xi16>{%arg0}, index) -> tensor<?x4xi16>{%arg0} =
// CHECK-NEXT:        (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>, %arg3: index, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>) {
// CHECK-NEXT:      %1 = flow.dispatch.tie_shape %arg2 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>{%arg3}
// CHECK-NEXT:      %2 = flow.dispatch.tie_shape %arg4 : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>{%arg3}
// CHECK-NEXT:      "shop.copy"(%1, %2) : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>) -> ()
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %0 : tensor<?x4xi16>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @pass(%arg0: index, %arg1: tensor<?x4xi16>) -> tensor<?x4xi16> {
  %0 = flow.dispatch.workgroups(%arg1) : (tensor<?x4xi16>{%arg0}) -> tensor<?x4xi16>{%arg0} =
      (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>) {
    "shop.copy"(%arg2, %arg3) : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>) -> ()
    flow.return
  }
  util.return %0 : tensor<?x4xi16>
}
