// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions{mode=iree}))' --split-input-file %s | FileCheck %s
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions{horizontal-fusion=true}))' --split-input-file %s | FileCheck %s --check-prefix=SIBLINGS
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-form-dispatch-regions))' --split-input-file %s | FileCheck %s --check-prefix=NPU

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
// A bias fuses into the matmul before it; fills stay outside.
// CHECK-LABEL: @matmul_bias
// CHECK:         linalg.fill
// CHECK-NEXT:    %[[R:.*]] = flow.dispatch.region -> (tensor<4x6xf32>) {
// CHECK-NEXT:      %[[M:.*]] = linalg.matmul
// CHECK-NEXT:      %[[G:.*]] = linalg.generic {{.*}} ins(%[[M]], %arg2
// CHECK:           flow.return %[[G]]
// CHECK:         util.return %[[R]]
util.func public @matmul_bias(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %c : tensor<4x6xf32>, tensor<6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  util.return %1 : tensor<4x6xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// A result with two users is stored; each user is a dispatch.
// CHECK-LABEL: @two_users
// CHECK-COUNT-3: flow.dispatch.region
// CHECK-NOT:     flow.dispatch.region
util.func public @two_users(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %e: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  util.return %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
// A named i8 convolution cannot give its i32 buffer to the requantization after it; for an NPU that
// is no reason.
// CHECK-LABEL: @conv_requantize
// CHECK-COUNT-2: flow.dispatch.region
// NPU-LABEL: @conv_requantize
// NPU:       flow.dispatch.region
// NPU:         linalg.conv_2d_nhwc_hwcf
// NPU:         linalg.generic
// NPU-NOT:   flow.dispatch.region
// NPU:       util.return
util.func public @conv_requantize(%a: tensor<2x6x6x3xi8>, %b: tensor<3x3x3x8xi8>, %e: tensor<2x4x4x8xi32>, %o: tensor<2x4x4x8xi8>) -> tensor<2x4x4x8xi8> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<2x6x6x3xi8>, tensor<3x3x3x8xi8>) outs(%e : tensor<2x4x4x8xi32>) -> tensor<2x4x4x8xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2x4x4x8xi32>) outs(%o : tensor<2x4x4x8xi8>) {
  ^bb0(%x: i32, %y: i8):
    %s = arith.trunci %x : i32 to i8
    linalg.yield %s : i8
  } -> tensor<2x4x4x8xi8>
  util.return %1 : tensor<2x4x4x8xi8>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
// The exponentials that follow a row's maximum fuse, the sum over them is the next root.
// CHECK-LABEL: @softmax
// CHECK:         %[[E:.*]] = flow.dispatch.region -> (tensor<4x8xf32>)
// CHECK:           arith.maximumf
// CHECK:           math.exp
// CHECK:         flow.dispatch.region -> (tensor<4xf32>)
// CHECK:           ins(%[[E]] : tensor<4x8xf32>)
// CHECK:           arith.addf
// An NPU has no kernel for either: on the host one dispatch does it, with two results.
// NPU-LABEL: @softmax
// NPU:         flow.dispatch.region -> (tensor<4x8xf32>, tensor<4xf32>)
// NPU:           arith.maximumf
// NPU:           math.exp
// NPU:           arith.addf
// NPU-NOT:     flow.dispatch.region
// NPU:         util.return
util.func public @softmax(%a: tensor<4x8xf32>, %i: tensor<4xf32>, %e: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #rows, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %0 : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %s = math.exp %d : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %1, %2 : tensor<4x8xf32>, tensor<4xf32>
}

// -----

// What is inserted into a fill is inserted by the dispatch that computes it.
// CHECK-LABEL: @insert
// CHECK:         flow.dispatch.region -> (tensor<6x8xf32>)
// CHECK-NEXT:      linalg.matmul
// CHECK-NEXT:      tensor.insert_slice
util.func public @insert(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %e: tensor<4x6xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %f = tensor.empty() : tensor<6x8xf32>
  %g = linalg.fill ins(%zero : f32) outs(%f : tensor<6x8xf32>) -> tensor<6x8xf32>
  %1 = tensor.insert_slice %0 into %g[1, 1] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<6x8xf32>
  util.return %1 : tensor<6x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// The kernel takes its tail along, before the sum over it could.
// NPU-LABEL: @tail
// NPU:         %[[T:.*]] = flow.dispatch.region -> (tensor<4x6xf32>)
// NPU:           linalg.matmul
// NPU:           arith.mulf
// NPU:         flow.dispatch.region
// NPU:           ins(%[[T]]
// NPU:           arith.addf
util.func public @tail(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %e: tensor<4x6xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %2 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x6xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %2 : tensor<4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
// Contractions of one operand share a dispatch, each with its tail. What the second needs and what
// reads the first moves out of the way.
// SIBLINGS-LABEL: @siblings
// SIBLINGS:         %[[W:.*]] = util.optimization_barrier %arg2
// SIBLINGS:         %[[R:.*]]:2 = flow.dispatch.region -> (tensor<4x6xf32>, tensor<4x2xf32>)
// SIBLINGS:           linalg.matmul ins(%arg0, %arg1
// SIBLINGS:           linalg.generic
// SIBLINGS:           linalg.matmul ins(%arg0, %[[W]]
// SIBLINGS:           linalg.generic
// SIBLINGS:         util.optimization_barrier %[[R]]#0
// SIBLINGS:         util.return
util.func public @siblings(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<8x2xf32>, %d: tensor<6xf32>, %f: tensor<2xf32>, %e: tensor<4x6xf32>, %g: tensor<4x2xf32>) -> (tensor<4x6xf32>, tensor<4x2xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %d : tensor<4x6xf32>, tensor<6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %2 = util.optimization_barrier %1 : tensor<4x6xf32>
  %w = util.optimization_barrier %c : tensor<8x2xf32>
  %3 = linalg.matmul ins(%a, %w : tensor<4x8xf32>, tensor<8x2xf32>) outs(%g : tensor<4x2xf32>) -> tensor<4x2xf32>
  %4 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%3, %f : tensor<4x2xf32>, tensor<2xf32>) outs(%g : tensor<4x2xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  util.return %2, %4 : tensor<4x6xf32>, tensor<4x2xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
// What is computed for the second sum is also read by the first, which stands before it: the first
// moves behind the dispatch of the second.
// NPU-LABEL: @moved
// NPU:         %[[S:.*]]:2 = flow.dispatch.region -> (tensor<4x8xf32>, tensor<4xf32>)
// NPU:           arith.negf
// NPU:           arith.maximumf
// NPU:         %[[M:.*]] = flow.dispatch.region -> (tensor<4xf32>)
// NPU:           ins(%[[S]]#0
// NPU:           arith.addf
// NPU:         util.return %[[M]], %[[S]]#1
util.func public @moved(%a: tensor<4x8xf32>, %i: tensor<4xf32>, %e: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
