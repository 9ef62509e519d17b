// RUN: npu-opt %s --npu-choose-tiles -split-input-file -verify-diagnostics

npu.kernel @hand_tile_too_large(%A: tensor<512x64xi8>, %B: tensor<64x512xi8>) -> tensor<512x512xi32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<512x512xi32>
  // expected-error @below {{tile that does not fit (1048576 bytes of accumulator memory for the tile m=512 n=512 k=1), expected at most 262144 bytes on target 'npu-v1'; run this dispatch on the host}}
  // expected-note @below {{left operand: 512x1 elements of 1 bytes, 1 times 512 bytes of SRAM}}
  // expected-note @below {{right operand: 16x1x32 elements of 1 bytes, 1 times 512 bytes of SRAM}}
  // expected-note @below {{accumulator: 512x512 elements of 4 bytes, 1 times 1048576 bytes of accumulator memory}}
  // expected-note @below {{remove the tile attributes to have tiles chosen}}
  %0 = npu.matmul %A, %B -> %c {tile_m = 512, tile_n = 512} : tensor<512x64xi8>, tensor<64x512xi8> -> tensor<512x512xi32>
  npu.return %0 : tensor<512x512xi32>
}

// -----

npu.kernel @nothing_fits(%A: tensor<64x64xi8>, %B: tensor<64x64xi8>) -> tensor<64x64xi32> attributes {target = #npu.target<"npu-v1:sramBytes=1024,macCols=512,macRows=2">} {
  %c = tensor.empty() : tensor<64x64xi32>
  // expected-error @below {{tile that does not fit (2112 bytes of SRAM for the tile m=1 n=1 k=4), expected at most 1024 bytes on target 'npu-v1:sramBytes=1024,macCols=512,macRows=2'; run this dispatch on the host}}
  // expected-note @below {{left operand: 1x4}}
  // expected-note @below {{right operand: 1x4x512 elements of 1 bytes, 1 times 2048 bytes of SRAM}}
  // expected-note @below {{accumulator: 1x1}}
  // expected-note @below {{remove the tile attributes to have tiles chosen}}
  %0 = npu.matmul %A, %B -> %c {tile_k = 4} : tensor<64x64xi8>, tensor<64x64xi8> -> tensor<64x64xi32>
  npu.return %0 : tensor<64x64xi32>
}

// -----

npu.kernel @two_roots(%A: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<8x8xf32>
  // expected-note @below {{the first root is here}}
  %0 = npu.matmul %A, %A -> %c : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // expected-error @below {{several contractions (2), expected one; split the dispatch}}
  %1 = npu.matmul %0, %A -> %c : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  npu.return %1 : tensor<8x8xf32>
}

// -----

npu.kernel @producer(%A: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<8x8xf32>
  // expected-note @below {{its producer is here}}
  %0 = npu.unary exp %A -> %c : tensor<8x8xf32> -> tensor<8x8xf32>
  // expected-error @below {{operand of a contraction that is computed in the dispatch (operand 0 of npu.matmul), expected arguments and constants; split the dispatch}}
  %1 = npu.matmul %0, %A -> %c : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  npu.return %1 : tensor<8x8xf32>
}

// -----

npu.kernel @two_orders(%A: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<8x8xf32>
  %0 = npu.matmul %A, %A -> %c : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // expected-error @below {{use of a result in two different orders (npu.binary), expected one order; split the dispatch}}
  %1 = npu.binary add %0, %0 -> %c {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]}
      : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  npu.return %1 : tensor<8x8xf32>
}

// -----

npu.kernel @new_dimension(%A: tensor<8x8xf32>) -> tensor<4x8x8xf32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<8x8xf32>
  %d = tensor.empty() : tensor<4x8x8xf32>
  // expected-note @below {{the root is here}}
  %0 = npu.matmul %A, %A -> %c : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // expected-error @below {{dimension that the loops of the dispatch's root do not have (of extent 4, npu.unary), expected the root's dimensions; split the dispatch}}
  %1 = npu.unary neg %0 -> %d {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]}
      : tensor<8x8xf32> -> tensor<4x8x8xf32>
  npu.return %1 : tensor<4x8x8xf32>
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

// expected-error @below {{expected 'order' of 'npu.schedule' to be 1 i64 values between 0 and 2; remove the attribute to have it chosen}}
npu.kernel @schedule(%A: tensor<8x8xf16>, %B: tensor<8x8xf16>) -> tensor<8x8xf32> attributes {target = #npu.target<"npu-v1">,
    npu.schedule = {order = array<i64>, levels = array<i64: 0, 0, 0>, depths = array<i64: 1, 1, 1>}} {
  %c = tensor.empty() : tensor<8x8xf32>
  %0 = npu.matmul %A, %B -> %c {tile_m = 4} : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  npu.return %0 : tensor<8x8xf32>
}

// -----

// expected-error @below {{expected a cluster split of a parallel dimension that every result has over at most 4 clusters of target 'npu-v1-x4' but found #npu.cluster<dim = 2, count = 4>}}
npu.kernel @cluster(%A: tensor<8x8xf16>, %B: tensor<8x8xf16>) -> tensor<8x8xf32> attributes {target = #npu.target<"npu-v1-x4">, cluster = #npu.cluster<dim = 2, count = 4>} {
  %c = tensor.empty() : tensor<8x8xf32>
  %0 = npu.matmul %A, %B -> %c : tensor<8x8xf16>, tensor<8x8xf16> -> tensor<8x8xf32>
  npu.return %0 : tensor<8x8xf32>
}

// -----

// The scalar has no batch: each of the clusters would store it.
// expected-error @below {{expected a cluster split of a parallel dimension that every result has over at most 4 clusters of target 'npu-v1-x4' but found #npu.cluster<dim = 0, count = 2>}}
npu.kernel @result_without_batch(%s: tensor<i32>, %a: tensor<2x8x8xi8>, %b: tensor<2x8x8xi8>) -> (tensor<i32>, tensor<2x8x8xi32>) attributes {target = #npu.target<"npu-v1-x4">, cluster = #npu.cluster<dim = 0, count = 2>} {
  %e = tensor.empty() : tensor<i32>
  %v = npu.binary add %s -> %e {imm = 1 : i32} : tensor<i32> -> tensor<i32>
  %c = tensor.empty() : tensor<2x8x8xi32>
  %0 = npu.matmul %a, %b -> %c {layout_a = "bmk", layout_b = "bkn", layout_c = "bmn"} : tensor<2x8x8xi8>, tensor<2x8x8xi8> -> tensor<2x8x8xi32>
  npu.return %v, %0 : tensor<i32>, tensor<2x8x8xi32>
}

// -----

// Refused at once: a search over such a dimension would not end.
// expected-error @below {{tensor larger than a program can address (tensor<9223372036854775807xf32>, argument 0), expected 2^31 - 1 elements per dimension, 2^40 bytes; split the dispatch}}
npu.kernel @huge(%a: tensor<9223372036854775807xf32>) -> tensor<9223372036854775807xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<9223372036854775807xf32>
  %0 = npu.unary neg %a -> %e : tensor<9223372036854775807xf32> -> tensor<9223372036854775807xf32>
  npu.return %0 : tensor<9223372036854775807xf32>
}
