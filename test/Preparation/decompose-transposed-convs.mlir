// RUN: npu-opt %s --npu-decompose-transposed-convs --canonicalize --mlir-print-local-scope | FileCheck %s

// The filter of phase (r, q) has the taps (2 i + 1 - r, 2 j + 1 - q).
// CHECK-LABEL: func @taps(
// CHECK-SAME: %[[X:.*]]: tensor<1x5x5x1xf32>)
// CHECK-DAG: %[[FILTER:.*]] = arith.constant dense<{{\[\[\[\[}}6.000000e+00, 5.000000e+00, 2.000000e+00, 1.000000e+00]], {{\[\[}}8.000000e+00, 7.000000e+00, 4.000000e+00, 3.000000e+00]]], {{\[\[\[}}1.400000e+01, 1.300000e+01, 1.000000e+01, 9.000000e+00]], {{\[\[}}1.600000e+01, 1.500000e+01, 1.200000e+01, 1.100000e+01]]]]> : tensor<2x2x1x4xf32>
// CHECK: %[[CONV:.*]] = linalg.conv_2d_nhwc_hwcf ins(%[[X]], %[[FILTER]] : {{.*}}) outs(%{{.*}} : tensor<1x4x4x4xf32>)
// CHECK: %[[PHASES:.*]] = tensor.expand_shape %[[CONV]] {{\[\[}}0], [1], [2], [3, 4, 5]] output_shape [1, 4, 4, 2, 2, 1]
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d2, d4, d5)>,
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3, 4], [5]] : tensor<1x4x2x4x2x1xf32> into tensor<1x8x8x1xf32>
func.func @taps(%x: tensor<1x5x5x1xf32>) -> tensor<1x8x8x1xf32> {
  %w = arith.constant dense<[[[[1.0]], [[2.0]], [[3.0]], [[4.0]]], [[[5.0]], [[6.0]], [[7.0]], [[8.0]]], [[[9.0]], [[10.0]], [[11.0]], [[12.0]]], [[[13.0]], [[14.0]], [[15.0]], [[16.0]]]]> : tensor<4x4x1x1xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x11x11x1xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x11x11x1xf32>) -> tensor<1x11x11x1xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 1, 1, 0] [1, 5, 5, 1] [1, 2, 2, 1] : tensor<1x5x5x1xf32> into tensor<1x11x11x1xf32>
  %r = tensor.empty() : tensor<1x8x8x1xf32>
  %init = linalg.fill ins(%z : f32) outs(%r : tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%spread, %w : tensor<1x11x11x1xf32>, tensor<4x4x1x1xf32>) outs(%init : tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32>
  return %0 : tensor<1x8x8x1xf32>
}

// A filter of extents that are no multiples of the stride, an input that begins elsewhere than the first phase, and sums that start from a bias.
// CHECK-LABEL: func @shifted(
// CHECK-SAME: %[[X:.*]]: tensor<1x2x5xi8>, %[[W:.*]]: tensor<3x2x3xi8>, %[[BIAS:.*]]: tensor<1x3x9xi32>
// CHECK: %[[WHOLE:.*]] = tensor.pad %[[W]] low[0, 0, 0] high[0, 0, 1]
// CHECK: tensor.expand_shape %[[WHOLE]] {{\[\[}}0], [1], [2, 3]] output_shape [3, 2, 2, 2]
// CHECK: affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, -d0 + 1)>
// CHECK: linalg.conv_1d_ncw_fcw ins(%{{.*}}, %{{.*}} : tensor<1x2x6xi8>, tensor<6x2x2xi8>) outs(%{{.*}} : tensor<1x6x5xi32>)
// CHECK: %[[ALL:.*]] = tensor.collapse_shape %{{.*}} : tensor<1x3x5x2xi32> into tensor<1x3x10xi32>
// CHECK: %[[PRODUCTS:.*]] = tensor.extract_slice %[[ALL]][0, 0, 1] [1, 3, 9] [1, 1, 1]
// CHECK: linalg.add ins(%[[PRODUCTS]], %[[BIAS]]
func.func @shifted(%x: tensor<1x2x5xi8>, %w: tensor<3x2x3xi8>, %bias: tensor<1x3x9xi32>) -> tensor<1x3x9xi32> {
  %z = arith.constant 0 : i8
  %e = tensor.empty() : tensor<1x2x11xi8>
  %zeros = linalg.fill ins(%z : i8) outs(%e : tensor<1x2x11xi8>) -> tensor<1x2x11xi8>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 2] [1, 2, 5] [1, 1, 2] : tensor<1x2x5xi8> into tensor<1x2x11xi8>
  %0 = linalg.conv_1d_ncw_fcw ins(%spread, %w : tensor<1x2x11xi8>, tensor<3x2x3xi8>) outs(%bias : tensor<1x3x9xi32>) -> tensor<1x3x9xi32>
  return %0 : tensor<1x3x9xi32>
}

