// Operands, views and boxes that no instruction has; errors.mlir has the other errors.

// RUN: npu-opt %s --convert-npu-to-npu-isa -split-input-file -verify-diagnostics

// expected-error@below {{'npu.kernel' op expected arguments that are static buffers in #npu.space<dram> but argument 0 is 'memref<64x?xi8, #npu.space<dram>>'}}
npu.kernel @tensor_argument(%d: memref<64x?xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.return
}

// -----

npu.kernel @three_movers(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<2x2x2xi8, #npu.space<sram>>
    // expected-error@below {{'npu.dma_load' op expected a DRAM coordinate to be moved by at most 2 on-chip dimensions but found 3}}
    npu.dma_load %d[%c0, %c0] -> %t {map = affine_map<(d0, d1, d2) -> (d0 * 4 + d1 * 2 + d2, 0)>} : memref<64x64xi8, #npu.space<dram>> to memref<2x2x2xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @uneven_origin(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<4x4xi8, #npu.space<sram>>
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error@below {{'npu.dma_load' op expected the origin to move in multiples of the map's factor 2}}
      npu.dma_load %d[%i, %c0] -> %t {map = affine_map<(d0, d1) -> (d0 * 2, d1)>} : memref<64x64xi8, #npu.space<dram>> to memref<4x4xi8, #npu.space<sram>>
    }
  }
  npu.return
}

// -----

npu.kernel @strided_dram(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<4x4xi8, #npu.space<sram>>
    %v = memref.subview %d[0, 0] [4, 4] [1, 1] : memref<64x64xi8, #npu.space<dram>> to memref<4x4xi8, strided<[64, 1]>, #npu.space<dram>>
    // expected-error@below {{'npu.dma_load' op expected its DRAM side to be a static buffer of the kernel with identity layout but found 'memref<4x4xi8, strided<[64, 1]>, #npu.space<dram>>'}}
    npu.dma_load %v[%c0, %c0] -> %t : memref<4x4xi8, strided<[64, 1]>, #npu.space<dram>> to memref<4x4xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @ring_as_source(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %s = npu.ring %i {depth = 2, id = 0, offset = 0, slot_bytes = 64} : memref<4x4xi8, #npu.space<sram>>
      %t = npu.ring %c0 {depth = 1, id = 1, offset = 128, slot_bytes = 64} : memref<4x4xi8, #npu.space<sram>>
      // expected-error@below {{'npu.dma_load' op expected a source in SRAM of one slot but found 2}}
      npu.dma_load %s[%c0, %c0] -> %t : memref<4x4xi8, #npu.space<sram>> to memref<4x4xi8, #npu.space<sram>>
    }
  }
  npu.return
}

// -----

npu.kernel @six_dims(%d: memref<4x4x4x4x4x4xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 64} : memref<2x2x2x2x2x2xi8, #npu.space<sram>>
    // expected-error@below {{'npu.dma_load' op moves a box of 6 dimensions, at most 5 are possible}}
    npu.dma_load %d[%c0, %c0, %c0, %c0, %c0, %c0] -> %t : memref<4x4x4x4x4x4xi8, #npu.space<dram>> to memref<2x2x2x2x2x2xi8, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @innermost(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 512} : memref<16x16x2xi8, #npu.space<sram>>
    %a = memref.subview %t[0, 0, 0] [16, 16, 1] [1, 1, 1] : memref<16x16x2xi8, #npu.space<sram>> to memref<16x16xi8, strided<[32, 2]>, #npu.space<sram>>
    %b = npu.ring %c0 {depth = 1, id = 1, offset = 512, slot_bytes = 512} : memref<1x16x32xi8, #npu.space<sram>>
    %o = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 1024} : memref<16x16xi32, #npu.space<acc>>
    // expected-error@below {{'npu.matmul' op expected the innermost dimension of on-chip operands to be contiguous but found 'memref<16x16xi8, strided<[32, 2]>, #npu.space<sram>>'}}
    npu.matmul %a, %b -> %o {packed} : memref<16x16xi8, strided<[32, 2]>, #npu.space<sram>>, memref<1x16x32xi8, #npu.space<sram>> -> memref<16x16xi32, #npu.space<acc>>
  }
  npu.return
}

// -----

npu.kernel @rows_of_panel(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    %t = npu.ring %c0 {depth = 1, id = 1, offset = 512, slot_bytes = 1024} : memref<1x32x32xi8, #npu.space<sram>>
    %b = memref.subview %t[0, 0, 0] [1, 16, 32] [1, 2, 1] : memref<1x32x32xi8, #npu.space<sram>> to memref<1x16x32xi8, strided<[1024, 64, 1]>, #npu.space<sram>>
    %o = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 1024} : memref<16x16xi32, #npu.space<acc>>
    // expected-error@below {{'npu.matmul' op expected the rows of a panel to be contiguous but found 'memref<1x16x32xi8, strided<[1024, 64, 1]>, #npu.space<sram>>'}}
    npu.matmul %a, %b -> %o {packed} : memref<16x16xi8, #npu.space<sram>>, memref<1x16x32xi8, strided<[1024, 64, 1]>, #npu.space<sram>> -> memref<16x16xi32, #npu.space<acc>>
  }
  npu.return
}

// -----

