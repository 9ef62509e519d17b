// Schedules that cannot be.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles))' -split-input-file -verify-diagnostics

// expected-error @below {{'npu.kernel' op schedule: expected a dimension of the kernel, found 'q'}}
// expected-note @below {{it has m, s0.n, k, s2.n}}
npu.kernel @dim(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for q = 4 {@s0 -> acc}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected a loop over 'm' inside of another one to divide its tiles of 4, on one cluster, found tiles of 3 on 1}}
npu.kernel @twice(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for s0.m = 4 {for s1.d0 = 3 {@s0 -> acc}}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected a stage of the kernel, found 's9' in load @s9.lhs}}
npu.kernel @load_stage(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s9.lhs}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected an operand of stage 's0', found 'bias'}}
// expected-note @below {{it has lhs, rhs}}
npu.kernel @load_operand(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.bias}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected one load of 's0.lhs', found two}}
npu.kernel @load_twice(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.lhs}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected a stage of the kernel, found 's9'}}
npu.kernel @value_stage(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @s9 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected one place for the values of stage 's0', found two}}
npu.kernel @value_twice(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @s0 -> acc, value @s0 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected a stage of the kernel, found 's9'}}
// expected-note @below {{it has s0, s1, s2}}
npu.kernel @leaf_stage(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s9 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected stage 's0' once, found twice}}
npu.kernel @leaf_twice(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{@s0 -> acc, @s0}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected one place for the values of stage 's0', found two}}
npu.kernel @place_twice(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @s0 -> acc, @s0 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected stage 's2', which it does not have}}
npu.kernel @missing(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, @s0 -> acc, @s1 -> sram}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected a place for the values of stage 's0', as in @s0 -> acc}}
npu.kernel @no_place(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, @s0, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: stage 's2' is inside a loop over 'k', which it does not have; it would compute the same again}}
npu.kernel @foreign_loop(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, @s0 -> acc, @s1 -> sram, for s0.k = 4 {@s2 -> acc}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected the values of stage 's0' to have their place before it, in a loop around it or none}}
npu.kernel @home_after(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, @s0, value @s0 -> acc, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected the values of stage 's0' in acc, found sram}}
npu.kernel @space(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, @s0 -> sram, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected the values of stage 's0' outside of the loop over 'k', along which it adds them up}}
npu.kernel @sum(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, for s0.k = 4 {@s0 -> acc}, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected the load of 's0.rhs' before its stage, in a loop around it or none}}
npu.kernel @load_after(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s2.rhs, @s0 -> acc, load @s0.rhs, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected a load of 's0.rhs', which lies in DRAM}}
npu.kernel @no_load(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, @s0 -> acc, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected stage 's0' before 's1.s0', which reads its result}}
npu.kernel @order(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, @s1 -> sram, @s0 -> acc, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: 's0.rhs' is outside of the loop over 's0.n' in steps of 5, expected a multiple of the array's 32 columns}}
npu.kernel @panels(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, value @s0 -> acc, for s0.n = 5 {@s0}, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected the values of stage 's0' in a loop around stage 's1', which reads them, or a load of 's1.s0'}}
npu.kernel @not_here(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, for s0.m = 4 {@s0 -> acc}, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected the skewed stage 's2' in a loop}}
npu.kernel @skew_root(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, @s0 -> acc, @s1 -> sram, @s2 -> acc skew 1}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected at least two buffers for 's1.s0', which the skewed stage reads one iteration later}}
npu.kernel @skew_depth(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, value @s1 -> sram, for s0.m = 4 {@s0 -> acc, @s1 skew 1}, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected tiles that divide dimension 'm' of the skewed stage 's1', or a dimension of it without a loop}}
npu.kernel @skew_ragged(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s2.rhs, value @s1 -> sram, for s0.n = 8 {load @s0.rhs, for s0.m = 5 {@s0 -> acc x2, @s1 skew 1}}, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: 's2.lhs' needs what the skewed stage 's1' makes an iteration later; skew it, too, or read it after the loop}}
npu.kernel @skew_reader(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, for s0.m = 4 {@s0 -> acc x2, @s1 -> sram x2 skew 1, @s2 -> acc}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: 's0.lhs' is outside of the loop over 'm', of which each cluster has its own part}}
npu.kernel @clusters(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, for s0.m = 4 clusters 2 {@s0 -> acc, @s1 -> sram, @s2 -> acc}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected the values of stage 's1' in a loop around stage 's2', which reads them, or a load of 's2.lhs'}}
npu.kernel @cluster_count(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{load @s2.rhs, for s0.m = 4 clusters 2 {load @s0.lhs, load @s0.rhs, @s0 -> acc, @s1 -> sram}, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: needs 4608 bytes of SRAM, target 'npu-v1:sramBytes=2048' has 2048; choose smaller tiles or depths; remove the attribute to have it chosen}}
// expected-note @below {{s0.lhs: 16x8 elements of 4 bytes, 1 times}}
// expected-note @below {{s0.rhs: 1x8x32 elements of 4 bytes, 1 times}}
// expected-note @below {{s2.rhs: 1x24x32 elements of 4 bytes, 1 times}}
// expected-note @below {{s1: 16x24 elements of 4 bytes, 1 times}}
npu.kernel @too_large(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1:sramBytes=2048">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, @s0 -> acc, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: 's.rhs' needs more of stage 'v' than an iteration of the loop over 'm' makes; close the loop between them}}
npu.kernel @incomplete(%A: tensor<16x8xf32>) -> tensor<16x16xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for s.m = 4 {load @v.arg0, @v -> sram, load @s.rhs, @s -> acc}}>} {
  %e = tensor.empty() : tensor<16x8xf32>
  %f = tensor.empty() : tensor<16x16xf32>
  %0 = npu.binary max %A -> %e {imm = 0.0 : f32, stage = "v"} : tensor<16x8xf32> -> tensor<16x8xf32>
  %1 = npu.matmul %0, %0 -> %f {layout_b = #npu.layout<nk>, stage = "s"} : tensor<16x8xf32>, tensor<16x8xf32> -> tensor<16x16xf32>
  npu.return %1 : tensor<16x16xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: 's2.lhs' needs what the skewed stage 's1' makes an iteration later; skew it, too, or read it after the loop}}
