// Stages that cannot end with parts of their last tile.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles))' -split-input-file -verify-diagnostics

// The second operand has it as well.
// expected-error@below {{'npu.kernel' op schedule: expected stage 'matmul' to end with parts of a dimension that its first operand and its result have and the other operand has not, found 'n'}}
npu.kernel @columns(%A: tensor<64x64xi8>, %B: tensor<64x64xi8>) -> tensor<64x64xi8>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc end n, for n = 32 {@tail -> sram}}>} {
  %c = tensor.empty() : tensor<64x64xi32>
  %e = tensor.empty() : tensor<64x64xi8>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
  %1 = npu.requantize %0 -> %e {scale = 0.5 : f32, lo = -128, hi = 127} : tensor<64x64xi32> -> tensor<64x64xi8>
  npu.return %1 : tensor<64x64xi8>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected stage 'matmul' to end with parts of a dimension that its first operand and its result have and the other operand has not, found 'x'}}
npu.kernel @unknown(%A: tensor<64x64xi8>, %B: tensor<64x64xi8>) -> tensor<64x64xi8>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc end x, for m = 32 {@tail -> sram}}>} {
  %c = tensor.empty() : tensor<64x64xi32>
  %e = tensor.empty() : tensor<64x64xi8>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
  %1 = npu.requantize %0 -> %e {scale = 0.5 : f32, lo = -128, hi = 127} : tensor<64x64xi32> -> tensor<64x64xi8>
  npu.return %1 : tensor<64x64xi8>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected stage 'tail' in a loop over 'm' of its own, part by part of what 'matmul' ends with}}
npu.kernel @whole(%A: tensor<64x64xi8>, %B: tensor<64x64xi8>) -> tensor<64x64xi8>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc end m, @tail -> sram}>} {
  %c = tensor.empty() : tensor<64x64xi32>
  %e = tensor.empty() : tensor<64x64xi8>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
  %1 = npu.requantize %0 -> %e {scale = 0.5 : f32, lo = -128, hi = 127} : tensor<64x64xi32> -> tensor<64x64xi8>
  npu.return %1 : tensor<64x64xi8>
}

// -----

// The loop is the one of the contraction.
// expected-error@below {{'npu.kernel' op schedule: expected stage 'tail' in a loop over 'm' of its own, part by part of what 'matmul' ends with}}
npu.kernel @same_loop(%A: tensor<64x64xi8>, %B: tensor<64x64xi8>) -> tensor<64x64xi8>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.rhs, for m = 32 {load @matmul.lhs x2, @matmul -> acc x2 end m, @tail -> sram x2}}>} {
  %c = tensor.empty() : tensor<64x64xi32>
  %e = tensor.empty() : tensor<64x64xi8>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
  %1 = npu.requantize %0 -> %e {scale = 0.5 : f32, lo = -128, hi = 127} : tensor<64x64xi32> -> tensor<64x64xi8>
  npu.return %1 : tensor<64x64xi8>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected a stage that reads part by part what 'matmul' ends with, found none}}
npu.kernel @unread(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, load @matmul.rhs, @matmul -> acc end m}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected a contraction that ends with parts of 'd0', found stage 'vector'}}
npu.kernel @vector(%x: tensor<16x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @vector.arg0, @vector -> sram end d0}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %0 = npu.unary exp %x -> %e : tensor<16x24xf32> -> tensor<16x24xf32>
  npu.return %0 : tensor<16x24xf32>
}

// -----

// In the last iteration it does nothing.
// expected-error@below {{'npu.kernel' op schedule: expected no parts of the last tile of stage 's1', which is skewed}}
npu.kernel @skewed(%A: tensor<16x32xf16>, %B: tensor<32x24xf16>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s1.rhs, for m = 4 {load @s0.arg0, @s0 -> sram x2, @s1 -> acc x2 skew 1 end m}}>} {
  %e = tensor.empty() : tensor<16x32xf16>
  %c = tensor.empty() : tensor<16x24xf32>
  %0 = npu.unary neg %A -> %e {stage = "s0"} : tensor<16x32xf16> -> tensor<16x32xf16>
  %1 = npu.matmul %0, %B -> %c {stage = "s1"} : tensor<16x32xf16>, tensor<32x24xf16> -> tensor<16x24xf32>
  npu.return %1 : tensor<16x24xf32>
}

