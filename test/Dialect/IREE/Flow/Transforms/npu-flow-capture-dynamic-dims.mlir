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

// What loops and branches pass on, they pass on with its sizes.
// CHECK-LABEL: util.func public @for
// CHECK:         %[[SIZE:.*]] = tensor.dim %arg0
// CHECK:         %[[LOOP:.*]]:3 = scf.for unsigned {{.*}} iter_args(%[[T:.*]] = %arg0, %[[I:.*]] = %arg1, %[[S:.*]] = %[[SIZE]]) -> (tensor<?x8xf32>, i32, index) {
// CHECK:           %[[TIED:.*]] = flow.tensor.tie_shape %[[T]] : tensor<?x8xf32>{%[[S]]}
// CHECK:           %[[NEXT:.*]] = "shop.double"(%[[TIED]]) : (tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK:           %[[NEXTSIZE:.*]] = tensor.dim %[[NEXT]]
// CHECK:           scf.yield %[[NEXT]], %[[I]], %[[NEXTSIZE]]
// CHECK:         } {note}
// CHECK:         %[[RESULT:.*]] = flow.tensor.tie_shape %[[LOOP]]#0 : tensor<?x8xf32>{%[[LOOP]]#2}
// CHECK:         util.return %[[RESULT]], %[[LOOP]]#1
util.func public @for(%arg0: tensor<?x8xf32>, %arg1: i32, %lb: index, %ub: index, %step: index) -> (tensor<?x8xf32>, i32) {
  %0:2 = scf.for unsigned %i = %lb to %ub step %step iter_args(%t = %arg0, %c = %arg1) -> (tensor<?x8xf32>, i32) {
    %1 = "shop.double"(%t) : (tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %1, %c : tensor<?x8xf32>, i32
  } {note}
  util.return %0#0, %0#1 : tensor<?x8xf32>, i32
}

// Before the condition, there may be other tensors than after it.
// CHECK-LABEL: util.func public @while
// CHECK:         %[[LOOP:.*]]:3 = scf.while (%[[T:.*]] = %arg0, %[[S:.*]] = %{{.*}}) : (tensor<?x8xf32>, index) -> (tensor<?x?xf32>, index, index) {
// CHECK:           %[[TIED:.*]] = flow.tensor.tie_shape %[[T]] : tensor<?x8xf32>{%[[S]]}
// CHECK:           %[[CAST:.*]] = tensor.cast %[[TIED]]
// CHECK:           %[[S0:.*]] = tensor.dim %[[CAST]]
// CHECK:           %[[S1:.*]] = tensor.dim %[[CAST]]
// CHECK:           scf.condition(%{{.*}}) %[[CAST]], %[[S0]], %[[S1]] : tensor<?x?xf32>, index, index
// CHECK:         } do {
// CHECK:         ^bb0(%[[U:.*]]: tensor<?x?xf32>, %[[U0:.*]]: index, %[[U1:.*]]: index):
// CHECK:           flow.tensor.tie_shape %[[U]] : tensor<?x?xf32>{%[[U0]], %[[U1]]}
// CHECK:           scf.yield %{{.*}}, %{{.*}} : tensor<?x8xf32>, index
// CHECK:         flow.tensor.tie_shape %[[LOOP]]#0 : tensor<?x?xf32>{%[[LOOP]]#1, %[[LOOP]]#2}
util.func public @while(%arg0: tensor<?x8xf32>, %c: i1) -> tensor<?x?xf32> {
  %0 = scf.while (%t = %arg0) : (tensor<?x8xf32>) -> tensor<?x?xf32> {
    %1 = tensor.cast %t : tensor<?x8xf32> to tensor<?x?xf32>
    scf.condition(%c) %1 : tensor<?x?xf32>
  } do {
  ^bb0(%u: tensor<?x?xf32>):
    %2 = tensor.cast %u : tensor<?x?xf32> to tensor<?x8xf32>
    scf.yield %2 : tensor<?x8xf32>
  }
  util.return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: util.func public @if
// CHECK:         %[[IF:.*]]:2 = scf.if %arg2 -> (tensor<?xf32>, index) {
// CHECK:           scf.yield %arg0, %{{.*}} : tensor<?xf32>, index
// CHECK:         } else {
// CHECK:           scf.yield %arg1, %{{.*}} : tensor<?xf32>, index
// CHECK:         flow.tensor.tie_shape %[[IF]]#0 : tensor<?xf32>{%[[IF]]#1}
util.func public @if(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %0 = scf.if %c -> tensor<?xf32> {
    scf.yield %arg0 : tensor<?xf32>
  } else {
    scf.yield %arg1 : tensor<?xf32>
  }
  util.return %0 : tensor<?xf32>
}

// Nothing to pass on.
// CHECK-LABEL: util.func public @static
// CHECK:         scf.for {{.*}} -> (tensor<4xf32>) {
util.func public @static(%arg0: tensor<4xf32>, %lb: index, %ub: index, %step: index) -> tensor<4xf32> {
  %0 = scf.for %i = %lb to %ub step %step iter_args(%t = %arg0) -> tensor<4xf32> {
    scf.yield %t : tensor<4xf32>
  }
  util.return %0 : tensor<4xf32>
}
