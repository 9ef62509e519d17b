// RUN: npu-opt %s --npu-plan-memory -split-input-file -verify-diagnostics

// expected-error@+1 {{'npu.kernel' op requires 5120 bytes of sram but target 'npu-tiny:sramBytes=4096' has 4096, choose smaller tiles}}
npu.kernel @full(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  npu.stream dmai cluster(0) {
    // expected-note@+1 {{live at the peak: 2048 bytes x 2 for 'memref<2048xi8, #npu.space<sram>>'}}
    %0 = npu.ring %c0 {depth = 2, id = 0, slot_bytes = 2048} : memref<2048xi8, #npu.space<sram>>
    // expected-note@+1 {{live at the peak: 1024 bytes x 1 for 'memref<1024xi8, #npu.space<sram>>'}}
    %1 = npu.ring %c0 {depth = 1, id = 1, slot_bytes = 1024} : memref<1024xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @mixed(%in: memref<256xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-tiny:sramBytes=4096">} {
  %c0 = arith.constant 0 : index
  npu.stream dmai cluster(0) {
    // expected-note@+1 {{the other ring is here}}
    %0 = npu.ring %c0 {depth = 2, id = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
    // expected-error@+1 {{'npu.ring' op expected the depth and slot size of the other rings with id 0}}
    %1 = npu.ring %c0 {depth = 1, id = 0, slot_bytes = 64} : memref<64xi8, #npu.space<sram>>
  }
  npu.return
}
