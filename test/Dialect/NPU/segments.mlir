// RUN: npu-opt %s --split-input-file | npu-opt --split-input-file | FileCheck %s

// CHECK-LABEL: npu.kernel @outer
// CHECK: npu.launch @inner(%{{.*}}, %{{.*}}) : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
// CHECK: npu.launch @inner(%{{.*}}, %{{.*}}) parts 2 : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
npu.kernel private @inner(%x: memref<64xi8, #npu.space<dram>>, %one: memref<4xi8, #npu.space<dram>> {npu.constant = dense<1> : tensor<4xi8>}, %y: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}
npu.kernel @outer(%x: memref<64xi8, #npu.space<dram>>, %y: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.launch @inner(%x, %y) : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
  npu.launch @inner(%x, %y) parts 2 : memref<64xi8, #npu.space<dram>>, memref<64xi8, #npu.space<dram>>
  npu.return
}

// -----

// CHECK-LABEL: func.func @host
// CHECK: %[[R:.*]] = npu.segment -> tensor<4xf32> {
// CHECK:   npu.yield %{{.*}} : tensor<4xf32>
// CHECK: npu.segment {
// CHECK-NEXT: }
// CHECK: return %[[R]]
func.func @host(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = npu.segment -> tensor<4xf32> {
    %1 = arith.negf %x : tensor<4xf32>
    npu.yield %1 : tensor<4xf32>
  }
  npu.segment {
  }
  return %0 : tensor<4xf32>
}
