// RUN: npu-opt %s --npu-choose-tiles | FileCheck %s
// RUN: npu-opt %s --npu-choose-tiles --remarks-filter=npu-tile 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Given sizes are kept, the others are chosen. A dimension that is one tile has a loop of one iteration.
// CHECK-LABEL: npu.kernel @by_hand
// CHECK-SAME: schedule = #npu.schedule<{{{.*}}for {{m|n}} = 64 {{{.*}}for {{m|n}} = 64 {{{.*}}value @matmul -> acc x2, for k = 64 {{{.*}}@matmul}}}} cycles {{[0-9]+}}>
// REMARK: remark: [Analysis] Tiled | Category:npu-tile | Function=by_hand | {{.*}}clusters=1, order="{{m n|n m}}", predictedCycles={{[0-9]+}}, sramBytes={{[0-9]+}}, tile="m=64 n=64 k=64"
npu.kernel @by_hand(%A: tensor<128x64xf16>, %B: tensor<64x256xf16>) -> tensor<128x256xf32> attributes {target = #npu.target<"npu-v1">} {
  %c = tensor.empty() : tensor<128x256xf32>
  %0 = npu.matmul %A, %B -> %c {tile_m = 64, tile_n = 64, tile_k = 64} : tensor<128x64xf16>, tensor<64x256xf16> -> tensor<128x256xf32>
  npu.return %0 : tensor<128x256xf32>
}

// A large product is split over all clusters and into tiles of both result dimensions.
// CHECK-LABEL: npu.kernel @clusters
// CHECK-SAME: schedule = #npu.schedule<{for {{[mn]}} = {{[0-9]+}} clusters 4 {
// REMARK: Function=clusters {{.*}}clusters=4
npu.kernel @clusters(%A: tensor<1024x1024xi8>, %B: tensor<1024x1024xi8>) -> tensor<1024x1024xi32> attributes {target = #npu.target<"npu-v1-x4">} {
  %c = tensor.empty() : tensor<1024x1024xi32>
  %0 = npu.matmul %A, %B -> %c : tensor<1024x1024xi8>, tensor<1024x1024xi8> -> tensor<1024x1024xi32>
  npu.return %0 : tensor<1024x1024xi32>
}

// Nothing to split: loops of one iteration, single buffers.
// CHECK-LABEL: npu.kernel @small
// CHECK-SAME: schedule = #npu.schedule<{for m = 1 {for n = 1 {value @matmul -> acc, for k = 8 {load @matmul.lhs, load @matmul.rhs, @matmul}}}} cycles {{[0-9]+}}>
npu.kernel @small(%A: tensor<1x8xi8>, %B: tensor<8x1xi8>) -> tensor<1x1xi32> attributes {target = #npu.target<"npu-tiny">} {
  %c = tensor.empty() : tensor<1x1xi32>
  %0 = npu.matmul %A, %B -> %c : tensor<1x8xi8>, tensor<8x1xi8> -> tensor<1x1xi32>
  npu.return %0 : tensor<1x1xi32>
}

// What fits whole has no loops at all: the second product reads the first one's result in SRAM.
// CHECK-LABEL: npu.kernel @stages
// CHECK-SAME: schedule = #npu.schedule<{load @matmul0.lhs, load @matmul0.rhs, @matmul0 -> acc, @tail0 -> sram, load @matmul1.rhs, @matmul1 -> acc} cycles {{[0-9]+}}>, target
// CHECK: npu.matmul {{.*}} {stage = "matmul0"}
// CHECK: npu.binary max {{.*}}stage = "tail0"}
// CHECK: npu.matmul {{.*}} {stage = "matmul1"}
npu.kernel @stages(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<24x8xf32>) -> tensor<16x8xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<16x8xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %1, %C -> %f : tensor<16x24xf32>, tensor<24x8xf32> -> tensor<16x8xf32>
  npu.return %2 : tensor<16x8xf32>
}

