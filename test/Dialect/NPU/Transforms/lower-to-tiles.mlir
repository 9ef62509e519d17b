// RUN: npu-opt %s -split-input-file --pass-pipeline='builtin.module(npu-choose-tiles,npu.kernel(npu-lower-to-tiles,npu-verify-tile-form))' | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// Ragged tiles, a hoisted bias, strips over k, and a tail in place.
npu.kernel @matmul(%A: tensor<130x300xf16>, %B: tensor<300x257xf16>, %bias: tensor<257xf16>) -> tensor<130x257xf16>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @tail.arg2, for m = 64 {load @matmul.lhs x2, for n = 64 {load @matmul.rhs x2,
                    value @matmul -> acc x2, for k = 128 {@matmul}, @tail -> sram x2}}}>} {
  %c = tensor.empty() : tensor<130x257xf32>
  %h = tensor.empty() : tensor<130x257xf16>
  %0 = npu.matmul %A, %B -> %c : tensor<130x300xf16>, tensor<300x257xf16> -> tensor<130x257xf32>
  %1 = npu.cast truncf %0 -> %h : tensor<130x257xf32> -> tensor<130x257xf16>
  %2 = npu.binary add %1, %bias -> %h {indexing_maps = [#id, #row, #id]} : tensor<130x257xf16>, tensor<257xf16> -> tensor<130x257xf16>
  %3 = npu.binary max %2 -> %h {imm = 0.0 : f16} : tensor<130x257xf16> -> tensor<130x257xf16>
  npu.return %3 : tensor<130x257xf16>
}
// CHECK-DAG: #[[M:.*]] = affine_map<(d0) -> (d0 * -64 + 130, 64)>
// CHECK-DAG: #[[N:.*]] = affine_map<(d0) -> (d0 * -64 + 257, 64)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0) -> (d0 * -128 + 300, 128)>
// CHECK-DAG: #[[PANELS:.*]] = affine_map<(d0) -> (d0 * -2 + 9, 2)>
// CHECK-DAG: #[[PACK:.*]] = affine_map<(d0, d1, d2) -> (d1, d0 * 32 + d2)>
// CHECK-LABEL: npu.kernel @matmul(
// CHECK-SAME: %[[A:.*]]: memref<130x300xf16, #npu.space<dram>>, %[[B:.*]]: memref<300x257xf16, #npu.space<dram>>, %[[BIAS:.*]]: memref<257xf16, #npu.space<dram>>, %[[OUT:.*]]: memref<130x257xf16, #npu.space<dram>> {npu.output})
// CHECK: %[[BIASES:.*]] = memref.alloc() : memref<320xf16, #npu.space<sram>>
// CHECK: npu.dma_load %[[BIAS]][%c0] -> %[[BIASES]] extents(%c257)
// CHECK: scf.for %[[I:.*]] = %c0 to %c3 step %c1 {
// CHECK:   %[[EM:.*]] = affine.min #[[M]](%[[I]])
// CHECK:   %[[OM:.*]] = affine.apply {{.*}}(%[[I]])
// CHECK:   %[[AS:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<64x384xf16, #npu.space<sram>>
// CHECK:   npu.dma_load %[[A]][%[[OM]], %c0] -> %[[AS]] extents(%[[EM]], %c300)
// CHECK:   scf.for %[[J:.*]] = %c0 to %c5 step %c1 {
// CHECK:     %[[EN:.*]] = affine.min #[[N]](%[[J]])
// CHECK:     %[[ON:.*]] = affine.apply {{.*}}(%[[J]])
// CHECK:     %[[BS:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<2x384x32xf16, #npu.space<sram>>
// CHECK:     %[[EP:.*]] = affine.min #[[PANELS]](%[[J]])
// CHECK:     npu.dma_load %[[B]][%c0, %[[ON]]] -> %[[BS]] extents(%[[EP]], %c300, %c32) fill(0.000000e+00 : f16) {map = #[[PACK]]}
// CHECK:     %[[ACC:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xf32, #npu.space<acc>>
// CHECK:     scf.for %[[KK:.*]] = %c0 to %c3 step %c1 {
// CHECK:       %[[EK:.*]] = affine.min #[[K]](%[[KK]])
// CHECK:       %[[OK:.*]] = affine.apply {{.*}}(%[[KK]])
// CHECK:       %[[AV:.*]] = memref.subview %[[AS]][0, %[[OK]]] [64, 128] [1, 1]
// CHECK:       %[[BV:.*]] = memref.subview %[[BS]][0, %[[OK]], 0] [2, 128, 32] [1, 1, 1]
// CHECK:       npu.matmul %[[AV]], %[[BV]] -> %[[ACC]] extents(%[[EM]], %[[EN]], %[[EK]]) init(%[[KK]]) {packed}
// CHECK:     }
// CHECK:     %[[T:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xf16, #npu.space<sram>>
// CHECK:     npu.cast truncf %[[ACC]] -> %[[T]] extents(%[[EM]], %[[EN]])
// CHECK:     %[[BT:.*]] = memref.subview %[[BIASES]][%[[ON]]] [64] [1]
// CHECK:     npu.binary add %[[T]], %[[BT]] -> %[[T]] extents(%[[EM]], %[[EN]]) {indexing_maps =
// CHECK:     npu.binary max %[[T]] -> %[[T]] extents(%[[EM]], %[[EN]]) {imm = 0.000000e+00 : f16}
// CHECK:     npu.dma_store %[[T]] -> %[[OUT]][%[[OM]], %[[ON]]] extents(%[[EM]], %[[EN]])
// CHECK:   }
// CHECK: }
// CHECK: npu.return

// -----

// A transposed B only changes the map of its load; without a tail the accumulator is stored. Dimensions that are one
// tile have a loop of one iteration: the program of a larger product has the same form.
npu.kernel @transposed_b(%A: tensor<64x96xi8>, %B: tensor<40x96xi8>) -> tensor<64x40xi32>
    attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<64x40xi32>
  %0 = npu.matmul %A, %B -> %c {layout_b = #npu.layout<nk>, tile_m = 64, tile_n = 40, tile_k = 96} : tensor<64x96xi8>, tensor<40x96xi8> -> tensor<64x40xi32>
  npu.return %0 : tensor<64x40xi32>
}
// CHECK: #[[PACK:.*]] = affine_map<(d0, d1, d2) -> (d0 * 32 + d2, d1)>
// CHECK-LABEL: npu.kernel @transposed_b(
// CHECK: scf.for %{{.*}} = %c0 to %c1 step %c1 {
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %c1 step %c1 {
// CHECK: scf.for %{{.*}} = %c0 to %c1 step %c1 {
// CHECK: npu.dma_load %{{.*}}[%c0, %c0] -> %{{.*}} extents(%c2, %c96, %c32) fill(0 : i8) {map = #[[PACK]]} : memref<40x96xi8, #npu.space<dram>> to memref<2x96x32xi8, #npu.space<sram>>
// CHECK: npu.matmul %{{.*}}, %{{.*}} -> %[[ACC:.*]] extents(%c64, %c40, %c96) {begin = array<i64: 64>, packed}
// CHECK-NEXT: }
// CHECK-NEXT: npu.dma_store %[[ACC]] -> %{{.*}}[%c0, %c0] extents(%c64, %c40) : memref<64x40xi32, #npu.space<acc>> to memref<64x40xi32, #npu.space<dram>>

// -----

// Batches are loops; their coordinate is an origin.
npu.kernel @batch(%A: tensor<3x16x32xi8>, %B: tensor<3x32x32xi8>) -> tensor<3x16x32xi32>
    attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<3x16x32xi32>
  %0 = npu.matmul %A, %B -> %c {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>, tile_m = 16, tile_n = 32, tile_k = 32}
      : tensor<3x16x32xi8>, tensor<3x32x32xi8> -> tensor<3x16x32xi32>
  npu.return %0 : tensor<3x16x32xi32>
}
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1) -> (0, d0, d1)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (0, d1, d0 * 32 + d2)>
// CHECK-LABEL: npu.kernel @batch(
// CHECK: scf.for %[[I:.*]] = %c0 to %c3 step %c1 {
// CHECK:   npu.dma_load %{{.*}}[%[[I]], %c0, %c0] -> %{{.*}} extents(%c16, %c32) {map = #[[A]]}
// CHECK:   npu.dma_load %{{.*}}[%[[I]], %c0, %c0] -> %{{.*}} extents(%c1, %c32, %c32) fill(0 : i8) {map = #[[B]]}
// CHECK:   npu.matmul {{.*}} extents(%c16, %c32, %c32) {packed}
// CHECK:   npu.dma_store %{{.*}} -> %{{.*}}[%[[I]], %c0, %c0] extents(%c16, %c32) {map = #[[A]]}
// CHECK: }

// -----

// Padding: the origin is negative and the load fills.
npu.kernel @nchw(%i: tensor<1x16x8x8xi8>, %f: tensor<24x16x3x3xi8>) -> tensor<1x24x8x8xi32>
    attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<1x24x8x8xi32>
  %0 = npu.conv %i, %f -> %c {layout_input = #npu.layout<nchw>, layout_filter = #npu.layout<fcyx>, layout_output = #npu.layout<nfhw>, pad_low = array<i64: 1, 1>,
      pad_high = array<i64: 1, 1>, pad_value = 5 : i8, tile_h = 4, tile_w = 8, tile_f = 24, tile_c = 16} : tensor<1x16x8x8xi8>, tensor<24x16x3x3xi8> -> tensor<1x24x8x8xi32>
  npu.return %0 : tensor<1x24x8x8xi32>
}
// CHECK-DAG: #[[I:.*]] = affine_map<(d0, d1, d2) -> (0, d2, d0, d1)>
// CHECK-DAG: #[[F:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0 * 32 + d4, d3, d1, d2)>
// CHECK-LABEL: npu.kernel @nchw(
// CHECK: npu.dma_load %{{.*}}[%c0, %c0, %c-1, %c-1] -> %[[IN:.*]] extents(%c10, %c10, %c16) fill(5 : i8) {map = #[[I]]} : memref<1x16x8x8xi8, #npu.space<dram>> to memref<10x10x16xi8, #npu.space<sram>>
// CHECK: npu.dma_load %{{.*}} extents(%c1, %c3, %c3, %c16, %c32) fill(0 : i8) {map = #[[F]]} : memref<24x16x3x3xi8, #npu.space<dram>> to memref<1x3x3x16x32xi8, #npu.space<sram>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[OH:.*]] = affine.apply
// CHECK:   %[[VIEW:.*]] = memref.subview %[[IN]][%[[OH]], 0, 0] [6, 10, 16] [1, 1, 1]
// CHECK:   npu.conv %[[VIEW]], %{{.*}} -> %{{.*}} extents(%c4, %c8, %c24, %c16, %c3, %c3) {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed}
// CHECK:   npu.dma_store %{{.*}} -> %{{.*}}[%c0, %c0, %[[OH]], %c0] extents(%c4, %c8, %c24) {map = #[[I]]}

