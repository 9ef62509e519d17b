// RUN: npu-opt %s | npu-opt | FileCheck %s
// RUN: npu-opt %s -mlir-print-op-generic | npu-opt | FileCheck %s

// Tensor form: defaults are not printed and integers carry no type.
// CHECK-LABEL: npu.kernel @matmul
// CHECK-SAME: -> tensor<128x256xf32> attributes {cluster = #npu.cluster<dim = 1, count = 4>, target = #npu.target<"npu-v1-x4">} {
npu.kernel @matmul(%A: tensor<128x64xf16>, %B: tensor<64x256xf16>) -> tensor<128x256xf32>
    attributes {cluster = #npu.cluster<dim = 1, count = 4>, target = #npu.target<"npu-v1-x4">} {
  %C = tensor.empty() : tensor<128x256xf32>
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} {tile_m = 64, tile_n = 64} : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>{{$}}
  %0 = npu.matmul %A, %B -> %C {layout_a = #npu.layout<mk>, tile_m = 64, tile_n = 64}
      : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
  npu.return %0 : tensor<128x256xf32>
}

// Every subset and order of the letters that still says which dimension is which.
// CHECK-LABEL: npu.kernel @matmul_layouts
npu.kernel @matmul_layouts(%a: tensor<4x8xi8>, %bt: tensor<16x8xi8>, %v: tensor<8xi8>, %ba: tensor<2x4x8xi8>,
                           %bb: tensor<2x8x16xi8>, %c: tensor<4x16xi32>, %cv: tensor<4xi32>, %cb: tensor<2x4x16xi32>, %s: tensor<i32>) {
  // CHECK: npu.matmul %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<16xi32>) -> %{{.*}} {layout_b = #npu.layout<nk>} : tensor<4x8xi8>, tensor<16x8xi8> -> tensor<4x16xi32>
  %bias = tensor.empty() : tensor<16xi32>
  %biased = npu.matmul %a, %bt bias(%bias : tensor<16xi32>) -> %c {layout_b = #npu.layout<nk>} : tensor<4x8xi8>, tensor<16x8xi8> -> tensor<4x16xi32>
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} {accumulate, layout_b = #npu.layout<nk>} : tensor<4x8xi8>, tensor<16x8xi8> -> tensor<4x16xi32>
  %0 = npu.matmul %a, %bt -> %c {accumulate, layout_b = #npu.layout<nk>} : tensor<4x8xi8>, tensor<16x8xi8> -> tensor<4x16xi32>
  // CHECK: {layout_b = #npu.layout<k>, layout_c = #npu.layout<m>} : tensor<4x8xi8>, tensor<8xi8> -> tensor<4xi32>
  %1 = npu.matmul %a, %v -> %cv {layout_b = #npu.layout<k>, layout_c = #npu.layout<m>} : tensor<4x8xi8>, tensor<8xi8> -> tensor<4xi32>
  // CHECK: {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>}
  %2 = npu.matmul %ba, %bb -> %cb {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>}
      : tensor<2x4x8xi8>, tensor<2x8x16xi8> -> tensor<2x4x16xi32>
  // CHECK: {layout_a = #npu.layout<k>, layout_b = #npu.layout<k>, layout_c = #npu.layout<>} : tensor<8xi8>, tensor<8xi8> -> tensor<i32>
  %3 = npu.matmul %v, %v -> %s {layout_a = #npu.layout<k>, layout_b = #npu.layout<k>, layout_c = #npu.layout<>} : tensor<8xi8>, tensor<8xi8> -> tensor<i32>
  npu.return
}

// CHECK-LABEL: npu.kernel @matmul_reductions
npu.kernel @matmul_reductions(%a: tensor<4x2x3x8xi8>, %b: tensor<16x2x3x8xi8>) -> tensor<4x16xi32> {
  %c = tensor.empty() : tensor<4x16xi32>
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} {layout_a = #npu.layout<mijk>, layout_b = #npu.layout<nijk>}
  %0 = npu.matmul %a, %b -> %c {layout_a = #npu.layout<mijk>, layout_b = #npu.layout<nijk>} : tensor<4x2x3x8xi8>, tensor<16x2x3x8xi8> -> tensor<4x16xi32>
  npu.return %0 : tensor<4x16xi32>
}

// CHECK-LABEL: npu.kernel @matmul_tile
npu.kernel @matmul_tile(%x: memref<64x128xf16, #npu.space<dram>>, %y: memref<64x64xf32, #npu.space<dram>> {npu.output}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %a = memref.alloc() {npu.buffers = 2 : i64} : memref<64x128xf16, #npu.space<sram>>
  %b = memref.alloc() : memref<2x128x32xf16, #npu.space<sram>>
  %c = memref.alloc() : memref<64x64xf32, #npu.space<acc>>
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} extents(%{{.*}}, %{{.*}}, %{{.*}}) init(%{{.*}}) {packed} : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>{{$}}
  npu.matmul %a, %b -> %c extents(%c64, %c64, %c128) init(%c0) {packed}
      : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} {packed} :
  npu.matmul %a, %b -> %c {packed}
      : memref<64x128xf16, #npu.space<sram>>, memref<2x128x32xf16, #npu.space<sram>> -> memref<64x64xf32, #npu.space<acc>>
  npu.return
}

// CHECK-LABEL: npu.kernel @conv
npu.kernel @conv(%i: tensor<1x112x112x32xf32>, %f: tensor<3x3x32x64xf32>, %o: tensor<1x56x56x64xf32>,
                 %i1: tensor<1x32x20xi8>, %f1: tensor<64x32x5xi8>, %o1: tensor<1x64x16xi32>,
                 %id: tensor<1x9x9x32xi16>, %fd: tensor<3x3x32xi8>, %od: tensor<1x7x7x32xi32>,
                 %ig: tensor<1x9x9x4x8xi8>, %fg: tensor<4x16x3x3x8xi8>, %og: tensor<1x7x7x4x16xi32>) {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {pad_high = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_value = 0.000000e+00 : f32, stride = array<i64: 2, 2>, tile_f = 32, tile_h = 8} : tensor<1x112x112x32xf32>, tensor<3x3x32x64xf32> -> tensor<1x56x56x64xf32>
  %0 = npu.conv %i, %f -> %o {stride = array<i64: 2, 2>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 1, 1>, pad_value = 0.0 : f32, tile_h = 8, tile_f = 32}
      : tensor<1x112x112x32xf32>, tensor<3x3x32x64xf32> -> tensor<1x56x56x64xf32>
  // CHECK: {layout_filter = #npu.layout<fcy>, layout_input = #npu.layout<nch>, layout_output = #npu.layout<nfh>}
  %1 = npu.conv %i1, %f1 -> %o1 {layout_filter = #npu.layout<fcy>, layout_input = #npu.layout<nch>, layout_output = #npu.layout<nfh>}
      : tensor<1x32x20xi8>, tensor<64x32x5xi8> -> tensor<1x64x16xi32>
  // CHECK: {layout_filter = #npu.layout<yxg>, layout_input = #npu.layout<nhwg>, layout_output = #npu.layout<nhwg>, tile_g = 16}
  %2 = npu.conv %id, %fd -> %od {layout_filter = #npu.layout<yxg>, layout_input = #npu.layout<nhwg>, layout_output = #npu.layout<nhwg>, tile_g = 16}
      : tensor<1x9x9x32xi16>, tensor<3x3x32xi8> -> tensor<1x7x7x32xi32>
  // CHECK: {layout_filter = #npu.layout<gfyxc>, layout_input = #npu.layout<nhwgc>, layout_output = #npu.layout<nhwgf>}
  %3 = npu.conv %ig, %fg -> %og {layout_filter = #npu.layout<gfyxc>, layout_input = #npu.layout<nhwgc>, layout_output = #npu.layout<nhwgf>}
      : tensor<1x9x9x4x8xi8>, tensor<4x16x3x3x8xi8> -> tensor<1x7x7x4x16xi32>
  npu.return
}

// CHECK-LABEL: npu.kernel @conv_tile
npu.kernel @conv_tile(%e: index, %k: index) {
  %i = memref.alloc() : memref<17x17x16xbf16, #npu.space<sram>>
  %f = memref.alloc() : memref<2x3x3x16x32xbf16, #npu.space<sram>>
  %o = memref.alloc() : memref<8x8x48xf32, #npu.space<acc>>
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} extents(%{{.*}}) init(%{{.*}}) {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed, stride = array<i64: 2, 2>} : memref<17x17x16xbf16, #npu.space<sram>>
  npu.conv %i, %f -> %o extents(%e, %e, %e, %e, %e, %e) init(%k) {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed, stride = array<i64: 2, 2>}
      : memref<17x17x16xbf16, #npu.space<sram>>, memref<2x3x3x16x32xbf16, #npu.space<sram>> -> memref<8x8x48xf32, #npu.space<acc>>
  %id = memref.alloc() : memref<10x10x16xi8, #npu.space<sram>>
  %fd = memref.alloc() : memref<3x3x16xi8, #npu.space<sram>>
  %od = memref.alloc() : memref<8x8x16xi32, #npu.space<acc>>
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} extents(%{{.*}}) {layout_filter = #npu.layout<yxg>, layout_input = #npu.layout<hwg>, layout_output = #npu.layout<hwg>}
  npu.conv %id, %fd -> %od extents(%e, %e, %e, %e, %e) {layout_filter = #npu.layout<yxg>, layout_input = #npu.layout<hwg>, layout_output = #npu.layout<hwg>}
      : memref<10x10x16xi8, #npu.space<sram>>, memref<3x3x16xi8, #npu.space<sram>> -> memref<8x8x16xi32, #npu.space<acc>>
  npu.return
}

// CHECK-LABEL: npu.kernel @elementwise
npu.kernel @elementwise(%x: tensor<4x16xf32>, %bias: tensor<16xf32>, %i: tensor<4x16xi32>, %s: tensor<16xf32>,
                        %m: tensor<16xi32>, %h: tensor<16xi8>, %p: tensor<4x16xi1>, %q: tensor<4x16xi8>, %t: tensor<4x16xf16>) {
  // CHECK: npu.unary exp %{{.*}} -> %{{.*}} : tensor<4x16xf32> -> tensor<4x16xf32>{{$}}
  %0 = npu.unary exp %x -> %x : tensor<4x16xf32> -> tensor<4x16xf32>
  // CHECK: npu.copy %{{.*}} -> %{{.*}} : tensor<4x16xi1> -> tensor<4x16xi1>{{$}}
  %c0 = npu.copy %p -> %p : tensor<4x16xi1> -> tensor<4x16xi1>
  // CHECK: npu.copy %{{.*}} -> %{{.*}} {indexing_maps = [#{{.*}}, #{{.*}}], stage = "spread", tile = array<i64: 0, 8>} : tensor<16xf32> -> tensor<4x16xf32>
  %c1 = npu.copy %bias -> %x {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], stage = "spread", tile = array<i64: 0, 8>}
      : tensor<16xf32> -> tensor<4x16xf32>
  // CHECK: npu.binary add %{{.*}}, %{{.*}} -> %{{.*}} {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], tile = array<i64: 0, 8>} : tensor<4x16xf32>, tensor<16xf32> -> tensor<4x16xf32>
  %1 = npu.binary add %x, %bias -> %x {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], tile = array<i64: 0, 8>}
      : tensor<4x16xf32>, tensor<16xf32> -> tensor<4x16xf32>
  // CHECK: npu.binary sub %{{.*}} -> %{{.*}} {imm = 1.000000e+00 : f32, imm_first} : tensor<4x16xf32> -> tensor<4x16xf32>
  %2 = npu.binary sub %x -> %x {imm = 1.0 : f32, imm_first} : tensor<4x16xf32> -> tensor<4x16xf32>
  // CHECK: npu.binary cmplt %{{.*}}, %{{.*}} -> %{{.*}} : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xi1>
  %3 = npu.binary cmplt %x, %0 -> %p : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xi1>
  // CHECK: npu.select %{{.*}}, %{{.*}}, %{{.*}} -> %{{.*}} : tensor<4x16xi1>, tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
  %4 = npu.select %3, %x, %0 -> %x : tensor<4x16xi1>, tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
  // CHECK: npu.clamp %{{.*}} -> %{{.*}} {hi = 6.000000e+00 : f32, lo = 0.000000e+00 : f32} : tensor<4x16xf32> -> tensor<4x16xf32>
  %5 = npu.clamp %x -> %x {lo = 0.0 : f32, hi = 6.0 : f32} : tensor<4x16xf32> -> tensor<4x16xf32>
  // CHECK: npu.cast truncf %{{.*}} -> %{{.*}} : tensor<4x16xf32> -> tensor<4x16xf16>
  %6 = npu.cast truncf %x -> %t : tensor<4x16xf32> -> tensor<4x16xf16>
  // CHECK: npu.requantize %{{.*}} -> %{{.*}} {hi = 127, lo = -128, scale = 7.812500e-03 : f32} : tensor<4x16xi32> -> tensor<4x16xi8>
  %7 = npu.requantize %i -> %q {scale = 7.8125e-03 : f32, lo = -128, hi = 127} : tensor<4x16xi32> -> tensor<4x16xi8>
  // CHECK: npu.requantize %{{.*}} scales(%{{.*}}) -> %{{.*}} {hi = 127, indexing_maps = {{.*}}, lo = 0, zero_point = 3} : tensor<4x16xi32>, tensor<16xf32> -> tensor<4x16xi8>
  %8 = npu.requantize %i scales(%s) -> %q {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], zero_point = 3, lo = 0, hi = 127}
      : tensor<4x16xi32>, tensor<16xf32> -> tensor<4x16xi8>
  // CHECK: npu.rescale %{{.*}} -> %{{.*}} {double_round, multiplier = 1073741824, output_zp = -3, shift = 37} : tensor<4x16xi32> -> tensor<4x16xi8>
  %9 = npu.rescale %i -> %q {multiplier = 1073741824, shift = 37, output_zp = -3, double_round} : tensor<4x16xi32> -> tensor<4x16xi8>
  // CHECK: npu.rescale %{{.*}} scales(%{{.*}}, %{{.*}}) -> %{{.*}} {{.*}} : tensor<4x16xi32>, tensor<16xi32>, tensor<16xi8> -> tensor<4x16xi8>
  %10 = npu.rescale %i scales(%m, %h) -> %q {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]}
      : tensor<4x16xi32>, tensor<16xi32>, tensor<16xi8> -> tensor<4x16xi8>
  npu.return
}

// CHECK-LABEL: npu.kernel @elementwise_tile
npu.kernel @elementwise_tile(%x: memref<4x16xf32, #npu.space<sram>>, %e: index) {
  // CHECK: npu.binary max %{{.*}} -> %{{.*}} extents(%{{.*}}, %{{.*}}) {imm = 0.000000e+00 : f32} : memref<4x16xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>{{$}}
  npu.binary max %x -> %x extents(%e, %e) {imm = 0.0 : f32} : memref<4x16xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
  // CHECK: npu.copy %{{.*}} -> %{{.*}} extents(%{{.*}}, %{{.*}}) : memref<4x16xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>{{$}}
  npu.copy %x -> %x extents(%e, %e) : memref<4x16xf32, #npu.space<sram>> -> memref<4x16xf32, #npu.space<sram>>
  npu.return
}

// CHECK-LABEL: npu.kernel @memory
npu.kernel @memory(%b: memref<256x256xf16, #npu.space<dram>>, %c: memref<128x256xf32, #npu.space<dram>> {npu.output}, %i: index) {
  %panels = memref.alloc() : memref<2x128x32xf16, #npu.space<sram>>
  %tile = memref.alloc() : memref<64x64xf32, #npu.space<acc>>
  // CHECK: npu.dma_load %{{.*}}[%{{.*}}, %{{.*}}] -> %{{.*}} extents(%{{.*}}, %{{.*}}, %{{.*}}) fill(0.000000e+00 : f16) {map = #{{.*}}} : memref<256x256xf16, #npu.space<dram>> to memref<2x128x32xf16, #npu.space<sram>>
  npu.dma_load %b[%i, %i] -> %panels extents(%i, %i, %i) fill(0.0 : f16) {map = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>}
      : memref<256x256xf16, #npu.space<dram>> to memref<2x128x32xf16, #npu.space<sram>>
  // CHECK: npu.dma_store %{{.*}} -> %{{.*}}[%{{.*}}, %{{.*}}] extents(%{{.*}}, %{{.*}}) : memref<64x64xf32, #npu.space<acc>> to memref<128x256xf32, #npu.space<dram>>
  npu.dma_store %tile -> %c[%i, %i] extents(%i, %i) : memref<64x64xf32, #npu.space<acc>> to memref<128x256xf32, #npu.space<dram>>
  npu.return
}

// CHECK-LABEL: npu.kernel @fill
npu.kernel @fill() {
  %t = memref.alloc() : memref<4xi32, #npu.space<sram>>
  // CHECK: npu.fill %{{.*}} {value = 3 : i32} : memref<4xi32, #npu.space<sram>>
  npu.fill %t {value = 3 : i32} : memref<4xi32, #npu.space<sram>>
  npu.return
}

// CHECK-LABEL: npu.kernel @planned
npu.kernel @planned(%a: memref<64x128xf16, #npu.space<dram>>) {
  // CHECK: npu.stream dmai cluster(0) {
  npu.stream dmai cluster(0) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      // CHECK: npu.wait sem(3) >= %{{.*}}
      npu.wait sem(3) >= %i
      // CHECK: npu.wait sem(4) >= %{{.*}} halo
      npu.wait sem(4) >= %i halo
      // CHECK: npu.ring %{{.*}} {depth = 2, id = 0, offset = 4096, slot_bytes = 16384} : memref<64x128xf16, #npu.space<sram>>
      %t = npu.ring %i {depth = 2, id = 0, offset = 4096, slot_bytes = 16384} : memref<64x128xf16, #npu.space<sram>>
      npu.dma_load %a[%c0, %c0] -> %t : memref<64x128xf16, #npu.space<dram>> to memref<64x128xf16, #npu.space<sram>>
      // CHECK: npu.signal sem(4)
      npu.signal sem(4)
    }
  }
  // CHECK: npu.stream mxu cluster(0) {
  npu.stream mxu cluster(0) {
  }
  npu.return
}