// Larger ones share the loop over rows, for which the right operands stay on chip; the second product is an iteration behind, so that
// the array need not wait for the vector unit.
// CHECK-LABEL: npu.kernel @strips
// CHECK-SAME: schedule = #npu.schedule<{load @matmul0.rhs, load @matmul1.rhs, for m = {{[0-9]+}} {load @matmul0.lhs x2, @matmul0 -> acc{{( x2)?}}, @tail0 -> sram x2{{( skew 1)?}}, @matmul1 -> acc{{( x2)?}} skew 1}} cycles
// REMARK: Function=strips | {{.*}}order=m,{{.*}}tile="m={{[0-9]+}} matmul0.n=256 k=64 matmul1.n=64"
npu.kernel @strips(%A: tensor<4096x64xf16>, %B: tensor<64x256xf16>, %C: tensor<256x64xf16>) -> tensor<4096x64xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<4096x256xf32>
  %h = tensor.empty() : tensor<4096x256xf16>
  %f = tensor.empty() : tensor<4096x64xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<4096x64xf16>, tensor<64x256xf16> -> tensor<4096x256xf32>
  %1 = npu.unary exp %0 -> %e : tensor<4096x256xf32> -> tensor<4096x256xf32>
  %2 = npu.cast truncf %1 -> %h : tensor<4096x256xf32> -> tensor<4096x256xf16>
  %3 = npu.matmul %2, %C -> %f : tensor<4096x256xf16>, tensor<256x64xf16> -> tensor<4096x64xf32>
  npu.return %3 : tensor<4096x64xf32>
}

// A nest that is the whole kernel is split over clusters.
// CHECK-LABEL: npu.kernel @shared_by_clusters
// CHECK-SAME: schedule = #npu.schedule<{for b = 1 clusters 4 {
npu.kernel @shared_by_clusters(%A: tensor<8x128x64xf16>, %B: tensor<8x64x256xf16>, %C: tensor<8x256x64xf16>) -> tensor<8x128x64xf32> attributes {target = #npu.target<"npu-v1-x4">} {
  %e = tensor.empty() : tensor<8x128x256xf32>
  %h = tensor.empty() : tensor<8x128x256xf16>
  %f = tensor.empty() : tensor<8x128x64xf32>
  %0 = npu.matmul %A, %B -> %e {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<8x128x64xf16>, tensor<8x64x256xf16> -> tensor<8x128x256xf32>
  %1 = npu.cast truncf %0 -> %h : tensor<8x128x256xf32> -> tensor<8x128x256xf16>
  %2 = npu.matmul %1, %C -> %f {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<8x128x256xf16>, tensor<8x256x64xf16> -> tensor<8x128x64xf32>
  npu.return %2 : tensor<8x128x64xf32>
}

// Of fourteen rows four clusters have four, four, four and two, and two by two seven of each with seven columns. What is on chip costs DRAM nothing: it need
// not be the same for all.
// CHECK-LABEL: npu.kernel @shared_by_two
// CHECK-SAME: for h = 7 clusters 2 {for w = 7 clusters 2 {
npu.kernel @shared_by_two(%A: tensor<1x16x16x256xi8>, %B: tensor<3x3x256x256xi8>) -> tensor<1x14x14x256xi32> attributes {target = #npu.target<"npu-v1-x4">, resident = #npu.resident<arguments = [0], bytes = 16384>} {
  %e = tensor.empty() : tensor<1x14x14x256xi32>
  %0 = npu.conv %A, %B -> %e : tensor<1x16x16x256xi8>, tensor<3x3x256x256xi8> -> tensor<1x14x14x256xi32>
  npu.return %0 : tensor<1x14x14x256xi32>
}
// Of sixteen each has four.
// CHECK-LABEL: npu.kernel @shared_by_one
// CHECK-SAME: for {{[hwf]}} = {{[0-9]+}} clusters 4 {
npu.kernel @shared_by_one(%A: tensor<1x18x18x256xi8>, %B: tensor<3x3x256x256xi8>) -> tensor<1x16x16x256xi32> attributes {target = #npu.target<"npu-v1-x4">, resident = #npu.resident<arguments = [0], bytes = 20736>} {
  %e = tensor.empty() : tensor<1x16x16x256xi32>
  %0 = npu.conv %A, %B -> %e : tensor<1x18x18x256xi8>, tensor<3x3x256x256xi8> -> tensor<1x16x16x256xi32>
  npu.return %0 : tensor<1x16x16x256xi32>
}

// What a right operand is cannot be read where the vector unit leaves it: it goes through scratch memory, and the groups follow each other.
// CHECK-LABEL: npu.kernel @through_scratch
// CHECK-SAME: schedule = #npu.schedule<{{{.*}}value @matmul0 -> acc, {{.*}}@matmul0{{.*}}@tail0{{.*}}load @matmul1.rhs, @matmul1{{.*}}}} cycles {{[0-9]+}}>, target
npu.kernel @through_scratch(%A: tensor<16x8xf32>, %B: tensor<8x24xf32>, %C: tensor<8x16xf32>) -> tensor<8x24xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<16x24xf32>
  %f = tensor.empty() : tensor<8x24xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<16x8xf32>, tensor<8x24xf32> -> tensor<16x24xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.0 : f32} : tensor<16x24xf32> -> tensor<16x24xf32>
  %2 = npu.matmul %C, %1 -> %f : tensor<8x16xf32>, tensor<16x24xf32> -> tensor<8x24xf32>
  npu.return %2 : tensor<8x24xf32>
}

