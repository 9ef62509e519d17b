// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles))' -split-input-file -verify-diagnostics

#schedule = #npu.schedule<{strips 0 = 2 {load @matmul.lhs, load @matmul.rhs, @matmul -> acc}}>

// A strip of the batch is one of all operands, and rows of one of them alone.
npu.kernel @batches(%a: tensor<4x16x8xf32>, %b: tensor<8x24xf32>) -> tensor<4x16x24xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{strips 0 = 2 {load @matmul.rhs, for b = 1 {load @matmul.lhs, @matmul -> acc}}}>} {
  %e = tensor.empty() : tensor<4x16x24xf32>
  %0 = npu.matmul %a, %b -> %e {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<kn>, layout_c = #npu.layout<bmn>} : tensor<4x16x8xf32>, tensor<8x24xf32> -> tensor<4x16x24xf32>
  npu.return %0 : tensor<4x16x24xf32>
}

// expected-error@below {{'npu.kernel' op expected a schedule for each kind of strip, of which there are 2, but found 1}}
npu.kernel @uneven(%a: tensor<5x8xf32>, %b: tensor<8x24xf32>) -> tensor<5x24xf32> attributes {target = #npu.target<"npu-v1">, schedule = #schedule} {
  %e = tensor.empty() : tensor<5x24xf32>
  %0 = npu.matmul %a, %b -> %e : tensor<5x8xf32>, tensor<8x24xf32> -> tensor<5x24xf32>
  npu.return %0 : tensor<5x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op expected results whose dimension 2 can be cut into strips, each made from a part of every operand; give it a schedule without 'strips'}}
npu.kernel @no_such_dimension(%a: tensor<4x8xf32>, %b: tensor<8x24xf32>) -> tensor<4x24xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{strips 2 = 2 {load @matmul.lhs, load @matmul.rhs, @matmul -> acc}}>} {
  %e = tensor.empty() : tensor<4x24xf32>
  %0 = npu.matmul %a, %b -> %e : tensor<4x8xf32>, tensor<8x24xf32> -> tensor<4x24xf32>
  npu.return %0 : tensor<4x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op expected strips of at most 4 indices of dimension 0, found 5}}
npu.kernel @larger_than_the_whole(%a: tensor<4x8xf32>, %b: tensor<8x24xf32>) -> tensor<4x24xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{strips 0 = 5 {load @matmul.lhs, load @matmul.rhs, @matmul -> acc}}>} {
  %e = tensor.empty() : tensor<4x24xf32>
  %0 = npu.matmul %a, %b -> %e : tensor<4x8xf32>, tensor<8x24xf32> -> tensor<4x24xf32>
  npu.return %0 : tensor<4x24xf32>
}

// -----

// Positions are not those of the strip.
// expected-error@below {{'npu.kernel' op expected results whose dimension 0 can be cut into strips}}
npu.kernel @positions(%a: tensor<4x8xi32>) -> tensor<4x8xi32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{strips 0 = 2 {load @vector.arg0, @vector -> sram}}>} {
  %e = tensor.empty() : tensor<4x8xi32>
  %0 = npu.iota -> %e {steps = array<i64: 1, 0>, start = 0} : tensor<4x8xi32>
  %1 = npu.binary add %a, %0 -> %e : tensor<4x8xi32>, tensor<4x8xi32> -> tensor<4x8xi32>
  npu.return %1 : tensor<4x8xi32>
}

// -----

// What is between the stages is needed in two parts, and also given back.
// expected-error@below {{'npu.kernel' op expected results whose dimension 0 can be cut into strips}}
npu.kernel @two_parts(%x: tensor<8x8x4xf32>, %v: tensor<3x3x4xf32>) -> (tensor<8x8x4xf32>, tensor<8x8x4xf32>) attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{strips 0 = 2 {load @vector.arg0, @vector -> sram}}>} {
  %e = tensor.empty() : tensor<8x8x4xf32>
  %0 = npu.unary neg %x -> %e : tensor<8x8x4xf32> -> tensor<8x8x4xf32>
  %1 = npu.conv %0, %v -> %e {layout_input = #npu.layout<hwg>, layout_filter = #npu.layout<yxg>, layout_output = #npu.layout<hwg>, pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>} : tensor<8x8x4xf32>, tensor<3x3x4xf32> -> tensor<8x8x4xf32>
  npu.return %0, %1 : tensor<8x8x4xf32>, tensor<8x8x4xf32>
}

// -----

// The schedule of a strip is checked as any other.
// expected-error@below {{'npu.kernel' op schedule: expected an operand of stage 'matmul', found 'bias'}}
// expected-note@below {{it has lhs, rhs}}
npu.kernel @wrong_schedule(%a: tensor<4x8xf32>, %b: tensor<8x24xf32>) -> tensor<4x24xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{strips 0 = 2 {load @matmul.bias, load @matmul.rhs, @matmul -> acc}}>} {
  %e = tensor.empty() : tensor<4x24xf32>
  %0 = npu.matmul %a, %b -> %e : tensor<4x8xf32>, tensor<8x24xf32> -> tensor<4x24xf32>
  npu.return %0 : tensor<4x24xf32>
}

// -----

// Strips of one result are none of the other.
// expected-error@below {{'npu.kernel' op expected results whose dimension 0 can be cut into strips}}
npu.kernel @two_extents(%x: tensor<4x8xf32>, %y: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>) attributes {target = #npu.target<"npu-v1">,
    schedule = #npu.schedule<{strips 0 = 2 {load @a.arg0, @a -> sram, load @b.arg1, @b -> sram}}>} {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<8x8xf32>
  %0 = npu.unary neg %x -> %e {stage = "a"} : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = npu.unary neg %y -> %f {stage = "b"} : tensor<8x8xf32> -> tensor<8x8xf32>
  npu.return %0, %1 : tensor<4x8xf32>, tensor<8x8xf32>
}