// -----

npu.kernel @depthwise(%i: tensor<1x9x9x32xi8>, %f: tensor<3x3x32xi8>) -> tensor<1x4x4x32xi32>
    attributes {target = #npu.target<"npu-tiny">} {
  %c = tensor.empty() : tensor<1x4x4x32xi32>
  %0 = npu.conv %i, %f -> %c {layout_input = #npu.layout<nhwg>, layout_filter = #npu.layout<yxg>, layout_output = #npu.layout<nhwg>, stride = array<i64: 2, 2>, tile_h = 4, tile_w = 4, tile_g = 8}
      : tensor<1x9x9x32xi8>, tensor<3x3x32xi8> -> tensor<1x4x4x32xi32>
  npu.return %0 : tensor<1x4x4x32xi32>
}
// CHECK-LABEL: npu.kernel @depthwise(
// CHECK: memref.alloc() {npu.buffers = 2 : i64} : memref<9x9x8xi8, #npu.space<sram>>
// CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} extents(%c8, %c4, %c4, %c3, %c3) {layout_filter = #npu.layout<yxg>, layout_input = #npu.layout<hwg>, layout_output = #npu.layout<hwg>, stride = array<i64: 2, 2>}

// -----

npu.kernel @grouped(%i: tensor<1x6x6x2x8xi8>, %f: tensor<2x3x3x8x16xi8>) -> tensor<1x4x4x2x16xi32>
    attributes {target = #npu.target<"npu-tiny">} {
  %c = tensor.empty() : tensor<1x4x4x2x16xi32>
  %0 = npu.conv %i, %f -> %c {layout_input = #npu.layout<nhwgc>, layout_filter = #npu.layout<gyxcf>, layout_output = #npu.layout<nhwgf>, tile_h = 4, tile_w = 4, tile_f = 16, tile_c = 8}
      : tensor<1x6x6x2x8xi8>, tensor<2x3x3x8x16xi8> -> tensor<1x4x4x2x16xi32>
  npu.return %0 : tensor<1x4x4x2x16xi32>
}
// CHECK-DAG: #[[I:.*]] = affine_map<(d0, d1, d2) -> (0, d0, d1, 0, d2)>
// CHECK-DAG: #[[F:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (0, d1, d2, d3, d0 * 8 + d4)>
// CHECK-LABEL: npu.kernel @grouped(
// CHECK: scf.for %[[G:.*]] = %c0 to %c2 step %c1 {
// CHECK:   npu.dma_load %{{.*}}[%c0, %c0, %c0, %[[G]], %c0] -> %{{.*}} {map = #[[I]]}
// CHECK:   npu.dma_load %{{.*}}[%[[G]], %c0, %c0, %c0, %c0] -> %{{.*}} {map = #[[F]]}
// CHECK:   npu.conv {{.*}} extents(%c4, %c4, %c16, %c8, %c3, %c3) {layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, packed}
// CHECK: }

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// Several results of one nest; a returned value is not overwritten.
npu.kernel @elementwise(%x: tensor<64x48xi32>, %y: tensor<48x64xi32>) -> (tensor<64x48xi32>, tensor<64x48xi32>)
    attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<64x48xi32>
  %0 = npu.binary add %x, %y -> %e {indexing_maps = [#id, #transposed, #id]} : tensor<64x48xi32>, tensor<48x64xi32> -> tensor<64x48xi32>
  %1 = npu.unary neg %0 -> %e {tile = array<i64: 16, 48>} : tensor<64x48xi32> -> tensor<64x48xi32>
  npu.return %1, %0 : tensor<64x48xi32>, tensor<64x48xi32>
}
// CHECK: #[[T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: npu.kernel @elementwise(
// CHECK-SAME: %[[R0:[a-z0-9]+]]: memref<64x48xi32, #npu.space<dram>> {npu.output}, %[[R1:[a-z0-9]+]]: memref<64x48xi32, #npu.space<dram>> {npu.output})
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1 {
// CHECK:   %[[OM:.*]] = affine.apply
// CHECK:   npu.dma_load %{{.*}}[%[[OM]], %c0] -> %[[X:.*]] extents(%c16, %c48) :
// CHECK:   npu.dma_load %{{.*}}[%c0, %[[OM]]] -> %[[Y:.*]] extents(%c16, %c48) {map = #[[T]]}
// CHECK:   npu.binary add %[[X]], %[[Y]] -> %[[SUM:.*]] extents(%c16, %c48) :
// CHECK:   npu.dma_store %[[SUM]] -> %[[R1]][%[[OM]], %c0]
// CHECK:   %[[NEG:.*]] = memref.alloc()
// CHECK:   npu.unary neg %[[SUM]] -> %[[NEG]]
// CHECK:   npu.dma_store %[[NEG]] -> %[[R0]][%[[OM]], %c0]

// -----

// Old contents of the destination enter the accumulator first.
npu.kernel @accumulate(%A: tensor<8x8xf32>, %B: tensor<8x8xf32>, %C: tensor<8x8xf32>) -> tensor<8x8xf32>
    attributes {target = #npu.target<"npu-v1">} {
  %0 = npu.matmul %A, %B -> %C {accumulate, tile_m = 8, tile_n = 8, tile_k = 8} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  npu.return %0 : tensor<8x8xf32>
}
// CHECK-LABEL: npu.kernel @accumulate(
// CHECK: npu.dma_load %arg2[%c0, %c0] -> %[[OLD:.*]] extents(%c8, %c8)
// CHECK: npu.copy %[[OLD]] -> %[[ACC:.*]] extents(%c8, %c8) :
// CHECK: npu.matmul %{{.*}}, %{{.*}} -> %[[ACC]] extents(%c8, %c8, %c8) {accumulate, packed}

// A constant on the left of a division is written to the destination before the operand is read.
// CHECK-LABEL: npu.kernel @reciprocal
npu.kernel @reciprocal(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {target = #npu.target<"npu-v1">} {
  // CHECK: npu.binary add %{{.*}}, %{{.*}} -> %[[SUM:[a-z0-9_]+]]
  // CHECK: %[[DST:.*]] = memref.alloc()
  // CHECK: npu.binary div %[[SUM]] -> %[[DST]] {{.*}}imm_first
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = npu.binary add %x, %x -> %e : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = npu.binary div %0 -> %e {imm = 1.0 : f32, imm_first} : tensor<8x8xf32> -> tensor<8x8xf32>
  npu.return %1 : tensor<8x8xf32>
}

// Constants become arguments with their contents, between the inputs and the outputs.
// CHECK-LABEL: npu.kernel @constant
// CHECK-SAME: %{{.*}}: memref<2x2xf32, #npu.space<dram>>, %[[C:.*]]: memref<2x2xf32, #npu.space<dram>> {npu.constant = dense<{{.*}}> : tensor<2x2xf32>}, %{{.*}}: memref<2x2xf32, #npu.space<dram>> {npu.output}
npu.kernel @constant(%x: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {target = #npu.target<"npu-v1">} {
  // CHECK: npu.dma_load %[[C]]
  %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = npu.binary add %x, %c -> %e : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
  npu.return %0 : tensor<2x2xf32>
}

// -----

// A slice is read where it lies; what a result is inserted into becomes the output, and keeps its other contents.
npu.kernel @slices(%A: tensor<9x64xi8>, %B: tensor<32x32xi8>, %into: tensor<10x40xi32>) -> tensor<10x40xi32>
    attributes {target = #npu.target<"npu-v1">} {
  %a = tensor.extract_slice %A[1, 3] [4, 32] [2, 1] : tensor<9x64xi8> to tensor<4x32xi8>
  %c = tensor.empty() : tensor<4x32xi32>
  %0 = npu.matmul %a, %B -> %c {tile_m = 4, tile_n = 32, tile_k = 32} : tensor<4x32xi8>, tensor<32x32xi8> -> tensor<4x32xi32>
  %1 = tensor.insert_slice %0 into %into[2, 5] [4, 32] [1, 1] : tensor<4x32xi32> into tensor<10x40xi32>
  npu.return %1 : tensor<10x40xi32>
}
// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0 * 2, d1)>
// CHECK-LABEL: npu.kernel @slices(
// CHECK-SAME: %[[OUT:[a-z0-9]+]]: memref<10x40xi32, #npu.space<dram>> {npu.inout, npu.output})
// CHECK: npu.dma_load %{{.*}}[%c1, %c3] -> %{{.*}} extents(%c4, %c32) {map = #[[ROWS]]}
// CHECK: npu.dma_store %{{.*}} -> %[[OUT]][%c2, %c5] extents(%c4, %c32)

// -----

// A table is read whole by every tile, wherever it is loaded, here a slice of it.
npu.kernel @tables(%x: tensor<70x40xi8>, %t: tensor<300xi8>) -> tensor<70x40xi8>
    attributes {target = #npu.target<"npu-tiny">,
                schedule = #npu.schedule<{for d0 = 32 {load @vector.arg1_slice0 x2, for d1 = 16 {load @vector.arg0 x2, @vector -> sram x2}}}>} {
  %s = tensor.extract_slice %t[44] [256] [1] : tensor<300xi8> to tensor<256xi8>
  %e = tensor.empty() : tensor<70x40xi8>
  %0 = npu.table %x[%s] -> %e : tensor<70x40xi8>, tensor<256xi8> -> tensor<70x40xi8>
  npu.return %0 : tensor<70x40xi8>
}
// CHECK-DAG: #[[Z:.*]] = affine_map<(d0, d1) -> (0)>
// CHECK-LABEL: npu.kernel @tables(
// CHECK-SAME: %[[X:.*]]: memref<70x40xi8, #npu.space<dram>>, %[[T:.*]]: memref<300xi8, #npu.space<dram>>
// CHECK: scf.for
// CHECK:   %[[TABLE:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<256xi8, #npu.space<sram>>
// CHECK:   npu.dma_load %[[T]][%c44] -> %[[TABLE]] extents(%c256) : memref<300xi8, #npu.space<dram>> to memref<256xi8, #npu.space<sram>>
// CHECK:   scf.for
// CHECK:     npu.table %{{.*}}[%[[TABLE]]] -> %{{.*}} extents(%{{.*}}, %{{.*}}) {indexing_maps = [#{{.*}}, #[[Z]], #{{.*}}]}

// -----

// A loop over parts of tiles: the tail works on 16 of the 64 rows of a tile at a time, of which the last has 2 in all.
#id = affine_map<(d0, d1) -> (d0, d1)>
npu.kernel @parts(%A: tensor<130x32xi8>, %B: tensor<32x64xi8>, %bias: tensor<64xi32>, %x: tensor<130x64xi8>) -> tensor<130x64xi8>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @matmul.rhs, load @matmul.bias, for m = 64 {load @matmul.lhs x2,
                    value @matmul -> acc x2, @matmul, for m = 16 {load @tail.arg3 x2, @tail -> sram x2}}}>} {
  %c = tensor.empty() : tensor<130x64xi32>
  %o = tensor.empty() : tensor<130x64xi8>
  %0 = npu.matmul %A, %B bias(%bias : tensor<64xi32>) -> %c : tensor<130x32xi8>, tensor<32x64xi8> -> tensor<130x64xi32>
  %1 = npu.requantize %0 -> %o {hi = 127, lo = -128, scale = 0.5 : f32} : tensor<130x64xi32> -> tensor<130x64xi8>
  %2 = npu.binary max %1, %x -> %o : tensor<130x64xi8>, tensor<130x64xi8> -> tensor<130x64xi8>
  npu.return %2 : tensor<130x64xi8>
}
// CHECK-DAG: #[[M:.*]] = affine_map<(d0) -> (d0 * -64 + 130, 64)>
// CHECK-DAG: #[[PART:.*]] = affine_map<(d0, d1) -> (d0 * -64 - d1 * 16 + 130, 16)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0 * 64 + d1 * 16)>
// CHECK-LABEL: npu.kernel @parts(
// CHECK: %[[BIAS:.*]] = memref.alloc() : memref<64xi32, #npu.space<sram>>
// CHECK: scf.for %[[I:.*]] = %c0 to %c3 step %c1 {
// CHECK:   %[[EM:.*]] = affine.min #[[M]](%[[I]])
// CHECK:   %[[ACC:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<64x64xi32, #npu.space<acc>>
// CHECK:   npu.matmul %{{.*}}, %{{.*}} bias(%[[BIAS]] : memref<64xi32, #npu.space<sram>>) -> %[[ACC]] extents(%[[EM]], %c64, %c32) {packed}
// CHECK:   scf.for %[[J:.*]] = %c0 to %c4 step %c1 {
// CHECK:     %[[EP:.*]] = affine.min #[[PART]](%[[I]], %[[J]])
// CHECK:     %[[X:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<16x64xi8, #npu.space<sram>>
// CHECK:     %[[O:.*]] = affine.apply #[[ROW]](%[[I]], %[[J]])
// CHECK:     npu.dma_load %{{.*}}[%[[O]], %c0] -> %[[X]] extents(%[[EP]], %c64)
// CHECK:     %[[T:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<16x64xi8, #npu.space<sram>>
// CHECK:     %[[V:.*]] = memref.subview %[[ACC]][%{{.*}}, 0] [16, 64] [1, 1]
// CHECK:     npu.requantize %[[V]] -> %[[T]] extents(%[[EP]], %c64)
// CHECK:     npu.dma_store %[[T]] -> %{{.*}} extents(%[[EP]], %c64)
// CHECK:   }
// CHECK: }

// -----

// A value that a convolution with a border reads stays in SRAM as a whole: the second stage copies its tiles.
npu.kernel @copies(%x: tensor<9x10x16xi8>, %w: tensor<16x24x1x1xi8>, %f: tensor<8x3x3x24xi8>) -> tensor<9x10x8xi8>
    attributes {target = #npu.target<"npu-v1">,
                schedule = #npu.schedule<{load @first.filter, value @middle -> sram,
                  for first.h = 4 {load @first.input x2, value @first -> acc x2, @first, @middle},
                  load @second.filter, for second.h = 2 {load @second.input x2, value @second -> acc x2, @second, @last -> sram x2}}>} {
  %e0 = tensor.empty() : tensor<9x10x24xi32>
  %e1 = tensor.empty() : tensor<9x10x24xi8>
  %e2 = tensor.empty() : tensor<9x10x8xi32>
  %e3 = tensor.empty() : tensor<9x10x8xi8>
  %0 = npu.conv %x, %w -> %e0 {layout_filter = #npu.layout<cfyx>, layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, stage = "first"} : tensor<9x10x16xi8>, tensor<16x24x1x1xi8> -> tensor<9x10x24xi32>
  %1 = npu.rescale %0 -> %e1 {multiplier = 1073741824, shift = 37, stage = "middle"} : tensor<9x10x24xi32> -> tensor<9x10x24xi8>
  %2 = npu.conv %1, %f -> %e2 {layout_filter = #npu.layout<fyxc>, layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>, pad_high = array<i64: 1, 1>, pad_low = array<i64: 1, 1>, pad_value = 3 : i8, stage = "second"} : tensor<9x10x24xi8>, tensor<8x3x3x24xi8> -> tensor<9x10x8xi32>
  %3 = npu.rescale %2 -> %e3 {multiplier = 1073741824, shift = 39, stage = "last"} : tensor<9x10x8xi32> -> tensor<9x10x8xi8>
  npu.return %3 : tensor<9x10x8xi8>
}
// CHECK-LABEL: npu.kernel @copies(
// CHECK-NOT: npu.space<dram>> {npu.buffers
// CHECK: %[[WHOLE:.*]] = memref.alloc() : memref<12x10x24xi8, #npu.space<sram>>
// CHECK: scf.for
// CHECK:   %[[T:.*]] = memref.subview %[[WHOLE]]
// CHECK:   npu.rescale %{{.*}} -> %[[T]]
// CHECK-NOT: npu.dma_store
// CHECK: scf.for
// CHECK:   %[[IN:.*]] = memref.alloc() {npu.buffers = 2 : i64} : memref<4x12x24xi8, #npu.space<sram>>
// The last tiles of the first stage reach beyond the value; its reader sees padding there.
// CHECK:   %[[V:.*]] = memref.subview %[[WHOLE]][0, 0, 0] [9, 10, 24] [1, 1, 1]
// CHECK:   npu.dma_load %[[V]][%{{.*}}, %c-1, %c0] -> %[[IN]] extents(%{{.*}}, %c12, %c24) fill(3 : i8) : memref<9x10x24xi8, strided<[240, 24, 1]>, #npu.space<sram>> to memref<4x12x24xi8, #npu.space<sram>>
// CHECK:   npu.conv %[[IN]],
