// RUN: npu-opt --split-input-file --symbol-dce %s | FileCheck %s --match-full-lines --strict-whitespace

// 30.1 An unused private global and executable go.
//      CHECK:module {
// CHECK-NEXT:  util.global private @used = 2 : i32
// CHECK-NEXT:  util.func public @main() -> i32 {
// CHECK-NEXT:    %used = util.global.load @used : i32
// CHECK-NEXT:    util.return %used : i32
// CHECK-NEXT:  }
// CHECK-NEXT:}
util.global private @old = 1 : i32
util.global private @used = 2 : i32
flow.executable private @spare {
  flow.executable.export public @spare_fn
}
util.func public @main() -> i32 {
  %used = util.global.load @used : i32
  util.return %used : i32
}
