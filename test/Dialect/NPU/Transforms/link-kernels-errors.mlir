// RUN: npu-opt --npu-link-kernels %s --split-input-file --verify-diagnostics

npu.kernel private @inner(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  %c2 = arith.constant 2 : index
  // expected-note @below {{several share this}}
  scf.forall (%c) in (%c2) {
  }
  npu.return
}
npu.kernel @outer(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1-x4">} {
  // expected-error @below {{expected a kernel on one cluster, as clusters do not wait for each other between kernels}}
  npu.launch @inner(%x) : memref<64xi8, #npu.space<dram>>
  npu.return
}

// -----

npu.kernel private @leaf(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}
npu.kernel @outer(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.launch @inner(%x) : memref<64xi8, #npu.space<dram>>
  npu.return
}
npu.kernel private @inner(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  // expected-error @below {{is not part of tile form}}
  npu.launch @leaf(%x) : memref<64xi8, #npu.space<dram>>
  npu.return
}
