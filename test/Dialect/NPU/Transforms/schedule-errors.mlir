// Rules of schedules: units, initial values, places, skews and clusters. lower-to-tiles-errors.mlir has the others.

// RUN: npu-opt %s --pass-pipeline='builtin.module(npu.kernel(npu-lower-to-tiles))' -split-input-file -verify-diagnostics

// expected-error@below {{'npu.kernel' op schedule: expected tiles of one index of dimension 'b', which no tile spans, found 2}}
npu.kernel @unit_tiles(%A: tensor<4x16x8xf32>, %B: tensor<4x8x24xf32>) -> tensor<4x16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for b = 2 {load @s0.lhs, load @s0.rhs, @s0 -> acc}}>} {
  %e = tensor.empty() : tensor<4x16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0", layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<4x16x8xf32>, tensor<4x8x24xf32> -> tensor<4x16x24xf32>
  npu.return %0 : tensor<4x16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected tiles of at most 16 along 'm', found 600}}
npu.kernel @tile_beyond_extent(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for m = 600 {load @s0.lhs, load @s0.rhs, @s0 -> acc}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  npu.return %0 : tensor<16x24xf32>
}

// -----

// A loop over parts of a tile, too.
// expected-error@below {{'npu.kernel' op schedule: expected tiles of at most 16 along 'm', found 32}}
npu.kernel @part_beyond_tile(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for m = 16 {for m = 32 {load @s0.lhs, load @s0.rhs, @s0 -> acc}}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  npu.return %0 : tensor<16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected a loop over 'b', which no tile spans, around stage 's0'}}
npu.kernel @unit_without_loop(%A: tensor<4x16x8xf32>, %B: tensor<4x8x24xf32>) -> tensor<4x16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, @s0 -> acc}>} {
  %e = tensor.empty() : tensor<4x16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0", layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<4x16x8xf32>, tensor<4x8x24xf32> -> tensor<4x16x24xf32>
  npu.return %0 : tensor<4x16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected the load of 's0.output' before the place of its stage's values, which it initializes}}
npu.kernel @late_initial(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<16x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @s0 -> acc, load @s0.output, load @s0.lhs, load @s0.rhs, @s0}>} {
  %0 = npu.matmul %A, %B -> %C {stage = "s0", accumulate} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  npu.return %0 : tensor<16x24xf32>
}

// -----

// 24 columns are no whole panels.
// expected-error@below {{'npu.kernel' op schedule: expected a load of 's1.s0': stage 's1' works in panels for 's2', which the result of 's0' is not in; or load what that reads, or put stage 's1' into a loop over 'n' in steps of 32, which must divide its 24}}
npu.kernel @unpacked_result(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<10x16xf32>) -> tensor<10x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, @s0 -> acc, value @s1 -> sram, for n = 24 {@s1}, load @s2.lhs, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<10x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %C, %1 -> %f {stage = "s2"} : tensor<10x16xf32>, tensor<16x24xf32> -> tensor<10x24xf32>
  npu.return %2 : tensor<10x24xf32>
}

// -----

// Two panels at a time.
// expected-error@below {{'npu.kernel' op schedule: expected a load of 's1.s0': stage 's1' works in panels for 's2', which the result of 's0' is not in; or load what that reads, or put stage 's1' into a loop over 'n' in steps of 32, which must divide its 128}}
npu.kernel @two_panels(%A: tensor<16x8xf32>, %B: tensor<8x128xf32>, %C: tensor<10x16xf32>) -> tensor<10x128xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, @s0 -> acc, value @s1 -> sram, for n = 64 {@s1}, load @s2.lhs, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x128xf32>
  %f = tensor.empty() : tensor<10x128xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x128xf32> -> tensor<16x128xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x128xf32> -> tensor<16x128xf32>
  %2 = npu.matmul %C, %1 -> %f {stage = "s2"} : tensor<10x16xf32>, tensor<16x128xf32> -> tensor<10x128xf32>
  npu.return %2 : tensor<10x128xf32>
}

// -----

