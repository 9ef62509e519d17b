// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$SWAP:.*]] = affine_map<(d0, d1) -> (d1, d0)>

// Transpositions around the array become layouts.
// CHECK-LABEL: npu.kernel @around
func.func @around(%a: tensor<16x4xf32>, %b: tensor<16x8xf32>) -> tensor<8x4xf32> {
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<8x4xf32>
  // CHECK-NEXT: npu.matmul %{{.*}}, %{{.*}} -> %[[E]] {layout_a = #npu.layout<km>, layout_c = #npu.layout<nm>} : tensor<16x4xf32>, tensor<16x8xf32> -> tensor<8x4xf32>
  // CHECK-NEXT: npu.return
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %e0 = tensor.empty() : tensor<4x16xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.transpose ins(%a : tensor<16x4xf32>) outs(%e0 : tensor<4x16xf32>) permutation = [1, 0]
  %1 = linalg.matmul ins(%0, %b : tensor<4x16xf32>, tensor<16x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.transpose ins(%1 : tensor<4x8xf32>) outs(%e1 : tensor<8x4xf32>) permutation = [1, 0]
  return %2 : tensor<8x4xf32>
}

// A batch whose result is read by rows, as attention does; a permutation of three dimensions is not
// its own inverse.
// CHECK-LABEL: npu.kernel @batch
func.func @batch(%a: tensor<16x2x4xf32>, %b: tensor<2x16x8xf32>) -> tensor<4x8x2xf32> {
  // CHECK: npu.matmul {{.*}} {layout_a = #npu.layout<kbm>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<mnb>} : tensor<16x2x4xf32>, tensor<2x16x8xf32> -> tensor<4x8x2xf32>
  %z = arith.constant dense<0.0> : tensor<2x4x8xf32>
  %e0 = tensor.empty() : tensor<2x4x16xf32>
  %e1 = tensor.empty() : tensor<4x8x2xf32>
  %0 = linalg.transpose ins(%a : tensor<16x2x4xf32>) outs(%e0 : tensor<2x4x16xf32>) permutation = [1, 2, 0]
  %1 = linalg.batch_matmul ins(%0, %b : tensor<2x4x16xf32>, tensor<2x16x8xf32>) outs(%z : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %2 = linalg.transpose ins(%1 : tensor<2x4x8xf32>) outs(%e1 : tensor<4x8x2xf32>) permutation = [1, 2, 0]
  return %2 : tensor<4x8x2xf32>
}

// CHECK-LABEL: npu.kernel @conv
func.func @conv(%i: tensor<1x4x9x9xi8>, %f: tensor<3x3x4x8xi8>) -> tensor<1x8x7x7xi32> {
  // CHECK: npu.conv {{.*}} {layout_input = #npu.layout<nchw>, layout_output = #npu.layout<nfhw>} : tensor<1x4x9x9xi8>, tensor<3x3x4x8xi8> -> tensor<1x8x7x7xi32>
  %z = arith.constant dense<0> : tensor<1x7x7x8xi32>
  %e0 = tensor.empty() : tensor<1x9x9x4xi8>
  %e1 = tensor.empty() : tensor<1x8x7x7xi32>
  %0 = linalg.transpose ins(%i : tensor<1x4x9x9xi8>) outs(%e0 : tensor<1x9x9x4xi8>) permutation = [0, 2, 3, 1]
  %1 = linalg.conv_2d_nhwc_hwcf ins(%0, %f : tensor<1x9x9x4xi8>, tensor<3x3x4x8xi8>) outs(%z : tensor<1x7x7x8xi32>) -> tensor<1x7x7x8xi32>
  %2 = linalg.transpose ins(%1 : tensor<1x7x7x8xi32>) outs(%e1 : tensor<1x8x7x7xi32>) permutation = [0, 3, 1, 2]
  return %2 : tensor<1x8x7x7xi32>
}

// Behind an element-wise op its destination's map changes.
// CHECK-LABEL: npu.kernel @elementwise
func.func @elementwise(%a: tensor<4x8xf32>) -> tensor<8x4xf16> {
  // CHECK: npu.cast truncf %{{.*}} -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$SWAP]]]} : tensor<4x8xf32> -> tensor<8x4xf16>
  // CHECK-NEXT: npu.return
  %e0 = tensor.empty() : tensor<4x8xf16>
  %e1 = tensor.empty() : tensor<8x4xf16>
  %0 = linalg.map { arith.truncf } ins(%a : tensor<4x8xf32>) outs(%e0 : tensor<4x8xf16>)
  %1 = linalg.transpose ins(%0 : tensor<4x8xf16>) outs(%e1 : tensor<8x4xf16>) permutation = [1, 0]
  return %1 : tensor<8x4xf16>
}

// What something else reads too stays.
// CHECK-LABEL: npu.kernel @shared
func.func @shared(%a: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  // CHECK: %[[X:.*]] = npu.unary exp
  // CHECK: %[[T:.*]] = npu.copy %[[X]] -> %{{.*}} {indexing_maps
  // CHECK: npu.return %[[X]], %[[T]]
  %e0 = tensor.empty() : tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.exp ins(%a : tensor<4x8xf32>) outs(%e0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x8xf32>) outs(%e1 : tensor<8x4xf32>) permutation = [1, 0]
  return %0, %1 : tensor<4x8xf32>, tensor<8x4xf32>
}

// A transposed filter that also gets unit dimensions.
// CHECK-LABEL: npu.kernel @pointwise
// CHECK-SAME: %{{.*}}: tensor<64x128x1x1xf32>
func.func @pointwise(%i: tensor<64x7x9xf32>, %f: tensor<64x128xf32>) -> tensor<128x7x9xf32> {
  // CHECK: npu.conv {{.*}} {layout_filter = #npu.layout<cfyx>, layout_input = #npu.layout<chw>, layout_output = #npu.layout<fhw>} : tensor<64x7x9xf32>, tensor<64x128x1x1xf32> -> tensor<128x7x9xf32>
  %z = arith.constant dense<0.0> : tensor<128x7x9xf32>
  %e = tensor.empty() : tensor<128x64xf32>
  %t = linalg.transpose ins(%f : tensor<64x128xf32>) outs(%e : tensor<128x64xf32>) permutation = [1, 0]
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%i, %t : tensor<64x7x9xf32>, tensor<128x64xf32>) outs(%z : tensor<128x7x9xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<128x7x9xf32>
  return %0 : tensor<128x7x9xf32>
}
