// RUN: npu-opt --npu-flow-cleanup-tensor-shapes %s --split-input-file | FileCheck %s

// What was said of a shape goes.
// CHECK-LABEL: util.func public @plain(%arg0: index, %arg1: tensor<?x5xf32>) -> tensor<?x5xf32> {
// CHECK-NEXT:    util.return %arg1 : tensor<?x5xf32>
// CHECK-NEXT:  }
util.func public @plain(%arg0: index, %arg1: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = flow.tensor.tie_shape %arg1 : tensor<?x5xf32>{%arg0}
  util.return %0 : tensor<?x5xf32>
}

// -----

// Dispatches may ask: they know the sizes of their tensors.
// CHECK: tensor.dim
flow.executable private @ex {
  flow.executable.export public @go
  builtin.module {
    func.func @go(%arg0: tensor<?xf32>) -> index {
      %c0 = arith.constant 0 : index
      %0 = tensor.dim %arg0, %c0 : tensor<?xf32>
      return %0 : index
    }
  }
}
