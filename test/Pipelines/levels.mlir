// Each level is printed to a file, read again, and gives the program of the whole pipeline, byte for byte. The
// source table of a program is made of locations, so they are printed, too.

// RUN: npu-opt %s --npu-tensor-form-pipeline=target=npu-v1-x4 --mlir-print-debuginfo -o %t.tensor.mlir
// RUN: npu-opt %t.tensor.mlir --npu-tile-form-pipeline --mlir-print-debuginfo -o %t.tile.mlir
// RUN: npu-opt %t.tile.mlir --npu-planned-form-pipeline --mlir-print-debuginfo -o %t.planned.mlir
// RUN: npu-opt %t.planned.mlir --npu-program-pipeline --mlir-print-debuginfo -o %t.isa.mlir
// RUN: npu-translate %t.isa.mlir --mlir-to-npu-binary -o %t.parts.npubin
// RUN: npu-opt %s --npu-codegen-pipeline=target=npu-v1-x4 --mlir-print-debuginfo -o %t.whole.mlir
// RUN: npu-translate %t.whole.mlir --mlir-to-npu-binary -o %t.whole.npubin
// RUN: cmp %t.parts.npubin %t.whole.npubin
// RUN: npu-translate --npu-binary-to-asm %t.parts.npubin | FileCheck %s --check-prefix=ASM

// The contract of each form holds for what was read.
// RUN: npu-opt %t.tensor.mlir --npu-verify-tensor-form -o /dev/null
// RUN: npu-opt %t.tile.mlir --pass-pipeline="builtin.module(npu.kernel(npu-verify-tile-form))" -o /dev/null
// RUN: npu-opt %t.planned.mlir --pass-pipeline="builtin.module(npu.kernel(npu-verify-planned-form))" -o /dev/null

// RUN: FileCheck %s --check-prefix=TENSOR --input-file=%t.tensor.mlir
// RUN: FileCheck %s --check-prefix=TILE --input-file=%t.tile.mlir
// RUN: FileCheck %s --check-prefix=PLANNED --input-file=%t.planned.mlir
// RUN: FileCheck %s --check-prefix=ISA --input-file=%t.isa.mlir

// What is written into a level by hand is kept: a schedule with smaller tiles makes another program.
// RUN: sed 's/schedule = #npu.schedule<.*>, target/schedule = #npu.schedule<{for m = 16 {for n = 32 {value @matmul -> acc x2, for k = 64 {load @matmul.lhs x2, load @matmul.rhs x2, @matmul}}}}>, target/' %t.tensor.mlir > %t.edited.mlir
// RUN: npu-opt %t.edited.mlir --npu-tile-form-pipeline --npu-planned-form-pipeline --npu-program-pipeline | \
// RUN:   npu-translate --mlir-to-npu-asm | FileCheck %s --check-prefix=EDITED

// A level that is entered too early says what has to run before.
// RUN: not npu-opt %t.tensor.mlir --npu-planned-form-pipeline 2>&1 | FileCheck %s --check-prefix=EARLY

// TENSOR: schedule = #npu.schedule<{{.*}}clusters {{[2-4]}}
// TENSOR: npu.matmul {{.*}} tensor<
// TILE: scf.for
// TILE: npu.matmul {{.*}} memref<
// PLANNED: npu.stream mxu cluster(1)
// PLANNED: npu.wait
// ISA: npu_isa.program @matmul
// ASM: .source 1 "{{.*}}levels.mlir:
// ASM: .stream 1 mxu
// EDITED: mxu.matmul
// EDITED-SAME: m=16, n=32, k=64
// EARLY: error: 'npu.kernel' op works on tensors, expected a kernel in tile form; run npu-choose-tiles and npu-lower-to-tiles first

func.func @matmul(%a: tensor<1024x256xf16>, %b: tensor<256x512xf16>) -> tensor<1024x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %product = linalg.matmul ins(%a, %b : tensor<1024x256xf16>, tensor<256x512xf16>) outs(%init : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  return %product : tensor<1024x512xf32>
}
