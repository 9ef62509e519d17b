// Stages that cannot begin with parts of their first tile.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles))' -split-input-file -verify-diagnostics

// expected-error@below {{'npu.kernel' op schedule: expected stage 'matmul' to begin with parts of 'k', found 'n'}}
npu.kernel @dimension(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc begin n = 32}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected stage 'matmul' to begin with less than its tile of 32 along 'k', found 32}}
npu.kernel @whole(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @matmul -> acc, for k = 32 {load @matmul.lhs, load @matmul.rhs, @matmul begin k = 32}}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected a contraction that begins with parts of 'd1', found stage 'vector'}}
npu.kernel @vector(%x: tensor<16x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @vector.arg0, @vector -> sram begin d1 = 8}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %0 = npu.unary exp %x -> %e : tensor<16x24xf32> -> tensor<16x24xf32>
  npu.return %0 : tensor<16x24xf32>
}

// -----

// The array goes over both as one dimension.
// expected-error@below {{'npu.kernel' op schedule: expected stage 'matmul' to begin with parts of the only dimension that it adds up and that is no window's, and it has 2, found 'k'}}
npu.kernel @two_sums(%A: tensor<16x4x8xf16>, %B: tensor<4x8x24xf16>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc begin k = 4}>} {
  %c = tensor.empty() : tensor<16x24xf32>
  %0 = npu.matmul %A, %B -> %c {layout_a = #npu.layout<mik>, layout_b = #npu.layout<ikn>} : tensor<16x4x8xf16>, tensor<4x8x24xf16> -> tensor<16x24xf32>
  npu.return %0 : tensor<16x24xf32>
}

// -----

// In the first iteration it does nothing.
// expected-error@below {{'npu.kernel' op schedule: expected no parts of the first tile of stage 's1', which is skewed}}
npu.kernel @skewed(%A: tensor<16x32xf16>, %B: tensor<32x24xf16>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s1.rhs, for m = 4 {load @s0.arg0, @s0 -> sram x2, @s1 -> acc x2 skew 1 begin k = 16}}>} {
  %e = tensor.empty() : tensor<16x32xf16>
  %c = tensor.empty() : tensor<16x24xf32>
  %0 = npu.unary neg %A -> %e {stage = "s0"} : tensor<16x32xf16> -> tensor<16x32xf16>
  %1 = npu.matmul %0, %B -> %c {stage = "s1"} : tensor<16x32xf16>, tensor<32x24xf16> -> tensor<16x24xf32>
  npu.return %1 : tensor<16x24xf32>
}

// -----

npu.kernel @no_part(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    // expected-error@below {{expected parts of at least one element but found 0}}
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc begin k = 0}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// matmul_c8
npu.kernel @on_tensors(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<64x64xf32>
  // expected-error@below {{'npu.matmul' op expected 'packed' with 'begin', which is of tile form; on tensors a schedule says how a stage begins}}
  %0 = npu.matmul %A, %B -> %c {begin = array<i64: 32>} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// matmul_c8
func.func @blocks(%a: memref<16x4x8xf16, #npu.space<sram>>, %b: memref<1x4x8x32xf16, #npu.space<sram>>, %c: memref<16x32xf32, #npu.space<acc>>) {
  // expected-error@below {{'npu.matmul' op expected no dimension 'i' or 'j' with 'begin', which is along 'k' alone}}
  npu.matmul %a, %b -> %c {begin = array<i64: 4>, layout_a = #npu.layout<mik>, layout_b = #npu.layout<ikn>, packed} : memref<16x4x8xf16, #npu.space<sram>>, memref<1x4x8x32xf16, #npu.space<sram>> -> memref<16x32xf32, #npu.space<acc>>
  return
}

// -----

// conv_c9
func.func @channels(%i: memref<4x4xf16, #npu.space<sram>>, %f: memref<1x3x3x32xf16, #npu.space<sram>>, %o: memref<2x2x32xf32, #npu.space<acc>>) {
  // expected-error@below {{'npu.conv' op expected a dimension 'c' with 'begin', which is along it}}
  npu.conv %i, %f -> %o {begin = array<i64: 4>, layout_input = #npu.layout<hw>, layout_filter = #npu.layout<yxf>, layout_output = #npu.layout<hwf>, packed} : memref<4x4xf16, #npu.space<sram>>, memref<1x3x3x32xf16, #npu.space<sram>> -> memref<2x2x32xf32, #npu.space<acc>>
  return
}

// -----

// 32 and 32 are all of it.
// expected-error@below {{'npu.kernel' op schedule: expected stage 'matmul' to begin with less than its tile of 64 along 'k', found 64}}
npu.kernel @all(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc begin k = [32, 32, 16]}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

npu.kernel @empty(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    // expected-error@below {{expected parts of at least one element but found 0}}
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc begin k = [32, 0]}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

func.func @none(%a: memref<16x8xf16, #npu.space<sram>>, %b: memref<1x8x32xf16, #npu.space<sram>>, %c: memref<16x32xf32, #npu.space<acc>>) {
  // expected-error@below {{'npu.matmul' op attribute 'begin' failed to satisfy constraint: i64 dense array attribute with at least 1 elements whose value is positive}}
  npu.matmul %a, %b -> %c {begin = array<i64>, packed} : memref<16x8xf16, #npu.space<sram>>, memref<1x8x32xf16, #npu.space<sram>> -> memref<16x32xf32, #npu.space<acc>>
  return
}

// -----

// Their sum has no 64 bits.
// expected-error@below {{'npu.kernel' op schedule: expected stage 'matmul' to begin with less than its tile of 64 along 'k', found 128}}
npu.kernel @huge(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc begin k = [9223372036854775807, 9223372036854775807, 4]}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}