// What one contraction leaves in the accumulator another one cannot read.
// expected-error@below {{'npu.kernel' op schedule: expected a load of 's1.lhs': the stage cannot read the result of 's0' where it lies on chip}}
npu.kernel @accumulator(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x10xf32>) -> tensor<16x10xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s0.lhs, load @s0.rhs, @s0 -> acc, load @s1.rhs, @s1 -> acc}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x10xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.matmul %0, %C -> %f {stage = "s1"} : tensor<16x24xf32>, tensor<24x10xf32> -> tensor<16x10xf32>
  npu.return %1 : tensor<16x10xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected no skew in the loop over 'm', which is split over clusters}}
npu.kernel @skewed_split(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{for m = 4 clusters 2 {load @s0.lhs, load @s0.rhs, @s0 -> acc x2, @s1 -> sram skew 1}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  npu.return %1 : tensor<16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected at least two buffers for the values of the skewed stage 's1', or their place at its leaf}}
npu.kernel @skewed_single(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for m = 4 {load @s0.lhs, load @s0.rhs, @s0 -> acc x2, value @s1 -> sram, @s1 skew 1}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  npu.return %1 : tensor<16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected at most 2 loops that are split over clusters around stage 's0', found 3}}
npu.kernel @three_splits(%A: tensor<2x16x8xf32>, %B: tensor<2x8x24xf32>) -> tensor<2x16x24xf32>
    attributes {target = #npu.target<"npu-v1-x4:clusters=8">, schedule = #npu.schedule<{for b = 1 clusters 2 {for m = 8 clusters 2 {for n = 12 clusters 2 {load @s0.lhs, load @s0.rhs, @s0 -> acc}}}}>} {
  %e = tensor.empty() : tensor<2x16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0", layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<2x16x8xf32>, tensor<2x8x24xf32> -> tensor<2x16x24xf32>
  npu.return %0 : tensor<2x16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected splits over at most 4 clusters of target 'npu-v1-x4' around stage 's0', found 4 x 2}}
npu.kernel @many_by_two(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{for m = 4 clusters 4 {for n = 12 clusters 2 {load @s0.lhs, load @s0.rhs, @s0 -> acc}}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  npu.return %0 : tensor<16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected a split of a parallel dimension, found 'k' over 2 clusters around stage 's0', which sums over it}}
npu.kernel @sums(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{value @s0 -> acc, for k = 4 clusters 2 {load @s0.lhs, load @s0.rhs, @s0}, @s1 -> sram}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32, stage = "s1"} : tensor<16x24xf32> -> tensor<16x24xf32>
  npu.return %1 : tensor<16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected several tiles of 'n', which 2 clusters share, found one of 24}}
npu.kernel @one_tile(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{for m = 8 clusters 2 {for n = 24 clusters 2 {load @s0.lhs, load @s0.rhs, @s0 -> acc}}}>} {
  %e = tensor.empty() : tensor<16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0"} : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  npu.return %0 : tensor<16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected a split of a dimension that every result of stage 's0' has, found 'd1': every cluster would store the same}}
npu.kernel @stored_by_all(%A: tensor<16xf32>, %B: tensor<16x24xf32>) -> (tensor<16xf32>, tensor<16x24xf32>)
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{for d1 = 12 clusters 2 {load @s0.arg0, load @s0.arg1, @s0 -> sram}}>} {
  %e = tensor.empty() : tensor<16xf32>
  %f = tensor.empty() : tensor<16x24xf32>
  %0 = npu.unary neg %A -> %e {stage = "s0"} : tensor<16xf32> -> tensor<16xf32>
  %1 = npu.binary add %B, %0 -> %f {stage = "s0", indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<16x24xf32>, tensor<16xf32> -> tensor<16x24xf32>
  npu.return %0, %1 : tensor<16xf32>, tensor<16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected as many indices of dimension 'b' for each of 2 clusters, found 3}}
npu.kernel @uneven_clusters(%A: tensor<3x16x8xf32>, %B: tensor<3x8x24xf32>) -> tensor<3x16x24xf32>
    attributes {target = #npu.target<"npu-v1-x4">, schedule = #npu.schedule<{for b = 1 clusters 2 {load @s0.lhs, load @s0.rhs, @s0 -> acc}}>} {
  %e = tensor.empty() : tensor<3x16x24xf32>
  %0 = npu.matmul %A, %B -> %e {stage = "s0", layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<3x16x8xf32>, tensor<3x8x24xf32> -> tensor<3x16x24xf32>
  npu.return %0 : tensor<3x16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected no loop over 'd1' around stage 's0', which reduces along it and reads the result, found tiles of 8; make the reduction a stage of its own}}
