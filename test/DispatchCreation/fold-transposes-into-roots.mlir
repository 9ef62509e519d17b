// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-fold-transposes-into-roots))' --remarks-filter=npu-fusion %s 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// Both operands are read as they are laid out: heads in the middle, keys transposed.
// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-DAG: #[[O:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[T:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>

// CHECK-LABEL: @operands
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic {indexing_maps = [#[[Q]], #[[K]], #[[O]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1
// REMARK-COUNT-2: [Passed] Fused {{.*}} Function=operands | Reason="a contraction reads its operands in any order", {{.*}} producer="linalg.transpose
util.func public @operands(%q: tensor<8x4x16xf32>, %k: tensor<8x4x16xf32>, %e: tensor<4x8x8xf32>) -> tensor<4x8x8xf32> {
  %f = tensor.empty() : tensor<4x8x16xf32>
  %g = tensor.empty() : tensor<4x16x8xf32>
  %0 = linalg.transpose ins(%q : tensor<8x4x16xf32>) outs(%f : tensor<4x8x16xf32>) permutation = [1, 0, 2]
  %1 = linalg.transpose ins(%k : tensor<8x4x16xf32>) outs(%g : tensor<4x16x8xf32>) permutation = [1, 2, 0]
  %2 = linalg.batch_matmul ins(%0, %1 : tensor<4x8x16xf32>, tensor<4x16x8xf32>) outs(%e : tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  util.return %2 : tensor<4x8x8xf32>
}

// CHECK-LABEL: @result
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<6x4xf32>
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]]
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [{{.*}}, #[[T]]], {{.*}} outs(%[[F]] : tensor<6x4xf32>)
// CHECK:         util.return %[[R]]
// REMARK:      [Passed] Fused {{.*}} Function=result | Reason="a contraction writes its result in any order", {{.*}} producer="linalg.matmul
util.func public @result(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %g = tensor.empty() : tensor<6x4xf32>
  %1 = linalg.transpose ins(%0 : tensor<4x6xf32>) outs(%g : tensor<6x4xf32>) permutation = [1, 0]
  util.return %1 : tensor<6x4xf32>
}

// What is added to is in its order already, and a result of two uses is stored in one order.
// CHECK-LABEL: @stays
// CHECK:         linalg.transpose
// CHECK:         linalg.transpose
util.func public @stays(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>, %f: tensor<4x6xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<4x6xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %g = tensor.empty() : tensor<6x4xf32>
  %2 = linalg.transpose ins(%0 : tensor<4x6xf32>) outs(%g : tensor<6x4xf32>) permutation = [1, 0]
  %3 = linalg.transpose ins(%1 : tensor<4x6xf32>) outs(%g : tensor<6x4xf32>) permutation = [1, 0]
  util.return %2, %3, %1 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<4x6xf32>
}

// CHECK-LABEL: @attention
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<64x4x32xf32>
// CHECK:         %[[R:.*]] = iree_linalg_ext.attention {indexing_maps = [#{{.*}}]} ins(%arg0, %arg1, %arg1, %arg2 : {{.*}}) outs(%[[E]] : tensor<64x4x32xf32>)
// CHECK-NOT:     linalg.transpose
// CHECK:         util.return %[[R]]
// REMARK-DAG:  [Passed] Fused {{.*}} Function=attention | Reason="attention reads its operands in any order"
// REMARK-DAG:  [Passed] Fused {{.*}} Function=attention | Reason="attention writes its result in any order"
util.func public @attention(%q: tensor<64x4x32xf32>, %k: tensor<4x64x32xf32>, %scale: f32) -> tensor<64x4x32xf32> {
  %e = tensor.empty() : tensor<4x64x32xf32>
  %f = tensor.empty() : tensor<64x4x32xf32>
  %0 = linalg.transpose ins(%q : tensor<64x4x32xf32>) outs(%e : tensor<4x64x32xf32>) permutation = [1, 0, 2]
  %1 = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, l) -> (b, m, k)>, affine_map<(b, m, n, k, l) -> (b, l, k)>, affine_map<(b, m, n, k, l) -> (b, l, n)>, affine_map<(b, m, n, k, l) -> ()>, affine_map<(b, m, n, k, l) -> (b, m, n)>]} ins(%0, %k, %k, %scale : tensor<4x64x32xf32>, tensor<4x64x32xf32>, tensor<4x64x32xf32>, f32) outs(%e : tensor<4x64x32xf32>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<4x64x32xf32>
  %2 = linalg.transpose ins(%1 : tensor<4x64x32xf32>) outs(%f : tensor<64x4x32xf32>) permutation = [1, 0, 2]
  util.return %2 : tensor<64x4x32xf32>
}