// CHECK: module attributes {test.engine = #npu.engine<vpu>}
module attributes {test.engine = #npu.engine<vpu>} {}

// CHECK: module attributes {test.bytes = #npu.planned_bytes<sram = 64, acc = 0>, test.layouts = [#npu.layout<mk>, #npu.layout<>], test.tiling = #npu.tiling<m = 32, "d 0" = 64>, test.whole = #npu.tiling<>}
module attributes {test.bytes = #npu.planned_bytes<sram = 64, acc = 0>, test.layouts = [#npu.layout<mk>, #npu.layout<>], test.tiling = #npu.tiling<m = 32, "d 0" = 64>, test.whole = #npu.tiling<>} {}

// CHECK: func.func @on_host() attributes {npu.placement = #npu.placement<host>}
func.func @on_host() attributes {npu.placement = #npu.placement<host>} {
  return
}

// Reductions and windows, of any dimensions, on tensors and on tiles.
// CHECK-LABEL: npu.kernel @reductions
npu.kernel @reductions(%x: tensor<8x16x4xf16>, %y: tensor<8x4xf32>, %z: tensor<16x8xf16>, %w: tensor<4x8x4xf16>) {
  // CHECK: npu.reduce sum %{{.*}} -> %{{.*}} {indexing_maps = [{{.*}}]} : tensor<8x16x4xf16> -> tensor<8x4xf32>
  %0 = npu.reduce sum %x -> %y {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, k)>]} : tensor<8x16x4xf16> -> tensor<8x4xf32>
  // CHECK: npu.reduce max %{{.*}} -> %{{.*}} {accumulate, indexing_maps = [{{.*}}], tile = array<i64: 4, 0, 0>} : tensor<8x16x4xf16> -> tensor<16x8xf16>
  %1 = npu.reduce max %x -> %z {accumulate, tile = array<i64: 4, 0, 0>, indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, i)>]} : tensor<8x16x4xf16> -> tensor<16x8xf16>
  // CHECK: npu.pool max %{{.*}} -> %{{.*}} {indexing_maps = [{{.*}}], pad_value = -1.000000e+00 : f16, window = array<i64: 3, 2>} : tensor<8x16x4xf16> -> tensor<4x8x4xf16>
  %2 = npu.pool max %x -> %w {pad_value = -1.0 : f16, window = array<i64: 3, 2>, indexing_maps = [affine_map<(h, w, c, y, x) -> (h * 2 + y - 1, w * 2 + x, c)>, affine_map<(h, w, c, y, x) -> (h, w, c)>]} : tensor<8x16x4xf16> -> tensor<4x8x4xf16>
  npu.return
}

