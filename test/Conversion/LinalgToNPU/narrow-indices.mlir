// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form -split-input-file | FileCheck %s

#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// torch's embedding: the argument becomes pairs of i32, low half first, and the nearest number within 2^30 is the index.
// CHECK-LABEL: npu.kernel @embedding
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<3x2xi32>
func.func @embedding(%t: tensor<9x4xf32>, %i: tensor<3xi64>) -> tensor<3x4xf32> {
  // CHECK-DAG: %[[LO:.*]] = tensor.extract_slice %[[I]][0, 0] [3, 1] [1, 1] : tensor<3x2xi32> to tensor<3xi32>
  // CHECK-DAG: %[[HI:.*]] = tensor.extract_slice %[[I]][0, 1] [3, 1] [1, 1] : tensor<3x2xi32> to tensor<3xi32>
  // CHECK: %[[S:.*]] = npu.binary shr %[[LO]] -> %{{.*}} {imm = 31 : i32}
  // CHECK: %[[F:.*]] = npu.binary cmpeq %[[HI]], %[[S]]
  // CHECK: npu.binary shr %[[HI]] -> %{{.*}} {imm = 31 : i32}
  // CHECK: npu.binary xor %{{.*}} {imm = 2147483647 : i32}
  // CHECK: npu.select %[[F]], %[[LO]]
  // CHECK: npu.clamp %{{.*}} {hi = 1073741824 : i32, lo = -1073741824 : i32}
  // CHECK: npu.binary cmplt %{{.*}} {imm = 0 : i32}
  // CHECK: npu.binary add %{{.*}} {imm = 9 : i32}
  // CHECK: npu.gather
  %e = tensor.empty() : tensor<3x4xf32>
  %n = arith.constant 9 : i64
  %z = arith.constant 0 : i64
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<3xi64>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%a: i64, %o: f32):
    %c = arith.cmpi slt, %a, %z : i64
    %b = arith.addi %a, %n : i64
    %s = arith.select %c, %b, %a : i64
    %x = arith.index_cast %s : i64 to index
    %j = linalg.index 1 : index
    %r = tensor.extract %t[%x, %j] : tensor<9x4xf32>
    linalg.yield %r : f32
  } -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// A mask of a comparison, as attention masks are.
// CHECK-LABEL: npu.kernel @mask
// CHECK: npu.binary cmpeq %{{.*}} {imm = 0 : i32}
// CHECK: npu.select
func.func @mask(%x: tensor<8xf32>, %m: tensor<8xi64>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %z = arith.constant 0 : i64
  %least = arith.constant 0xFF800000 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %m : tensor<8xf32>, tensor<8xi64>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %a: i64, %o: f32):
    %c = arith.cmpi eq, %a, %z : i64
    %r = arith.select %c, %least, %v : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Constants are i32 at once.
// CHECK-LABEL: npu.kernel @constants
// CHECK: arith.constant dense<[2, 0, 1]> : tensor<3xi32>
// CHECK: npu.gather
func.func @constants(%t: tensor<9xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %i = arith.constant dense<[2, 0, 1]> : tensor<3xi64>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%i : tensor<3xi64>) outs(%e : tensor<3xf32>) {
  ^bb0(%a: i64, %o: f32):
    %x = arith.index_cast %a : i64 to index
    %r = tensor.extract %t[%x] : tensor<9xf32>
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// A result that is extended: its halves are the number shifted by nothing and by all but the sign.
// CHECK-LABEL: npu.kernel @extended
// CHECK-SAME: -> tensor<4x2xi32>
// CHECK: %[[S:.*]] = arith.constant dense<[0, 31]> : tensor<2xi32>
// CHECK: npu.binary shr %{{.*}}, %[[S]] -> %{{.*}} : tensor<4xi32>, tensor<2xi32> -> tensor<4x2xi32>
func.func @extended(%x: tensor<4xi32>) -> tensor<4xi64> {
  %e = tensor.empty() : tensor<4xi64>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4xi64>) {
  ^bb0(%a: i32, %o: i64):
    %b = arith.extsi %a : i32 to i64
    linalg.yield %b : i64
  } -> tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

// A reshape of the argument is in the signature before: pairs are of the shape in which they are read.
#row = affine_map<(d0, d1) -> (d0)>
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: npu.kernel @reshaped
// CHECK-SAME: %[[I:[a-z0-9]+]]: tensor<3x2xi32>
func.func @reshaped(%t: tensor<9x4xf32>, %i: tensor<3x1xi64>) -> tensor<3x4xf32> {
  // CHECK: tensor.extract_slice %[[I]][0, 0] [3, 1] [1, 1] : tensor<3x2xi32> to tensor<3xi32>
  // CHECK: npu.gather
  %c = tensor.collapse_shape %i [[0, 1]] : tensor<3x1xi64> into tensor<3xi64>
  %e = tensor.empty() : tensor<3x4xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<3xi64>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%a: i64, %o: f32):
    %x = arith.index_cast %a : i64 to index
    %y = linalg.index 1 : index
    %r = tensor.extract %t[%x, %y] : tensor<9x4xf32>
    linalg.yield %r : f32
  } -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Bodies share their constants: two embeddings that are added.
// CHECK-LABEL: npu.kernel @two_embeddings
// CHECK-COUNT-2: npu.gather
// CHECK-NOT: i64
// CHECK: npu.return
func.func @two_embeddings(%t: tensor<9x4xf32>, %i: tensor<3xi64>, %u: tensor<2x4xf32>, %j: tensor<3xi64>) -> tensor<3x4xf32> {
  %zero = arith.constant 0 : i64
  %nine = arith.constant 9 : i64
  %two = arith.constant 2 : i64
  %e = tensor.empty() : tensor<3x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<3xi64>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%n: i64, %o: f32):
    %b = linalg.index 1 : index
    %1 = arith.addi %n, %nine : i64
    %2 = arith.cmpi slt, %n, %zero : i64
    %3 = arith.select %2, %1, %n : i64
    %4 = arith.index_cast %3 : i64 to index
    %5 = tensor.extract %t[%4, %b] : tensor<9x4xf32>
    linalg.yield %5 : f32
  } -> tensor<3x4xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]} ins(%j : tensor<3xi64>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%n: i64, %o: f32):
    %b = linalg.index 1 : index
    %7 = arith.addi %n, %two : i64
    %8 = arith.cmpi slt, %n, %zero : i64
    %9 = arith.select %8, %7, %n : i64
    %10 = arith.index_cast %9 : i64 to index
    %11 = tensor.extract %u[%10, %b] : tensor<2x4xf32>
    linalg.yield %11 : f32
  } -> tensor<3x4xf32>
  %12 = linalg.add ins(%0, %6 : tensor<3x4xf32>, tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %12 : tensor<3x4xf32>
}
