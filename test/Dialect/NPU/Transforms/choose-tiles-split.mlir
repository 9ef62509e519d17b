// Whole rows fit the memory, but only few of them: the array would be idle most of the time. The softmax goes through scratch memory then.
// RUN: npu-opt %s --npu-choose-tiles | FileCheck %s

// CHECK-LABEL: npu.kernel @few_rows
// CHECK-SAME: schedule = #npu.schedule<{{.*}}@matmul0{{.*}}@reduce1{{.*}}load @{{.*}}.matmul0
npu.kernel @few_rows(%a: tensor<512x64xf32>, %b: tensor<64x4096xf32>) -> tensor<512x4096xf32> attributes {target = #npu.target<"npu-v1:sramBytes=65536,accBytes=65536">} {
  %e = tensor.empty() : tensor<512x4096xf32>
  %r = tensor.empty() : tensor<512xf32>
  %0 = npu.matmul %a, %b -> %e : tensor<512x64xf32>, tensor<64x4096xf32> -> tensor<512x4096xf32>
  %1 = npu.reduce max %0 -> %r {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<512x4096xf32> -> tensor<512xf32>
  %2 = npu.binary sub %0, %1 -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<512x4096xf32>, tensor<512xf32> -> tensor<512x4096xf32>
  npu.return %2 : tensor<512x4096xf32>
}

// With more memory whole rows stay on chip.
// CHECK-LABEL: npu.kernel @enough_rows
// CHECK-SAME: schedule = #npu.schedule<{{[{]}}keep @matmul.rhs, for m = 32 {
// CHECK-NOT: load @{{.*}}.matmul0
npu.kernel @enough_rows(%a: tensor<512x64xf32>, %b: tensor<64x4096xf32>) -> tensor<512x4096xf32> attributes {target = #npu.target<"npu-v1:sramBytes=4194304,accBytes=2097152">} {
  %e = tensor.empty() : tensor<512x4096xf32>
  %r = tensor.empty() : tensor<512xf32>
  %0 = npu.matmul %a, %b -> %e : tensor<512x64xf32>, tensor<64x4096xf32> -> tensor<512x4096xf32>
  %1 = npu.reduce max %0 -> %r {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<512x4096xf32> -> tensor<512xf32>
  %2 = npu.binary sub %0, %1 -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<512x4096xf32>, tensor<512xf32> -> tensor<512x4096xf32>
  npu.return %2 : tensor<512x4096xf32>
}

// Neither the rows of scores nor K and V fit: blocks of keys stay on chip for all strips of queries, and what they give goes through scratch memory.
// RUN: npu-opt %s --npu-choose-tiles --remarks-filter=npu-tile -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-NOT: SplitCascade {{.*}}Function={{few|enough}}_rows
// REMARK: remark: [Passed] SplitCascade | Category:npu-tile | Function=blocks | block=512
// CHECK-LABEL: npu.kernel @blocks
// CHECK-SAME: (%{{.*}}: tensor<1024x64xf32>, %{{.*}}: tensor<8x512x64xf32>, %{{.*}}: tensor<8x512x64xf32>) -> tensor<1024x64xf32>
// CHECK-SAME: schedule = #npu.schedule<{for b = 1 {load @matmul0.rhs{{.*}}, load @matmul4.rhs{{.*}}, for m = {{[0-9]+}} {load @matmul0.lhs {{.*}}@matmul4 -> acc
npu.kernel @blocks(%q: tensor<1024x64xf32>, %k: tensor<4096x64xf32>, %v: tensor<4096x64xf32>) -> tensor<1024x64xf32> attributes {target = #npu.target<"npu-v1:sramBytes=524288">} {
  %r = tensor.empty() : tensor<1024xf32>
  %e = tensor.empty() : tensor<1024x4096xf32>
  %o = tensor.empty() : tensor<1024x64xf32>
  %s = npu.matmul %q, %k -> %e {layout_b = #npu.layout<nk>} : tensor<1024x64xf32>, tensor<4096x64xf32> -> tensor<1024x4096xf32>
  %0 = npu.reduce max %s -> %r {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<1024x4096xf32> -> tensor<1024xf32>
  %1 = npu.binary sub %s, %0 -> %e {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<1024x4096xf32>, tensor<1024xf32> -> tensor<1024x4096xf32>
  %2 = npu.unary exp %1 -> %e : tensor<1024x4096xf32> -> tensor<1024x4096xf32>
  %3 = npu.reduce sum %2 -> %r {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>]} : tensor<1024x4096xf32> -> tensor<1024xf32>
  %4 = npu.matmul %2, %v -> %o : tensor<1024x4096xf32>, tensor<4096x64xf32> -> tensor<1024x64xf32>
  %5 = npu.binary div %4, %3 -> %o {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>]} : tensor<1024x64xf32>, tensor<1024xf32> -> tensor<1024x64xf32>
  npu.return %5 : tensor<1024x64xf32>
}

// Heads of an attention on four clusters: each group is split by itself, and clusters wait for what others have written to scratch memory.
// CHECK-LABEL: npu.kernel @heads
// CHECK-SAME: schedule = #npu.schedule<{for g = 1 clusters 4 {for b = 1 {{.*}}}, for {{.*}} clusters 4
npu.kernel @heads(%q: tensor<4x1024x64xf32>, %k: tensor<4x4096x64xf32>, %v: tensor<4x4096x64xf32>) -> tensor<4x1024x64xf32> attributes {target = #npu.target<"npu-v1-x4:sramBytes=524288">} {
  %r = tensor.empty() : tensor<4x1024xf32>
  %e = tensor.empty() : tensor<4x1024x4096xf32>
  %o = tensor.empty() : tensor<4x1024x64xf32>
  %s = npu.matmul %q, %k -> %e {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bnk>, layout_c = #npu.layout<bmn>} : tensor<4x1024x64xf32>, tensor<4x4096x64xf32> -> tensor<4x1024x4096xf32>
  %0 = npu.reduce max %s -> %r {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>]} : tensor<4x1024x4096xf32> -> tensor<4x1024xf32>
  %1 = npu.binary sub %s, %0 -> %e {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>]} : tensor<4x1024x4096xf32>, tensor<4x1024xf32> -> tensor<4x1024x4096xf32>
  %2 = npu.unary exp %1 -> %e : tensor<4x1024x4096xf32> -> tensor<4x1024x4096xf32>
  %3 = npu.reduce sum %2 -> %r {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>]} : tensor<4x1024x4096xf32> -> tensor<4x1024xf32>
  %4 = npu.matmul %2, %v -> %o {layout_a = #npu.layout<bmk>, layout_b = #npu.layout<bkn>, layout_c = #npu.layout<bmn>} : tensor<4x1024x4096xf32>, tensor<4x4096x64xf32> -> tensor<4x1024x64xf32>
  %5 = npu.binary div %4, %3 -> %o {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>]} : tensor<4x1024x64xf32>, tensor<4x1024xf32> -> tensor<4x1024x64xf32>
  npu.return %5 : tensor<4x1024x64xf32>
}
