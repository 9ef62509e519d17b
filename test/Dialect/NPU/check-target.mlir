// RUN: npu-opt %s --npu-check-target -split-input-file -verify-diagnostics

npu.kernel @f16(%a: tensor<4x16xf16>, %b: tensor<16x8xf16>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {target = #npu.target<"npu-tiny">} {
  // expected-error @+1 {{operand types that the target's array does not multiply (f16 matmul), expected i8, i16 x i8 on target 'npu-tiny'; run this dispatch on the host}}
  %0 = npu.matmul %a, %b -> %c : tensor<4x16xf16>, tensor<16x8xf16> -> tensor<4x8xf32>
  // expected-error @+1 {{float op on a target whose vector unit has no float operations (f32 max), expected integer ops on target 'npu-tiny'; run this dispatch on the host}}
  %1 = npu.binary max %0 -> %c {imm = 0.0 : f32} : tensor<4x8xf32> -> tensor<4x8xf32>
  npu.return %1 : tensor<4x8xf32>
}

// -----

// The other targets have all of it.
npu.kernel @f16(%a: tensor<4x16xf16>, %b: tensor<16x8xf16>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {target = #npu.target<"npu-v1">} {
  %0 = npu.matmul %a, %b -> %c : tensor<4x16xf16>, tensor<16x8xf16> -> tensor<4x8xf32>
  %1 = npu.binary max %0 -> %c {imm = 0.0 : f32} : tensor<4x8xf32> -> tensor<4x8xf32>
  npu.return %1 : tensor<4x8xf32>
}

// -----

// Integers and requantization run on a chip without floats.
npu.kernel @requantize(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>, %c: tensor<4x8xi32>, %s: tensor<4x8xf32>, %o: tensor<4x8xi8>) -> tensor<4x8xi8> attributes {target = #npu.target<"npu-tiny">} {
  %0 = npu.matmul %a, %b -> %c : tensor<4x16xi8>, tensor<16x8xi8> -> tensor<4x8xi32>
  %1 = npu.requantize %0 scales(%s) -> %o {lo = -128, hi = 127} : tensor<4x8xi32>, tensor<4x8xf32> -> tensor<4x8xi8>
  npu.return %1 : tensor<4x8xi8>
}

// -----

// Rates are parameters: an override takes a type away.
npu.kernel @override(%a: tensor<4x16xi16>, %b: tensor<16x8xi8>, %c: tensor<4x8xi32>) -> tensor<4x8xi32> attributes {target = #npu.target<"npu-v1:macsPerCycleI16I8=0">} {
  // expected-error @+1 {{operand types that the target's array does not multiply (i16 x i8 matmul), expected i8, f16, bf16, f32 on target 'npu-v1:macsPerCycleI16I8=0'; run this dispatch on the host}}
  %0 = npu.matmul %a, %b -> %c : tensor<4x16xi16>, tensor<16x8xi8> -> tensor<4x8xi32>
  npu.return %0 : tensor<4x8xi32>
}

// -----

// expected-error @+1 {{expected a target but found none; run convert-func-to-kernel or add the attribute 'target'}}
npu.kernel @none() {
  npu.return
}

// -----

// expected-error @+1 {{npu-v9}}
npu.kernel @unknown() attributes {target = #npu.target<"npu-v9">} {
  npu.return
}

// -----

// expected-error @below {{tensor larger than a program can address (tensor<9223372036854775807xf32>, argument 0), expected 2^31 - 1 elements per dimension, 2^40 bytes; split the dispatch}}
npu.kernel @huge(%a: tensor<9223372036854775807xf32>) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}