// A filter that a constant is turned round for stays a constant.
// CHECK-LABEL: func @turned(
// CHECK: arith.constant dense<{{\[\[\[}}2.000000e+00, 4.000000e+00]], {{\[\[}}1.000000e+00, 3.000000e+00]]]> : tensor<2x1x2xf32>
// CHECK-NOT: tensor.extract %
func.func @turned(%x: tensor<1x1x5xf32>) -> tensor<1x1x8xf32> {
  %w = arith.constant dense<[[[4.0, 3.0, 2.0, 1.0]]]> : tensor<1x1x4xf32>
  %c3 = arith.constant 3 : index
  %we = tensor.empty() : tensor<1x1x4xf32>
  %turned = linalg.generic {indexing_maps = [affine_map<(f, c, k) -> (f, c, k)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%we : tensor<1x1x4xf32>) {
  ^bb0(%out: f32):
    %f = linalg.index 0 : index
    %c = linalg.index 1 : index
    %k = linalg.index 2 : index
    %t = arith.subi %c3, %k : index
    %v = tensor.extract %w[%c, %f, %t] : tensor<1x1x4xf32>
    linalg.yield %v : f32
  } -> tensor<1x1x4xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x11xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x1x11xf32>) -> tensor<1x1x11xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 0] [1, 1, 5] [1, 1, 2] : tensor<1x1x5xf32> into tensor<1x1x11xf32>
  %r = tensor.empty() : tensor<1x1x8xf32>
  %init = linalg.fill ins(%z : f32) outs(%r : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %0 = linalg.conv_1d_ncw_fcw ins(%spread, %turned : tensor<1x1x11xf32>, tensor<1x1x4xf32>) outs(%init : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  return %0 : tensor<1x1x8xf32>
}

// What stays: an input among other values, one tap per dimension, taps that are apart, and windows that are apart themselves.
// CHECK-LABEL: func @ones(
// CHECK: linalg.conv_1d_ncw_fcw ins(%{{.*}} : tensor<1x1x11xf32>, tensor<1x1x2xf32>)
func.func @ones(%x: tensor<1x1x5xf32>, %w: tensor<1x1x2xf32>) -> tensor<1x1x10xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x1x11xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<1x1x11xf32>) -> tensor<1x1x11xf32>
  %spread = tensor.insert_slice %x into %ones[0, 0, 1] [1, 1, 5] [1, 1, 2] : tensor<1x1x5xf32> into tensor<1x1x11xf32>
  %r = tensor.empty() : tensor<1x1x10xf32>
  %0 = linalg.conv_1d_ncw_fcw ins(%spread, %w : tensor<1x1x11xf32>, tensor<1x1x2xf32>) outs(%r : tensor<1x1x10xf32>) -> tensor<1x1x10xf32>
  return %0 : tensor<1x1x10xf32>
}
// CHECK-LABEL: func @others(
// CHECK: linalg.conv_1d_ncw_fcw {{.*}}ins(%{{.*}} : tensor<1x1x11xf32>, tensor<1x1x1xf32>)
// CHECK: linalg.conv_1d_ncw_fcw {{.*}}ins(%{{.*}} : tensor<1x1x11xf32>, tensor<1x1x2xf32>)
// CHECK: linalg.conv_1d_ncw_fcw {{.*}}ins(%{{.*}} : tensor<1x1x11xf32>, tensor<1x1x2xf32>)
func.func @others(%x: tensor<1x1x5xf32>, %w1: tensor<1x1x1xf32>, %w2: tensor<1x1x2xf32>, %r1: tensor<1x1x11xf32>, %r2: tensor<1x1x9xf32>, %r3: tensor<1x1x5xf32>) -> (tensor<1x1x11xf32>, tensor<1x1x9xf32>, tensor<1x1x5xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x11xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x1x11xf32>) -> tensor<1x1x11xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 1] [1, 1, 5] [1, 1, 2] : tensor<1x1x5xf32> into tensor<1x1x11xf32>
  %0 = linalg.conv_1d_ncw_fcw ins(%spread, %w1 : tensor<1x1x11xf32>, tensor<1x1x1xf32>) outs(%r1 : tensor<1x1x11xf32>) -> tensor<1x1x11xf32>
  %1 = linalg.conv_1d_ncw_fcw {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%spread, %w2 : tensor<1x1x11xf32>, tensor<1x1x2xf32>) outs(%r2 : tensor<1x1x9xf32>) -> tensor<1x1x9xf32>
  %2 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%spread, %w2 : tensor<1x1x11xf32>, tensor<1x1x2xf32>) outs(%r3 : tensor<1x1x5xf32>) -> tensor<1x1x5xf32>
  return %0, %1, %2 : tensor<1x1x11xf32>, tensor<1x1x9xf32>, tensor<1x1x5xf32>
}

