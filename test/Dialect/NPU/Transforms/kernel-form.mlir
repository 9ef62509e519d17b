// A pass run alone on another form says what it expects.

// RUN: split-file %s %t
// RUN: not npu-opt --npu-distribute-clusters %t/tensor.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not npu-opt --npu-materialize-scalars %t/tensor.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not npu-opt --npu-fit-buffers %t/tensor.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not npu-opt --npu-pipeline-streams %t/tensor.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not npu-opt --npu-plan-memory %t/tensor.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not npu-opt --convert-npu-to-npu-isa %t/tensor.mlir 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not npu-opt --convert-npu-to-npu-isa %t/tile.mlir 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not npu-opt --npu-fit-buffers %t/planned.mlir 2>&1 | FileCheck %s --check-prefix=PLANNED
// RUN: not npu-opt --npu-plan-memory %t/planned.mlir 2>&1 | FileCheck %s --check-prefix=PLANNED
// RUN: not npu-opt --npu-pipeline-streams %t/planned.mlir 2>&1 | FileCheck %s --check-prefix=PLANNED

// TENSOR: tensor.mlir:{{[0-9]+}}:1: error: 'npu.kernel' op works on tensors, expected a kernel in {{tile|planned}} form; run npu-choose-tiles and npu-lower-to-tiles first
// TILE: tile.mlir:{{[0-9]+}}:3: error: 'npu.dma_load' op stands outside the streams, expected a kernel in planned form; run npu-plan-memory and npu-pipeline-streams first
// PLANNED: planned.mlir:{{[0-9]+}}:3: error: 'npu.stream' op is planned already, expected a kernel in tile form

//--- tensor.mlir
npu.kernel @k(%a: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {target = #npu.target<"npu-v1-x4">} {
  %0 = tensor.empty() : tensor<8x16xf32>
  %1 = npu.unary neg %a -> %0 : tensor<8x16xf32> -> tensor<8x16xf32>
  npu.return %1 : tensor<8x16xf32>
}
//--- tile.mlir
npu.kernel @k(%a: memref<64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<64xi8, #npu.space<sram>>
  npu.dma_load %a[%c0] -> %b : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
  npu.return
}
//--- planned.mlir
npu.kernel @k(%a: memref<64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
  }
  npu.return
}