// CHECK-LABEL: npu.kernel @reductions_tile
npu.kernel @reductions_tile(%i: index, %x: memref<8x16xi8, #npu.space<sram>>, %y: memref<8xi32, #npu.space<sram>>, %z: memref<4xi8, #npu.space<sram>>, %v: memref<9xi8, #npu.space<sram>>) {
  // CHECK: npu.reduce sum %{{.*}} -> %{{.*}} extents(%{{.*}}, %{{.*}}) init(%{{.*}}) {indexing_maps = [{{.*}}]} : memref<8x16xi8, #npu.space<sram>> -> memref<8xi32, #npu.space<sram>>
  npu.reduce sum %x -> %y extents(%i, %i) init(%i) {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : memref<8x16xi8, #npu.space<sram>> -> memref<8xi32, #npu.space<sram>>
  // CHECK: npu.pool min %{{.*}} -> %{{.*}} init(%{{.*}}) {indexing_maps = [{{.*}}], window = array<i64: 2>} : memref<9xi8, #npu.space<sram>> -> memref<4xi8, #npu.space<sram>>
  npu.pool min %v -> %z init(%i) {window = array<i64: 2>, indexing_maps = [affine_map<(w, x) -> (w * 2 + x)>, affine_map<(w, x) -> (w)>]} : memref<9xi8, #npu.space<sram>> -> memref<4xi8, #npu.space<sram>>
  npu.return
}

// A convolution of volumes.
// CHECK-LABEL: npu.kernel @volumes
npu.kernel @volumes(%i: tensor<1x4x9x9x8xf32>, %f: tensor<2x3x3x8x16xf32>, %o: tensor<1x3x4x7x16xf32>) {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<zyxcf>, layout_input = #npu.layout<ndhwc>, layout_output = #npu.layout<ndhwf>, stride = array<i64: 1, 2, 1>} : tensor<1x4x9x9x8xf32>, tensor<2x3x3x8x16xf32> -> tensor<1x3x4x7x16xf32>
  %0 = npu.conv %i, %f -> %o {layout_input = #npu.layout<ndhwc>, layout_filter = #npu.layout<zyxcf>, layout_output = #npu.layout<ndhwf>, stride = array<i64: 1, 2, 1>}
      : tensor<1x4x9x9x8xf32>, tensor<2x3x3x8x16xf32> -> tensor<1x3x4x7x16xf32>
  npu.return
}

// Running reductions, on tensors and on tiles.
// CHECK-LABEL: npu.kernel @scans
npu.kernel @scans(%x: tensor<8x16xf16>, %y: tensor<16x8xf32>) {
  // CHECK: npu.scan sum %{{.*}} -> %{{.*}} {dimension = 1, indexing_maps = [{{.*}}], tile = array<i64: 4, 0>} : tensor<8x16xf16> -> tensor<16x8xf32>
  %0 = npu.scan sum %x -> %y {dimension = 1, tile = array<i64: 4, 0>, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>]} : tensor<8x16xf16> -> tensor<16x8xf32>
  npu.return
}

// CHECK-LABEL: npu.kernel @scans_tile
npu.kernel @scans_tile(%i: index, %x: memref<8x16xi8, #npu.space<sram>>, %y: memref<8x16xi32, #npu.space<sram>>) {
  // CHECK: npu.scan max %{{.*}} -> %{{.*}} extents(%{{.*}}, %{{.*}}) {dimension = 0, indexing_maps = [{{.*}}]} : memref<8x16xi8, #npu.space<sram>> -> memref<8x16xi32, #npu.space<sram>>
  npu.scan max %x -> %y extents(%i, %i) {dimension = 0, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>]} : memref<8x16xi8, #npu.space<sram>> -> memref<8x16xi32, #npu.space<sram>>
  npu.return
}

