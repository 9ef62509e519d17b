// RUN: npu-opt %s --convert-npu-to-npu-isa | npu-translate --mlir-to-npu-asm | FileCheck %s

// Constants lie in one region, aligned, in the place of the first of them.
// CHECK: .kernel "constants"
// CHECK: .region 0 input "arg0" 8
// CHECK: .region 1 constants "constants" 66
// CHECK: .region 2 output "arg3" 8
// CHECK: dma.load from={region=1, type=i8}
// CHECK: dma.load from={region=1, type=i8, base=64}
npu.kernel @constants(%x: memref<8xi8, #npu.space<dram>>, %a: memref<2xi8, #npu.space<dram>> {npu.constant = dense<[1, 2]> : tensor<2xi8>},
                      %b: memref<2xi8, #npu.space<dram>> {npu.constant = dense<[3, 4]> : tensor<2xi8>},
                      %y: memref<8xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<2xi8, #npu.space<sram>>
    npu.dma_load %a[%c0] -> %t : memref<2xi8, #npu.space<dram>> to memref<2xi8, #npu.space<sram>>
    npu.dma_load %b[%c0] -> %t : memref<2xi8, #npu.space<dram>> to memref<2xi8, #npu.space<sram>>
  }
  npu.return
}
