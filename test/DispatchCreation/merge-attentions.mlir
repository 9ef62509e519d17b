// Two contractions share a dispatch with what is between them when the second one sums over what is reduced there.
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions))' --split-input-file %s | FileCheck %s
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions{fuse-attention=false}))' --split-input-file %s | FileCheck %s --check-prefix=APART
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions{mode=iree}))' --split-input-file %s | FileCheck %s --check-prefix=IREE
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions))' --remarks-filter=npu-fusion --split-input-file %s 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// The cast to f16 between them joins as well, though it is a dispatch of its own otherwise.
// CHECK-LABEL: @attention
// CHECK: flow.dispatch.region
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: linalg.softmax
// CHECK-NEXT: linalg.generic
// CHECK: linalg.matmul
// CHECK-NEXT: flow.return
// CHECK-NOT: flow.dispatch.region
// APART-LABEL: @attention
// APART-COUNT-4: flow.dispatch.region
// IREE-LABEL: @attention
// IREE-COUNT-4: flow.dispatch.region
// REMARK: [Passed] Fused {{.*}} Function=attention | Reason="the second contraction sums over rows that are reduced between"
util.func public @attention(%q: tensor<8x4xf16>, %k: tensor<4x6xf16>, %v: tensor<6x4xf16>, %i: tensor<8x6xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %h = tensor.empty() : tensor<8x6xf16>
  %0 = linalg.matmul ins(%q, %k : tensor<8x4xf16>, tensor<4x6xf16>) outs(%i : tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x6xf32>) outs(%h : tensor<8x6xf16>) {
  ^bb0(%x: f32, %y: f16):
    %t = arith.truncf %x : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x6xf16>
  %3 = linalg.matmul ins(%2, %v : tensor<8x6xf16>, tensor<6x4xf16>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  util.return %3 : tensor<8x4xf32>
}

// -----

// The softmax written as generics.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
// CHECK-LABEL: @parts
// CHECK-COUNT-1: flow.dispatch.region
// CHECK-NOT: flow.dispatch.region
util.func public @parts(%q: tensor<8x4xf32>, %k: tensor<4x6xf32>, %v: tensor<6x4xf32>, %s: tensor<8x6xf32>, %r: tensor<8xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %0 = linalg.matmul ins(%q, %k : tensor<8x4xf32>, tensor<4x6xf32>) outs(%s : tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x6xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %t = arith.maximumf %x, %y : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<8x6xf32>, tensor<8xf32>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%x: f32, %m: f32, %y: f32):
    %d = arith.subf %x, %m : f32
    %t = math.exp %d : f32
    linalg.yield %t : f32
  } -> tensor<8x6xf32>
  %3 = linalg.matmul ins(%2, %v : tensor<8x6xf32>, tensor<6x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  util.return %3 : tensor<8x4xf32>
}

// -----

// Without a reduction between, the second contraction gains nothing from the first one's strips that it would not lose in tiles.
// CHECK-LABEL: @no_reduction
// CHECK-COUNT-2: flow.dispatch.region
util.func public @no_reduction(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<6x4xf32>, %i: tensor<8x6xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x6xf32>) outs(%i : tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = linalg.matmul ins(%0, %c : tensor<8x6xf32>, tensor<6x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  util.return %1 : tensor<8x4xf32>
}

// -----

// Columns are reduced, rows are summed over.
// CHECK-LABEL: @other_dimension
// CHECK-COUNT-3: flow.dispatch.region
util.func public @other_dimension(%q: tensor<8x4xf32>, %k: tensor<4x6xf32>, %v: tensor<6x4xf32>, %i: tensor<8x6xf32>, %o: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %0 = linalg.matmul ins(%q, %k : tensor<8x4xf32>, tensor<4x6xf32>) outs(%i : tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = linalg.softmax dimension(0) ins(%0 : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %2 = linalg.matmul ins(%1, %v : tensor<8x6xf32>, tensor<6x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  util.return %2 : tensor<8x4xf32>
}

// -----

// Somebody else reads the weights.
// CHECK-LABEL: @weights_are_used
// CHECK-COUNT-3: flow.dispatch.region
util.func public @weights_are_used(%q: tensor<8x4xf32>, %k: tensor<4x6xf32>, %v: tensor<6x4xf32>, %i: tensor<8x6xf32>, %o: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x6xf32>) {
  %e = tensor.empty() : tensor<8x6xf32>
  %0 = linalg.matmul ins(%q, %k : tensor<8x4xf32>, tensor<4x6xf32>) outs(%i : tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %2 = linalg.matmul ins(%1, %v : tensor<8x6xf32>, tensor<6x4xf32>) outs(%o : tensor<8x4xf32>) -> tensor<8x4xf32>
  util.return %2, %1 : tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// What nothing but the host computes with would take both contractions along.
// CHECK-LABEL: @in_f64
// CHECK-COUNT-3: flow.dispatch.region
util.func public @in_f64(%q: tensor<8x4xf64>, %k: tensor<4x6xf64>, %v: tensor<6x4xf64>, %i: tensor<8x6xf64>, %o: tensor<8x4xf64>) -> tensor<8x4xf64> {
  %e = tensor.empty() : tensor<8x6xf64>
  %0 = linalg.matmul ins(%q, %k : tensor<8x4xf64>, tensor<4x6xf64>) outs(%i : tensor<8x6xf64>) -> tensor<8x6xf64>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<8x6xf64>) outs(%e : tensor<8x6xf64>) -> tensor<8x6xf64>
  %2 = linalg.matmul ins(%1, %v : tensor<8x6xf64>, tensor<6x4xf64>) outs(%o : tensor<8x4xf64>) -> tensor<8x4xf64>
  util.return %2 : tensor<8x4xf64>
}

// -----

// Scores in f16 and a softmax in f32: the conversion is cloned into what reads it otherwise, and joins here.
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
// CHECK-LABEL: @widened
// CHECK: flow.dispatch.region
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: linalg.generic
// CHECK: arith.extf
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: linalg.matmul
// CHECK-NEXT: flow.return
// CHECK-NOT: flow.dispatch.region
// APART-LABEL: @widened
// APART-COUNT-3: flow.dispatch.region
// IREE-LABEL: @widened
// IREE-COUNT-3: flow.dispatch.region
util.func public @widened(%q: tensor<8x4xf16>, %k: tensor<4x6xf16>, %v: tensor<6x4xf16>, %i: tensor<8x6xf16>, %o: tensor<8x4xf16>, %m: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8x4xf16> {
  %e = tensor.empty() : tensor<8x6xf32>
  %h = tensor.empty() : tensor<8x6xf16>
  %0 = linalg.matmul ins(%q, %k : tensor<8x4xf16>, tensor<4x6xf16>) outs(%i : tensor<8x6xf16>) -> tensor<8x6xf16>
  %1 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x6xf16>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%x: f16, %y: f32):
    %w = arith.extf %x : f16 to f32
    linalg.yield %w : f32
  } -> tensor<8x6xf32>
  %2 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x6xf32>) outs(%m : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %w = arith.maximumf %x, %y : f32
    linalg.yield %w : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<8x6xf32>, tensor<8xf32>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%x: f32, %y: f32, %o2: f32):
    %s = arith.subf %x, %y : f32
    %w = math.exp %s : f32
    linalg.yield %w : f32
  } -> tensor<8x6xf32>
  %4 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<8x6xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %w = arith.addf %x, %y : f32
    linalg.yield %w : f32
  } -> tensor<8xf32>
  %5 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<8x6xf32>, tensor<8xf32>) outs(%h : tensor<8x6xf16>) {
  ^bb0(%x: f32, %y: f32, %o2: f16):
    %d = arith.divf %x, %y : f32
    %w = arith.truncf %d : f32 to f16
    linalg.yield %w : f16
  } -> tensor<8x6xf16>
  %6 = linalg.matmul ins(%5, %v : tensor<8x6xf16>, tensor<6x4xf16>) outs(%o : tensor<8x4xf16>) -> tensor<8x4xf16>
  util.return %6 : tensor<8x4xf16>
}
