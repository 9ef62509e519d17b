// RUN: npu-opt %s --npu-split-cascades=block=4 --npu-verify-tensor-form --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A softmax in f16 of what a mask may hide: blocks have their own largest element, which is at least the lowest number; the quotients read x again.
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$OWN:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-LABEL: npu.kernel @softmax
// CHECK-SAME: (%[[X:.*]]: tensor<8x3x4xf16>) -> tensor<8x3x4xf16>
// CHECK: %[[M:.*]] = npu.reduce max %[[X]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$OWN]]]} : tensor<8x3x4xf16> -> tensor<3x8xf16>
// CHECK: %[[G:.*]] = npu.binary max %[[M]] -> %{{.*}} {imm = -6.550400e+04 : f16}
// CHECK: %[[D:.*]] = npu.binary sub %[[X]], %[[G]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$OWN]], #[[$ID]]]}
// CHECK: %[[E:.*]] = npu.unary exp %[[D]]
// CHECK: %[[S:.*]] = npu.reduce sum %[[E]] -> %{{.*}} : tensor<8x3x4xf16> -> tensor<3x8xf32>
// CHECK: %[[MAX:.*]] = npu.reduce max %[[M]] -> %{{.*}} : tensor<3x8xf16> -> tensor<8xf16>
// CHECK: %[[D2:.*]] = npu.binary sub %[[X]], %[[MAX]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$ALL]], #[[$ID]]]}
// CHECK: %[[E2:.*]] = npu.unary exp %[[D2]]
// CHECK: %[[OWN:.*]] = npu.cast extf %[[G]]
// CHECK: %[[GUARDED:.*]] = npu.binary max %[[MAX]] -> %{{.*}} {imm = -6.550400e+04 : f16}
// CHECK: %[[WHOLE:.*]] = npu.cast extf %[[GUARDED]]
// CHECK: %[[DIFFERENCE:.*]] = npu.binary sub %[[OWN]], %[[WHOLE]]
// CHECK: %[[F:.*]] = npu.unary exp %[[DIFFERENCE]]
// CHECK: %[[P:.*]] = npu.binary mul %[[S]], %[[F]]
// CHECK: %[[SUM:.*]] = npu.reduce sum %[[P]] -> %{{.*}} : tensor<3x8xf32> -> tensor<8xf16>
// CHECK: %[[Y:.*]] = npu.binary div %[[E2]], %[[SUM]]
// CHECK: npu.return %[[Y]] : tensor<8x3x4xf16>
npu.kernel @softmax(%x: tensor<8x12xf16>) -> tensor<8x12xf16> attributes {target = #npu.target<"npu-v1">} {
  %r = tensor.empty() : tensor<8xf16>
  %e = tensor.empty() : tensor<8x12xf16>
  %0 = npu.reduce max %x -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf16> -> tensor<8xf16>
  %1 = npu.binary sub %x, %0 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf16>, tensor<8xf16> -> tensor<8x12xf16>
  %2 = npu.unary exp %1 -> %e : tensor<8x12xf16> -> tensor<8x12xf16>
  %3 = npu.reduce sum %2 -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf16> -> tensor<8xf16>
  %4 = npu.binary div %2, %3 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf16>, tensor<8xf16> -> tensor<8x12xf16>
  npu.return %4 : tensor<8x12xf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A base of two, a scale behind the difference, weights divided and rounded before the second product: the division comes last.
// CHECK-LABEL: npu.kernel @attention
// CHECK-SAME: (%[[Q:.*]]: tensor<8x16xf16>, %[[K:.*]]: tensor<3x4x16xf16>, %[[V:.*]]: tensor<3x4x2xf16>) -> tensor<8x2xf32>
// CHECK: %[[S:.*]] = npu.matmul %[[Q]], %[[K]] -> %{{.*}} {layout_b = #npu.layout<bnk>, layout_c = #npu.layout<mbn>}
// CHECK: %[[M:.*]] = npu.reduce max %[[S]]
// CHECK: %[[G:.*]] = npu.binary max %[[M]] -> %{{.*}} {imm = -3.40282347E+38 : f32}
// CHECK: %[[D:.*]] = npu.binary sub %[[S]], %[[G]]
// CHECK: %[[L:.*]] = npu.binary mul %[[D]] -> %{{.*}} {imm = 5.000000e-01 : f32}
// CHECK: %[[E:.*]] = npu.unary exp2 %[[L]]
// CHECK: %[[SUM:.*]] = npu.reduce sum %[[E]]
// CHECK: %[[W:.*]] = npu.cast truncf %[[E]]
// CHECK: %[[O:.*]] = npu.matmul %[[W]], %[[V]] -> %{{.*}} {layout_a = #npu.layout<mbk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<8x3x4xf16>, tensor<3x4x2xf16> -> tensor<3x8x2xf32>
// CHECK: %[[C:.*]] = npu.binary mul %{{.*}} -> %{{.*}} {imm = 5.000000e-01 : f32}
// CHECK: %[[F:.*]] = npu.unary exp2 %[[C]]
// CHECK: %[[PS:.*]] = npu.binary mul %[[SUM]], %[[F]]
// CHECK: %[[ALL:.*]] = npu.reduce sum %[[PS]] -> %{{.*}} : tensor<3x8xf32> -> tensor<8xf32>
// CHECK: %[[PO:.*]] = npu.binary mul %[[O]], %[[F]]
// CHECK: %[[R:.*]] = npu.reduce sum %[[PO]] -> %{{.*}} : tensor<3x8x2xf32> -> tensor<8x2xf32>
// CHECK: %[[Y:.*]] = npu.binary div %[[R]], %[[ALL]]
// CHECK: npu.return %[[Y]]
npu.kernel @attention(%q: tensor<8x16xf16>, %k: tensor<12x16xf16>, %v: tensor<12x2xf16>) -> tensor<8x2xf32> attributes {target = #npu.target<"npu-v1">} {
  %r = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8x12xf32>
  %h = tensor.empty() : tensor<8x12xf16>
  %o = tensor.empty() : tensor<8x2xf32>
  %s = npu.matmul %q, %k -> %e {layout_b = #npu.layout<nk>} : tensor<8x16xf16>, tensor<12x16xf16> -> tensor<8x12xf32>
  %0 = npu.reduce max %s -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  %1 = npu.binary sub %s, %0 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf32>, tensor<8xf32> -> tensor<8x12xf32>
  %2 = npu.binary mul %1 -> %e {imm = 5.000000e-01 : f32} : tensor<8x12xf32> -> tensor<8x12xf32>
  %3 = npu.unary exp2 %2 -> %e : tensor<8x12xf32> -> tensor<8x12xf32>
  %4 = npu.reduce sum %3 -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  %5 = npu.binary div %3, %4 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf32>, tensor<8xf32> -> tensor<8x12xf32>
  %6 = npu.cast truncf %5 -> %h : tensor<8x12xf32> -> tensor<8x12xf16>
  %7 = npu.matmul %6, %v -> %o : tensor<8x12xf16>, tensor<12x2xf16> -> tensor<8x2xf32>
  npu.return %7 : tensor<8x2xf32>
}

// -----

#id = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>

// A variance: blocks have their own mean, and what that is away from the mean of all is added, squared, for each of a block's elements.
// CHECK-LABEL: npu.kernel @variance
// CHECK-SAME: (%[[X:.*]]: tensor<3x4x8xf32>) -> tensor<8xf32>
// CHECK: %[[S:.*]] = npu.reduce sum %[[X]] -> %{{.*}} : tensor<3x4x8xf32> -> tensor<3x8xf32>
// CHECK: %[[L:.*]] = npu.binary mul %[[S]] -> %{{.*}} {imm = 3.000000e+00 : f32}
// CHECK: %[[OWN:.*]] = npu.binary div %[[L]] -> %{{.*}} {imm = 1.200000e+01 : f32}
// CHECK: %[[D:.*]] = npu.binary sub %[[OWN]], %[[X]]
// CHECK: %[[Q:.*]] = npu.binary mul %[[D]], %[[D]]
// CHECK: %[[P:.*]] = npu.reduce sum %[[Q]]
// CHECK: %[[SUM:.*]] = npu.reduce sum %[[S]] -> %{{.*}} : tensor<3x8xf32> -> tensor<8xf32>
// CHECK: %[[MEAN:.*]] = npu.binary div %[[SUM]] -> %{{.*}} {imm = 1.200000e+01 : f32}
// CHECK: %[[AWAY:.*]] = npu.binary sub %[[OWN]], %[[MEAN]]
// CHECK: %[[A:.*]] = npu.binary mul %[[AWAY]], %[[AWAY]]
// CHECK: %[[N:.*]] = npu.binary mul %[[A]] -> %{{.*}} {imm = 4.000000e+00 : f32}
// CHECK: %[[T:.*]] = npu.binary add %[[P]], %[[N]]
// CHECK: %[[Y:.*]] = npu.reduce sum %[[T]] -> %{{.*}} : tensor<3x8xf32> -> tensor<8xf32>
// CHECK: npu.return %[[Y]]
npu.kernel @variance(%x: tensor<12x8xf32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
  %r = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<12x8xf32>
  %0 = npu.reduce sum %x -> %r {indexing_maps = [#id, #row]} : tensor<12x8xf32> -> tensor<8xf32>
  %1 = npu.binary div %0 -> %r {imm = 1.200000e+01 : f32} : tensor<8xf32> -> tensor<8xf32>
  %2 = npu.binary sub %1, %x -> %e {indexing_maps = [affine_map<(j, i) -> (i)>, affine_map<(j, i) -> (j, i)>, affine_map<(j, i) -> (j, i)>]} : tensor<8xf32>, tensor<12x8xf32> -> tensor<12x8xf32>
  %3 = npu.binary mul %2, %2 -> %e : tensor<12x8xf32>, tensor<12x8xf32> -> tensor<12x8xf32>
  %4 = npu.reduce sum %3 -> %r {indexing_maps = [#id, #row]} : tensor<12x8xf32> -> tensor<8xf32>
  npu.return %4 : tensor<8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The smallest element does not bound exp(x - m), and a sum that is no mean is no center of squares: these stay.
// CHECK-LABEL: npu.kernel @others
// CHECK-SAME: (%{{.*}}: tensor<8x12xf32>) -> (tensor<8xf32>, tensor<8xf32>)
npu.kernel @others(%x: tensor<8x12xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {target = #npu.target<"npu-v1">} {
  %r = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8x12xf32>
  %0 = npu.reduce min %x -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  %1 = npu.binary sub %x, %0 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf32>, tensor<8xf32> -> tensor<8x12xf32>
  %2 = npu.unary exp %1 -> %e : tensor<8x12xf32> -> tensor<8x12xf32>
  %3 = npu.reduce sum %2 -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  %4 = npu.reduce sum %x -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  %5 = npu.binary sub %x, %4 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf32>, tensor<8xf32> -> tensor<8x12xf32>
  %6 = npu.binary mul %5, %5 -> %e : tensor<8x12xf32>, tensor<8x12xf32> -> tensor<8x12xf32>
  %7 = npu.reduce sum %6 -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  npu.return %3, %7 : tensor<8xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The largest number beside NaNs, and no smaller one than a bound, is as good.
// CHECK-LABEL: npu.kernel @numbers
// CHECK-SAME: (%{{.*}}: tensor<8x3x4xf32>) -> tensor<8xf32>
// CHECK: %[[N:.*]] = npu.select
// CHECK: npu.reduce max %[[N]] -> %{{.*}} : tensor<8x3x4xf32> -> tensor<3x8xf32>
npu.kernel @numbers(%x: tensor<8x12xf32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
  %least = arith.constant dense<0xFF800000> : tensor<f32>
  %r = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8x12xf32>
  %p = tensor.empty() : tensor<8x12xi1>
  %n = npu.binary cmpne %x, %x -> %p : tensor<8x12xf32>, tensor<8x12xf32> -> tensor<8x12xi1>
  %s = npu.select %n, %least, %x -> %e {indexing_maps = [#id, affine_map<(i, j) -> ()>, #id, #id]} : tensor<8x12xi1>, tensor<f32>, tensor<8x12xf32> -> tensor<8x12xf32>
  %0 = npu.reduce max %s -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  %b = npu.binary max %0 -> %r {imm = -3.000000e+38 : f32} : tensor<8xf32> -> tensor<8xf32>
  %1 = npu.binary sub %x, %b -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf32>, tensor<8xf32> -> tensor<8x12xf32>
  %2 = npu.unary exp %1 -> %e : tensor<8x12xf32> -> tensor<8x12xf32>
  %3 = npu.reduce sum %2 -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  npu.return %3 : tensor<8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The largest element of another row does not bound the differences.
// CHECK-LABEL: npu.kernel @other_rows
// CHECK-SAME: (%{{.*}}: tensor<8x12xf32>) -> tensor<8x8xf32>
npu.kernel @other_rows(%x: tensor<8x12xf32>) -> tensor<8x8xf32> attributes {target = #npu.target<"npu-v1">} {
  %r = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8x8x12xf32>
  %o = tensor.empty() : tensor<8x8xf32>
  %0 = npu.reduce max %x -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  %1 = npu.binary sub %x, %0 -> %e {indexing_maps = [affine_map<(i, k, j) -> (i, j)>, affine_map<(i, k, j) -> (k)>, affine_map<(i, k, j) -> (i, k, j)>]} : tensor<8x12xf32>, tensor<8xf32> -> tensor<8x8x12xf32>
  %2 = npu.unary exp %1 -> %e : tensor<8x8x12xf32> -> tensor<8x8x12xf32>
  %3 = npu.reduce sum %2 -> %o {indexing_maps = [affine_map<(i, k, j) -> (i, k, j)>, affine_map<(i, k, j) -> (i, k)>]} : tensor<8x8x12xf32> -> tensor<8x8xf32>
  npu.return %3 : tensor<8x8xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A sum over rows as well has no element per row that could be repaired, and a tile by hand is about the kernel as it is.
// CHECK-LABEL: npu.kernel @over_rows
// CHECK-SAME: (%{{.*}}: tensor<8x12xf32>) -> tensor<f32>
npu.kernel @over_rows(%x: tensor<8x12xf32>) -> tensor<f32> attributes {target = #npu.target<"npu-v1">} {
  %r = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8x12xf32>
  %s = tensor.empty() : tensor<f32>
  %0 = npu.reduce max %x -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  %1 = npu.binary sub %x, %0 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf32>, tensor<8xf32> -> tensor<8x12xf32>
  %2 = npu.unary exp %1 -> %e : tensor<8x12xf32> -> tensor<8x12xf32>
  %3 = npu.reduce sum %2 -> %s {indexing_maps = [#id, affine_map<(i, j) -> ()>]} : tensor<8x12xf32> -> tensor<f32>
  npu.return %3 : tensor<f32>
}
// CHECK-LABEL: npu.kernel @by_hand
// CHECK-SAME: (%{{.*}}: tensor<8x12xf32>) -> tensor<8xf32>
npu.kernel @by_hand(%x: tensor<8x12xf32>) -> tensor<8xf32> attributes {target = #npu.target<"npu-v1">} {
  %r = tensor.empty() : tensor<8xf32>
  %e = tensor.empty() : tensor<8x12xf32>
  %0 = npu.reduce max %x -> %r {indexing_maps = [#id, #row], tile = array<i64: 4, 0>} : tensor<8x12xf32> -> tensor<8xf32>
  %1 = npu.binary sub %x, %0 -> %e {indexing_maps = [#id, #row, #id]} : tensor<8x12xf32>, tensor<8xf32> -> tensor<8x12xf32>
  %2 = npu.unary exp %1 -> %e : tensor<8x12xf32> -> tensor<8x12xf32>
  %3 = npu.reduce sum %2 -> %r {indexing_maps = [#id, #row]} : tensor<8x12xf32> -> tensor<8xf32>
  npu.return %3 : tensor<8xf32>
}
