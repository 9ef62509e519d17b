// RUN: npu-opt %s --npu-check-target -split-input-file -verify-diagnostics

npu.kernel @f16(%a: tensor<4x16xf16>, %b: tensor<16x8xf16>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {target = #npu.target<"npu-tiny">} {
  // expected-error @+1 {{not supported by target 'npu-tiny': f16 matmul (the array has no f16 rate)}}
  %0 = npu.matmul %a, %b -> %c : tensor<4x16xf16>, tensor<16x8xf16> -> tensor<4x8xf32>
  // expected-error @+1 {{not supported by target 'npu-tiny': f32 max (the vector unit has no float operations)}}
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
  // expected-error @+1 {{not supported by target 'npu-v1:macsPerCycleI16I8=0': i16 x i8 matmul (the array has no i16 x i8 rate)}}
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

// expected-error @below {{argument 0 is 'tensor<9223372036854775807xf32>', larger than a program can address; split the dispatch}}
npu.kernel @huge(%a: tensor<9223372036854775807xf32>) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}
