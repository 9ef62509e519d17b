// RUN: npu-opt %s --convert-func-to-kernel --convert-linalg-to-npu --npu-verify-tensor-form | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-DAG: #[[$TABLE:.*]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d0, 0)>

// An embedding with what is added to it. An index out of range reads the nearest row.
// CHECK-LABEL: npu.kernel @embedding
// CHECK-SAME: (%[[T:.*]]: tensor<100x64xf32>, %[[I:.*]]: tensor<16xi32>
func.func @embedding(%t: tensor<100x64xf32>, %i: tensor<16xi32>, %p: tensor<16x64xf32>) -> tensor<16x64xf32> {
  // CHECK: %[[C:.*]] = npu.clamp %[[I]] -> %{{.*}} {hi = 99 : i32, lo = 0 : i32} : tensor<16xi32> -> tensor<16xi32>
  // CHECK: %[[G:.*]] = npu.gather %[[T]][%[[C]]] -> %{{.*}} {dimension = 0, indexing_maps = [#[[$TABLE]], #[[$ROW]], #[[$ID]]]} : tensor<100x64xf32>, tensor<16xi32> -> tensor<16x64xf32>
  // CHECK: npu.binary add %[[G]], %{{.*}}
  %e = tensor.empty() : tensor<16x64xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%i, %p : tensor<16xi32>, tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%a: i32, %q: f32, %o: f32):
    %x = arith.index_cast %a : i32 to index
    %j = linalg.index 1 : index
    %r = tensor.extract %t[%x, %j] : tensor<100x64xf32>
    %s = arith.addf %r, %q : f32
    linalg.yield %s : f32
  } -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// torch's index_select of columns with negative indices; the indices have two dimensions.
// CHECK-LABEL: npu.kernel @columns
func.func @columns(%t: tensor<100x50xf16>, %i: tensor<7x3xi32>) -> tensor<100x7x3xf16> {
  // CHECK: %[[N:.*]] = npu.binary cmplt %{{.*}} {imm = 0 : i32}
  // CHECK: %[[W:.*]] = npu.binary add %{{.*}} {imm = 50 : i32}
  // CHECK: %[[S:.*]] = npu.select %[[N]], %[[W]]
  // CHECK: %[[C:.*]] = npu.clamp %[[S]] -> %{{.*}} : tensor<7x3xi32> -> tensor<7x3xi32>
  // CHECK: npu.gather %{{.*}}[%[[C]]] -> %{{.*}} {dimension = 1, indexing_maps = [#[[$COLUMNS]], #{{.*}}, #{{.*}}]}
  %e = tensor.empty() : tensor<100x7x3xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%i : tensor<7x3xi32>) outs(%e : tensor<100x7x3xf16>) {
  ^bb0(%x: i32, %o: f16):
    %z = arith.constant 0 : i32
    %n = arith.constant 50 : i32
    %neg = arith.cmpi slt, %x, %z : i32
    %w = arith.addi %x, %n : i32
    %s = arith.select %neg, %w, %x : i32
    %k = arith.index_cast %s : i32 to index
    %j = linalg.index 0 : index
    %r = tensor.extract %t[%j, %k] : tensor<100x50xf16>
    linalg.yield %r : f16
  } -> tensor<100x7x3xf16>
  return %0 : tensor<100x7x3xf16>
}

// A causal mask: what loops count is a constant.
// CHECK-LABEL: npu.kernel @mask
func.func @mask(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // CHECK-DAG: %[[I:.*]] = arith.constant dense<[0, 1, 2]> : tensor<3xi32>
  // CHECK-DAG: %[[J:.*]] = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  // CHECK: npu.binary cmpge %[[I]], %[[J]] -> %{{.*}} {indexing_maps = [#[[$ROW]], #[[$COLUMN]], #[[$ID]]]}
  // CHECK: npu.select
  %e = tensor.empty() : tensor<3x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    %least = arith.constant 0xFF800000 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.index_cast %i : index to i32
    %b = arith.index_cast %j : index to i32
    %m = arith.cmpi sge, %a, %b : i32
    %r = arith.select %m, %v, %least : f32
    linalg.yield %r : f32
  } -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Positions alone are copied.
// CHECK-LABEL: npu.kernel @positions
func.func @positions() -> tensor<5xi16> {
  // CHECK: %[[I:.*]] = arith.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi16>
  // CHECK: npu.copy %[[I]]
  %e = tensor.empty() : tensor<5xi16>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<5xi16>) {
  ^bb0(%o: i16):
    %i = linalg.index 0 : index
    %a = arith.index_cast %i : index to i16
    linalg.yield %a : i16
  } -> tensor<5xi16>
  return %0 : tensor<5xi16>
}
