// A fault that only npu-verify-planned-form finds: the ring's third slot lies behind the end of SRAM. The
// loop uses the first two, so without the contract the program that comes out is safe, until somebody gives
// the loop another iteration.

// RUN: not npu-opt %s --pass-pipeline="builtin.module(npu.kernel(npu-verify-planned-form))" 2>&1 | FileCheck %s
// RUN: npu-opt %s --pass-pipeline="builtin.module(convert-npu-to-npu-isa,npu_isa.program(npu-verify-program))" -o /dev/null

npu.kernel @ring(%in: memref<128xi8, #npu.space<dram>>, %out: memref<128xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  npu.stream dmai cluster(0) {
    scf.for %i = %c0 to %c2 step %c1 {
      // CHECK: [[# @LINE+1]]:12: error: 'npu.ring' op ends at byte 4160 of sram but target 'npu-tiny:sramBytes=4096' has 4096
      %0 = npu.ring %i {depth = 3, id = 0, offset = 3968, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
      %o = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      npu.dma_load %in[%o] -> %0 : memref<128xi8, #npu.space<dram>> to memref<64xi8, #npu.space<sram>>
      npu.signal sem(1)
    }
  }
  npu.return
}
