// RUN: npu-opt %s --convert-linalg-ext-to-npu --split-input-file --mlir-print-local-scope | FileCheck %s

// Where the elements of the other tensor come from says an arg_sort.
// CHECK-LABEL: func.func @sort
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x4xf32>, %[[Y:[a-z0-9]+]]: tensor<8x4xi16>
// CHECK: %[[P:.*]] = npu.arg_sort descending %[[X]] -> %{{.*}} {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d2, d1)>]} : tensor<8x4xf32> -> tensor<8x4xi32>
// CHECK: %[[S:.*]] = npu.sort descending %[[X]] -> %{{.*}} {indexing_maps = [{{.*}}]} : tensor<8x4xf32> -> tensor<8x4xf32>
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<8x4xi32>) outs(%{{.*}} : tensor<8x4xi16>)
// CHECK-NEXT: ^bb0(%[[AT:.*]]: i32, %{{.*}}: i16):
// CHECK:   %[[I:.*]] = arith.index_cast %[[AT]] : i32 to index
// CHECK:   %[[J:.*]] = linalg.index 1 : index
// CHECK:   tensor.extract %[[Y]][%[[I]], %[[J]]]
// CHECK: return %[[S]], %[[T]]
func.func @sort(%x: tensor<8x4xf32>, %y: tensor<8x4xi16>) -> (tensor<8x4xf32>, tensor<8x4xi16>) {
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%x, %y : tensor<8x4xf32>, tensor<8x4xi16>) {
  ^bb0(%a: f32, %b: f32, %c: i16, %d: i16):
    %1 = arith.cmpf oge, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<8x4xf32>, tensor<8x4xi16>
  return %0#0, %0#1 : tensor<8x4xf32>, tensor<8x4xi16>
}

// -----

// The second tensor is the key, and its elements are compared the other way round.
// CHECK-LABEL: func.func @keys
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<4xf16>, %[[Y:[a-z0-9]+]]: tensor<4xi8>
// CHECK: npu.arg_sort descending %[[Y]]
func.func @keys(%x: tensor<4xf16>, %y: tensor<4xi8>) -> tensor<4xf16> {
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%x, %y : tensor<4xf16>, tensor<4xi8>) {
  ^bb0(%a: f16, %b: f16, %c: i8, %d: i8):
    %1 = arith.cmpi slt, %d, %c : i8
    iree_linalg_ext.yield %1 : i1
  } -> tensor<4xf16>, tensor<4xi8>
  return %0#0 : tensor<4xf16>
}

// -----

// Positions along the row are what an arg_sort yields; along another dimension they are not.
// CHECK-LABEL: func.func @positions
// CHECK: %[[P:.*]] = npu.arg_sort ascending
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<8x4xi32>) outs(%{{.*}} : tensor<8x4xi64>)
// CHECK:   arith.extsi
// CHECK: %[[TAKEN:.*]] = linalg.generic {{.*}} ins(%[[P]] : tensor<8x4xi32>)
// CHECK:   tensor.extract
// CHECK: return %[[WIDE]], %[[TAKEN]]
func.func @positions(%x: tensor<8x4xf32>) -> (tensor<8x4xi64>, tensor<8x4xi32>) {
  %e = tensor.empty() : tensor<8x4xi64>
  %f = tensor.empty() : tensor<8x4xi32>
  %i = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x4xi64>) {
  ^bb0(%o: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    linalg.yield %p : i64
  } -> tensor<8x4xi64>
  %j = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%f : tensor<8x4xi32>) {
  ^bb0(%o: i32):
    %n = linalg.index 0 : index
    %p = arith.index_cast %n : index to i32
    linalg.yield %p : i32
  } -> tensor<8x4xi32>
  %0:3 = iree_linalg_ext.sort dimension(1) outs(%x, %i, %j : tensor<8x4xf32>, tensor<8x4xi64>, tensor<8x4xi32>) {
  ^bb0(%a: f32, %b: f32, %c: i64, %d: i64, %g: i32, %h: i32):
    %1 = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<8x4xf32>, tensor<8x4xi64>, tensor<8x4xi32>
  return %0#1, %0#2 : tensor<8x4xi64>, tensor<8x4xi32>
}

