// Operands that cannot be kept while parts of them are loaded.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles))' -split-input-file -verify-diagnostics

// expected-error@below {{'npu.kernel' op schedule: expected an operand of stage 'matmul', found 'bias'}}
// expected-note@below {{it has lhs, rhs}}
npu.kernel @operand(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{keep @matmul.bias, load @matmul.lhs, load @matmul.rhs, @matmul -> acc}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected one place for 'matmul.rhs', found two}}
npu.kernel @twice(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{keep @matmul.rhs, keep @matmul.rhs, load @matmul.lhs, load @matmul.rhs, @matmul -> acc}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected a load of 'matmul.rhs', which is to be kept}}
npu.kernel @no_load(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{keep @matmul.rhs, load @matmul.lhs, @matmul -> acc}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected the place of 'matmul.rhs', which is kept, before its load, in a loop around it or none}}
npu.kernel @behind(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, for m = 32 {for n = 32 {load @matmul.rhs, @matmul -> acc}, keep @matmul.rhs}}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected the place of 'matmul.rhs', which is kept, before its load, in a loop around it or none}}
npu.kernel @elsewhere(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, value @matmul -> acc, load @matmul.rhs, for k = 32 {keep @matmul.rhs, @matmul}}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected one buffer for 'matmul.rhs', which is kept, found a ring of 2}}
npu.kernel @ring(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, keep @matmul.rhs, for m = 32 {for n = 32 {load @matmul.rhs x2, @matmul -> acc}}}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// Each cluster would load in its first iteration, and not the rows of the others.
// expected-error@below {{'npu.kernel' op schedule: expected no split over clusters around the load of 'matmul.lhs', which is kept, found that of 'm'}}
npu.kernel @split(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{keep @matmul.lhs, load @matmul.rhs, for m = 16 clusters 4 {for n = 32 {load @matmul.lhs, @matmul -> acc}}}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: 'matmul.rhs' is outside of the loop over 'n' in steps of 16, expected a multiple of the array's 32 columns}}
npu.kernel @panels(%A: tensor<64x64xf16>, %B: tensor<64x64xf16>) -> tensor<64x64xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.lhs, keep @matmul.rhs, for m = 32 {for n = 16 {load @matmul.rhs, @matmul -> acc}}}>} {
  %c = tensor.empty() : tensor<64x64xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

// Rows of windows are in two parts.
// expected-error@below {{'npu.kernel' op schedule: expected parts of 'conv.input', which is kept, that do not overlap, found windows that do along 'h'}}
npu.kernel @windows(%x: tensor<1x18x18x32xi8>, %w: tensor<3x3x32x64xi8>) -> tensor<1x16x16x64xi32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{keep @conv.input, for f = 32 {load @conv.filter, for h = 4 {load @conv.input, @conv -> acc}}}>} {
  %e = tensor.empty() : tensor<1x16x16x64xi32>
  %0 = npu.conv %x, %w -> %e : tensor<1x18x18x32xi8>, tensor<3x3x32x64xi8> -> tensor<1x16x16x64xi32>
  npu.return %0 : tensor<1x16x16x64xi32>
}