// What indices decide, on tensors and on tiles.
// CHECK-LABEL: npu.kernel @iotas
npu.kernel @iotas(%y: tensor<8x16xi8>) {
  // CHECK: npu.iota -> %{{.*}} {start = -3, steps = array<i64: -1, 1>, tile = array<i64: 4, 0>} : tensor<8x16xi8>
  %0 = npu.iota -> %y {steps = array<i64: -1, 1>, start = -3, tile = array<i64: 4, 0>} : tensor<8x16xi8>
  npu.return
}

// CHECK-LABEL: npu.kernel @iotas_tile
npu.kernel @iotas_tile(%i: index, %y: memref<8x16xi32, #npu.space<sram>>) {
  // CHECK: npu.iota -> %{{.*}} extents(%{{.*}}, %{{.*}}) origin(%{{.*}}) {steps = array<i64: 16, 1>} : memref<8x16xi32, #npu.space<sram>>
  npu.iota -> %y extents(%i, %i) origin(%i) {steps = array<i64: 16, 1>} : memref<8x16xi32, #npu.space<sram>>
  npu.return
}

// Positions of extremes, on tensors and on tiles.
// CHECK-LABEL: npu.kernel @positions
npu.kernel @positions(%x: tensor<8x16x4xf16>, %y: tensor<4x8xi32>) {
  // CHECK: npu.arg_reduce argmax %{{.*}} -> %{{.*}} {dimension = 1, indexing_maps = [{{.*}}], tile = array<i64: 4, 0, 0>} : tensor<8x16x4xf16> -> tensor<4x8xi32>
  %0 = npu.arg_reduce argmax %x -> %y {dimension = 1, tile = array<i64: 4, 0, 0>, indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (k, i)>]} : tensor<8x16x4xf16> -> tensor<4x8xi32>
  npu.return
}

