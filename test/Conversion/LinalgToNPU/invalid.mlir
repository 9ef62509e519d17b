// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu -split-input-file -verify-diagnostics

#id = affine_map<(d0) -> (d0)>
func.func @body(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  // expected-error @+1 {{cannot convert linalg.generic: body op without npu equivalent ('math.cbrt'), expected the unary, binary, select, clamp, cast and requantize ops of the npu dialect; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.cbrt %a : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

func.func @dynamic(%a: tensor<4x16xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c16 = arith.constant 16 : index
  %d = tensor.empty(%c16) : tensor<?x8xf32>
  // expected-error @+1 {{cannot convert linalg.matmul: dynamic shape (dimension 0 of operand 1 of linalg.matmul), expected static shapes; compile with static shapes, see npu-specialize-shapes}}
  %0 = linalg.matmul ins(%a, %d : tensor<4x16xf32>, tensor<?x8xf32>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @element_type(%a: tensor<4x16xf64>, %b: tensor<16x8xf64>, %c: tensor<4x8xf64>) -> tensor<4x8xf64> {
  // expected-error @+1 {{cannot convert linalg.matmul: element type without npu equivalent (f64 of operand 0 of linalg.matmul), expected i1, i8, i16, i32, f16, bf16, f32; use i8, i16, i32, f16, bf16 or f32}}
  %0 = linalg.matmul ins(%a, %b : tensor<4x16xf64>, tensor<16x8xf64>) outs(%c : tensor<4x8xf64>) -> tensor<4x8xf64>
  return %0 : tensor<4x8xf64>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @body_type(%x: tensor<16xi32>) -> tensor<16xi32> {
  %e = tensor.empty() : tensor<16xi32>
  // expected-error @+1 {{cannot convert linalg.generic: element type without npu equivalent (i64 of 'arith.trunci'), expected i1, i8, i16, i32, f16, bf16, f32; use i8, i16, i32, f16, bf16 or f32}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xi32>) outs(%e : tensor<16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %1 = arith.extsi %a : i32 to i64
    %2 = arith.muli %1, %1 : i64
    %3 = arith.trunci %2 : i64 to i32
    linalg.yield %3 : i32
  } -> tensor<16xi32>
  return %0 : tensor<16xi32>
}

// -----

func.func @narrow_accumulator(%a: tensor<16xf16>, %b: tensor<3xf16>, %c: tensor<14xf16>) -> tensor<14xf16> {
  // expected-error @+1 {{cannot convert linalg.conv_1d: accumulator narrower than the matrix engine's (f16), expected f32; run npu-widen-accumulators first}}
  %0 = linalg.conv_1d ins(%a, %b : tensor<16xf16>, tensor<3xf16>) outs(%c : tensor<14xf16>) -> tensor<14xf16>
  return %0 : tensor<14xf16>
}

// -----

func.func @combination(%a: tensor<16xi16>, %b: tensor<3xi16>, %c: tensor<14xi32>) -> tensor<14xi32> {
  // expected-error @+1 {{cannot convert linalg.conv_1d: element types that no matrix engine has (i16 x i16 -> i32), expected i8 x i8 -> i32, i16 x i8 -> i32, f16 x f16 -> f32, bf16 x bf16 -> f32, f32 x f32 -> f32; convert the operands to one of these types}}
  %0 = linalg.conv_1d ins(%a, %b : tensor<16xi16>, tensor<3xi16>) outs(%c : tensor<14xi32>) -> tensor<14xi32>
  return %0 : tensor<14xi32>
}

// -----

func.func @unsigned(%a: tensor<16xi8>, %b: tensor<3xi8>, %c: tensor<14xi32>) -> tensor<14xi32> {
  // expected-error @+1 {{cannot convert linalg.generic: unsigned inputs ('arith.extui'), expected signed inputs; use signed inputs}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<16xi8>, tensor<3xi8>) outs(%c : tensor<14xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %1 = arith.extui %x : i8 to i32
    %2 = arith.extui %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<14xi32>
  return %0 : tensor<14xi32>
}

// -----

// The maps of a convolution with another body.
func.func @dilation(%a: tensor<16xf32>, %b: tensor<3xf32>, %c: tensor<14xf32>) -> tensor<14xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: window that does not slide over the output's space (of what the body computes), expected windows of an input; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<16xf32>, tensor<3xf32>) outs(%c : tensor<14xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.addf %x, %y : f32
    %2 = arith.maximumf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<14xf32>
  return %0 : tensor<14xf32>
}

// -----

func.func @difference(%a: tensor<4x8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot convert linalg.reduce: reduction without npu equivalent (by 'arith.subf'), expected sums, products, minima, maxima, and, or, xor of element-wise values; run this dispatch on the host}}
  %0 = linalg.reduce {arith.subf} ins(%a : tensor<4x8xf32>) outs(%c : tensor<4xf32>) dimensions = [1]
  return %0 : tensor<4xf32>
}

