// RUN: npu-opt %s --npu-fit-buffers --npu-pipeline-streams | FileCheck %s

npu.kernel @matmul(%A: memref<130x300xf16, #npu.space<dram>>, %B: memref<300x257xf16, #npu.space<dram>>, %bias: memref<257xf16, #npu.space<dram>>,
              %out: memref<130x257xf16, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">, cluster = #npu.cluster<dim = 0, count = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %m = affine.min affine_map<(d0) -> (130 - d0 * 64, 64)>(%i)
      %n = affine.min affine_map<(d0) -> (257 - d0 * 64, 64)>(%j)
      %om = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      %on = affine.apply affine_map<(d0) -> (d0 * 64)>(%j)
      %acc = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xf32, #npu.space<acc>>
      scf.for %kk = %c0 to %c3 step %c1 {
        %k = affine.min affine_map<(d0) -> (300 - d0 * 128, 128)>(%kk)
        %ok = affine.apply affine_map<(d0) -> (d0 * 128)>(%kk)
        %a = memref.alloc() {npu.buffers = 2 : i64} : memref<64x128xf16, #npu.space<sram>>
        npu.dma_load %A[%om, %ok] -> %a extents(%m, %k) : memref<130x300xf16, #npu.space<dram>> to memref<64x128xf16, #npu.space<sram>>
        %b = memref.alloc() {npu.buffers = 2 : i64} : memref<2x128x32xf16, #npu.space<sram>>
        npu.dma_load %B[%ok, %on] -> %b extents(%c2, %k, %c32) fill(0.0 : f16) {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>} : memref<300x257xf16, #npu.space<dram>> to memref<2x128x32xf16, #npu.space<sram>>
        npu.matmul %a, %b -> %acc extents(%m, %n, %k) init(%kk) {packed} : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
      } {npu.dim = 2 : i64}
      %bt = memref.alloc() {npu.buffers = 2 : i64} : memref<64xf16, #npu.space<sram>>
      npu.dma_load %bias[%on] -> %bt extents(%n) : memref<257xf16, #npu.space<dram>> to memref<64xf16, #npu.space<sram>>
      %t0 = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xf16, #npu.space<sram>>
      npu.cast truncf %acc -> %t0 extents(%m, %n) : memref<64x64xf32, #npu.space<acc>> -> memref<64x64xf16, #npu.space<sram>>
      npu.binary add %t0, %bt -> %t0 extents(%m, %n) {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]} : memref<64x64xf16, #npu.space<sram>>, memref<64xf16, #npu.space<sram>> -> memref<64x64xf16, #npu.space<sram>>
      npu.binary max %t0 -> %t0 extents(%m, %n) {imm = 0.0 : f16} : memref<64x64xf16, #npu.space<sram>> -> memref<64x64xf16, #npu.space<sram>>
      npu.dma_store %t0 -> %out[%om, %on] extents(%m, %n) : memref<64x64xf16, #npu.space<sram>> to memref<130x257xf16, #npu.space<dram>>
    } {npu.dim = 1 : i64}
  } {npu.dim = 0 : i64}
  npu.return
}
