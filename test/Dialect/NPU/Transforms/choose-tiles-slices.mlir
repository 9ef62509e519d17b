// RUN: npu-opt %s --npu-choose-tiles | FileCheck %s

// Equal kernels are searched once. Slices are not equal where one's rows begin within a beat of DRAM and take one more each.

// CHECK: npu.kernel @aligned({{.*}} cycles [[CYCLES:[0-9]+]]>
npu.kernel @aligned(%x: tensor<256x128xf32>) -> tensor<256x64xf32> attributes {target = #npu.target<"npu-v1">} {
  %s = tensor.extract_slice %x[0, 0] [256, 64] [1, 1] : tensor<256x128xf32> to tensor<256x64xf32>
  %e = tensor.empty() : tensor<256x64xf32>
  %0 = npu.binary add %s, %s -> %e : tensor<256x64xf32>, tensor<256x64xf32> -> tensor<256x64xf32>
  npu.return %0 : tensor<256x64xf32>
}
// CHECK: npu.kernel @shifted(
// CHECK-NOT: cycles [[CYCLES]]>
npu.kernel @shifted(%x: tensor<256x128xf32>) -> tensor<256x64xf32> attributes {target = #npu.target<"npu-v1">} {
  %s = tensor.extract_slice %x[0, 1] [256, 64] [1, 1] : tensor<256x128xf32> to tensor<256x64xf32>
  %e = tensor.empty() : tensor<256x64xf32>
  %0 = npu.binary add %s, %s -> %e : tensor<256x64xf32>, tensor<256x64xf32> -> tensor<256x64xf32>
  npu.return %0 : tensor<256x64xf32>
}
// CHECK: npu.kernel @as_aligned({{.*}} cycles [[CYCLES]]>
npu.kernel @as_aligned(%x: tensor<256x128xf32>) -> tensor<256x64xf32> attributes {target = #npu.target<"npu-v1">} {
  %s = tensor.extract_slice %x[0, 0] [256, 64] [1, 1] : tensor<256x128xf32> to tensor<256x64xf32>
  %e = tensor.empty() : tensor<256x64xf32>
  %0 = npu.binary add %s, %s -> %e : tensor<256x64xf32>, tensor<256x64xf32> -> tensor<256x64xf32>
  npu.return %0 : tensor<256x64xf32>
}