npu.kernel @padded(%x: memref<4x4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<4x4x4xf32, #npu.space<sram>>
    %b = npu.ring %c0 {depth = 1, id = 1, offset = 512, slot_bytes = 4608} : memref<1x3x3x4x32xf32, #npu.space<sram>>
    %c = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 256} : memref<4x4x4xf32, #npu.space<acc>>
    // expected-error@below {{'npu.conv' op expected padding to be in the input buffer, not in the op}}
    npu.conv %a, %b -> %c {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<yxcf>, layout_output = #npu.layout<hwf>, packed, pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>} : memref<4x4x4xf32, #npu.space<sram>>, memref<1x3x3x4x32xf32, #npu.space<sram>> -> memref<4x4x4xf32, #npu.space<acc>>
  }
  npu.return
}

// -----

npu.kernel @unpacked(%x: memref<4x4x4xf32, #npu.space<dram>> {npu.output}) attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 576} : memref<6x6x4xf32, #npu.space<sram>>
    %b = npu.ring %c0 {depth = 1, id = 1, offset = 1024, slot_bytes = 576} : memref<3x3x4x4xf32, #npu.space<sram>>
    %c = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 256} : memref<4x4x4xf32, #npu.space<acc>>
    // expected-error@below {{'npu.conv' op expected a packed filter}}
    npu.conv %a, %b -> %c {layout_input = #npu.layout<hwc>, layout_filter = #npu.layout<yxcf>, layout_output = #npu.layout<hwf>} : memref<6x6x4xf32, #npu.space<sram>>, memref<3x3x4x4xf32, #npu.space<sram>> -> memref<4x4x4xf32, #npu.space<acc>>
  }
  npu.return
}

// -----

npu.kernel @element(%d: memref<64x64xi64, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 2048} : memref<16x16xi64, #npu.space<sram>>
    // expected-error@below {{'npu.dma_load' op expected elements of type i1, i8, i16, i32, f16, bf16 or f32 but found 'i64'}}
    npu.dma_load %d[%c0, %c0] -> %t : memref<64x64xi64, #npu.space<dram>> to memref<16x16xi64, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @dynamic_view(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    %v = memref.subview %t[0, 0] [%c4, 16] [1, 1] : memref<16x16xi8, #npu.space<sram>> to memref<?x16xi8, strided<[16, 1]>, #npu.space<sram>>
    // expected-error@below {{'npu.unary' op expected on-chip buffers with static shapes and strides but found 'memref<?x16xi8, strided<[16, 1]>, #npu.space<sram>>'}}
    npu.unary neg %v -> %v : memref<?x16xi8, strided<[16, 1]>, #npu.space<sram>> -> memref<?x16xi8, strided<[16, 1]>, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @dynamic_strides(%d: memref<64x64xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %t = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 256} : memref<16x16xi8, #npu.space<sram>>
    %v = memref.subview %t[0, 0] [8, 16] [%c2, 1] : memref<16x16xi8, #npu.space<sram>> to memref<8x16xi8, strided<[?, 1]>, #npu.space<sram>>
    %w = memref.subview %v[0, 0] [1, 16] [1, 1] : memref<8x16xi8, strided<[?, 1]>, #npu.space<sram>> to memref<16xi8, strided<[1]>, #npu.space<sram>>
    // expected-error@below {{'npu.unary' op expected views with static strides but found 'memref<8x16xi8, strided<[?, 1]>, #npu.space<sram>>'}}
    npu.unary neg %w -> %w : memref<16xi8, strided<[1]>, #npu.space<sram>> -> memref<16xi8, strided<[1]>, #npu.space<sram>>
  }
  npu.return
}

// -----

npu.kernel @no_ring(%t: memref<16x16xi8, #npu.space<dram>>) attributes {target = #npu.target<"npu-v1">} {
  npu.stream vpu cluster(0) {
    // expected-error@below {{'npu.unary' op expected on-chip operands to be views of an npu.ring}}
    npu.unary neg %t -> %t : memref<16x16xi8, #npu.space<dram>> -> memref<16x16xi8, #npu.space<dram>>
  }
  npu.return
}

// -----

npu.kernel @apart() attributes {target = #npu.target<"npu-v1">} {
  npu.stream mxu cluster(0) {
    %c0 = arith.constant 0 : index
    %a = npu.ring %c0 {depth = 1, id = 0, offset = 0, slot_bytes = 16384} : memref<64x4x32xf16, #npu.space<sram>>
    %b = npu.ring %c0 {depth = 1, id = 1, offset = 16384, slot_bytes = 16384} : memref<2x4x16x32xf16, #npu.space<sram>>
    %c = npu.ring %c0 {depth = 1, id = 2, offset = 0, slot_bytes = 16384} : memref<64x64xf32, #npu.space<acc>>
    %half = memref.subview %a[0, 0, 0] [64, 4, 16] [1, 1, 1] : memref<64x4x32xf16, #npu.space<sram>> to memref<64x4x16xf16, strided<[128, 32, 1]>, #npu.space<sram>>
    // expected-error@below {{'npu.matmul' op adds up along 'i' and 'k', which do not lie side by side, expected tiles that have 'k' whole}}
    npu.matmul %half, %b -> %c {packed, layout_a = #npu.layout<mik>, layout_b = #npu.layout<ikn>}
        : memref<64x4x16xf16, strided<[128, 32, 1]>, #npu.space<sram>>, memref<2x4x16x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
  }
  npu.return
}
