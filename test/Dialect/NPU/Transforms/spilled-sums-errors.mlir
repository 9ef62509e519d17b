// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles))' --split-input-file --verify-diagnostics

// Values in SRAM alone: what the array writes is in the accumulator.
// expected-error @below {{'npu.kernel' op schedule: expected the values of stage 'matmul' in acc, found sram; or a place for its products as well, as in @matmul -> acc}}
npu.kernel @no_products(%A: tensor<16x64xf32>, %B: tensor<64x32xf32>) -> tensor<16x32xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @matmul -> sram, for k = 32 {load @matmul.lhs x2, load @matmul.rhs x2, @matmul}}>} {
  %e = tensor.empty() : tensor<16x32xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<16x64xf32>, tensor<64x32xf32> -> tensor<16x32xf32>
  npu.return %0 : tensor<16x32xf32>
}

// -----

// Two places in the accumulator.
// expected-error @below {{'npu.kernel' op schedule: expected one place for the values of stage 'matmul', found two}}
npu.kernel @both_in_acc(%A: tensor<16x64xf32>, %B: tensor<64x32xf32>) -> tensor<16x32xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @matmul -> acc, for k = 32 {load @matmul.lhs x2, load @matmul.rhs x2, @matmul -> acc}}>} {
  %e = tensor.empty() : tensor<16x32xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<16x64xf32>, tensor<64x32xf32> -> tensor<16x32xf32>
  npu.return %0 : tensor<16x32xf32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected the values of stage 'matmul' outside of the loop over 'k', along which it adds them up}}
npu.kernel @inside(%A: tensor<16x64xf32>, %B: tensor<64x32xf32>) -> tensor<16x32xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for k = 32 {value @matmul -> sram, load @matmul.lhs x2, load @matmul.rhs x2, @matmul -> acc}}>} {
  %e = tensor.empty() : tensor<16x32xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<16x64xf32>, tensor<64x32xf32> -> tensor<16x32xf32>
  npu.return %0 : tensor<16x32xf32>
}

// -----

// A bias would be added once for each part of the sums.
// expected-error @below {{'npu.kernel' op schedule: expected the values of stage 'matmul' in acc, as its sums start from an operand, found them in sram; add that operand behind the contraction}}
npu.kernel @start(%A: tensor<16x64xi8>, %B: tensor<64x32xi8>, %bias: tensor<32xi32>) -> tensor<16x32xi32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @matmul.bias, value @matmul -> sram, for k = 32 {load @matmul.lhs x2, load @matmul.rhs x2, @matmul -> acc}}>} {
  %e = tensor.empty() : tensor<16x32xi32>
  %0 = npu.matmul %A, %B bias(%bias : tensor<32xi32>) -> %e : tensor<16x64xi8>, tensor<64x32xi8> -> tensor<16x32xi32>
  npu.return %0 : tensor<16x32xi32>
}

// -----

// expected-error @below {{'npu.kernel' op schedule: expected no skew, begin or end of stage 'matmul', whose products are added to values in sram}}
npu.kernel @begin(%A: tensor<16x64xf32>, %B: tensor<64x32xf32>) -> tensor<16x32xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @matmul -> sram, for k = 32 {load @matmul.lhs x2, load @matmul.rhs x2, @matmul -> acc begin k = 16}}>} {
  %e = tensor.empty() : tensor<16x32xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<16x64xf32>, tensor<64x32xf32> -> tensor<16x32xf32>
  npu.return %0 : tensor<16x32xf32>
}

// -----

// Both count.
// expected-error @below {{'npu.kernel' op schedule: needs 524288 bytes of accumulator memory, target 'npu-v1' has 262144; choose smaller tiles or depths; remove the attribute to have it chosen}}
// expected-note @below {{products of matmul: 256x256 elements of 4 bytes, 2 times}}
npu.kernel @too_large(%A: tensor<256x64xf32>, %B: tensor<64x256xf32>) -> tensor<256x256xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @matmul -> sram, for k = 32 {load @matmul.lhs x2, load @matmul.rhs x2, @matmul -> acc x2}}>} {
  %e = tensor.empty() : tensor<256x256xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<256x64xf32>, tensor<64x256xf32> -> tensor<256x256xf32>
  npu.return %0 : tensor<256x256xf32>
}
