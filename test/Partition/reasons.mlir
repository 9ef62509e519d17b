// Reasons that the tests of the passes that find them do not have. All together are complete, see reasons.test.

// RUN: npu-opt %s --npu-partition -split-input-file -verify-diagnostics

func.func @constant(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{Dispatch #0 not supported: constant that is not a dense tensor (tensor<4xf32>), expected dense tensors; pass it as an argument of the function}}
  %c = arith.constant sparse<[[1]], [2.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add ins(%a, %c : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#rows = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @several_results(%a: tensor<4x8xf32>, %s: tensor<4x8xf32>, %t: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  // expected-error @+1 {{reduction with several results (result 0 is a scan of f32 that starts with a value), expected results that are reduced, or the steps to one; run this dispatch on the host}}
  %0:2 = linalg.generic {indexing_maps = [#rows, #rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x8xf32>) outs(%s, %t : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %u: f32, %v: f32):
    %r = arith.addf %v, %x : f32
    linalg.yield %r, %r : f32, f32
  } -> (tensor<4x8xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0 floordiv 2, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @index(%a: tensor<2x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{unsupported index expression ('d0 floordiv 2', dimension 0 of operand 0), expected loops, scaled, plus one scaled reduction loop; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<2x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %z, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0 * 2, d1)>
func.func @output_index(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<7x4xf32>) -> tensor<7x4xf32> {
  // expected-error @+1 {{output that is not indexed by plain loops (operand 2), expected plain loops; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<7x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %z, %p : f32
    linalg.yield %q : f32
  } -> tensor<7x4xf32>
  return %0 : tensor<7x4xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d2, d1)>
#b = affine_map<(d0, d1, d2) -> (d0 + d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @filter_index(%a: tensor<3x4xf32>, %b: tensor<10xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{second operand that is not indexed by plain loops (operand 1), expected windows over the first operand; exchange the operands}}
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x4xf32>, tensor<10xf32>) outs(%c : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %z, %p : f32
    linalg.yield %q : f32
  } -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0 + d1, d2)>
#b = affine_map<(d0, d1, d2) -> (d1)>
#c = affine_map<(d0, d1, d2) -> (d0)>
func.func @loop(%a: tensor<10x4xf32>, %b: tensor<3xf32>, %c: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{loop that has no place in a contraction or convolution (d2), expected batches, rows, columns, reductions, groups, channels, space, kernel; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<10x4xf32>, tensor<3xf32>) outs(%c : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %z, %p : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error @+1 {{Dispatch #0 not supported: nothing to compute, expected at least one compute op; run this dispatch on the host}}
func.func @no_computation() -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

func.func @result_not_computed(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{result that is not computed (result 1), expected results of compute ops; run this dispatch on the host}}
  return %0, %e : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @slice(%a: tensor<4xf32>, %into: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{slice without npu equivalent (tensor.insert_slice), expected static slices inside of arguments, and the only result inserted into the last argument; run this dispatch on the host}}
  %1 = tensor.insert_slice %0 into %into[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0, %1 : tensor<4xf32>, tensor<8xf32>
}

// -----

// Upstream's verifier does not see where slices backwards end.
func.func @slice_backwards(%a: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{slice without npu equivalent (tensor.extract_slice), expected static slices inside of arguments}}
  %s = tensor.extract_slice %a[0] [4] [-1] : tensor<8xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.add ins(%s, %s : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Nor products that overflow.
func.func @slice_far(%a: tensor<16xf32>) -> tensor<5xf32> {
  // expected-error @+1 {{slice without npu equivalent (tensor.extract_slice), expected static slices inside of arguments}}
  %s = tensor.extract_slice %a[0] [5] [4611686018427387904] : tensor<16xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.add ins(%s, %s : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

util.global private @w : tensor<8xf32>
func.func @global(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{Dispatch #0 not supported: reference to what is outside of the function (@w by util.global.load), expected arguments and constants; run npu-front-half on the model, whose host program has the globals}}
  %w = util.global.load @w : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.add ins(%a, %w : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A scan goes along a dimension that a tile has whole.
func.func @long(%x: tensor<2000000xi32>, %sums: tensor<2000000xi32>, %init: tensor<i32>) -> tensor<2000000xi32> {
  // expected-error @+1 {{tile that does not fit (16000000 bytes of SRAM for the tile d0=2000000), expected at most 1048576 bytes on target 'npu-v1'; run this dispatch on the host}}
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<2000000xi32>) outs(%sums, %init : tensor<2000000xi32>, tensor<i32>) {
  ^bb0(%a: i32, %o: i32, %s: i32):
    %t = arith.addi %s, %a : i32
    linalg.yield %t, %t : i32, i32
  } -> (tensor<2000000xi32>, tensor<i32>)
  return %0#0 : tensor<2000000xi32>
}

// -----

// Windows move in loops, except along the last dimension.
func.func @deep(%x: tensor<3x3x3x3x3x3xi32>) -> tensor<2x2x2x2x2x2xi32> {
  %w = tensor.empty() : tensor<2x2x2x2x2x2xi32>
  %c = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x2x2x2x2x2xi32>
  %i = linalg.fill ins(%c : i32) outs(%e : tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2x2xi32>
  // expected-error @+1 {{tile that does not fit (8 loops for the tile d0=1 d1=1 d2=1 d3=2 d4=2 d5=2 d6=1 d7=1 d8=1 d9=1 d10=1 d11=2), expected at most 6 loops in a stream; run this dispatch on the host}}
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e, f, g, h, i, j, k, l) -> (a + g, b + h, c + i, d + j, e + k, f + l)>, affine_map<(a, b, c, d, e, f, g, h, i, j, k, l) -> (g, h, i, j, k, l)>, affine_map<(a, b, c, d, e, f, g, h, i, j, k, l) -> (a, b, c, d, e, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x3x3x3x3x3xi32>, tensor<2x2x2x2x2x2xi32>) outs(%i : tensor<2x2x2x2x2x2xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %n = arith.addi %o, %a : i32
    linalg.yield %n : i32
  } -> tensor<2x2x2x2x2x2xi32>
  return %0 : tensor<2x2x2x2x2x2xi32>
}

// -----

// A load knows where the tensor ends in few dimensions.
func.func @edges(%x: tensor<4x16x5x2x5x2xi16>) -> tensor<7x18x6x2x6x4xi16> {
  %c = arith.constant 0 : i16
  // expected-error @+1 {{too many dimensions of one kind (6 that a load has, npu.copy), expected at most 5; collapse them into one}}
  %0 = tensor.pad %x low[3, 0, 0, 0, 0, 0] high[0, 2, 1, 0, 1, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index, %m: index, %n: index):
    tensor.yield %c : i16
  } : tensor<4x16x5x2x5x2xi16> to tensor<7x18x6x2x6x4xi16>
  return %0 : tensor<7x18x6x2x6x4xi16>
}

// -----

// A tile has one batch.
func.func @batches(%a: tensor<3x5x4xf32>, %b: tensor<3x4x6xf32>) -> tensor<3x5x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5x6xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %m = linalg.batch_matmul ins(%a, %b : tensor<3x5x4xf32>, tensor<3x4x6xf32>) outs(%i : tensor<3x5x6xf32>) -> tensor<3x5x6xf32>
  %l = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%l : tensor<5x6xf32>) -> tensor<5x6xf32>
  // expected-error @+1 {{dimension of which another op of the dispatch has one index in a tile (npu.scan, dimension 'b'), expected tiles that span it; put the ops into two dispatches}}
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%m : tensor<3x5x6xf32>) outs(%e, %f : tensor<3x5x6xf32>, tensor<5x6xf32>) {
  ^bb0(%x: f32, %o: f32, %s: f32):
    %t = arith.addf %s, %x : f32
    linalg.yield %t, %t : f32, f32
  } -> (tensor<3x5x6xf32>, tensor<5x6xf32>)
  return %r#0 : tensor<3x5x6xf32>
}

// -----

// The columns of one product are a batch of the next, and a convolution has no loop over single rows of its kernel.
func.func @rows_and_batches(%q: tensor<64x32xf32>, %k: tensor<8x16x32xf32>, %v: tensor<8x16x24xf32>) -> tensor<8x64x24xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x64x16xf32>) -> tensor<8x64x16xf32>
  // expected-error @+1 {{dimension of which another op of the dispatch has one index in a tile (npu.conv, dimension 'h'), expected tiles that span it; put the ops into two dispatches}}
  %s = linalg.generic {indexing_maps = [affine_map<(c, m, n, k) -> (m, k)>, affine_map<(c, m, n, k) -> (c, n, k)>, affine_map<(c, m, n, k) -> (c, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<64x32xf32>, tensor<8x16x32xf32>) outs(%i : tensor<8x64x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<8x64x16xf32>
  %x = tensor.empty() : tensor<8x64x16xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(c, m, n) -> (c, m, n)>, affine_map<(c, m, n) -> (c, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<8x64x16xf32>) outs(%x : tensor<8x64x16xf32>) {
  ^bb0(%u: f32, %o: f32):
    %t = math.exp %u : f32
    linalg.yield %t : f32
  } -> tensor<8x64x16xf32>
  %f = tensor.empty() : tensor<8x64x24xf32>
  %j = linalg.fill ins(%z : f32) outs(%f : tensor<8x64x24xf32>) -> tensor<8x64x24xf32>
  %r = linalg.batch_matmul ins(%a, %v : tensor<8x64x16xf32>, tensor<8x16x24xf32>) outs(%j : tensor<8x64x24xf32>) -> tensor<8x64x24xf32>
  return %r : tensor<8x64x24xf32>
}
