// A convolution in groups of several inputs and one output each: groups are done one after the other, and a result of one
// channel has no columns that a bias could have. So sums start from zero.
// RUN: npu-run --check --target=npu-v1 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4 %s | FileCheck %s
// RUN: npu-run --check --target=npu-tiny %s | FileCheck %s --check-prefix=TINY
// CHECK: Dispatch #0: op: {{.*}}groups=16
// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host
// TINY: {{^}}matches host
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d3)>
func.func @main(%x: tensor<1x9x9x16x5xi8>, %w: tensor<3x3x16x5xi8>, %b: tensor<16xi32>, %t: tensor<16xf32>) -> (tensor<1x7x7x16xi8>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x7x7x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x7x7x16xi32>) -> tensor<1x7x7x16xi32>
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, g, y, x, c) -> (n, h + y, w + x, g, c)>,
                                        affine_map<(n, h, w, g, y, x, c) -> (y, x, g, c)>, affine_map<(n, h, w, g, y, x, c) -> (n, h, w, g)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x9x9x16x5xi8>, tensor<3x3x16x5xi8>) outs(%f : tensor<1x7x7x16xi32>) {
  ^bb0(%0: i8, %1: i8, %o: i32):
    %2 = arith.extsi %0 : i8 to i32
    %3 = arith.extsi %1 : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %o, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<1x7x7x16xi32>
  %q = tensor.empty() : tensor<1x7x7x16xi8>
  %r = linalg.generic {indexing_maps = [#map, #channel, #channel, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b, %t : tensor<1x7x7x16xi32>, tensor<16xi32>, tensor<16xf32>) outs(%q : tensor<1x7x7x16xi8>) {
  ^bb0(%0: i32, %1: i32, %2: f32, %o: i8):
    %3 = arith.addi %0, %1 : i32
    %4 = arith.maxsi %3, %zero : i32
    %5 = arith.sitofp %4 : i32 to f32
    %6 = arith.mulf %5, %2 : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<1x7x7x16xi8>
  return %r : tensor<1x7x7x16xi8>
}