// CHECK-LABEL: npu.kernel @positions_tile
npu.kernel @positions_tile(%i: index, %x: memref<8x16xi8, #npu.space<sram>>, %y: memref<16xi8, #npu.space<sram>>) {
  // CHECK: npu.arg_reduce argmin %{{.*}} -> %{{.*}} extents(%{{.*}}, %{{.*}}) {dimension = 0, indexing_maps = [{{.*}}]} : memref<8x16xi8, #npu.space<sram>> -> memref<16xi8, #npu.space<sram>>
  npu.arg_reduce argmin %x -> %y extents(%i, %i) {dimension = 0, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>]} : memref<8x16xi8, #npu.space<sram>> -> memref<16xi8, #npu.space<sram>>
  npu.return
}

// Rows in order, on tensors and on tiles.
// CHECK-LABEL: npu.kernel @sorts
npu.kernel @sorts(%x: tensor<8x16x4xf16>, %y: tensor<5x8x4xf16>, %p: tensor<8x4x16xi32>) {
  // CHECK: npu.sort descending %{{.*}} -> %{{.*}} {indexing_maps = [{{.*}}], tile = array<i64: 4, 0, 0, 0>} : tensor<8x16x4xf16> -> tensor<5x8x4xf16>
  %0 = npu.sort descending %x -> %y {tile = array<i64: 4, 0, 0, 0>, indexing_maps = [affine_map<(i, j, k, p) -> (i, j, k)>, affine_map<(i, j, k, p) -> (p, i, k)>]} : tensor<8x16x4xf16> -> tensor<5x8x4xf16>
  // CHECK: npu.arg_sort ascending %{{.*}} -> %{{.*}} {indexing_maps = [{{.*}}]} : tensor<8x16x4xf16> -> tensor<8x4x16xi32>
  %1 = npu.arg_sort ascending %x -> %p {indexing_maps = [affine_map<(i, j, k, p) -> (i, j, k)>, affine_map<(i, j, k, p) -> (i, k, p)>]} : tensor<8x16x4xf16> -> tensor<8x4x16xi32>
  npu.return
}

