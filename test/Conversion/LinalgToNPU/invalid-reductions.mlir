// RUN: npu-opt %s --convert-linalg-to-npu -split-input-file -verify-diagnostics

// Beside a NaN every number is the largest, so there is none to start with.
npu.kernel @starts_with_nan(%x: tensor<8x16xf32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
  %nan = arith.constant 0x7FC00000 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%nan : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // expected-error @+1 {{reduction without npu equivalent (that starts with NaN), expected sums, products, minima, maxima, and, or, xor of element-wise values; run this dispatch on the host}}
  %0 = linalg.reduce { arith.maxnumf } ins(%x : tensor<8x16xf32>) outs(%f : tensor<8xf32>) dimensions = [1]
  npu.return %0 : tensor<8xf32>
}

// -----

// A number of repetitions that no coordinate of the input tells.
npu.kernel @repeated_window(%x: tensor<10xf32>, %w: tensor<3x5xf32>, %init: tensor<8xf32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
  // expected-error @+1 {{loop that has no place in a contraction or convolution (d2), expected loops that are in one coordinate of the input each; run this dispatch on the host}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, k, r) -> (i + k)>, affine_map<(i, k, r) -> (k, r)>, affine_map<(i, k, r) -> (i)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<10xf32>, tensor<3x5xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %unused: f32, %out: f32):
    %1 = arith.maximumf %out, %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  npu.return %0 : tensor<8xf32>
}

// -----

// Each step reads the result so far twice.
npu.kernel @own_result(%x: tensor<8x16xf32>, %init: tensor<8xf32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
  // expected-error @+1 {{reduction without npu equivalent (of its own result), expected sums, products, minima, maxima, and, or, xor of element-wise values; run this dispatch on the host}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.subf %out, %a : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  npu.return %0 : tensor<8xf32>
}

// -----

// A sum of floats has its own order.
npu.kernel @scan(%x: tensor<8xf32>, %sums: tensor<8xf32>, %init: tensor<f32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
  // expected-error @+1 {{reduction with several results (result 0 is a scan of f32 that starts with a value), expected results that are reduced, or the steps to one; run this dispatch on the host}}
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%sums, %init : tensor<8xf32>, tensor<f32>) {
  ^bb0(%a: f32, %out: f32, %sum: f32):
    %1 = arith.addf %sum, %a : f32
    linalg.yield %1, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<f32>)
  npu.return %0#0 : tensor<8xf32>
}

// -----

// What goes on is not rounded.
npu.kernel @half(%x: tensor<8xf16>, %sums: tensor<8xf16>) -> tensor<8xf16> attributes {target = #npu.target<"npu-v1">} {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<f16>
  %init = linalg.fill ins(%zero : f16) outs(%e : tensor<f16>) -> tensor<f16>
  // expected-error @+1 {{reduction with several results (result 0 is a scan of f16), expected results that are reduced, or the steps to one; run this dispatch on the host}}
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf16>) outs(%sums, %init : tensor<8xf16>, tensor<f16>) {
  ^bb0(%a: f16, %out: f16, %sum: f16):
    %1 = arith.addf %sum, %a : f16
    linalg.yield %1, %1 : f16, f16
  } -> (tensor<8xf16>, tensor<f16>)
  npu.return %0#0 : tensor<8xf16>
}

// -----

// The sum before each element, which is no step.
npu.kernel @exclusive(%x: tensor<8xi32>, %sums: tensor<8xi32>, %init: tensor<i32>) -> tensor<8xi32> attributes {target = #npu.target<"npu-v1">} {
  // expected-error @+1 {{reduction with several results (result 0 is not reduced), expected results that are reduced, or the steps to one; run this dispatch on the host}}
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xi32>) outs(%sums, %init : tensor<8xi32>, tensor<i32>) {
  ^bb0(%a: i32, %out: i32, %sum: i32):
    %1 = arith.addi %sum, %a : i32
    linalg.yield %sum, %1 : i32, i32
  } -> (tensor<8xi32>, tensor<i32>)
  npu.return %0#0 : tensor<8xi32>
}
