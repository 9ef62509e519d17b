// What bodies compute of loop counters takes 32 bits where the ranges allow it.
// RUN: npu-opt %s --npu-narrow-index-arithmetic | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>

// As torch writes a causal mask: in i64, with an offset.
// CHECK-LABEL: @causal
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.index_cast %[[I]] : index to i32
// CHECK: arith.addi {{.*}} : i32
// CHECK: arith.cmpi slt, {{.*}} : i32
// CHECK-NOT: i64
func.func @causal(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %none = arith.constant 0xFF800000 : f32
  %past = arith.constant 9 : i64
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %end = arith.addi %i64, %past : i64
    %keep = arith.cmpi slt, %j64, %end : i64
    %r = arith.select %keep, %a, %none : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Products of counters may need more.
// CHECK-LABEL: @too_large
// CHECK: arith.muli {{.*}} : index
func.func @too_large(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %many = arith.constant 1000000000 : index
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.muli %i, %many : index
    %keep = arith.cmpi slt, %j, %p : index
    %r = arith.select %keep, %a, %none : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// A loop of unknown length has no bound.
// CHECK-LABEL: @dynamic
// CHECK: arith.cmpi sge, {{.*}} : index
func.func @dynamic(%x: tensor<?x16xf32>, %e: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %none = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %keep = arith.cmpi sge, %i, %j : index
    %r = arith.select %keep, %a, %none : f32
    linalg.yield %r : f32
  } -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// Positions of what is read stay indices.
// CHECK-LABEL: @gather
// CHECK: arith.addi {{.*}} : index
func.func @gather(%t: tensor<20xf32>) -> tensor<8xf32> {
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = arith.addi %i, %two : index
    %r = tensor.extract %t[%at] : tensor<20xf32>
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
