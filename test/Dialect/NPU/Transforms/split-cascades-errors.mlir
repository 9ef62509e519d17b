// RUN: npu-opt %s --npu-split-cascades=block=5 --split-input-file --verify-diagnostics
// RUN: not npu-opt %s --npu-split-cascades=block=0 2>&1 | FileCheck %s
// CHECK: error: 'npu.kernel' op expected blocks that divide the 12 elements that are reduced but found 0

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// expected-error @+1 {{'npu.kernel' op expected blocks that divide the 12 elements that are reduced but found 5}}
npu.kernel @k(%x: tensor<8x12xf32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
  %r = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8x12xf32>
  %0 = npu.reduce max %x -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  %1 = npu.binary sub %x, %0 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf32>, tensor<8xf32> -> tensor<8x12xf32>
  %2 = npu.unary exp %1 -> %e : tensor<8x12xf32> -> tensor<8x12xf32>
  %3 = npu.reduce sum %2 -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  npu.return %3 : tensor<8xf32>
}
