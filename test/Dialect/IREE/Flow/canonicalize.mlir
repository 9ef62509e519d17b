// RUN: npu-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: @reshape
// CHECK-SAME: %[[T:.*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[R:.*]] = flow.tensor.reshape %[[T]] : tensor<4x8xf32> -> tensor<2x16xf32>
// CHECK-NEXT: util.return %[[R]], %[[T]] : tensor<2x16xf32>, tensor<4x8xf32>
util.func public @reshape(%t: tensor<4x8xf32>) -> (tensor<2x16xf32>, tensor<4x8xf32>) {
  %0 = flow.tensor.reshape %t : tensor<4x8xf32> -> tensor<32xf32>
  %1 = flow.tensor.reshape %0 : tensor<32xf32> -> tensor<2x16xf32>
  %2 = flow.tensor.reshape %0 : tensor<32xf32> -> tensor<4x8xf32>
  util.return %1, %2 : tensor<2x16xf32>, tensor<4x8xf32>
}

// With other sizes the same dynamic type is not the same shape.
// CHECK-LABEL: @reshape_dynamic
// CHECK-NEXT: %[[R:.*]] = flow.tensor.reshape %arg0 : tensor<?x?xf32>{%arg1, %arg2} -> tensor<?x?xf32>{%arg2, %arg1}
// CHECK-NEXT: util.return %arg0, %[[R]]
util.func public @reshape_dynamic(%t: tensor<?x?xf32>, %m: index, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = flow.tensor.reshape %t : tensor<?x?xf32>{%m, %n} -> tensor<?x?xf32>{%m, %n}
  %1 = flow.tensor.reshape %t : tensor<?x?xf32>{%m, %n} -> tensor<?x?xf32>{%n, %m}
  util.return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: @bitcast
// CHECK-NEXT: %[[B:.*]] = flow.tensor.bitcast %arg0 : tensor<4xf32> -> tensor<16xi8>
// CHECK-NEXT: util.return %[[B]], %arg0
util.func public @bitcast(%t: tensor<4xf32>) -> (tensor<16xi8>, tensor<4xf32>) {
  %0 = flow.tensor.bitcast %t : tensor<4xf32> -> tensor<4xi32>
  %1 = flow.tensor.bitcast %0 : tensor<4xi32> -> tensor<16xi8>
  %2 = flow.tensor.bitcast %1 : tensor<16xi8> -> tensor<4xf32>
  util.return %1, %2 : tensor<16xi8>, tensor<4xf32>
}

// CHECK-LABEL: @whole_slice
// CHECK-NEXT: util.return %arg0, %arg1, %arg0
util.func public @whole_slice(%t: tensor<4x8xf32>, %u: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %0 = flow.tensor.slice %t[%c0, %c0 for %c4, %c8] : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = flow.tensor.update %u, %t[%c0, %c0] : tensor<4x8xf32> -> %t as tensor<4x8xf32>
  %2 = flow.tensor.tie_shape %t : tensor<4x8xf32>
  util.return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: @of_one_value
// CHECK-DAG: %[[R:.*]] = flow.tensor.splat %arg0 : tensor<32xf32>
// CHECK-DAG: %[[S:.*]] = flow.tensor.splat %arg0 : tensor<?x2xf32>{%arg1}
// CHECK-DAG: %[[E:.*]] = flow.tensor.empty : tensor<?xf32>{%arg1}
// CHECK-NEXT: util.return %[[R]], %[[S]], %[[E]]
util.func public @of_one_value(%v: f32, %d: index) -> (tensor<32xf32>, tensor<?x2xf32>, tensor<?xf32>) {
  %0 = flow.tensor.splat %v : tensor<4x8xf32>
  %1 = flow.tensor.reshape %0 : tensor<4x8xf32> -> tensor<32xf32>
  %2 = flow.tensor.slice %0[%d, %d for %d, %d] : tensor<4x8xf32> -> tensor<?x2xf32>{%d}
  %3 = flow.tensor.empty : tensor<?x1xf32>{%d}
  %4 = flow.tensor.reshape %3 : tensor<?x1xf32>{%d} -> tensor<?xf32>{%d}
  util.return %1, %2, %4 : tensor<32xf32>, tensor<?x2xf32>, tensor<?xf32>
}

// CHECK-LABEL: @dead_dispatch
// CHECK-NEXT: util.return
util.func public @dead_dispatch(%t: tensor<4xf32>) {
  %0 = flow.dispatch @ex::@entry(%t) : (tensor<4xf32>) -> tensor<4xf32>
  util.return
}

// Unused results go with their stores, unused and repeated arguments go, constants come in.
// CHECK-LABEL: @workgroups
// CHECK-SAME: (%[[T:.*]]: tensor<?xf32>, %[[D:.*]]: index, %
// CHECK: flow.dispatch.workgroups[%[[D]]](%[[T]], %[[D]]) : (tensor<?xf32>{%[[D]]}, index) -> tensor<?xf32>{%[[D]]} attributes {note} =
// CHECK-NEXT: (%[[A:.*]]: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %[[E:.*]]: index, %[[R:.*]]: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
// CHECK-DAG: %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-COUNT-2: dispatch.tensor.load %[[A]]
// CHECK: dispatch.tensor.store %{{.*}}, %[[R]]
// CHECK-NOT: dispatch.tensor.store
// CHECK: } count(%[[W:.*]]: index) -> (index, index, index) {
util.func public @workgroups(%t: tensor<?xf32>, %d: index, %unused: tensor<?xf32>) -> tensor<?xf32> {
  %two = arith.constant 2.0 : f32
  %0:2 = flow.dispatch.workgroups[%d](%t, %unused, %t, %d, %two) : (tensor<?xf32>{%d}, tensor<?xf32>{%d}, tensor<?xf32>{%d}, index, f32) -> (tensor<?xf32>{%d}, tensor<?xf32>{%d}) attributes {note} =
      (%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %b: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>,
       %c: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %e: index, %f: f32,
       %r: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>, %s: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
    %1 = iree_tensor_ext.dispatch.tensor.load %a, offsets = [0], sizes = [%e], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%e} -> tensor<?xf32>
    %2 = iree_tensor_ext.dispatch.tensor.load %c, offsets = [0], sizes = [%e], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%e} -> tensor<?xf32>
    %3 = arith.addf %1, %2 : tensor<?xf32>
    %4 = tensor.splat %f[%e] : tensor<?xf32>
    %5 = arith.mulf %3, %4 : tensor<?xf32>
    iree_tensor_ext.dispatch.tensor.store %5, %r, offsets = [0], sizes = [%e], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%e}
    %6 = flow.dispatch.tie_shape %s : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%e}
    iree_tensor_ext.dispatch.tensor.store %3, %6, offsets = [0], sizes = [%e], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%e}
    flow.return
  } count(%w: index) -> (index, index, index) {
    flow.return %w, %w, %w : index, index, index
  }
  util.return %0#0 : tensor<?xf32>
}

