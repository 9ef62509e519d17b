// RUN: npu-opt --split-input-file --pass-pipeline='builtin.module(util.func(npu-flow-inject-dispatch-tracing))' %s | FileCheck %s --match-full-lines --strict-whitespace

// 27.1 One dispatch with a scalar, which is not traced.
//      CHECK:module {
// CHECK-NEXT:  flow.executable private @ex {
// CHECK-NEXT:    flow.executable.export public @go
// CHECK-NEXT:  }
// CHECK-NEXT:  util.func public @run(%arg0: index, %arg1: tensor<?xf32>, %arg2: i32) -> tensor<?xf32> {
// CHECK-NEXT:    flow.tensor.trace "ex::go inputs" = [%arg1 : tensor<?xf32>{%arg0}]
// CHECK-NEXT:    %0 = flow.dispatch @ex::@go(%arg1, %arg0, %arg2) : (tensor<?xf32>{%arg0}, index, i32) -> tensor<?xf32>{%arg0}
// CHECK-NEXT:    flow.tensor.trace "ex::go outputs" = [%0 : tensor<?xf32>{%arg0}]
// CHECK-NEXT:    util.return %0 : tensor<?xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
flow.executable private @ex {
  flow.executable.export public @go
}
util.func public @run(%arg0: index, %arg1: tensor<?xf32>, %arg2: i32) -> tensor<?xf32> {
  %0 = flow.dispatch @ex::@go(%arg1, %arg0, %arg2) : (tensor<?xf32>{%arg0}, index, i32) -> tensor<?xf32>{%arg0}
  util.return %0 : tensor<?xf32>
}
