// RUN: not npu-opt %s --convert-func-to-kernel=target=npu-v9 2>&1 | FileCheck %s

// CHECK: invalid-target.mlir:[[#@LINE+1]]:1: error: {{.*}}npu-v9
module {
}
