// RUN: npu-opt %s --npu-choose-tiles | FileCheck %s

// One transfer after the other: two buffers are enough.
// CHECK-LABEL: npu.kernel @one
// CHECK-SAME: load @matmul.rhs x2,
npu.kernel @one(%A: tensor<1x768xi8>, %B: tensor<768x3072xi8>) -> tensor<1x3072xi32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<1x3072xi32>
  %0 = npu.matmul %A, %B -> %c : tensor<1x768xi8>, tensor<768x3072xi8> -> tensor<1x3072xi32>
  npu.return %0 : tensor<1x3072xi32>
}

// The latency of the next one passes while one arrives and one is read.
// CHECK-LABEL: npu.kernel @two
// CHECK-SAME: load @matmul.rhs x3,
npu.kernel @two(%A: tensor<1x768xi8>, %B: tensor<768x3072xi8>) -> tensor<1x3072xi32> attributes {target = #npu.target<"npu-v1:dmaOutstanding=2">} {
  %c = tensor.empty() : tensor<1x3072xi32>
  %0 = npu.matmul %A, %B -> %c : tensor<1x768xi8>, tensor<768x3072xi8> -> tensor<1x3072xi32>
  npu.return %0 : tensor<1x3072xi32>
}

// Three tiles of this size do not fit.
// CHECK-LABEL: npu.kernel @little
// CHECK-SAME: load @matmul.rhs x2,
npu.kernel @little(%A: tensor<1x768xi8>, %B: tensor<768x3072xi8>) -> tensor<1x3072xi32> attributes {target = #npu.target<"npu-v1:dmaOutstanding=2,sramBytes=65536">} {
  %c = tensor.empty() : tensor<1x3072xi32>
  %0 = npu.matmul %A, %B -> %c {tile_n = 32, tile_k = 768} : tensor<1x768xi8>, tensor<768x3072xi8> -> tensor<1x3072xi32>
  npu.return %0 : tensor<1x3072xi32>
}
