// A sum in the place of what is added is stored twice. Its tile stays for what is written before the sum, but the second tensor cannot have it: it stays in DRAM.
// RUN: npu-opt %s --npu-keep-resident -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: npu-opt %s --npu-keep-resident --remarks-filter=npu-keep-resident -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: npu-run --input="random(1)" --input="random(2)" --output=@%t.y.npy --output=@%t.z.npy %s
// RUN: npu-run --input="random(1)" --input="random(2)" --expected_output=@%t.y.npy --expected_output=@%t.z.npy %t.mlir | FileCheck %s --check-prefix=SAME
// SAME-COUNT-2: expected output: match

// REMARK-DAG: StaysInDram{{.*}}a tile of it is a part of another tensor
// REMARK-DAG: KeptResident{{.*}}bytes=256
// REMARK-DAG: KeptResident{{.*}}bytes=256

// CHECK-COUNT-1: memref.alloc() : memref<4x64xi8, #npu.space<sram>>
// CHECK: %[[DRAM:.*]] = memref.alloc() : memref<4x64xi8, #npu.space<dram>>
// CHECK: npu.dma_store %{{.*}} -> %[[DRAM]]
// CHECK: npu.dma_load %[[DRAM]]
npu.kernel @twice(%x: memref<4x64xi8, #npu.space<dram>>, %w: memref<4x64xi8, #npu.space<dram>>, %y: memref<4x64xi8, #npu.space<dram>> {npu.output}, %z: memref<4x64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %first = memref.alloc() : memref<4x64xi8, #npu.space<dram>>
  %second = memref.alloc() : memref<4x64xi8, #npu.space<dram>>
  %third = memref.alloc() : memref<4x64xi8, #npu.space<dram>>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.alloc() : memref<1x64xi8, #npu.space<sram>>
    npu.dma_load %x[%i, %c0] -> %a : memref<4x64xi8, #npu.space<dram>> to memref<1x64xi8, #npu.space<sram>>
    npu.unary neg %a -> %a : memref<1x64xi8, #npu.space<sram>> -> memref<1x64xi8, #npu.space<sram>>
    npu.dma_store %a -> %first[%i, %c0] : memref<1x64xi8, #npu.space<sram>> to memref<4x64xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.alloc() : memref<1x64xi8, #npu.space<sram>>
    npu.dma_load %w[%i, %c0] -> %v : memref<4x64xi8, #npu.space<dram>> to memref<1x64xi8, #npu.space<sram>>
    %b = memref.alloc() : memref<1x64xi8, #npu.space<sram>>
    npu.dma_load %first[%i, %c0] -> %b : memref<4x64xi8, #npu.space<dram>> to memref<1x64xi8, #npu.space<sram>>
    %d = memref.alloc() : memref<1x64xi8, #npu.space<sram>>
    npu.unary neg %v -> %d : memref<1x64xi8, #npu.space<sram>> -> memref<1x64xi8, #npu.space<sram>>
    npu.binary add %d, %b -> %d : memref<1x64xi8, #npu.space<sram>>, memref<1x64xi8, #npu.space<sram>> -> memref<1x64xi8, #npu.space<sram>>
    npu.dma_store %d -> %second[%i, %c0] : memref<1x64xi8, #npu.space<sram>> to memref<4x64xi8, #npu.space<dram>>
    npu.dma_store %d -> %third[%i, %c0] : memref<1x64xi8, #npu.space<sram>> to memref<4x64xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %e = memref.alloc() : memref<1x64xi8, #npu.space<sram>>
    npu.dma_load %second[%i, %c0] -> %e : memref<4x64xi8, #npu.space<dram>> to memref<1x64xi8, #npu.space<sram>>
    npu.dma_store %e -> %y[%i, %c0] : memref<1x64xi8, #npu.space<sram>> to memref<4x64xi8, #npu.space<dram>>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %g = memref.alloc() : memref<1x64xi8, #npu.space<sram>>
    npu.dma_load %third[%i, %c0] -> %g : memref<4x64xi8, #npu.space<dram>> to memref<1x64xi8, #npu.space<sram>>
    npu.dma_store %g -> %z[%i, %c0] : memref<1x64xi8, #npu.space<sram>> to memref<4x64xi8, #npu.space<dram>>
  }
  npu.return
}
