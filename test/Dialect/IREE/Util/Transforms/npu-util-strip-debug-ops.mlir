// RUN: npu-opt --npu-util-strip-debug-ops %s --split-input-file | FileCheck %s

// The assertion goes, its condition stays.
// CHECK-LABEL: util.func public @guard(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:    %[[V0:.*]] = arith.cmpi sge, %arg0, %arg1 : i32
// CHECK-NEXT:    %[[V1:.*]] = arith.subi %arg0, %arg1 : i32
// CHECK-NEXT:    util.return %[[V1]] : i32
// CHECK-NEXT:  }
util.func public @guard(%arg0: i32, %arg1: i32) -> i32 {
  %0 = arith.cmpi sge, %arg0, %arg1 : i32
  cf.assert %0, "a must not be below b"
  %1 = arith.subi %arg0, %arg1 : i32
  util.return %1 : i32
}

// -----

// In the pipeline it runs on executables; traces are no assertions.
// CHECK-LABEL: flow.executable private @ex
// CHECK:         func.func @go
// CHECK-NEXT:      return
// CHECK:       flow.tensor.trace "key"
flow.executable private @ex {
  flow.executable.export public @go
  builtin.module {
    func.func @go(%arg0: i1) {
      cf.assert %arg0, "no"
      return
    }
  }
}
util.func public @trace(%arg0: tensor<4xf32>) {
  flow.tensor.trace "key" = [%arg0 : tensor<4xf32>]
  util.return
}
