// Scratch memory of ops: allocated where they run, counted in the tile, shared by ops of a stage.

// RUN: npu-opt %s --npu-choose-tiles --npu-tile-form-pipeline --split-input-file | FileCheck %s
// RUN: npu-opt %s --npu-choose-tiles --npu-tile-form-pipeline --npu-planned-form-pipeline --npu-program-pipeline --split-input-file -o /dev/null

#in = affine_map<(r, i, p) -> (r, i)>
#out = affine_map<(r, i, p) -> (r, p)>

// The larger of both, for each row of the tile.
// CHECK-LABEL: npu.kernel @shared
// CHECK: scf.for
// CHECK: %[[S:.*]] = memref.alloc() {{.*}}: memref<[[ROWS:[0-9]+]]x16384xi8, #npu.space<sram>>
// CHECK: npu.sort descending %[[X:.*]] -> %{{.*}} scratch(%[[S]] :
// CHECK: npu.arg_sort descending %[[X]] -> %{{.*}} scratch(%[[S]] :
// CHECK-NOT: memref.alloc() {{.*}}xi8,
npu.kernel @shared(%x: tensor<100x1000xf32>) -> (tensor<100x50xf32>, tensor<100x50xi32>) attributes {target = #npu.target<"npu-v1:sramBytes=262144">} {
  %e = tensor.empty() : tensor<100x50xf32>
  %f = tensor.empty() : tensor<100x50xi32>
  %0 = npu.sort descending %x -> %e {indexing_maps = [#in, #out]} : tensor<100x1000xf32> -> tensor<100x50xf32>
  %1 = npu.arg_sort descending %x -> %f {indexing_maps = [#in, #out]} : tensor<100x1000xf32> -> tensor<100x50xi32>
  npu.return %0, %1 : tensor<100x50xf32>, tensor<100x50xi32>
}

// -----

// Elements of a row may lie anywhere; three dimensions that count rows are two and a loop.
// CHECK-LABEL: npu.kernel @outer
// CHECK: scf.for
// CHECK: memref.alloc() {{.*}}: memref<{{[0-9]+}}x{{[0-9]+}}x256xi8, #npu.space<sram>>
// CHECK: npu.sort ascending
npu.kernel @outer(%x: tensor<3x100x6x2xi8>) -> tensor<3x100x6x2xi8> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<3x100x6x2xi8>
  %0 = npu.sort ascending %x -> %e {indexing_maps = [affine_map<(a, i, b, c, p) -> (a, i, b, c)>, affine_map<(a, i, b, c, p) -> (a, p, b, c)>]} : tensor<3x100x6x2xi8> -> tensor<3x100x6x2xi8>
  npu.return %0 : tensor<3x100x6x2xi8>
}

// -----

#in = affine_map<(r, i, p) -> (r, i)>
#out = affine_map<(r, i, p) -> (r, p)>

// What is computed of the elements before and of the sorted ones after is on the same tile.
// CHECK-LABEL: npu.kernel @between
// CHECK: npu.unary neg
// CHECK: npu.sort
// CHECK: npu.unary abs
// CHECK: npu.dma_store
npu.kernel @between(%x: tensor<64x100xi16>) -> tensor<64x100xi16> attributes {target = #npu.target<"npu-v1">} {
  %e = tensor.empty() : tensor<64x100xi16>
  %0 = npu.unary neg %x -> %e : tensor<64x100xi16> -> tensor<64x100xi16>
  %1 = npu.sort ascending %0 -> %e {indexing_maps = [#in, #out]} : tensor<64x100xi16> -> tensor<64x100xi16>
  %2 = npu.unary abs %1 -> %e : tensor<64x100xi16> -> tensor<64x100xi16>
  npu.return %2 : tensor<64x100xi16>
}
