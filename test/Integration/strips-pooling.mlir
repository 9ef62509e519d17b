// What a pooling reads of a convolution in f32 does not fit on chip, that of some of its rows does: the result is all that is written, also where the
// convolution's tail could take the place of its sums in the accumulators.
// RUN: npu-run --check --target=npu-v1:sramBytes=524288 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1:sramBytes=393216 %s --npu-search=full | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4:sramBytes=65536 %s | FileCheck %s --check-prefix=RIGHT

// CHECK: together: {{.*}}DRAM: {{[0-9]+}} bytes read, 215296 written
// CHECK: matches host
// RIGHT: on the host: none
// RIGHT: matches host

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%x: tensor<1x3x115x115xf32>, %w: tensor<64x3x3x3xf32>, %b: tensor<64xf32>) -> tensor<1x64x29x29xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x64x57x57xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x57x57xf32>) -> tensor<1x64x57x57xf32>
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x3x115x115xf32>, tensor<64x3x3x3xf32>) outs(%f : tensor<1x64x57x57xf32>) -> tensor<1x64x57x57xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (c)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %b : tensor<1x64x57x57xf32>, tensor<64xf32>) outs(%e : tensor<1x64x57x57xf32>) {
  ^bb0(%a: f32, %bias: f32, %o: f32):
    %s = arith.addf %a, %bias : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<1x64x57x57xf32>
  %p = tensor.pad %1 low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %least : f32
  } : tensor<1x64x57x57xf32> to tensor<1x64x59x59xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e2 = tensor.empty() : tensor<1x64x29x29xf32>
  %f2 = linalg.fill ins(%least : f32) outs(%e2 : tensor<1x64x29x29xf32>) -> tensor<1x64x29x29xf32>
  %2 = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
      ins(%p, %window : tensor<1x64x59x59xf32>, tensor<3x3xf32>) outs(%f2 : tensor<1x64x29x29xf32>) -> tensor<1x64x29x29xf32>
  return %2 : tensor<1x64x29x29xf32>
}