// -----

// Of a fill only what is better than it takes a place.
// CHECK-LABEL: func.func @topk
// CHECK: %[[V:.*]] = npu.sort ascending {{.*}} -> tensor<3xf32>
// CHECK: %[[P:.*]] = npu.arg_sort ascending {{.*}} -> tensor<3xi32>
// CHECK: linalg.generic {{.*}} ins(%[[V]], %[[P]] : tensor<3xf32>, tensor<3xi32>) outs(%{{.*}} : tensor<3xf32>, tensor<3xi64>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[I:.*]]: i32, %{{.*}}: f32, %{{.*}}: i64):
// CHECK:   %[[LEAST:.*]] = arith.constant 0x7F800000 : f32
// CHECK:   %[[BETTER:.*]] = arith.cmpf olt, %[[A]], %[[LEAST]] : f32
// CHECK:   %[[FIRST:.*]] = arith.constant 0 : i32
// CHECK:   %[[VALUE:.*]] = arith.select %[[BETTER]], %[[A]], %[[LEAST]] : f32
// CHECK:   %[[WHERE:.*]] = arith.select %[[BETTER]], %[[I]], %[[FIRST]] : i32
// CHECK:   %[[WIDE:.*]] = arith.extsi %[[WHERE]] : i32 to i64
// CHECK:   linalg.yield %[[VALUE]], %[[WIDE]]
func.func @topk(%x: tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi64>) {
  %most = arith.constant 0x7F800000 : f32
  %first = arith.constant 0 : i64
  %e = tensor.empty() : tensor<3xf32>
  %f = tensor.empty() : tensor<3xi64>
  %v = linalg.fill ins(%most : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %p = linalg.fill ins(%first : i64) outs(%f : tensor<3xi64>) -> tensor<3xi64>
  %0:2 = iree_linalg_ext.topk dimension(0) ins(%x : tensor<8xf32>) outs(%v, %p : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<3xf32>, tensor<3xi64>
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi64>
}

// -----

// Into tensors without contents everything goes.
// CHECK-LABEL: func.func @empty
// CHECK: %[[V:.*]] = npu.sort descending {{.*}} : tensor<8x4xi8> -> tensor<8x2xi8>
// CHECK: %[[P:.*]] = npu.arg_sort descending {{.*}} : tensor<8x4xi8> -> tensor<8x2xi32>
// CHECK: return %[[V]], %[[P]]
func.func @empty(%x: tensor<8x4xi8>) -> (tensor<8x2xi8>, tensor<8x2xi32>) {
  %v = tensor.empty() : tensor<8x2xi8>
  %p = tensor.empty() : tensor<8x2xi32>
  %0:2 = iree_linalg_ext.topk dimension(1) ins(%x : tensor<8x4xi8>) outs(%v, %p : tensor<8x2xi8>, tensor<8x2xi32>) {
  ^bb0(%a: i8, %b: i8):
    %1 = arith.cmpi sgt, %a, %b : i8
    iree_linalg_ext.yield %1 : i1
  } -> tensor<8x2xi8>, tensor<8x2xi32>
  return %0#0, %0#1 : tensor<8x2xi8>, tensor<8x2xi32>
}

// -----

// What is on the host stays.
// CHECK-LABEL: func.func @host
// CHECK: iree_linalg_ext.sort
func.func @host(%x: tensor<8xi8>) -> tensor<8xi8> attributes {npu.placement = #npu.placement<host>} {
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<8xi8>) {
  ^bb0(%a: i8, %b: i8):
    %1 = arith.cmpi sgt, %a, %b : i8
    iree_linalg_ext.yield %1 : i1
  } -> tensor<8xi8>
  return %0 : tensor<8xi8>
}
