// RUN: npu-opt --npu-host-lower-packs -split-input-file -verify-diagnostics %s

func.func @dynamic_tile(%x: tensor<8xf32>, %tile: index, %empty: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{'linalg.pack' op expected inner tiles of static sizes to lower it for the host}}
  %0 = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [%tile]
      into %empty : tensor<8xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
