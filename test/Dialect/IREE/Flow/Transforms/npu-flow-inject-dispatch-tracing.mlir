// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-flow-inject-dispatch-tracing))' %s --split-input-file | FileCheck %s

// Tensors are traced with their sizes, scalars are not.
// CHECK:       flow.executable private @ex {
// CHECK-NEXT:    flow.executable.export public @go
// CHECK-NEXT:  }
// CHECK-LABEL: util.func public @run(%arg0: index, %arg1: tensor<?xf32>, %arg2: i32) -> tensor<?xf32> {
// CHECK-NEXT:    flow.tensor.trace "ex::go inputs" = [%arg1 : tensor<?xf32>{%arg0}]
// CHECK-NEXT:    %[[V0:.*]] = flow.dispatch @ex::@go(%arg1, %arg0, %arg2) : (tensor<?xf32>{%arg0}, index, i32) -> tensor<?xf32>{%arg0}
// CHECK-NEXT:    flow.tensor.trace "ex::go outputs" = [%[[V0]] : tensor<?xf32>{%arg0}]
// CHECK-NEXT:    util.return %[[V0]] : tensor<?xf32>
// CHECK-NEXT:  }
flow.executable private @ex {
  flow.executable.export public @go
}
util.func public @run(%arg0: index, %arg1: tensor<?xf32>, %arg2: i32) -> tensor<?xf32> {
  %0 = flow.dispatch @ex::@go(%arg1, %arg0, %arg2) : (tensor<?xf32>{%arg0}, index, i32) -> tensor<?xf32>{%arg0}
  util.return %0 : tensor<?xf32>
}

// -----

// Without tensors there is nothing to trace; dispatches in nested code are left alone.
// CHECK-LABEL: util.func public @run
// CHECK-NEXT:    flow.dispatch @ex::@go(%arg0)
// CHECK-NEXT:    flow.tensor.trace "ex::go outputs"
// CHECK-NOT:     flow.tensor.trace
flow.executable private @ex {
  flow.executable.export public @go
}
util.func public @run(%arg0: i32, %arg1: i1) -> tensor<4xf32> {
  %0 = flow.dispatch @ex::@go(%arg0) : (i32) -> tensor<4xf32>
  scf.if %arg1 {
    %1 = flow.dispatch @ex::@go(%arg0) : (i32) -> tensor<4xf32>
  }
  util.return %0 : tensor<4xf32>
}