// Who needs the largest element of a row and the row has whole rows in its tiles, read once.
// CHECK-LABEL: npu.kernel @rows
// CHECK-SAME: schedule = #npu.schedule<{for d0 = {{[0-9]+}} {for d1 = 256 {load @vector.arg0 x2, @vector -> sram x2}}} cycles {{[0-9]+}}>
npu.kernel @rows(%x: tensor<128x256xf32>) -> tensor<128x256xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<128xf32>
  %f = tensor.empty() : tensor<128x256xf32>
  %0 = npu.reduce max %x -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<128x256xf32> -> tensor<128xf32>
  %1 = npu.binary sub %x, %0 -> %f {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<128x256xf32>, tensor<128xf32> -> tensor<128x256xf32>
  npu.return %1 : tensor<128x256xf32>
}

// Rows that do not fit: the reduction runs over tiles and is a group of its own, whose results stay on chip.
// CHECK-LABEL: npu.kernel @long_rows
// CHECK-SAME: schedule = #npu.schedule<{value @reduce0 -> sram, {{.*}}for d1 = {{[0-9]+}} {load @reduce0.arg0 x2, @reduce0}{{.*}}load @vector1.arg0 x2, @vector1 -> sram x2
npu.kernel @long_rows(%x: tensor<2x1000000xf32>) -> tensor<2x1000000xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<2xf32>
  %f = tensor.empty() : tensor<2x1000000xf32>
  %0 = npu.reduce max %x -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<2x1000000xf32> -> tensor<2xf32>
  %1 = npu.binary sub %x, %0 -> %f {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<2x1000000xf32>, tensor<2xf32> -> tensor<2x1000000xf32>
  npu.return %1 : tensor<2x1000000xf32>
}

// The tail of a reduction comes after its loops, that of a product reduces whole rows of it.
// CHECK-LABEL: npu.kernel @mean
// CHECK-SAME: value @reduce -> sram{{.*}}@reduce}{{.*}}@tail -> sram
npu.kernel @mean(%x: tensor<16x100000xf32>) -> tensor<16xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<16xf32>
  %0 = npu.reduce sum %x -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<16x100000xf32> -> tensor<16xf32>
  %1 = npu.binary mul %0 -> %e {imm = 1.0e-05 : f32} : tensor<16xf32> -> tensor<16xf32>
  npu.return %1 : tensor<16xf32>
}

// CHECK-LABEL: npu.kernel @product_rows
// CHECK-SAME: @matmul{{0?}} -> acc
// CHECK-NOT: load @{{.*}}.matmul0
npu.kernel @product_rows(%A: tensor<64x32xf32>, %B: tensor<32x48xf32>) -> tensor<64x48xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<64x48xf32>
  %r = tensor.empty() : tensor<64xf32>
  %0 = npu.matmul %A, %B -> %e : tensor<64x32xf32>, tensor<32x48xf32> -> tensor<64x48xf32>
  %1 = npu.reduce max %0 -> %r {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<64x48xf32> -> tensor<64xf32>
  %2 = npu.binary sub %0, %1 -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<64x48xf32>, tensor<64xf32> -> tensor<64x48xf32>
  npu.return %2 : tensor<64x48xf32>
}

// A window moves in a loop along all its dimensions but the last; its rows are loaded once.
// CHECK-LABEL: npu.kernel @windows
// CHECK-SAME: load @pool.arg0{{.*}}value @pool -> sram{{.*}}, for d3 = 1 {@pool}
npu.kernel @windows(%x: tensor<30x30x16xf32>) -> tensor<15x15x16xf32> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<15x15x16xf32>
  %0 = npu.pool max %x -> %e {window = array<i64: 3, 3>, indexing_maps = [affine_map<(h, w, c, y, x) -> (h * 2 + y - 1, w * 2 + x - 1, c)>, affine_map<(h, w, c, y, x) -> (h, w, c)>]} : tensor<30x30x16xf32> -> tensor<15x15x16xf32>
  npu.return %0 : tensor<15x15x16xf32>
}

