// RUN: npu-opt --allow-unregistered-dialect --npu-flow-capture-dynamic-dims %s --split-input-file | FileCheck %s

// The size is no argument yet; it goes before the results.
// CHECK-LABEL: util.func public @pass(%arg0: index, %arg1: tensor<?x4xi16>) -> tensor<?x4xi16> {
// CHECK-NEXT:    %[[V0:.*]] = flow.dispatch.workgroups(%arg1, %arg0) : (tensor<?x4xi16>{%arg0}, index) -> tensor<?x4xi16>{%arg0} =
// CHECK-NEXT:        (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>, %arg3: index, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>) {
// CHECK-NEXT:      %[[V1:.*]] = flow.dispatch.tie_shape %arg2 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>{%arg3}
// CHECK-NEXT:      %[[V2:.*]] = flow.dispatch.tie_shape %arg4 : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>{%arg3}
// CHECK-NEXT:      "shop.copy"(%[[V1]], %[[V2]]) : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>) -> ()
// CHECK-NEXT:      flow.return
// CHECK-NEXT:    }
// CHECK-NEXT:    util.return %[[V0]] : tensor<?x4xi16>
// CHECK-NEXT:  }
util.func public @pass(%arg0: index, %arg1: tensor<?x4xi16>) -> tensor<?x4xi16> {
  %0 = flow.dispatch.workgroups(%arg1) : (tensor<?x4xi16>{%arg0}) -> tensor<?x4xi16>{%arg0} =
      (%arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>, %arg3: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>) {
    "shop.copy"(%arg2, %arg3) : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xi16>>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xi16>>) -> ()
    flow.return
  }
  util.return %0 : tensor<?x4xi16>
}

// -----

// A size that is an argument already is used, a tied result needs no size of its own, and what is
// static or tied to its shape stays as it is.
// CHECK-LABEL: util.func public @captured
// CHECK:         flow.dispatch.workgroups(%arg0, %arg1, %arg2, %arg3) : (index, tensor<?x4xi16>{%arg0}, tensor<4xi16>, tensor<?xi16>{%arg0}) -> %arg1{%arg0} =
// CHECK-NEXT:        (%[[D:.*]]: index, %[[A:.*]]: !iree{{.*}}, %[[B:.*]]: !iree{{.*}}, %[[C:.*]]: !iree{{.*}}) {
// CHECK-NEXT:      %[[T:.*]] = flow.dispatch.tie_shape %[[A]] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x4xi16>>{%[[D]]}
// CHECK-NEXT:      %[[S:.*]] = flow.dispatch.tie_shape %[[C]]
// CHECK-NEXT:      "shop.add"(%[[T]], %[[B]], %[[S]])
util.func public @captured(%arg0: index, %arg1: tensor<?x4xi16>, %arg2: tensor<4xi16>, %arg3: tensor<?xi16>) -> tensor<?x4xi16> {
  %0 = flow.dispatch.workgroups(%arg0, %arg1, %arg2, %arg3) : (index, tensor<?x4xi16>{%arg0}, tensor<4xi16>, tensor<?xi16>{%arg0}) -> %arg1{%arg0} =
      (%arg4: index, %arg5: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x4xi16>>, %arg6: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi16>>, %arg7: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi16>>) {
    %1 = flow.dispatch.tie_shape %arg7 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi16>>{%arg4}
    "shop.add"(%arg5, %arg6, %1) : (!iree_tensor_ext.dispatch.tensor<readwrite:tensor<?x4xi16>>, !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xi16>>, !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi16>>) -> ()
    flow.return
  }
  util.return %0 : tensor<?x4xi16>
}
