// RUN: npu-opt %s --split-input-file --verify-diagnostics

npu.kernel @outer(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  // launch_c1
  // expected-error @below {{expected a kernel but found @missing}}
  npu.launch @missing(%x) : memref<64xi8, #npu.space<dram>>
  npu.return
}

// -----

npu.kernel @inner(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-tiny">} {
  npu.return
}
npu.kernel @outer(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  // launch_c1
  // expected-error @below {{expected a kernel for #npu.target<"npu-v1"> but @inner is for #npu.target<"npu-tiny">}}
  npu.launch @inner(%x) : memref<64xi8, #npu.space<dram>>
  npu.return
}

// -----

npu.kernel @inner(%x: tensor<64xi8>) -> tensor<64xi8> attributes {target = #npu.target<"npu-v1">} {
  npu.return %x : tensor<64xi8>
}
npu.kernel @outer(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  // launch_c1
  // expected-error @below {{expected a kernel in tile form but @inner has an argument of type 'tensor<64xi8>'; run npu-choose-tiles and npu-lower-to-tiles on it}}
  npu.launch @inner(%x) : memref<64xi8, #npu.space<dram>>
  npu.return
}

// -----

npu.kernel @inner(%x: memref<64xi8, #npu.space<dram>>, %y: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}
npu.kernel @outer(%x: memref<64xi8, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  // launch_c2
  // expected-error @below {{expected memory of the types ('memref<64xi8, #npu.space<dram>>', 'memref<64xi8, #npu.space<dram>>') that @inner works on but found ('memref<64xi8, #npu.space<dram>>')}}
  npu.launch @inner(%x) : memref<64xi8, #npu.space<dram>>
  npu.return
}

// -----

func.func @host(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = npu.segment -> tensor<4xf32> {
    // segment_c1
    // expected-error @below {{expected operands of the segment's result types ('tensor<4xf32>') but found ()}}
    npu.yield
  }
  return %0 : tensor<4xf32>
}