npu.kernel @part_of_a_row(%x: tensor<16x24xf32>) -> tensor<16x24xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for d0 = 4 {for d1 = 8 {load @s0.arg0, @s0 -> sram}}}>} {
  %e = tensor.empty() : tensor<16xf32>
  %f = tensor.empty() : tensor<16x24xf32>
  %0 = npu.reduce max %x -> %e {stage = "s0", indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<16x24xf32> -> tensor<16xf32>
  %1 = npu.binary sub %x, %0 -> %f {stage = "s0", indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<16x24xf32>, tensor<16xf32> -> tensor<16x24xf32>
  npu.return %1 : tensor<16x24xf32>
}

// -----

// expected-error@below {{'npu.kernel' op schedule: expected no skew of stage 's1' in the loop over 'd1', along which the vector unit reduces it}}
npu.kernel @skewed_sum(%x: tensor<16x24xf32>) -> tensor<16xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{for d0 = 4 {value @s1 -> sram, for d1 = 8 {load @s0.arg0, @s0 -> sram x2, @s1 skew 1}}}>} {
  %e = tensor.empty() : tensor<16xf32>
  %f = tensor.empty() : tensor<16x24xf32>
  %0 = npu.unary exp %x -> %f {stage = "s0"} : tensor<16x24xf32> -> tensor<16x24xf32>
  %1 = npu.reduce sum %0 -> %e {stage = "s1", indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<16x24xf32> -> tensor<16xf32>
  npu.return %1 : tensor<16xf32>
}

// -----

// A panel is made as a whole.
// expected-error@below {{'npu.kernel' op schedule: stage 's0' leaves panels of 32 columns for 's1.rhs', expected a multiple of them as tiles of 'n', found 16; or load the operand}}
npu.kernel @part_of_panel(%A: tensor<10x16xf32>, %B: tensor<16x40xf32>) -> tensor<10x40xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s1.lhs, for n = 16 {load @s0.arg1, @s0 -> sram, @s1 -> acc}}>} {
  %e = tensor.empty() : tensor<16x40xf32>
  %f = tensor.empty() : tensor<10x40xf32>
  %0 = npu.binary add %B -> %e {imm = 1.0 : f32, stage = "s0"} : tensor<16x40xf32> -> tensor<16x40xf32>
  %1 = npu.matmul %A, %0 -> %f {stage = "s1"} : tensor<10x16xf32>, tensor<16x40xf32> -> tensor<10x40xf32>
  npu.return %1 : tensor<10x40xf32>
}

// -----

// In panels, a filter has a dimension more than instructions, which make one of rows and columns of whole kernels.
// expected-error@below {{'npu.kernel' op schedule: stage 's0' leaves panels for 's1.filter' with too many dimensions for tiles of 'x' that are not whole; close its loop, or load the operand}}
npu.kernel @part_of_kernel(%A: tensor<6x6x16xf32>, %B: tensor<3x3x16x32xf32>) -> tensor<4x4x32xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{value @s1 -> acc, for x = 1 {load @s1.input, load @s0.arg1, @s0 -> sram, @s1}}>} {
  %e = tensor.empty() : tensor<3x3x16x32xf32>
  %f = tensor.empty() : tensor<4x4x32xf32>
  %0 = npu.binary add %B -> %e {imm = 1.0 : f32, stage = "s0"} : tensor<3x3x16x32xf32> -> tensor<3x3x16x32xf32>
  %1 = npu.conv %A, %0 -> %f {stage = "s1", layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<yxcf>, layout_output = #npu.layout<hwf>} : tensor<6x6x16xf32>, tensor<3x3x16x32xf32> -> tensor<4x4x32xf32>
  npu.return %1 : tensor<4x4x32xf32>
}

// -----

// Rows of another stage are not panels.
// expected-error@below {{'npu.kernel' op schedule: expected a load of 's1.s0': stage 's1' works in panels for 's2', which the result of 's0' is not in; or load what that reads}}
npu.kernel @rows_to_panels(%A: tensor<10x16xf32>, %B: tensor<16x40xf32>) -> (tensor<10x40xf32>, tensor<16x40xf32>)
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s2.lhs, load @s0.arg1, @s0 -> sram, @s1 -> sram, @s2 -> acc}>} {
  %e = tensor.empty() : tensor<16x40xf32>
  %f = tensor.empty() : tensor<10x40xf32>
  %0 = npu.binary add %B -> %e {imm = 1.0 : f32, stage = "s0"} : tensor<16x40xf32> -> tensor<16x40xf32>
  %1 = npu.binary mul %0 -> %e {imm = 2.0 : f32, stage = "s1"} : tensor<16x40xf32> -> tensor<16x40xf32>
  %2 = npu.matmul %A, %1 -> %f {stage = "s2"} : tensor<10x16xf32>, tensor<16x40xf32> -> tensor<10x40xf32>
  npu.return %2, %0 : tensor<10x40xf32>, tensor<16x40xf32>
}

