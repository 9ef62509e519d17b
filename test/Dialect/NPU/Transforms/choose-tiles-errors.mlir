// RUN: npu-opt %s --npu-choose-tiles -split-input-file -verify-diagnostics

npu.kernel @hand_tile_too_large(%A: tensor<512x64xi8>, %B: tensor<64x512xi8>) -> tensor<512x512xi32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<512x512xi32>
  // expected-error @below {{given tile that does not fit (1048576 bytes of accumulator memory for the tile m=512 n=512 k=1), expected at most 262144 bytes on target 'npu-v1'; give smaller tiles, or none to have them chosen}}
  // expected-note @below {{left operand: 512x1 elements of 1 bytes, 1 times 512 bytes of SRAM}}
  // expected-note @below {{right operand: 16x1x32 elements of 1 bytes, 1 times 512 bytes of SRAM}}
  // expected-note @below {{accumulator: 512x512 elements of 4 bytes, 1 times 1048576 bytes of accumulator memory}}
  %0 = npu.matmul %A, %B -> %c {tile_m = 512, tile_n = 512} : tensor<512x64xi8>, tensor<64x512xi8> -> tensor<512x512xi32>
  npu.return %0 : tensor<512x512xi32>
}

// -----

npu.kernel @given_tile_of_one_dimension(%A: tensor<64x64xi8>, %B: tensor<64x64xi8>) -> tensor<64x64xi32> attributes {target = #npu.target<"npu-v1:sramBytes=1024,macCols=512,macRows=2">} {
  %c = tensor.empty() : tensor<64x64xi32>
  // expected-error @below {{given tile that does not fit (2112 bytes of SRAM for the tile m=1 n=1 k=4), expected at most 1024 bytes on target 'npu-v1:sramBytes=1024,macCols=512,macRows=2'; give smaller tiles, or none to have them chosen}}
  // expected-note @below {{left operand: 1x4}}
  // expected-note @below {{right operand: 1x4x512 elements of 1 bytes, 1 times 2048 bytes of SRAM}}
  // expected-note @below {{accumulator: 1x1}}
  %0 = npu.matmul %A, %B -> %c {tile_k = 4} : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
  npu.return %0 : tensor<64x64xi32>
}

// -----

npu.kernel @nothing_fits(%A: tensor<64x64xf32>, %B: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {target = #npu.target<"npu-v1:sramBytes=1024,macCols=512,macRows=2">} {
  %c = tensor.empty() : tensor<64x64xf32>
  // expected-error @below {{tile that does not fit (2112 bytes of SRAM for the tile m=1 n=1 k=1), expected at most 1024 bytes on target 'npu-v1:sramBytes=1024,macCols=512,macRows=2'; run this dispatch on the host}}
  // expected-note @below {{left operand: 1x1}}
  // expected-note @below {{right operand: 1x1x512 elements of 4 bytes, 1 times 2048 bytes of SRAM}}
  // expected-note @below {{accumulator: 1x1}}
  %0 = npu.matmul %A, %B -> %c : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  npu.return %0 : tensor<64x64xf32>
}

// -----

npu.kernel @type(%A: tensor<8x8xf16>) -> tensor<8x8xf32> attributes {target = #npu.target<"npu-tiny">} {
  %c = tensor.empty() : tensor<8x8xf32>
  // expected-error @below {{operand types that the target's array does not multiply (f16 matmul), expected i8, i16 x i8 on target 'npu-tiny'; run this dispatch on the host}}
  %0 = npu.matmul %A, %A -> %c : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  npu.return %0 : tensor<8x8xf32>
}

// -----

npu.kernel @dynamic(%A: tensor<?x8xf16>, %B: tensor<8x8xf16>, %c: tensor<?x8xf32>) -> tensor<?x8xf32> attributes {target = #npu.target<"npu-v1">} {
  // expected-error @below {{dynamic shape (tensor<?x8xf16>, operand 0 of npu.matmul), expected static shapes; compile with static shapes}}
  %0 = npu.matmul %A, %B -> %c : tensor<?x8xf16>, tensor<8x8xf16> -> tensor<?x8xf32>
  npu.return %0 : tensor<?x8xf32>
}

// -----

// expected-error @below {{expected a cluster split of a parallel dimension that every result has over at most 4 clusters of target 'npu-v1-x4' but found #npu.cluster<dim = 2, count = 4>}}
npu.kernel @cluster(%A: tensor<8x8xf16>, %B: tensor<8x8xf16>) -> tensor<8x8xf32> attributes {target = #npu.target<"npu-v1-x4">, cluster = #npu.cluster<dim = 2, count = 4>} {
  %c = tensor.empty() : tensor<8x8xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  npu.return %0 : tensor<8x8xf32>
}

// -----

// The first result has no batch: each of the clusters would store it.
// expected-error @below {{expected a cluster split of a parallel dimension that every result has over at most 4 clusters of target 'npu-v1-x4' but found #npu.cluster<dim = 0, count = 2>}}
npu.kernel @result_without_batch(%s: tensor<8xi32>, %a: tensor<2x8x8xi8>, %b: tensor<2x8x8xi8>) -> (tensor<8xi32>, tensor<2x8x8xi32>) attributes {target = #npu.target<"npu-v1-x4">, cluster = #npu.cluster<dim = 0, count = 2>} {
  %0 = tensor.empty() : tensor<8xi32>
  %1 = npu.binary add %s, %s -> %0 : tensor<8xi32>, tensor<8xi32> -> tensor<8xi32>
  %2 = tensor.empty() : tensor<2x8x8xi32>
  %3 = npu.matmul %a, %b -> %2 {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<2x8x8xi8>, tensor<2x8x8xi8> -> tensor<2x8x8xi32>
  %4 = npu.binary add %3, %1 -> %2 {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>]} : tensor<2x8x8xi32>, tensor<8xi32> -> tensor<2x8x8xi32>
  npu.return %1, %4 : tensor<8xi32>, tensor<2x8x8xi32>
}

// -----

// Refused at once: a search over such a dimension would not end.
// expected-error @below {{tensor larger than a program can address (tensor<9223372036854775807xf32>, argument 0), expected 2^31 - 1 elements per dimension, 2^40 bytes; split the dispatch}}
npu.kernel @huge(%a: tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<9223372036854775807xf32>
  %0 = npu.unary neg %a -> %e : tensor<9223372036854775807xf32> -> tensor<9223372036854775807xf32>
  npu.return %0 : tensor<9223372036854775807xf32>
}

// -----

// What is no tensor form is told in the words of its contract.
npu.kernel @no_tensor_form(%x: tensor<4xf32>) -> tensor<4xf32> attributes {target = #npu.target<"npu-v1">} {
  // expected-error @+1 {{'tensor.cast' op is not part of the tensor form, which has npu compute ops on tensors, slices of arguments, tensor.empty, arith.constant and npu.return only}}
  %0 = tensor.cast %x : tensor<4xf32> to tensor<4xf32>
  npu.return %0 : tensor<4xf32>
}

// -----

// expected-error@below {{'npu.kernel' op expected no cluster split of a kernel of several groups of stages; write it into a schedule}}
npu.kernel @split_groups(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1-x4">, cluster = #npu.cluster<dim = 0, count = 2>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %0, %C -> %f : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %2 : tensor<16x10xf32>
}
