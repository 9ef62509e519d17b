// Loops and operands that tile form does not have; verify-tile-form-errors.mlir has the others.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-verify-tile-form))' -split-input-file -verify-diagnostics

npu.kernel @carried(%x: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error@below {{'scf.for' op expected a loop from 0 in steps of 1 to a positive constant, without results, but found one from 0 in steps of 1 to 4, with 1 results}}
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%n = %c0) -> (index) {
    scf.yield %n : index
  }
  npu.return
}

// -----

npu.kernel @dram_operand(%x: memref<4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %a = memref.alloc() : memref<4xf32, #npu.space<sram>>
  // expected-error@below {{'npu.unary' op expected a static on-chip buffer or a view of one but found 'memref<4xf32, #npu.space<dram>>'}}
  npu.unary neg %x -> %a : memref<4xf32, #npu.space<dram>> -> memref<4xf32, #npu.space<sram>>
  npu.return
}

// -----

npu.kernel @padded(%x: memref<4x4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %a = memref.alloc() : memref<4x4x4xf32, #npu.space<sram>>
  %b = memref.alloc() : memref<1x3x3x4x32xf32, #npu.space<sram>>
  %c = memref.alloc() : memref<4x4x4xf32, #npu.space<acc>>
  // expected-error@below {{'npu.conv' op expected padding to be in the buffer, filled by the load}}
  npu.conv %a, %b -> %c {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<yxcf>, layout_output = #npu.layout<hwf>, packed, pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>} : memref<4x4x4xf32, #npu.space<sram>>, memref<1x3x3x4x32xf32, #npu.space<sram>> -> memref<4x4x4xf32, #npu.space<acc>>
  npu.return
}