// -----

func.func @quantized(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>, %za: i32, %c: tensor<4x8xi32>) -> tensor<4x8xi32> {
  return %c : tensor<4x8xi32>
}
// expected-error @-3 {{value that is not a ranked tensor (i32, argument 2), expected ranked tensors; pass scalars as tensors or constants, convert before bufferization}}

// -----

func.func @spatial(%a: tensor<5x5x5x5xf32>, %b: tensor<3x3x3x3xf32>, %c: tensor<3x3x3x3xf32>) -> tensor<3x3x3x3xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: too many spatial dimensions (4), expected one to three; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, w, x, y, z) -> (a + w, b + x, c + y, d + z)>,
                                        affine_map<(a, b, c, d, w, x, y, z) -> (w, x, y, z)>, affine_map<(a, b, c, d, w, x, y, z) -> (a, b, c, d)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%a, %b : tensor<5x5x5x5xf32>, tensor<3x3x3x3xf32>) outs(%c : tensor<3x3x3x3xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x3x3x3xf32>
  return %0 : tensor<3x3x3x3xf32>
}

// -----

func.func @groups(%a: tensor<2x3x8xf32>, %b: tensor<2x3x3xf32>, %c: tensor<2x3x6xf32>) -> tensor<2x3x6xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: too many dimensions of one kind (2 for the groups), expected at most 1; collapse them into one}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 + d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<2x3x8xf32>, tensor<2x3x3xf32>) outs(%c : tensor<2x3x6xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x6xf32>
  return %0 : tensor<2x3x6xf32>
}

// -----

