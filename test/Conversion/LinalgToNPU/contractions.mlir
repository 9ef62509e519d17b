// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form | FileCheck %s

// A zero-filled accumulator is dropped.
// CHECK-LABEL: npu.kernel @zero_init
func.func @zero_init(%a: tensor<4x16xf32>, %b: tensor<16x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
  // CHECK-NEXT: %[[R:.*]] = npu.matmul %{{.*}}, %{{.*}} -> %[[E]] : tensor<4x16xf32>, tensor<16x8xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: npu.return %[[R]]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Any other initial value is added.
// CHECK-LABEL: npu.kernel @init
func.func @init(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>, %c: tensor<4x8xi32>) -> tensor<4x8xi32> {
  // CHECK: %[[P:.*]] = npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} : tensor<4x16xi8>, tensor<16x8xi8> -> tensor<4x8xi32>
  // CHECK: npu.binary add %[[P]], %{{.*}} -> %{{.*}} : tensor<4x8xi32>, tensor<4x8xi32> -> tensor<4x8xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x16xi8>, tensor<16x8xi8>) outs(%c : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// CHECK-LABEL: npu.kernel @constant_init
func.func @constant_init(%a: tensor<4x16xi8>, %b: tensor<16x8xi8>) -> tensor<4x8xi32> {
  // CHECK: %[[P:.*]] = npu.matmul
  // CHECK: npu.binary add %[[P]] -> %{{.*}} {imm = 7 : i32} : tensor<4x8xi32> -> tensor<4x8xi32>
  %c = arith.constant dense<7> : tensor<4x8xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x16xi8>, tensor<16x8xi8>) outs(%c : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// Layouts follow the maps: a transposed B, a batch, vectors.
// CHECK-LABEL: npu.kernel @transposed
func.func @transposed(%a: tensor<4x16xf32>, %b: tensor<8x16xf32>) -> tensor<4x8xf32> {
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} {layout_b = #npu.layout<nk>} : tensor<4x16xf32>, tensor<8x16xf32> -> tensor<4x8xf32>
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
      ins(%a, %b : tensor<4x16xf32>, tensor<8x16xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: npu.kernel @batch
func.func @batch(%a: tensor<2x4x16xf32>, %b: tensor<2x16x8xf32>) -> tensor<2x4x8xf32> {
  // CHECK: npu.matmul {{.*}} {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>}
  %z = arith.constant dense<0.0> : tensor<2x4x8xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<2x4x16xf32>, tensor<2x16x8xf32>) outs(%z : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// Several batches, one of which the first operand does not have in the same place; two sums per row of each batch.
// CHECK-LABEL: npu.kernel @batches
func.func @batches(%a: tensor<2x4x3x16xf32>, %b: tensor<2x3x16x8xf32>) -> tensor<2x3x4x8xf32> {
  // CHECK: npu.matmul {{.*}} {layout_a = #npu.layout<bmgk>, layout_b = #npu.layout<bgkn>, layout_c = #npu.layout<bgmn>}
  %z = arith.constant dense<0.0> : tensor<2x3x4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, g, m, n, k) -> (b, m, g, k)>, affine_map<(b, g, m, n, k) -> (b, g, k, n)>, affine_map<(b, g, m, n, k) -> (b, g, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<2x4x3x16xf32>, tensor<2x3x16x8xf32>) outs(%z : tensor<2x3x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x8xf32>
  return %0 : tensor<2x3x4x8xf32>
}

// A product of vectors per batch would keep one cell of the array busy.
// CHECK-LABEL: npu.kernel @vectors
func.func @vectors(%a: tensor<64x16xf32>, %b: tensor<64x16xf32>) -> tensor<64xf32> {
  // CHECK: npu.binary mul
  // CHECK: npu.reduce sum
  %z = arith.constant dense<0.0> : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, k) -> (b, k)>, affine_map<(b, k) -> (b, k)>, affine_map<(b, k) -> (b)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<64x16xf32>, tensor<64x16xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK-LABEL: npu.kernel @matvec
func.func @matvec(%a: tensor<4x16xf32>, %b: tensor<16xf32>) -> tensor<4xf32> {
  // CHECK: npu.matmul {{.*}} {layout_b = #npu.layout<k>, layout_c = #npu.layout<m>}
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %0 = linalg.matvec ins(%a, %b : tensor<4x16xf32>, tensor<16xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: npu.kernel @vecmat
func.func @vecmat(%a: tensor<16xf32>, %b: tensor<16x8xf32>) -> tensor<8xf32> {
  // CHECK: npu.matmul {{.*}} {layout_a = #npu.layout<k>, layout_c = #npu.layout<n>}
  %z = arith.constant dense<0.0> : tensor<8xf32>
  %0 = linalg.vecmat ins(%a, %b : tensor<16xf32>, tensor<16x8xf32>) outs(%z : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// One row stays a matrix of one row.
// CHECK-LABEL: npu.kernel @one_row
func.func @one_row(%a: tensor<1x16xf32>, %b: tensor<16x8xf32>) -> tensor<1x8xf32> {
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} : tensor<1x16xf32>, tensor<16x8xf32> -> tensor<1x8xf32>
  %z = arith.constant dense<0.0> : tensor<1x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<1x16xf32>, tensor<16x8xf32>) outs(%z : tensor<1x8xf32>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// The array takes i16 on the left: factors are exchanged.
// CHECK-LABEL: npu.kernel @exchanged
func.func @exchanged(%a: tensor<4x16xi8>, %b: tensor<16x8xi16>) -> tensor<4x8xi32> {
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} {layout_a = #npu.layout<km>, layout_b = #npu.layout<nk>, layout_c = #npu.layout<nm>} : tensor<16x8xi16>, tensor<4x16xi8> -> tensor<4x8xi32>
  %z = arith.constant dense<0> : tensor<4x8xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x16xi8>, tensor<16x8xi16>) outs(%z : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// Two dimensions for the rows make it a convolution with a 1x1 kernel; the filter gets its unit
// dimensions in the signature.
// CHECK-LABEL: npu.kernel @pointwise
// CHECK-SAME: (%{{.*}}: tensor<64x7x9xf32>, %{{.*}}: tensor<128x64x1x1xf32>) -> tensor<128x7x9xf32>
func.func @pointwise(%i: tensor<64x7x9xf32>, %f: tensor<128x64xf32>) -> tensor<128x7x9xf32> {
  // CHECK: npu.conv {{.*}} {layout_filter = #npu.layout<fcyx>, layout_input = #npu.layout<chw>, layout_output = #npu.layout<fhw>} : tensor<64x7x9xf32>, tensor<128x64x1x1xf32> -> tensor<128x7x9xf32>
  %z = arith.constant dense<0.0> : tensor<128x7x9xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%i, %f : tensor<64x7x9xf32>, tensor<128x64xf32>) outs(%z : tensor<128x7x9xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<128x7x9xf32>
  return %0 : tensor<128x7x9xf32>
}

// Four of them make it one of three dimensions.
// CHECK-LABEL: npu.kernel @pointwise_volume
// CHECK-SAME: (%{{.*}}: tensor<2x3x7x9x64xf32>, %{{.*}}: tensor<64x128x1x1x1xf32>) -> tensor<2x3x7x9x128xf32>
func.func @pointwise_volume(%i: tensor<2x3x7x9x64xf32>, %f: tensor<64x128xf32>) -> tensor<2x3x7x9x128xf32> {
  // CHECK: npu.conv {{.*}} {layout_filter = #npu.layout<cfzyx>, layout_input = #npu.layout<ndhwc>, layout_output = #npu.layout<ndhwf>}
  %z = arith.constant dense<0.0> : tensor<2x3x7x9x128xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, d, h, w, f, c) -> (n, d, h, w, c)>, affine_map<(n, d, h, w, f, c) -> (c, f)>, affine_map<(n, d, h, w, f, c) -> (n, d, h, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%i, %f : tensor<2x3x7x9x64xf32>, tensor<64x128xf32>) outs(%z : tensor<2x3x7x9x128xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x7x9x128xf32>
  return %0 : tensor<2x3x7x9x128xf32>
}

// The same with the factors exchanged and a constant filter.
// CHECK-LABEL: npu.kernel @pointwise_exchanged
func.func @pointwise_exchanged(%i: tensor<4x7x9xf32>) -> tensor<2x7x9xf32> {
  // CHECK: %[[F:.*]] = arith.constant dense<{{.*}}> : tensor<2x4x1x1xf32>
  // CHECK: npu.conv %{{.*}}, %[[F]] -> {{.*}} {layout_filter = #npu.layout<fcyx>, layout_input = #npu.layout<chw>, layout_output = #npu.layout<fhw>}
  %f = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %z = arith.constant dense<0.0> : tensor<2x7x9xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%f, %i : tensor<2x4xf32>, tensor<4x7x9xf32>) outs(%z : tensor<2x7x9xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x7x9xf32>
  return %0 : tensor<2x7x9xf32>
}

// Adjacent reductions collapse in the signature.
// CHECK-LABEL: npu.kernel @reductions
// CHECK-SAME: (%{{.*}}: tensor<4x15xf32>, %{{.*}}: tensor<15x8xf32>)
func.func @reductions(%a: tensor<4x3x5xf32>, %b: tensor<3x5x8xf32>) -> tensor<4x8xf32> {
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} : tensor<4x15xf32>, tensor<15x8xf32> -> tensor<4x8xf32>
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<4x3x5xf32>, tensor<3x5x8xf32>) outs(%z : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Reshapes at the edges become part of the signature.
// CHECK-LABEL: npu.kernel @reshapes
// CHECK-SAME: (%{{.*}}: tensor<4x16xf32>, %{{.*}}: tensor<16x8xf32>) -> tensor<4x8xf32>
func.func @reshapes(%a: tensor<2x2x16xf32>, %b: tensor<16x8xf32>) -> tensor<1x4x8xf32> {
  // CHECK: %[[R:.*]] = npu.matmul
  // CHECK: npu.return %[[R]] : tensor<4x8xf32>
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<2x2x16xf32> into tensor<4x16xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  return %2 : tensor<1x4x8xf32>
}

// A state of zeros that a product reads is a constant; what sums start from is none.
// CHECK-LABEL: npu.kernel @zero_state
// CHECK: %[[STATE:.*]] = arith.constant dense<0.000000e+00> : tensor<1x8xf32>
// CHECK: npu.matmul %[[STATE]], %arg0
func.func @zero_state(%w: tensor<8x16xf32>) -> tensor<1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<1x8xf32>
  %state = linalg.fill ins(%zero : f32) outs(%s : tensor<1x8xf32>) -> tensor<1x8xf32>
  %e = tensor.empty() : tensor<1x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %0 = linalg.matmul ins(%state, %w : tensor<1x8xf32>, tensor<8x16xf32>) outs(%init : tensor<1x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}
