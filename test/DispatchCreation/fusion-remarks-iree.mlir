// Why ops are in one dispatch, or are not, where mode=iree has reasons of its own.
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions{mode=iree}))' --remarks-filter=npu-fusion --split-input-file %s 2>&1 >/dev/null | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
// What is accumulated on is computed in the dispatch, inputs are not.
// CHECK: [Missed] NotFused {{.*}} Function=operands | Reason="the producer makes an input, not what is accumulated on", consumer="linalg.matmul {{.*}}", producer="linalg.generic (9:8)"
// CHECK: [Passed] Fused {{.*}} Function=operands | {{.*}} consumer="linalg.matmul {{.*}}", producer="linalg.generic (14:8)"
util.func public @operands(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%0, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  util.return %2 : tensor<4x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-COUNT-2: [Missed] NotFused {{.*}} Function=uses | Reason="the producer has 2 uses", consumer="linalg.matmul {{.*}}", producer="linalg.generic
util.func public @uses(%a: tensor<4x8xf32>, %b: tensor<8x8xf32>, %e: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%e, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  util.return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
// CHECK: [Missed] NotFused {{.*}} Function=conv | Reason="the consumer cannot write over the result of the named convolution: another type, another order, or it reads its init"
util.func public @conv(%a: tensor<2x6x6x3xi8>, %b: tensor<3x3x3x8xi8>, %e: tensor<2x4x4x8xi32>, %o: tensor<2x4x4x8xi8>) -> tensor<2x4x4x8xi8> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<2x6x6x3xi8>, tensor<3x3x3x8xi8>) outs(%e : tensor<2x4x4x8xi32>) -> tensor<2x4x4x8xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2x4x4x8xi32>) outs(%o : tensor<2x4x4x8xi8>) {
  ^bb0(%x: i32, %y: i8):
    %s = arith.trunci %x : i32 to i8
    linalg.yield %s : i8
  } -> tensor<2x4x4x8xi8>
  util.return %1 : tensor<2x4x4x8xi8>
}
