// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-flow-cleanup-tensor-shapes))' %s --split-input-file | FileCheck %s

// What was said of a shape goes.
// CHECK-LABEL: util.func public @plain(%arg0: index, %arg1: tensor<?x5xf32>) -> tensor<?x5xf32> {
// CHECK-NEXT:    util.return %arg1 : tensor<?x5xf32>
// CHECK-NEXT:  }
util.func public @plain(%arg0: index, %arg1: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = flow.tensor.tie_shape %arg1 : tensor<?x5xf32>{%arg0}
  util.return %0 : tensor<?x5xf32>
}