npu.kernel @split_skew(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{load @s2.rhs, load @s0.rhs, for m = 4 clusters 2 {load @s0.lhs, @s0 -> acc x2, @s1 -> sram skew 1, @s2 -> acc}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: 's2.rhs' is outside of the loop over 's0.n', of which each cluster has its own part}}
npu.kernel @split_result(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{load @s0.lhs, load @s2.rhs, value @s2 -> acc, for s0.n = 8 clusters 2 {load @s0.rhs, @s0 -> acc, @s1 -> sram, @s2}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected splits over at most 4 clusters of target 'npu-v1-x4' around stage 's0', found 8}}
npu.kernel @split_many(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{load @s2.rhs, load @s0.rhs, for m = 1 clusters 8 {load @s0.lhs, @s0 -> acc, @s1 -> sram, @s2 -> acc}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: 's0' is outside of the loop over 'm', of which each cluster has its own part}}
npu.kernel @split_twice(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{load @s2.rhs, load @s0.rhs, value @s0 -> acc, value @s1 -> sram, for m = 4 clusters 2 {load @s0.lhs, for s0.n = 24 clusters 2 {@s0}, @s1, @s2 -> acc}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: stage 's2' reads what other clusters compute, and buffers on chip connect it with stage 's1'}}
npu.kernel @split_apart(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{load @s2.rhs, load @s0.rhs, for m = 4 clusters 2 {load @s0.lhs, @s0 -> acc, @s1 -> sram}, for m = 4 clusters 2 {load @s2.lhs, @s2 -> acc}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected stages that buffers on chip connect on as many clusters, found 1 and 2}}
npu.kernel @split_counts(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{load @s2.rhs, load @s0.rhs, for m = 4 clusters 2 {load @s0.lhs, @s0 -> acc, @s1 -> sram}, load @s2.lhs, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected no skew in a loop over parts of the tiles of 'm'; skew the stage in the outer one}}
npu.kernel @skew_parts(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, load @s2.rhs, value @s1 -> sram, for s0.m = 8 {for s0.m = 4 {@s0 -> acc x2, @s1 skew 1}}, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected no skew of stage 's2' in the loop over 's0.n', along which it adds to a bias; add the bias behind the contraction}}
npu.kernel @skew_bias(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>, %bias: tensor<10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s2.bias, value @s2 -> acc, for s0.n = 8 {load @s0.rhs x2, load @s2.rhs x2, @s0 -> acc x2, @s1 -> sram x2, @s2 skew 1}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C bias(%bias : tensor<10xf32>) -> %f {stage = "s2"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}

// -----

// A loop of one iteration is inside of one that has eight.
// expected-error @below {{'npu.kernel' op schedule: expected a loop over 'm' inside of another one to divide its tiles of 12, on one cluster, found tiles of 8 on 1}}
npu.kernel @once_inside(%A: tensor<96x32xi8>, %B: tensor<32x32xi8>) -> tensor<96x32xi32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.rhs, for m = 12 {load @matmul.lhs, value @matmul -> acc, for m = 12 {for m = 8 {@matmul}}}}>} {
  %e = tensor.empty() : tensor<96x32xi32>
  %0 = npu.matmul %A, %B -> %e : tensor<96x32xi8>, tensor<32x32xi8> -> tensor<96x32xi32>
  npu.return %0 : tensor<96x32xi32>
}