// CHECK-LABEL: npu.kernel @sorts_tile
npu.kernel @sorts_tile(%i: index, %x: memref<8x12xi8, #npu.space<sram>>, %y: memref<8x3xi8, #npu.space<sram>>, %s: memref<8x128xi8, #npu.space<sram>>) {
  // CHECK: npu.arg_sort ascending %{{.*}} -> %{{.*}} scratch(%{{.*}} : memref<8x128xi8, #npu.space<sram>>) extents(%{{.*}}, %{{.*}}, %{{.*}}) {indexing_maps = [{{.*}}]} : memref<8x12xi8, #npu.space<sram>> -> memref<8x3xi8, #npu.space<sram>>
  npu.arg_sort ascending %x -> %y scratch(%s : memref<8x128xi8, #npu.space<sram>>) extents(%i, %i, %i) {indexing_maps = [affine_map<(i, j, p) -> (i, j)>, affine_map<(i, j, p) -> (i, p)>]} : memref<8x12xi8, #npu.space<sram>> -> memref<8x3xi8, #npu.space<sram>>
  npu.return
}

// Rows that indices choose, on tensors and by the DMA.
// CHECK-LABEL: npu.kernel @gathers
npu.kernel @gathers(%t: tensor<9x4xf16>, %i: tensor<2x3xi32>, %o: tensor<4x3x2xf16>) {
  // CHECK: npu.gather %{{.*}}[%{{.*}}] -> %{{.*}} {dimension = 0, indexing_maps = [{{.*}}], tile = array<i64: 0, 1, 2>} : tensor<9x4xf16>, tensor<2x3xi32> -> tensor<4x3x2xf16>
  %0 = npu.gather %t[%i] -> %o {dimension = 0, tile = array<i64: 0, 1, 2>, indexing_maps = [affine_map<(j, b, a) -> (0, j)>, affine_map<(j, b, a) -> (a, b)>, affine_map<(j, b, a) -> (j, b, a)>]}
      : tensor<9x4xf16>, tensor<2x3xi32> -> tensor<4x3x2xf16>
  npu.return
}

// CHECK-LABEL: npu.kernel @gathers_tile
npu.kernel @gathers_tile(%z: index, %t: memref<9x4xf16, #npu.space<dram>>, %i: memref<3xi32, #npu.space<sram>>, %o: memref<3x4xf16, #npu.space<sram>>) {
  // CHECK: npu.dma_gather %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} -> %{{.*}} extents(%{{.*}}, %{{.*}}) {dimension = 0, index_map = #{{.*}}, map = #{{.*}}} : memref<9x4xf16, #npu.space<dram>>, memref<3xi32, #npu.space<sram>> to memref<3x4xf16, #npu.space<sram>>
  npu.dma_gather %t[%z, %z], %i -> %o extents(%z, %z) {dimension = 0, map = affine_map<(i, j) -> (0, j)>, index_map = affine_map<(i, j) -> (i)>}
      : memref<9x4xf16, #npu.space<dram>>, memref<3xi32, #npu.space<sram>> to memref<3x4xf16, #npu.space<sram>>
  npu.return
}

// Functions that tables give; the table has no coordinate of its own.
// CHECK-LABEL: npu.kernel @tables
npu.kernel @tables(%x: tensor<4x3xi8>, %t: tensor<256xi8>, %y: tensor<4x3xi8>, %v: tensor<3xi16>, %u: tensor<513xi16>, %w: tensor<4x3xi32>) {
  // CHECK: npu.table %{{.*}}[%{{.*}}] -> %{{.*}} : tensor<4x3xi8>, tensor<256xi8> -> tensor<4x3xi8>
  %0 = npu.table %x[%t] -> %y : tensor<4x3xi8>, tensor<256xi8> -> tensor<4x3xi8>
  // CHECK: npu.table %{{.*}}[%{{.*}}] -> %{{.*}} {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], tile = array<i64: 0, 2>} : tensor<3xi16>, tensor<513xi16> -> tensor<4x3xi32>
  %1 = npu.table %v[%u] -> %w {tile = array<i64: 0, 2>, indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (0)>, affine_map<(i, j) -> (i, j)>]}
      : tensor<3xi16>, tensor<513xi16> -> tensor<4x3xi32>
  npu.return
}