// Every tile reads the table whole, which is loaded once, outside of the loops.
// CHECK-LABEL: npu.kernel @table
// CHECK-SAME: schedule = #npu.schedule<{load @vector.arg1, for d0 = {{[0-9]+}} {for d1 = {{[0-9]+}} {load @vector.arg0 x2, @vector -> sram x2}}}
npu.kernel @table(%x: tensor<300x1000xi16>, %t: tensor<513xi16>) -> tensor<300x1000xi32> attributes {target = #npu.target<"npu-tiny">} {
  %e = tensor.empty() : tensor<300x1000xi32>
  %0 = npu.table %x[%t] -> %e : tensor<300x1000xi16>, tensor<513xi16> -> tensor<300x1000xi32>
  npu.return %0 : tensor<300x1000xi32>
}

// What is reduced of the same rows shares their tile, also where one op needs it whole.
// CHECK-LABEL: npu.kernel @extreme_and_position
// CHECK-SAME: schedule = #npu.schedule<{for d0 = {{[0-9]+}} {load @arg_reduce.arg0 x2, @arg_reduce -> sram x2}}
npu.kernel @extreme_and_position(%x: tensor<40x700xf32>) -> (tensor<40xf32>, tensor<40xi32>) attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<40xf32>
  %p = tensor.empty() : tensor<40xi32>
  %0 = npu.reduce max %x -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<40x700xf32> -> tensor<40xf32>
  %1 = npu.arg_reduce argmax %x -> %p {dimension = 1, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<40x700xf32> -> tensor<40xi32>
  npu.return %0, %1 : tensor<40xf32>, tensor<40xi32>
}

// Where more is computed of a position, one tile has it all.
// CHECK-LABEL: npu.kernel @extreme_and_next_position
// CHECK-SAME: schedule = #npu.schedule<{for d0 = {{[0-9]+}} {load @vector.arg0 x2, @vector -> sram x2}}
npu.kernel @extreme_and_next_position(%x: tensor<40x700xf32>) -> (tensor<40xf32>, tensor<40xi32>) attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<40xf32>
  %p = tensor.empty() : tensor<40xi32>
  %0 = npu.reduce max %x -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<40x700xf32> -> tensor<40xf32>
  %1 = npu.arg_reduce argmax %x -> %p {dimension = 1, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<40x700xf32> -> tensor<40xi32>
  %2 = npu.binary add %1 -> %p {imm = 1 : i32} : tensor<40xi32> -> tensor<40xi32>
  npu.return %0, %2 : tensor<40xf32>, tensor<40xi32>
}

// An image that is on chip as a whole is not stored. A convolution copies its tiles, with their border, from it.
// CHECK-LABEL: npu.kernel @image
// CHECK-SAME: schedule = #npu.schedule<{value @tail0 -> sram, {{.*}}@tail0}{{.*}}, for g = {{[0-9]+}} {load @conv1.input x2, {{.*}}@conv1
npu.kernel @image(%x: tensor<1x12x12x8xf32>, %u: tensor<1x1x8x32xf32>, %v: tensor<3x3x32xf32>) -> tensor<1x12x12x32xf32> attributes {target = #npu.target<"npu-v1:dramBytesPerCycle=4">} {
  %e = tensor.empty() : tensor<1x12x12x32xf32>
  %0 = npu.conv %x, %u -> %e : tensor<1x12x12x8xf32>, tensor<1x1x8x32xf32> -> tensor<1x12x12x32xf32>
  %1 = npu.binary max %0 -> %e {imm = 0.000000e+00 : f32} : tensor<1x12x12x32xf32> -> tensor<1x12x12x32xf32>
  %2 = npu.conv %1, %v -> %e {layout_filter = #npu.layout<yxg>, layout_input = #npu.layout<nhwg>, layout_output = #npu.layout<nhwg>, pad_high = array<i64: 1, 1>, pad_low = array<i64: 1, 1>, pad_value = 0.000000e+00 : f32} : tensor<1x12x12x32xf32>, tensor<3x3x32xf32> -> tensor<1x12x12x32xf32>
  npu.return %2 : tensor<1x12x12x32xf32>
}