// -----

// What two read is not in panels.
// expected-error@below {{'npu.kernel' op schedule: expected a load of 's1.rhs': the stage cannot read the result of 's0' where it lies on chip}}
npu.kernel @panels_returned(%A: tensor<10x16xf32>, %B: tensor<16x40xf32>) -> (tensor<10x40xf32>, tensor<16x40xf32>)
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s1.lhs, load @s0.arg1, @s0 -> sram, @s1 -> acc}>} {
  %e = tensor.empty() : tensor<16x40xf32>
  %f = tensor.empty() : tensor<10x40xf32>
  %0 = npu.binary add %B -> %e {imm = 1.0 : f32, stage = "s0"} : tensor<16x40xf32> -> tensor<16x40xf32>
  %1 = npu.matmul %A, %0 -> %f {stage = "s1"} : tensor<10x16xf32>, tensor<16x40xf32> -> tensor<10x40xf32>
  npu.return %1, %0 : tensor<10x40xf32>, tensor<16x40xf32>
}

// -----

// Panels are in SRAM, where the vector unit leaves its values.
// expected-error@below {{'npu.kernel' op schedule: expected the values of stage 's0' in sram, found acc}}
npu.kernel @panels_in_acc(%A: tensor<10x16xf32>, %B: tensor<16x40xf32>) -> tensor<10x40xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s1.lhs, for n = 32 {load @s0.arg1, @s0 -> acc, @s1 -> acc}}>} {
  %e = tensor.empty() : tensor<16x40xf32>
  %f = tensor.empty() : tensor<10x40xf32>
  %0 = npu.binary add %B -> %e {imm = 1.0 : f32, stage = "s0"} : tensor<16x40xf32> -> tensor<16x40xf32>
  %1 = npu.matmul %A, %0 -> %f {stage = "s1"} : tensor<10x16xf32>, tensor<16x40xf32> -> tensor<10x40xf32>
  npu.return %1 : tensor<10x40xf32>
}

// -----

// A load takes whole panels, of which the loop makes only parts.
// expected-error@below {{'npu.kernel' op schedule: 's1.rhs' needs more of stage 's0' than an iteration of the loop over 'n' makes; close the loop between them}}
npu.kernel @load_in_loop_over_parts(%A: tensor<10x16xf32>, %B: tensor<16x40xf32>) -> tensor<10x40xf32>
    attributes {target = #npu.target<"npu-v1">, schedule = #npu.schedule<{load @s1.lhs, for n = 16 {load @s0.arg1, @s0 -> sram, load @s1.rhs, @s1 -> acc}}>} {
  %e = tensor.empty() : tensor<16x40xf32>
  %f = tensor.empty() : tensor<10x40xf32>
  %0 = npu.binary add %B -> %e {imm = 1.0 : f32, stage = "s0"} : tensor<16x40xf32> -> tensor<16x40xf32>
  %1 = npu.matmul %A, %0 -> %f {stage = "s1"} : tensor<10x16xf32>, tensor<16x40xf32> -> tensor<10x40xf32>
  npu.return %1 : tensor<10x40xf32>
}
