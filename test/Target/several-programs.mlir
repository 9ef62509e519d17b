// A module of several programs is not printed below the message that it is one.

// RUN: npu-opt --npu-codegen-pipeline=target=npu-v1 %s -o %t.isa.mlir
// RUN: not npu-translate --mlir-to-npu-asm %t.isa.mlir 2>&1 | FileCheck %s --match-full-lines
// RUN: not npu-translate --mlir-to-npu-binary %t.isa.mlir 2>&1 | FileCheck %s --match-full-lines
// RUN: not npu-translate --mlir-to-npu-asm --mlir-print-op-on-diagnostic %t.isa.mlir 2>&1 | FileCheck %s --check-prefix=ASKED
// RUN: npu-translate --mlir-to-npu-asm --npu-program=second %t.isa.mlir | FileCheck %s --check-prefix=SECOND

// CHECK: {{.*}}.isa.mlir:1:1: error: found 2 npu_isa.program operations; write all with -o <directory>/, or one with --npu-program=<name>: first, second
// CHECK-NEXT: module{{.*}}
// CHECK-NEXT: ^
// CHECK-NOT: {{.}}
// ASKED: note: see current operation
// SECOND: .kernel "second"

func.func @first(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

func.func @second(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
