// Kernels that have no stages, and stages that ops name and cannot have.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles))' -split-input-file -verify-diagnostics

// expected-error@below {{'npu.kernel' op expected a 'target' attribute, as in target = #npu.target<"npu-v1">}}
npu.kernel @no_target(%A: tensor<16xf32>) -> tensor<16xf32> attributes {schedule = #npu.schedule<{@s0 -> sram}>} {
  %e = tensor.empty() : tensor<16xf32>
  %0 = npu.unary neg %A -> %e : tensor<16xf32> -> tensor<16xf32>
  npu.return %0 : tensor<16xf32>
}

// -----

// expected-error@below {{'npu.kernel' op expected a schedule; run npu-choose-tiles first or write one}}
npu.kernel @no_schedule(%A: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<16xf32>
  %0 = npu.unary neg %A -> %e : tensor<16xf32> -> tensor<16xf32>
  npu.return %0 : tensor<16xf32>
}

// -----

// expected-error@below {{'npu.kernel' op expected one block but found control flow}}
npu.kernel @blocks(%A: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> sram}>} {
  cf.br ^next
^next:
  npu.return %A : tensor<16xf32>
}

// -----

npu.kernel @other_op(%A: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> sram}>} {
  // expected-error@below {{'math.exp' op is not part of the tensor form, which has npu compute ops on tensors, slices of arguments, tensor.empty, arith.constant and npu.return only}}
  %0 = math.exp %A : tensor<16xf32>
  npu.return %0 : tensor<16xf32>
}

// -----

npu.kernel @no_stage(%A: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> sram}>} {
  %e = tensor.empty() : tensor<16xf32>
  %0 = npu.unary neg %A -> %e {stage = "s0"} : tensor<16xf32> -> tensor<16xf32>
  // expected-error@below {{'npu.unary' op expected a 'stage', as other ops of the kernel have one}}
  %1 = npu.unary neg %0 -> %e : tensor<16xf32> -> tensor<16xf32>
  npu.return %1 : tensor<16xf32>
}

// -----

npu.kernel @dotted_stage(%A: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> sram}>} {
  %e = tensor.empty() : tensor<16xf32>
  // expected-error@below {{'npu.unary' op expected the name of a stage, without a dot, but found "s.0"}}
  %0 = npu.unary neg %A -> %e {stage = "s.0"} : tensor<16xf32> -> tensor<16xf32>
  npu.return %0 : tensor<16xf32>
}

// -----

npu.kernel @crowded_stage(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>) -> tensor<16x24xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> sram}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  // expected-error@below {{'npu.matmul' op expected a stage of its own, found "s0" of 2 ops}}
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.unary neg %0 -> %e {stage = "s0"} : tensor<16x24xf32> -> tensor<16x24xf32>
  npu.return %1 : tensor<16x24xf32>
}

// -----

npu.kernel @transposed_in_stage(%A: tensor<16x16xf32>) -> tensor<16x16xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.arg0, @s0 -> sram}>} {
  %e = tensor.empty() : tensor<16x16xf32>
  %0 = npu.unary neg %A -> %e {stage = "s0"} : tensor<16x16xf32> -> tensor<16x16xf32>
  // expected-error@below {{'npu.binary' op reads a value of its stage "s0" in another order, which takes a stage of its own}}
  %1 = npu.binary add %0, %0 -> %e {stage = "s0", indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>]} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  npu.return %1 : tensor<16x16xf32>
}

// -----

npu.kernel @two_domains(%A: tensor<16xf32>, %B: tensor<24xf32>) -> (tensor<16xf32>, tensor<24xf32>) attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> sram}>} {
  %e = tensor.empty() : tensor<16xf32>
  %f = tensor.empty() : tensor<24xf32>
  // expected-error@below {{'npu.unary' op has a loop that the largest op of its stage "s0" does not have, which takes a stage of its own}}
  %0 = npu.unary neg %A -> %e {stage = "s0"} : tensor<16xf32> -> tensor<16xf32>
  // expected-note@below {{the largest op is here}}
  %1 = npu.unary neg %B -> %f {stage = "s0"} : tensor<24xf32> -> tensor<24xf32>
  npu.return %0, %1 : tensor<16xf32>, tensor<24xf32>
}

// -----

npu.kernel @circle(%A: tensor<16xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> sram}>} {
  %e = tensor.empty() : tensor<16xf32>
  %0 = npu.unary neg %A -> %e {stage = "s0"} : tensor<16xf32> -> tensor<16xf32>
  %1 = npu.unary neg %0 -> %e {stage = "s1"} : tensor<16xf32> -> tensor<16xf32>
  // expected-error@below {{'npu.binary' op is in stage "s0", which needs its own results through other stages; split it}}
  %2 = npu.binary add %0, %1 -> %e {stage = "s0"} : tensor<16xf32>, tensor<16xf32> -> tensor<16xf32>
  npu.return %2 : tensor<16xf32>
}

// -----

// The rows lie in DRAM when the kernel starts.
npu.kernel @gather_of_computed(%t: tensor<9x4xf32>, %i: tensor<3xi32>) -> tensor<3x4xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> sram}>} {
  %e = tensor.empty() : tensor<9x4xf32>
  %o = tensor.empty() : tensor<3x4xf32>
  %0 = npu.unary neg %t -> %e : tensor<9x4xf32> -> tensor<9x4xf32>
  // expected-error@below {{gather without npu equivalent (operand 0 of npu.gather is computed, or a slice), expected one coordinate that an i32 gives, or several of a tensor that nothing else reads, plain loops for the others, of an argument or a constant; run this dispatch on the host}}
  %1 = npu.gather %0[%i] -> %o {dimension = 0, indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]}
      : tensor<9x4xf32>, tensor<3xi32> -> tensor<3x4xf32>
  npu.return %1 : tensor<3x4xf32>
}

// -----

npu.kernel @gather_of_slice(%t: tensor<10x4xf32>, %i: tensor<3xi32>) -> tensor<3x4xf32> attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> sram}>} {
  %s = tensor.extract_slice %t[1, 0] [9, 4] [1, 1] : tensor<10x4xf32> to tensor<9x4xf32>
  %o = tensor.empty() : tensor<3x4xf32>
  // expected-error@below {{gather without npu equivalent (operand 0 of npu.gather is computed, or a slice), expected one coordinate that an i32 gives, or several of a tensor that nothing else reads, plain loops for the others, of an argument or a constant; run this dispatch on the host}}
  %0 = npu.gather %s[%i] -> %o {dimension = 0, indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]}
      : tensor<9x4xf32>, tensor<3xi32> -> tensor<3x4xf32>
  npu.return %0 : tensor<3x4xf32>
}
