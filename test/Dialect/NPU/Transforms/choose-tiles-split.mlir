// Whole rows fit the memory, but only few of them: the array would be idle most of the time. The softmax goes through scratch memory then.
// RUN: npu-opt %s --npu-choose-tiles | FileCheck %s

// CHECK-LABEL: npu.kernel @few_rows
// CHECK-SAME: schedule = #npu.schedule<{{.*}}@matmul0{{.*}}@reduce1{{.*}}load @{{.*}}.matmul0
npu.kernel @few_rows(%a: tensor<512x64xf32>, %b: tensor<64x4096xf32>) -> tensor<512x4096xf32> attributes {target = #npu.target<"npu-v1:sramBytes=65536,accBytes=65536">} {
  %e = tensor.empty() : tensor<512x4096xf32>
  %r = tensor.empty() : tensor<512xf32>
  %0 = npu.matmul %a, %b -> %e : tensor<512x64xf32>, tensor<64x4096xf32> -> tensor<512x4096xf32>
  %1 = npu.reduce max %0 -> %r {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<512x4096xf32> -> tensor<512xf32>
  %2 = npu.binary sub %0, %1 -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<512x4096xf32>, tensor<512xf32> -> tensor<512x4096xf32>
  npu.return %2 : tensor<512x4096xf32>
}

// With more memory whole rows stay on chip.
// CHECK-LABEL: npu.kernel @enough_rows
// CHECK-SAME: schedule = #npu.schedule<{load @matmul{{0?}}.rhs, for m = 32 {
// CHECK-NOT: load @{{.*}}.matmul0
npu.kernel @enough_rows(%a: tensor<512x64xf32>, %b: tensor<64x4096xf32>) -> tensor<512x4096xf32> attributes {target = #npu.target<"npu-v1:sramBytes=4194304,accBytes=2097152">} {
  %e = tensor.empty() : tensor<512x4096xf32>
  %r = tensor.empty() : tensor<512xf32>
  %0 = npu.matmul %a, %b -> %e : tensor<512x64xf32>, tensor<64x4096xf32> -> tensor<512x4096xf32>
  %1 = npu.reduce max %0 -> %r {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<512x4096xf32> -> tensor<512xf32>
  %2 = npu.binary sub %0, %1 -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<512x4096xf32>, tensor<512xf32> -> tensor<512x4096xf32>
  npu.return %2 : tensor<512x4096xf32>
}
