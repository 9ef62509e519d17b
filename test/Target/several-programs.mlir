// The text of several programs is one, which is cut where MLIR's tools cut files; binaries need a file each. The module is
// not printed below the message that says so.

// RUN: npu-opt --npu-codegen-pipeline=target=npu-v1 %s -o %t.isa.mlir
// RUN: npu-translate --mlir-to-npu-asm %t.isa.mlir -o %t.npuasm
// RUN: FileCheck %s --check-prefix=BOTH < %t.npuasm
// RUN: npu-translate --npu-asm-to-mlir --split-input-file %t.npuasm | npu-opt --split-input-file | FileCheck %s --check-prefix=MODULES
// RUN: not npu-translate --npu-asm-to-mlir %t.npuasm 2>&1 | FileCheck %s --check-prefix=ANOTHER
// RUN: not npu-run %t.npuasm 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: sh -c 'sed "s/^.kernel .first.//; s/^.kernel .second.//" %t.npuasm | not npu-run - 2>&1' | FileCheck %s --check-prefix=TARGET
// RUN: not npu-translate --mlir-to-npu-binary %t.isa.mlir 2>&1 | FileCheck %s --match-full-lines
// RUN: not npu-translate --mlir-to-npu-binary --mlir-print-op-on-diagnostic %t.isa.mlir 2>&1 | FileCheck %s --check-prefix=ASKED
// RUN: npu-translate --mlir-to-npu-asm --npu-program=second %t.isa.mlir | FileCheck %s --check-prefix=SECOND

// CHECK: {{.*}}.isa.mlir:1:1: error: found 2 npu_isa.program operations; write all with -o <directory>/, or one with --npu-program=<name>: first, second
// CHECK-NEXT: module{{.*}}
// CHECK-NEXT: ^
// CHECK-NOT: {{.}}
// BOTH: .kernel "first"
// BOTH: {{^}}// -----{{$}}
// BOTH-NEXT: .kernel "second"
// BOTH-NOT: // -----
// MODULES: npu_isa.program @first
// MODULES: npu_isa.program @second
// ANOTHER: .npuasm:{{[0-9]+}}:1: error: expected one program, found another .kernel; npu-translate --split-input-file reads several, one after the other
// REFUSED: npu-run: error: {{.*}}.npuasm:{{[0-9]+}}:1: expected one program, found another .kernel; npu-translate --split-input-file reads several, one after the other
// TARGET: npu-run: error: <stdin>:63:1: expected one program, found another .target
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
