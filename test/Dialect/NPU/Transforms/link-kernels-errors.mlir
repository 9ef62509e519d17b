// RUN: npu-opt --npu-link-kernels %s --split-input-file --verify-diagnostics

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
