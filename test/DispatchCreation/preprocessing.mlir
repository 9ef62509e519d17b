// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-elementwise-op-fusion))' %s | FileCheck %s --check-prefix=FUSE
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-elementwise-op-fusion))' --remarks-filter=npu-fusion %s 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-fold-unit-extent-dims))' %s | FileCheck %s --check-prefix=UNIT
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-tensor-pad-to-tensor-insert-slice))' %s | FileCheck %s --check-prefix=PAD
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-bubble-up-expand-shapes))' %s | FileCheck %s --check-prefix=BUBBLE
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-sink-reshapes))' %s | FileCheck %s --check-prefix=SINK
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-transpose-generic-ops))' %s | FileCheck %s --check-prefix=ORDER

#id = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#tail = affine_map<(d0, d1, d2) -> (d1, d2)>

// FUSE-LABEL: @chain
// FUSE:         linalg.generic
// FUSE:           arith.negf
// FUSE-NEXT:      math.exp
// FUSE-NOT:     linalg.generic
// FUSE:         util.return
// REMARK:       [Passed] Fused {{.*}} Function=chain | Reason="the producer is computed in the loops of the consumer"
util.func public @chain(%a: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.negf %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  util.return %1 : tensor<4xf32>
}

// A row of results is computed once, not for each element that it is broadcast to.
// FUSE-LABEL: @broadcast
// FUSE-COUNT-2: linalg.generic
util.func public @broadcast(%a: tensor<4xf32>, %b: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %f = tensor.empty() : tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<4xf32>, tensor<8x4xf32>) outs(%f : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  util.return %1 : tensor<8x4xf32>
}

// A row of no inputs is computed for each element that it is broadcast to, but not if it updates
// something, which must happen once.
// FUSE-LABEL: @update
// FUSE:         %[[ROW:.*]] = linalg.generic {{.*}} outs(%arg0 : tensor<4xf32>)
// FUSE:         linalg.generic {{.*}} ins(%[[ROW]] : tensor<4xf32>)
util.func public @update(%a: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%a : tensor<4xf32>) {
  ^bb0(%o: f32):
    %s = arith.addf %o, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #id2], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  util.return %1 : tensor<8x4xf32>
}

// UNIT-LABEL: @unit
// UNIT:         tensor.collapse_shape %arg0
// UNIT:         linalg.generic {{.*}} iterator_types = ["parallel"]
// UNIT:         tensor.expand_shape
util.func public @unit(%a: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %e = tensor.empty() : tensor<1x4xf32>
  %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<1x4xf32>
  util.return %0 : tensor<1x4xf32>
}

// PAD-LABEL: @pad
// PAD:         %[[F:.*]] = linalg.fill {{.*}} -> tensor<7xf32>
// PAD:         tensor.insert_slice %arg0 into %[[F]][1] [4] [1]
util.func public @pad(%a: tensor<4xf32>, %c: f32) -> tensor<7xf32> {
  %0 = tensor.pad %a low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<4xf32> to tensor<7xf32>
  util.return %0 : tensor<7xf32>
}

// The elementwise op takes the shape of the matmul before it.
// BUBBLE-LABEL: @bubble
// BUBBLE:         %[[M:.*]] = linalg.matmul
// BUBBLE:         %[[G:.*]] = linalg.generic {{.*}} ins(%[[M]] : tensor<1x6xf32>)
// BUBBLE:         tensor.collapse_shape %[[G]]
util.func public @bubble(%a: tensor<1x8xf32>, %b: tensor<8x6xf32>, %c: tensor<1x6xf32>) -> tensor<6xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x8xf32>, tensor<8x6xf32>) outs(%c : tensor<1x6xf32>) -> tensor<1x6xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<1x6xf32> into tensor<6xf32>
  %e = tensor.empty() : tensor<6xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<6xf32>) outs(%e : tensor<6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = math.exp %x : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  util.return %2 : tensor<6xf32>
}

// SINK-LABEL: @sink
// SINK:         %[[M:.*]] = linalg.matmul
// SINK:         linalg.generic {{.*}} ins(%[[M]], %{{.*}} : tensor<4x6xf32>, tensor<6xf32>)
// SINK:         tensor.expand_shape
util.func public @sink(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %d: tensor<2x3xf32>) -> tensor<4x2x3xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x6xf32> into tensor<4x2x3xf32>
  %e = tensor.empty() : tensor<4x2x3xf32>
  %2 = linalg.generic {indexing_maps = [#id3, #tail, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %d : tensor<4x2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<4x2x3xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x2x3xf32>
  util.return %2 : tensor<4x2x3xf32>
}

// ORDER-LABEL: @column_sums
// ORDER:         iterator_types = ["parallel", "reduction"]
util.func public @column_sums(%a: tensor<4x8xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [#id2, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  util.return %0 : tensor<8xf32>
}
