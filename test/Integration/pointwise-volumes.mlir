// A convolution of 1x1x1 between two with windows keeps the dimensions of its images: four of them are rows.
// RUN: npu-run %s --target=npu-v1 --input='random(1)' --input='random(2)' --input='random(3)' --check --npu-fallback=error | FileCheck %s
// RUN: npu-run %s --target=npu-v1-x4 --input='random(1)' --input='random(2)' --input='random(3)' --check --npu-fallback=error | FileCheck %s
// CHECK: on the NPU: 3 of 3 dispatches
// CHECK: matches host
func.func @main(%image: tensor<2x5x6x7x8xf32>, %filter: tensor<3x3x3x8x16xf32>, %point: tensor<16x24xf32>) -> tensor<2x1x2x3x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x3x4x5x16xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x3x4x5x16xf32>) -> tensor<2x3x4x5x16xf32>
  %0 = linalg.conv_3d_ndhwc_dhwcf ins(%image, %filter : tensor<2x5x6x7x8xf32>, tensor<3x3x3x8x16xf32>) outs(%f0 : tensor<2x3x4x5x16xf32>) -> tensor<2x3x4x5x16xf32>
  %e1 = tensor.empty() : tensor<2x3x4x5x24xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x3x4x5x24xf32>) -> tensor<2x3x4x5x24xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, d, h, w, f, c) -> (n, d, h, w, c)>, affine_map<(n, d, h, w, f, c) -> (c, f)>, affine_map<(n, d, h, w, f, c) -> (n, d, h, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%0, %point : tensor<2x3x4x5x16xf32>, tensor<16x24xf32>) outs(%f1 : tensor<2x3x4x5x24xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %m = arith.mulf %x, %y : f32
    %a = arith.addf %s, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x3x4x5x24xf32>
  %e2 = tensor.empty() : tensor<2x1x2x3x24xf32>
  %low = arith.constant 0xFF800000 : f32
  %f2 = linalg.fill ins(%low : f32) outs(%e2 : tensor<2x1x2x3x24xf32>) -> tensor<2x1x2x3x24xf32>
  %window = tensor.empty() : tensor<3x3x3xf32>
  %2 = linalg.pooling_ndhwc_max ins(%1, %window : tensor<2x3x4x5x24xf32>, tensor<3x3x3xf32>) outs(%f2 : tensor<2x1x2x3x24xf32>) -> tensor<2x1x2x3x24xf32>
  return %2 : tensor<2x1x2x3x24xf32>
}
