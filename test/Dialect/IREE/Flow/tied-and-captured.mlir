// What IREE reads in more than one spelling, or from around a region, is printed as it was written.

// RUN: npu-opt %s > %t.mlir && npu-opt %t.mlir | diff %t.mlir - && FileCheck %s < %t.mlir
// RUN: npu-opt %s --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-convert-dispatch-regions-to-workgroups))' | FileCheck %s --check-prefix=ISOLATED

// CHECK-LABEL: @update
util.func public @update(%u: tensor<1xi32>, %t: tensor<4xi32>, %d: tensor<?xi32>, %n: index) -> (tensor<4xi32>, tensor<4xi32>, tensor<?xi32>) {
  %c0 = arith.constant 0 : index
  // CHECK: flow.tensor.update %arg0, %arg1[%c0] : tensor<1xi32> -> tensor<4xi32>
  %0 = flow.tensor.update %u, %t[%c0] : tensor<1xi32> -> tensor<4xi32>
  // CHECK: flow.tensor.update %arg0, %0[%c0] : tensor<1xi32> -> %0 as tensor<4xi32>
  %1 = flow.tensor.update %u, %0[%c0] : tensor<1xi32> -> %0 as tensor<4xi32>
  // CHECK: flow.tensor.update %arg0, %arg2[%c0] : tensor<1xi32> -> tensor<?xi32>{%arg3}
  %2 = flow.tensor.update %u, %d[%c0] : tensor<1xi32> -> tensor<?xi32>{%n}
  util.return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<?xi32>
}

// CHECK-LABEL: @count
// ISOLATED-LABEL: @count
util.func public @count(%a: index, %b: index) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  // ISOLATED: flow.dispatch.workgroups[%arg0, %arg1](
  %0 = flow.dispatch.region[%a] -> (tensor<?xf32>{%a}) {
    %1 = tensor.empty(%a) : tensor<?xf32>
    flow.return %1 : tensor<?xf32>
  // CHECK: } count(%arg2: index) -> (index, index, index) {
  // CHECK-NEXT: flow.return %arg2, %arg1, %c1 : index, index, index
  // ISOLATED: } count(%[[N:.*]]: index, %[[B:.*]]: index) -> (index, index, index) {
  // ISOLATED: %[[ONE:.*]] = arith.constant 1 : index
  // ISOLATED: flow.return %[[N]], %[[B]], %[[ONE]] : index, index, index
  } count(%n: index) -> (index, index, index) {
    flow.return %n, %b, %c1 : index, index, index
  }
  util.return %0 : tensor<?xf32>
}
