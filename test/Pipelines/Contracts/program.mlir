// Faults that only npu-verify-program finds: kernels in planned form with a wait too few and one that
// never ends. Every other check accepts them. The error stands at the operation the instruction came from.

// RUN: npu-opt %s --split-input-file --pass-pipeline="builtin.module(npu.kernel(npu-verify-planned-form),convert-npu-to-npu-isa)" -o /dev/null
// RUN: npu-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(npu.kernel(npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))"

npu.kernel @race(%in: memref<256xi8, #npu.space<dram>>, %out: memref<256xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  npu.stream dmai cluster(0) {
    scf.for %i = %c0 to %c4 step %c1 {
      %0 = npu.ring %i {depth = 2, id = 0, offset = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
      %o = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      // The slot is loaded again without waiting for the store that reads it.
      // expected-error @+1 {{is at fault in program 'race': data race: bytes [0, 64) of cluster 0 sram}}
      npu.dma_load %in[%o] -> %0 : memref<256xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
      npu.signal sem(1)
    }
  }
  npu.stream dmao cluster(0) {
    scf.for %i = %c0 to %c4 step %c1 {
      %0 = npu.ring %i {depth = 2, id = 0, offset = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
      %o = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      %v = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
      npu.wait sem(1) >= %v
      npu.dma_store %0 -> %out[%o] : memref<64xi8, #npu.space<sram>> to memref<256xi8, #npu.space<dram>>
    }
  }
  npu.return
}

// -----

npu.kernel @deadlock(%in: memref<64xi8, #npu.space<dram>>, %out: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny">} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  npu.stream dmai cluster(0) {
    %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
    npu.dma_load %in[%c0] -> %0 : memref<64xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
    npu.signal sem(1)
  }
  npu.stream dmao cluster(0) {
    %0 = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
    npu.wait sem(1) >= %c2
    // expected-error @+1 {{is at fault in program 'deadlock': deadlock: }}
    npu.dma_store %0 -> %out[%c0] : memref<64xi8, #npu.space<sram>> to memref<64xi8, #npu.space<dram>>
  }
  npu.return
}