// CHECK-LABEL: npu.kernel @tables_tile
npu.kernel @tables_tile(%n: index, %x: memref<4x3xi8, #npu.space<sram>>, %t: memref<256xi8, #npu.space<sram>>, %y: memref<4x3xi8, #npu.space<sram>>) {
  // CHECK: npu.table %{{.*}}[%{{.*}}] -> %{{.*}} extents(%{{.*}}, %{{.*}}) : memref<4x3xi8, #npu.space<sram>>, memref<256xi8, #npu.space<sram>> -> memref<4x3xi8, #npu.space<sram>>
  npu.table %x[%t] -> %y extents(%n, %n) : memref<4x3xi8, #npu.space<sram>>, memref<256xi8, #npu.space<sram>> -> memref<4x3xi8, #npu.space<sram>>
  npu.return
}

// CHECK-LABEL: npu.kernel @resident
// CHECK-SAME: resident = #npu.resident<arguments = [0], results = [0], bytes = 64, dims = [0]>
npu.kernel @resident(%x: tensor<16xf32>) -> tensor<16xf32> attributes {resident = #npu.resident<arguments = [0], results = [0], bytes = 64, dims = [0]>} {
  npu.return %x : tensor<16xf32>
}

// CHECK-LABEL: npu.kernel @resident_behind_others
// CHECK-SAME: resident = #npu.resident<arguments = [0], hidden = 30, bytes = 64, dims = [0]>
npu.kernel @resident_behind_others(%x: tensor<16xf32>) -> tensor<16xf32> attributes {resident = #npu.resident<arguments = [0], hidden = 30, bytes = 64, dims = [0]>} {
  npu.return %x : tensor<16xf32>
}

// CHECK-LABEL: npu.kernel @resident_results
// CHECK-SAME: resident = #npu.resident<results = [0], bytes = 64>
npu.kernel @resident_results(%x: tensor<16xf32>) -> tensor<16xf32> attributes {resident = #npu.resident<results = [0], bytes = 64>} {
  npu.return %x : tensor<16xf32>
}