// torch-mlir's linear layers repeat the transposed weights for every batch. What is read is the weights as they are, for all batches.
// CHECK-LABEL: @repeated
// CHECK-SAME: (%[[X:.*]]: tensor<4x8x16xf32>, %[[W:.*]]: tensor<32x16xf32>,
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[ROWS]], #[[WEIGHTS]], #[[O]]], {{.*}} ins(%[[X]], %[[W]] :
util.func public @repeated(%x: tensor<4x8x16xf32>, %w: tensor<32x16xf32>, %c: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %t = linalg.transpose ins(%w : tensor<32x16xf32>) outs(%e : tensor<16x32xf32>) permutation = [1, 0]
  %f = tensor.empty() : tensor<4x16x32xf32>
  %b = linalg.broadcast ins(%t : tensor<16x32xf32>) outs(%f : tensor<4x16x32xf32>) dimensions = [0]
  %0 = linalg.batch_matmul ins(%x, %b : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%c : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  util.return %0 : tensor<4x8x32xf32>
}

// With a batch of one, it is a reshape.
// CHECK-LABEL: @one_batch
// CHECK-SAME: (%[[X:.*]]: tensor<1x8x16xf32>, %[[W:.*]]: tensor<32x16xf32>,
// CHECK: linalg.generic {indexing_maps = [#[[ROWS]], #[[WEIGHTS]], #[[O]]], {{.*}} ins(%[[X]], %[[W]] :
util.func public @one_batch(%x: tensor<1x8x16xf32>, %w: tensor<32x16xf32>, %c: tensor<1x8x32xf32>) -> tensor<1x8x32xf32> {
  %e = tensor.empty() : tensor<16x32xf32>
  %t = linalg.transpose ins(%w : tensor<32x16xf32>) outs(%e : tensor<16x32xf32>) permutation = [1, 0]
  %b = tensor.expand_shape %t [[0, 1], [2]] output_shape [1, 16, 32] : tensor<16x32xf32> into tensor<1x16x32xf32>
  %0 = linalg.batch_matmul ins(%x, %b : tensor<1x8x16xf32>, tensor<1x16x32xf32>) outs(%c : tensor<1x8x32xf32>) -> tensor<1x8x32xf32>
  util.return %0 : tensor<1x8x32xf32>
}

// What both operands repeat is a result that is repeated: the first one stays as it is.
// CHECK-LABEL: @both_repeated
// CHECK: %[[B:.*]] = linalg.broadcast
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[B]] :
util.func public @both_repeated(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %c: tensor<4x8x32xf32>) -> tensor<4x8x32xf32> {
  %e = tensor.empty() : tensor<4x8x16xf32>
  %a = linalg.broadcast ins(%x : tensor<8x16xf32>) outs(%e : tensor<4x8x16xf32>) dimensions = [0]
  %f = tensor.empty() : tensor<4x16x32xf32>
  %b = linalg.broadcast ins(%w : tensor<16x32xf32>) outs(%f : tensor<4x16x32xf32>) dimensions = [0]
  %0 = linalg.batch_matmul ins(%a, %b : tensor<4x8x16xf32>, tensor<4x16x32xf32>) outs(%c : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  util.return %0 : tensor<4x8x32xf32>
}
