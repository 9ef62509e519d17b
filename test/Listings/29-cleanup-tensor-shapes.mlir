// RUN: npu-opt --split-input-file --npu-flow-cleanup-tensor-shapes %s | FileCheck %s --match-full-lines --strict-whitespace

// 29.1 Tie_shape forwarded.
//      CHECK:module {
// CHECK-NEXT:  util.func public @plain(%arg0: index, %arg1: tensor<?x5xf32>) -> tensor<?x5xf32> {
// CHECK-NEXT:    util.return %arg1 : tensor<?x5xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @plain(%arg0: index, %arg1: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = flow.tensor.tie_shape %arg1 : tensor<?x5xf32>{%arg0}
  util.return %0 : tensor<?x5xf32>
}