// -----

// Tiles of 16 and 8 rows, the parts of 12 would be 12, 4 and 8.
// expected-error@below {{'npu.kernel' op schedule: expected a loop over 'm' inside of another one to divide its tiles of 16, on one cluster, found tiles of 12 on 1}}
npu.kernel @uneven(%A: tensor<24x64xi8>, %B: tensor<64x64xi8>) -> tensor<24x64xi8>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.rhs, for m = 16 {load @matmul.lhs x2, @matmul -> acc x2 end m, for m = 12 {@tail -> sram x2}}}>} {
  %c = tensor.empty() : tensor<24x64xi32>
  %e = tensor.empty() : tensor<24x64xi8>
  %0 = npu.matmul %A, %B -> %c : tensor<24x64xi8>, tensor<64x64xi8> -> tensor<24x64xi32>
  %1 = npu.requantize %0 -> %e {scale = 0.5 : f32, lo = -128, hi = 127} : tensor<24x64xi32> -> tensor<24x64xi8>
  npu.return %1 : tensor<24x64xi8>
}

// -----

// matmul_c9
npu.kernel @on_tensors(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<64x64xf32>
  // expected-error@below {{'npu.matmul' op expected 'packed' with 'end', which is of tile form; on tensors a schedule says how a stage ends}}
  %0 = npu.matmul %A, %B -> %c {end = "m"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// matmul_c9
func.func @panels(%a: memref<16x8xf16, #npu.space<sram>>, %b: memref<1x8x32xf16, #npu.space<sram>>, %c: memref<16x32xf32, #npu.space<acc>>) {
  // expected-error@below {{'npu.matmul' op expected 'end' along a dimension of the result that the panels do not have, but found 'n'}}
  npu.matmul %a, %b -> %c {end = "n", packed} : memref<16x8xf16, #npu.space<sram>>, memref<1x8x32xf16, #npu.space<sram>> -> memref<16x32xf32, #npu.space<acc>>
  return
}

// -----

// conv_c10
func.func @channels(%i: memref<4x4x8xf16, #npu.space<sram>>, %f: memref<1x3x3x8x32xf16, #npu.space<sram>>, %o: memref<2x2x32xf32, #npu.space<acc>>) {
  // expected-error@below {{'npu.conv' op expected 'end' along a dimension of the result that the panels do not have, but found 'c'}}
  npu.conv %i, %f -> %o {end = "c", layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed} : memref<4x4x8xf16, #npu.space<sram>>, memref<1x3x3x8x32xf16, #npu.space<sram>> -> memref<2x2x32xf32, #npu.space<acc>>
  return
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected no parts of 'h' at the end of stage 'conv', a depthwise convolution, whose tiles are done as a whole}}
npu.kernel @depthwise(%x: tensor<1x10x10x32xf16>, %w: tensor<3x3x32xf16>) -> tensor<1x8x8x32xf16>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @conv.filter, for g = 32 {for h = 8 {value @conv -> acc, load @conv.input, @conv end h, for h = 4 {@tail -> sram x2}}}}>} {
  %c = tensor.empty() : tensor<1x8x8x32xf32>
  %e = tensor.empty() : tensor<1x8x8x32xf16>
  %0 = npu.conv %x, %w -> %c {layout_input = #npu.layout<nhwg>, layout_filter = #npu.layout<yxg>, layout_output = #npu.layout<nhwg>} : tensor<1x10x10x32xf16>, tensor<3x3x32xf16> -> tensor<1x8x8x32xf32>
  %1 = npu.cast truncf %0 -> %e : tensor<1x8x8x32xf32> -> tensor<1x8x8x32xf16>
  npu.return %1 : tensor<1x8x8x32xf16>
}