func.func @constant_index(%a: tensor<1x8xf32>, %b: tensor<8x5xf32>, %c: tensor<5xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: constant index ('0', dimension 0 of operand 0), expected loops; fold unit dimensions first}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<1x8xf32>, tensor<8x5xf32>) outs(%c : tensor<5xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @diagonal(%a: tensor<5x5xf32>, %b: tensor<5xf32>, %c: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{cannot convert linalg.generic: two dimensions that are indexed by one loop (operand 0), expected one loop per dimension; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%a, %b : tensor<5x5xf32>, tensor<5xf32>) outs(%c : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A filter of its own at each place.
func.func @locally_connected(%a: tensor<9xf32>, %b: tensor<7x3xf32>, %c: tensor<7xf32>) -> tensor<7xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: window that does not slide over the output's space (loop d0), expected kernel loops beside the output's spatial loops; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<9xf32>, tensor<7x3xf32>) outs(%c : tensor<7xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

func.func @reshaped_twice(%i: tensor<64x7x9xf32>, %f: tensor<63x64xf32>) -> (tensor<63x7x9xf32>, tensor<63x64xf32>) {
  %z = arith.constant dense<0.0> : tensor<63x7x9xf32>
  // expected-error @+1 {{cannot convert linalg.generic: operand whose dimensions have to be collapsed or expanded (the second), expected constants and arguments with one use; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%i, %f : tensor<64x7x9xf32>, tensor<63x64xf32>) outs(%z : tensor<63x7x9xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<63x7x9xf32>
  return %0, %f : tensor<63x7x9xf32>, tensor<63x64xf32>
}

// -----

func.func @gather(%x: tensor<16xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: indexing map that does more than broadcast and permute ((d0) -> (d0 * 2) of operand 0), expected projected permutations of inputs, scaled and moved where they are arguments, permutations of outputs; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 * 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @fill(%e: tensor<16xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{cannot convert linalg.fill: fill without npu equivalent (another op reads it), expected constants as accumulators and as operands of element-wise ops; run this dispatch on the host}}
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// What changes nothing does not hide the slice.
func.func @pad_of_slice(%x: tensor<16xf32>) -> tensor<10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %s = tensor.extract_slice %x[4] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %t = linalg.transpose ins(%s : tensor<8xf32>) outs(%e : tensor<8xf32>) permutation = [0]
  // expected-error @+1 {{cannot convert tensor.pad: pad without npu equivalent (of a slice), expected static amounts of a constant around a tensor, or where the tensor of a slice ends; run this dispatch on the host}}
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%a: index):
    tensor.yield %zero : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

func.func @pad(%x: tensor<16xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{cannot convert tensor.pad: pad without npu equivalent (tensor<16xf32> to tensor<8xf32>), expected static amounts of a constant}}
  %0 = tensor.pad %x low[-4] high[-4] {
  ^bb0(%a: index):
    tensor.yield %zero : f32
  } : tensor<16xf32> to tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @reshape(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>, %z: tensor<16xf32>) -> tensor<16xf32> {
  %0 = linalg.add ins(%x, %y : tensor<2x8xf32>, tensor<2x8xf32>) outs(%x : tensor<2x8xf32>) -> tensor<2x8xf32>
  // expected-error @+1 {{cannot convert tensor.collapse_shape: reshape within a dispatch (tensor<2x8xf32> to tensor<16xf32>), expected static shapes, as the only use of an argument or directly before the return; run this dispatch on the host}}
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<2x8xf32> into tensor<16xf32>
  %2 = linalg.add ins(%1, %z : tensor<16xf32>, tensor<16xf32>) outs(%z : tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// -----

func.func @foreign(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{cannot convert linalg.softmax: op without npu equivalent (linalg.softmax), expected contractions, convolutions, reductions, poolings, element-wise ops, pads; run this dispatch on the host}}
  %0 = linalg.softmax dimension(0) ins(%x : tensor<16xf32>) outs(%y : tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

func.func @empty(%x: tensor<0xf32>, %y: tensor<0xf32>) -> tensor<0xf32> {
  // expected-error @+1 {{cannot convert linalg.add: tensor without elements (operand 0 of linalg.add), expected at least one element; remove the op first}}
  %0 = linalg.add ins(%x, %x : tensor<0xf32>, tensor<0xf32>) outs(%y : tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @boolean_division(%x: tensor<16xi1>) -> tensor<16xi1> {
  // expected-error @+1 {{cannot convert linalg.generic: body op that i1 does not have ('arith.divsi'), expected addi, subi, muli, andi, ori, xori, cmpi, minima and maxima; extend to i8 first}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xi1>) outs(%x : tensor<16xi1>) {
  ^bb0(%a: i1, %o: i1):
    %1 = arith.divsi %a, %o : i1
    linalg.yield %1 : i1
  } -> tensor<16xi1>
  return %0 : tensor<16xi1>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @boolean_cast(%x: tensor<16xi1>, %y: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{cannot convert linalg.generic: body op that i1 does not have ('arith.sitofp'), expected addi, subi, muli, andi, ori, xori, cmpi, minima and maxima; extend to i8 first}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xi1>) outs(%y : tensor<16xf32>) {
  ^bb0(%a: i1, %o: f32):
    %1 = arith.sitofp %a : i1 to f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @uninitialized(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  // expected-error @+1 {{cannot convert linalg.generic: read of a tensor.empty, which has no contents (operand 1 of linalg.generic), expected operands with contents; fill it first}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @uninitialized_copy(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  // expected-error @+1 {{cannot convert linalg.generic: read of a tensor.empty, which has no contents (operand 1 of linalg.generic), expected operands with contents; fill it first}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %o : f32
  } -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

func.func @uninitialized_accumulator(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-error @+1 {{cannot convert linalg.matmul: read of a tensor.empty, which has no contents (operand 2 of linalg.matmul), expected operands with contents; fill it first}}
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Nothing but slices, of what no kernel has.
// expected-error @+1 {{element type without npu equivalent (i64 of argument 0), expected i1, i8, i16, i32, f16, bf16, f32; use i8, i16, i32, f16, bf16 or f32}}
func.func @slice_type(%x: tensor<16xi64>) -> tensor<8xi64> {
  %0 = tensor.extract_slice %x[4] [8] [1] : tensor<16xi64> to tensor<8xi64>
  return %0 : tensor<8xi64>
}

// -----

// expected-error @+1 {{element type without npu equivalent (f64 of result 0), expected i1, i8, i16, i32, f16, bf16, f32}}
func.func @constant_type(%x: tensor<16xi8>) -> tensor<2xf64> {
  %0 = arith.constant dense<1.0> : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @three_batches(%a: tensor<2x2x2x8x8xf32>, %b: tensor<3x3xf32>, %c: tensor<2x2x2x6x6xf32>) -> tensor<2x2x2x6x6xf32> {
  // expected-error @+1 {{too many dimensions of one kind (5 for the batch and space), expected at most 3; collapse them into one}}
  %0 = linalg.generic {indexing_maps = [affine_map<(n, o, p, h, w, y, x) -> (n, o, p, h + y, w + x)>,
                                        affine_map<(n, o, p, h, w, y, x) -> (y, x)>,
                                        affine_map<(n, o, p, h, w, y, x) -> (n, o, p, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<2x2x2x8x8xf32>, tensor<3x3xf32>) outs(%c : tensor<2x2x2x6x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x2x2x6x6xf32>
  return %0 : tensor<2x2x2x6x6xf32>
}

// -----

func.func @last_of_a_row(%a: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{reduction without npu equivalent (by a copy), expected sums, products, minima, maxima, and, or, xor of element-wise values; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Of products over windows it is the array that refuses.
func.func @negated(%a: tensor<10xf32>, %b: tensor<3xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{operand of a product that is not an input ('arith.negf'), expected inputs, extended by sign or exactly; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(h, y) -> (h + y)>, affine_map<(h, y) -> (y)>, affine_map<(h, y) -> (h)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<10xf32>, tensor<3xf32>) outs(%c : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %n = arith.negf %x : f32
    %p = arith.mulf %n, %y : f32
    %q = arith.addf %z, %p : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