// -----

// A load of 16 columns takes a panel of 32, half of which the next iteration of n = 32 makes.
// expected-error @below {{'npu.kernel' op schedule: 's1.rhs' needs more of stage 's0' than an iteration of the loop over 'n' makes; close the loop between them}}
npu.kernel @parts_of_panels(%A: tensor<64x96xf32>, %B: tensor<96x64xf32>, %C: tensor<1x64xf32>) -> tensor<1x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, for n = 32 {load @s0.rhs, @s0 -> acc, load @s1.lhs, for n = 16 {load @s1.rhs, @s1 -> acc x2}}}>} {
  %e = tensor.empty() : tensor<64x64xf32>
  %f = tensor.empty() : tensor<1x64xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<64x96xf32>, tensor<96x64xf32> -> tensor<64x64xf32>
  %1 = npu.matmul %C, %0 -> %f {stage = "s1"} : tensor<1x64xf32>, tensor<64x64xf32> -> tensor<1x64xf32>
  npu.return %1 : tensor<1x64xf32>
}

// -----

// In the second iteration, of the skewed stage, a reduction would add nothing to a buffer that nothing has written.
// expected-error @below {{'npu.kernel' op schedule: expected no skew of stage 's2' in the loop over 'm', in which the vector unit reduces 's1' along it; close the loop between them}}
npu.kernel @beside_reduction(%A: tensor<128x32xf32>, %B: tensor<32x64xf32>) -> tensor<128x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for m = 128 {load @s0.lhs x2, load @s0.rhs x2, value @s0 -> acc x2, @s0, @s1 -> sram x2, @s2 -> sram skew 1}}>} {
  %e = tensor.empty() : tensor<128x64xf32>
  %r = tensor.empty() : tensor<64xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<128x32xf32>, tensor<32x64xf32> -> tensor<128x64xf32>
  %1 = npu.reduce max %0 -> %r {stage = "s1", indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]} : tensor<128x64xf32> -> tensor<64xf32>
  %2 = npu.binary sub %0, %1 -> %e {stage = "s2", indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]} : tensor<128x64xf32>, tensor<64xf32> -> tensor<128x64xf32>
  npu.return %2 : tensor<128x64xf32>
}
