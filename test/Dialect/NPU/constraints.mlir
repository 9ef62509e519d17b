// A violation of each constraint that invalid.mlir has none of.

// RUN: npu-opt %s -split-input-file -verify-diagnostics

// conv_c1
func.func @conv_letters(%i: tensor<9x9x8xf32>, %f: tensor<3x3x8x16xf32>, %o: tensor<7x7x16xf32>) {
  // expected-error@below {{'npu.conv' op expected layout_input to have letters of "ngdhwfczyx" but found "hqc"}}
  npu.conv %i, %f -> %o {layout_input = #npu.layout<hqc>, layout_filter = #npu.layout<yxcf>, layout_output = #npu.layout<hwf>} : tensor<9x9x8xf32>, tensor<3x3x8x16xf32> -> tensor<7x7x16xf32>
  return
}

// -----

// conv_c4
func.func @conv_types(%i: tensor<9x9x8xi32>, %f: tensor<3x3x8x16xi32>, %o: tensor<7x7x16xi32>) {
  // expected-error@below {{'npu.conv' op expected i8 x i8 -> i32, i16 x i8 -> i32, f16 x f16 -> f32, bf16 x bf16 -> f32 or f32 x f32 -> f32 but found 'i32' x 'i32' -> 'i32'}}
  npu.conv %i, %f -> %o {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<yxcf>, layout_output = #npu.layout<hwf>} : tensor<9x9x8xi32>, tensor<3x3x8x16xi32> -> tensor<7x7x16xi32>
  return
}

// -----

// conv_c7
func.func @conv_extents(%i: memref<9x9x8xf32>, %f: memref<3x3x8x16xf32>, %o: memref<7x7x16xf32>, %e: index) {
  // expected-error@below {{'npu.conv' op expected one extent per iteration dimension, that is 6, but found 1}}
  npu.conv %i, %f -> %o extents(%e) {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<yxcf>, layout_output = #npu.layout<hwf>} : memref<9x9x8xf32>, memref<3x3x8x16xf32> -> memref<7x7x16xf32>
  return
}

// -----

// conv_c7
func.func @conv_init(%i: tensor<9x9x8xf32>, %f: tensor<3x3x8x16xf32>, %o: tensor<7x7x16xf32>, %e: index) {
  // expected-error@below {{'npu.conv' op expected no 'init' on tensors; use 'accumulate'}}
  npu.conv %i, %f -> %o init(%e) {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<yxcf>, layout_output = #npu.layout<hwf>} : tensor<9x9x8xf32>, tensor<3x3x8x16xf32> -> tensor<7x7x16xf32>
  return
}

// -----

// elementwise_c4
func.func @extents_on_tensors(%x: tensor<4xf32>, %e: index) {
  // expected-error@below {{'npu.unary' op expected no extents on tensors but found 1; slice the operands instead}}
  npu.unary neg %x -> %x extents(%e) : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// elementwise_c4
func.func @extents(%x: memref<4xf32>, %e: index) {
  // expected-error@below {{'npu.unary' op expected one extent per iteration dimension, that is 1, but found 2}}
  npu.unary neg %x -> %x extents(%e, %e) : memref<4xf32> -> memref<4xf32>
  return
}

// -----

// dma_load_c4
func.func @load_extents(%x: memref<4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@below {{'npu.dma_load' op expected no extents or one per on-chip dimension, that is 1, but found 2}}
  npu.dma_load %x[%i] -> %y extents(%i, %i) : memref<4xf32, #npu.space<dram>> to memref<4xf32, #npu.space<sram>>
  return
}

// -----

// dma_store_c2
func.func @store_origin(%x: memref<4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@below {{'npu.dma_store' op expected one origin per dimension of the DRAM side, that is 1, but found 2}}
  npu.dma_store %y -> %x[%i, %i] : memref<4xf32, #npu.space<sram>> to memref<4xf32, #npu.space<dram>>
  return
}

// -----

// dma_store_c3
func.func @store_map(%x: memref<4x4xf32, #npu.space<dram>>, %y: memref<4xf32, #npu.space<sram>>, %i: index) {
  // expected-error@below {{'npu.dma_store' op expected a map from the 1 on-chip dimensions to the 2 DRAM dimensions but found affine_map<(d0) -> (d0)>}}
  npu.dma_store %y -> %x[%i, %i] {map = affine_map<(d0) -> (d0)>} : memref<4xf32, #npu.space<sram>> to memref<4x4xf32, #npu.space<dram>>
  return
}

// -----

// ring_c2
func.func @ring_depth(%i: index) {
  // expected-error@below {{custom op 'npu.ring' 'npu.ring' op attribute 'depth' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = npu.ring %i {depth = 0, id = 0, slot_bytes = 64} : memref<4xf32, #npu.space<sram>>
  return
}

// -----

// ring_c2
func.func @ring_id(%i: index) {
  // expected-error@below {{custom op 'npu.ring' 'npu.ring' op attribute 'id' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = npu.ring %i {depth = 1, id = -1, slot_bytes = 64} : memref<4xf32, #npu.space<sram>>
  return
}

// -----

// ring_c2
func.func @ring_offset(%i: index) {
  // expected-error@below {{custom op 'npu.ring' 'npu.ring' op attribute 'offset' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = npu.ring %i {depth = 1, id = 0, offset = -64, slot_bytes = 64} : memref<4xf32, #npu.space<sram>>
  return
}

// -----

// stream_c1
npu.kernel @stream(%d: memref<4xf32, #npu.space<dram>>) {
  // expected-error@below {{'npu.stream' op attribute 'cluster' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  npu.stream mxu cluster(-1) {
  }
  npu.return
}

// -----

// wait_c1
npu.kernel @wait(%d: memref<4xf32, #npu.space<dram>>) {
  npu.stream mxu cluster(0) {
    %c1 = arith.constant 1 : index
    // expected-error@below {{'npu.wait' op attribute 'sem' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
    npu.wait sem(-1) >= %c1
  }
  npu.return
}

// -----

// signal_c1
npu.kernel @signal(%d: memref<4xf32, #npu.space<dram>>) {
  npu.stream mxu cluster(0) {
    // expected-error@below {{'npu.signal' op attribute 'sem' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
    npu.signal sem(-1)
  }
  npu.return
}