// A spread input of which dimensions of one element were dropped.
// CHECK-LABEL: func @without_batch(
// CHECK-SAME: %[[X:.*]]: tensor<1x5x2xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK: linalg.generic {{.*}} ins(%[[FLAT]], %{{.*}} : tensor<5x2xf32>, tensor<1x2x6xf32>) outs(%{{.*}} : tensor<5x6xf32>)
func.func @without_batch(%x: tensor<1x5x2xf32>, %w: tensor<2x2x3xf32>) -> tensor<10x3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x11x2xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x11x2xf32>) -> tensor<1x11x2xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 1, 0] [1, 5, 2] [1, 2, 1] : tensor<1x5x2xf32> into tensor<1x11x2xf32>
  %line = tensor.collapse_shape %spread [[0, 1], [2]] : tensor<1x11x2xf32> into tensor<11x2xf32>
  %r = tensor.empty() : tensor<10x3xf32>
  %init = linalg.fill ins(%z : f32) outs(%r : tensor<10x3xf32>) -> tensor<10x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(o, f, k, c) -> (o + k, c)>, affine_map<(o, f, k, c) -> (k, c, f)>, affine_map<(o, f, k, c) -> (o, f)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%line, %w : tensor<11x2xf32>, tensor<2x2x3xf32>) outs(%init : tensor<10x3xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<10x3xf32>
  return %0 : tensor<10x3xf32>
}

// Sums of something else than products: zeros are no neutral elements.
// CHECK-LABEL: func @dilation(
// CHECK: tensor.insert_slice
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<11xf32>, tensor<2x3xf32>)
func.func @dilation(%x: tensor<5xf32>, %w: tensor<2x3xf32>, %init: tensor<10x3xf32>) -> tensor<10x3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<11xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<11xf32>) -> tensor<11xf32>
  %spread = tensor.insert_slice %x into %zeros[1] [5] [2] : tensor<5xf32> into tensor<11xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(o, f, k) -> (o + k)>, affine_map<(o, f, k) -> (k, f)>, affine_map<(o, f, k) -> (o, f)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%spread, %w : tensor<11xf32>, tensor<2x3xf32>) outs(%init : tensor<10x3xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.addf %a, %b : f32
    %t = arith.maximumf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<10x3xf32>
  return %0 : tensor<10x3xf32>
}

// A filter that extracts from outside of a constant, which is not known, is no constant.
// CHECK-LABEL: func @outside(
// CHECK: tensor.extract %
// CHECK: linalg.conv_1d_ncw_fcw ins(%{{.*}}, %{{.*}} : tensor<1x1x6xf32>, tensor<2x1x2xf32>)
func.func @outside(%x: tensor<1x1x5xf32>, %init: tensor<1x1x8xf32>) -> tensor<1x1x8xf32> {
  %w = arith.constant dense<[[[4.0, 3.0, 2.0, 1.0]]]> : tensor<1x1x4xf32>
  %c4 = arith.constant 4 : index
  %we = tensor.empty() : tensor<1x1x4xf32>
  %turned = linalg.generic {indexing_maps = [affine_map<(f, c, k) -> (f, c, k)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%we : tensor<1x1x4xf32>) {
  ^bb0(%out: f32):
    %f = linalg.index 0 : index
    %c = linalg.index 1 : index
    %k = linalg.index 2 : index
    %t = arith.subi %c4, %k : index
    %v = tensor.extract %w[%c, %f, %t] : tensor<1x1x4xf32>
    linalg.yield %v : f32
  } -> tensor<1x1x4xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x11xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<1x1x11xf32>) -> tensor<1x1x11xf32>
  %spread = tensor.insert_slice %x into %zeros[0, 0, 0] [1, 1, 5] [1, 1, 2] : tensor<1x1x5xf32> into tensor<1x1x11xf32>
  %0 = linalg.conv_1d_ncw_fcw ins(%spread, %turned : tensor<1x1x11xf32>, tensor<1x1x4xf32>) outs(%init : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  return %0 : tensor<1x1x8xf32>
}
