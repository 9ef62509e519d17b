// RUN: npu-opt --split-input-file --npu-flow-initialize-empty-tensors %s | FileCheck %s --match-full-lines --strict-whitespace

// 22.1 Dynamic and static, left uninitialized.
//      CHECK:module {
// CHECK-NEXT:  util.func public @blank(%arg0: index) -> (tensor<?x3xf32>, tensor<7xi8>) {
// CHECK-NEXT:    %0 = flow.tensor.empty : tensor<?x3xf32>{%arg0}
// CHECK-NEXT:    %1 = flow.tensor.empty : tensor<7xi8>
// CHECK-NEXT:    util.return %0, %1 : tensor<?x3xf32>, tensor<7xi8>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @blank(%arg0: index) -> (tensor<?x3xf32>, tensor<7xi8>) {
  %0 = tensor.empty(%arg0) : tensor<?x3xf32>
  %1 = tensor.empty() : tensor<7xi8>
  util.return %0, %1 : tensor<?x3xf32>, tensor<7xi8>
}
