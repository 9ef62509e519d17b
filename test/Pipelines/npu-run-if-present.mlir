// RUN: npu-opt %s --split-input-file \
// RUN:   --npu-run-if-present='ops=arith.muli,arith.addi pipelines=any(canonicalize),any(symbol-dce)' \
// RUN:   | FileCheck %s --check-prefix=OPS
// RUN: npu-opt %s --split-input-file \
// RUN:   --npu-run-if-present='private-symbols pipelines=any(canonicalize)' \
// RUN:   | FileCheck %s --check-prefix=SYMBOLS
// RUN: npu-opt %s --split-input-file --npu-run-if-present='pipelines=any(canonicalize)' \
// RUN:   | FileCheck %s --check-prefix=NEVER
// RUN: not npu-opt %s --split-input-file --npu-run-if-present='ops=arith.subi pipelines=func.func(cse)' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ANCHOR

// One of the ops is there: both pipelines run. There is no private symbol.
// OPS-LABEL: func.func @add
// OPS-NEXT: return %arg0
// SYMBOLS-LABEL: func.func @add
// SYMBOLS: arith.addi
// NEVER-LABEL: func.func @add
// NEVER: arith.addi
func.func @add(%arg0: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %arg0, %c0 : i32
  return %0 : i32
}

// -----

// None of the ops is there; a private symbol is.
// OPS-LABEL: func.func private @sub
// OPS: arith.subi
// SYMBOLS-LABEL: func.func private @sub
// SYMBOLS-NEXT: return %arg0
// NEVER-LABEL: func.func private @sub
// NEVER: arith.subi
// ANCHOR: error: 'builtin.module' op expected pipelines to run on it, found one for 'func.func'; nest that in a pipeline for this op
func.func private @sub(%arg0: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.subi %arg0, %c0 : i32
  return %0 : i32
}

// -----

// What the second pipeline removes.
// OPS-NOT: @unused
// OPS: func.func @mul
func.func private @unused()

func.func @mul(%arg0: i32) -> i32 {
  %0 = arith.muli %arg0, %arg0 : i32
  return %0 : i32
}
