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

// expected-error @below {{'npu.kernel' op schedule: expected the values of stage 'matmul' in acc, as it has a skew, a begin or an end, found them in sram; leave these away}}
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

// -----

// In the last tile of k there are 16 indices, one part of three.
// expected-error @below {{'npu.kernel' op schedule: expected no part of the sums of stage 'matmul' past their end, as its products are added to values in sram, found 16 indices of 'k' in the last of the tiles of 48, in parts of 16; choose tiles that divide its 64}}
npu.kernel @past_the_end(%A: tensor<16x64xi8>, %B: tensor<64x32xi8>) -> tensor<16x32xi32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @matmul -> sram, for k = 48 {load @matmul.lhs, load @matmul.rhs, for k = 16 {@matmul -> acc}}}>} {
  %e = tensor.empty() : tensor<16x32xi32>
  %0 = npu.matmul %A, %B -> %e : tensor<16x64xi8>, tensor<64x32xi8> -> tensor<16x32xi32>
  npu.return %0 : tensor<16x32xi32>
}

// -----

// The loop has an iteration more for @second, in which @first has nothing to multiply.
// expected-error @below {{'npu.kernel' op schedule: expected no skew of stage 'second' in the loop over 'k', in which products of stage 'first' are added to values in sram; close the loop between them}}
npu.kernel @beside_skew(%A: tensor<16x64xf32>, %B: tensor<64x32xf32>, %C: tensor<64x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>)
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @first -> sram, value @second -> acc,
        for first.k = 32 {load @neg.arg0 x2, @neg -> sram x2, load @first.rhs x2, @first -> acc x2, load @second.rhs x2, @second skew 1}}>} {
  %e = tensor.empty() : tensor<16x32xf32>
  %n = tensor.empty() : tensor<16x64xf32>
  %0 = npu.unary neg %A -> %n {stage = "neg"} : tensor<16x64xf32> -> tensor<16x64xf32>
  %1 = npu.matmul %0, %B -> %e {stage = "first"} : tensor<16x64xf32>, tensor<64x32xf32> -> tensor<16x32xf32>
  %2 = npu.matmul %0, %C -> %e {stage = "second"} : tensor<16x64xf32>, tensor<64x32xf32> -> tensor<16x32xf32>
  npu.return %1, %2 : tensor<16x32xf32>, tensor<16x32xf32>
}
