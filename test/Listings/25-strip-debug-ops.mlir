// RUN: npu-opt --split-input-file --npu-util-strip-debug-ops %s | FileCheck %s --match-full-lines --strict-whitespace

// 25.1 Assertion in a function.
//      CHECK:module {
// CHECK-NEXT:  util.func public @guard(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:    %0 = arith.cmpi sge, %arg0, %arg1 : i32
// CHECK-NEXT:    %1 = arith.subi %arg0, %arg1 : i32
// CHECK-NEXT:    util.return %1 : i32
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.func public @guard(%arg0: i32, %arg1: i32) -> i32 {
  %0 = arith.cmpi sge, %arg0, %arg1 : i32
  cf.assert %0, "a must not be below b"
  %1 = arith.subi %arg0, %arg1 : i32
  util.return %1 : i32
}
