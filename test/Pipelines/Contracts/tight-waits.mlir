// A ring of two slots of which one is used at a time: safe, but loads and stores take turns.

// RUN: npu-opt %s --pass-pipeline="builtin.module(npu.kernel(npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program{tight-waits=false}))" -o /dev/null
// RUN: npu-opt %s --verify-diagnostics --pass-pipeline="builtin.module(npu.kernel(npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))"

// npu-tighten-waits makes it one with tight waits.
// RUN: npu-opt %s --pass-pipeline="builtin.module(npu.kernel(npu-verify-planned-form),convert-npu-to-npu-isa,npu_isa.program(npu-tighten-waits,npu-verify-program))" -o /dev/null

npu.kernel @turns(%in: memref<256xi8, #npu.space<dram>>, %out: memref<256xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  npu.stream dmai cluster(0) {
    scf.for %i = %c0 to %c4 step %c1 {
      %0 = npu.ring %i {depth = 2, id = 0, offset = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
      %o = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      npu.wait sem(2) >= %i
      // expected-error @+1 {{is at fault in program 'turns': slack: stream cluster 0 dmai, instruction 1 'dma.load'}}
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
      npu.signal sem(2)
    }
  }
  npu.return
}