// The index of a tied argument counts the arguments that are left.
// CHECK-LABEL: @workgroups_tied
// CHECK: flow.dispatch.workgroups(%arg1) : (tensor<4xf32>) -> %arg1 =
util.func public @workgroups_tied(%t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %0 = flow.dispatch.workgroups(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> %u =
      (%a: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %b: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<4xf32>>) {
    flow.return
  }
  util.return %0 : tensor<4xf32>
}

// CHECK-LABEL: @region
// CHECK: %[[R:.*]] = flow.dispatch.region -> (tensor<?xf32>{%arg1}) {
// CHECK-NEXT: %[[S:.*]] = arith.addf
// CHECK-NEXT: flow.return %[[S]] : tensor<?xf32>
// CHECK: util.return %[[R]], %[[R]]
util.func public @region(%t: tensor<?xf32>, %d: index, %e: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:3 = flow.dispatch.region -> (tensor<?xf32>{%e}, tensor<?xf32>{%d}, tensor<?xf32>{%d}) {
    %1 = arith.addf %t, %t : tensor<?xf32>
    %2 = arith.mulf %t, %t : tensor<?xf32>
    flow.return %2, %1, %1 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  }
  util.return %0#1, %0#2 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: @dead_region
// CHECK-NEXT: util.return
util.func public @dead_region(%t: tensor<4xf32>) {
  %0 = flow.dispatch.region -> (tensor<4xf32>) {
    %1 = arith.addf %t, %t : tensor<4xf32>
    flow.return %1 : tensor<4xf32>
  }
  util.return
}
