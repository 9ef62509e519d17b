// RUN: npu-opt %s --npu-linalg-ext-count-ranks --split-input-file --mlir-print-local-scope | FileCheck %s
// RUN: npu-opt %s --npu-linalg-ext-count-ranks=max-length=4 --split-input-file | FileCheck %s --check-prefix=SHORT

// Each element against all of its row, in the dimension that the op names.
// CHECK-LABEL: func.func @sort
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x4xf32>, %[[Y:[a-z0-9]+]]: tensor<8x4xi16>
// CHECK: %[[RANKS:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[X]] : {{.*}}) outs(%{{.*}} : tensor<8x4xi32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[N:.*]]: i32):
// CHECK:   arith.cmpf ogt, %[[B]], %[[A]] : f32
// CHECK:   arith.cmpf oeq, %[[B]], %[[B]] : f32
// CHECK:   arith.cmpf une, %[[A]], %[[A]] : f32
// CHECK:   arith.cmpf ogt, %[[A]], %[[B]] : f32
// CHECK:   linalg.index 2 : index
// CHECK:   linalg.index 0 : index
// CHECK:   arith.addi %[[N]], %{{.*}} : i32
// CHECK: %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], {{.*}} ins(%[[RANKS]], %[[X]] : {{.*}}) outs(%{{.*}} : tensor<8x4xf32>)
// CHECK:   %[[HERE:.*]] = arith.cmpi eq
// CHECK:   %[[V:.*]] = arith.select %[[HERE]]
// CHECK:   arith.maximumf %[[V]]
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[RANKS]], %[[Y]] : {{.*}}) outs(%{{.*}} : tensor<8x4xi16>)
// CHECK:   arith.maxsi
// CHECK: return %[[S]], %[[T]]
// SHORT-LABEL: func.func @sort
// SHORT: iree_linalg_ext.sort
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
// CHECK: linalg.generic {{.*}} ins(%[[Y]], %[[Y]] : tensor<4xi8>, tensor<4xi8>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: i8, %[[B:.*]]: i8, %{{.*}}: i32):
// CHECK:   arith.cmpi sgt, %[[B]], %[[A]] : i8
// SHORT-LABEL: func.func @keys
// SHORT: linalg.generic
func.func @keys(%x: tensor<4xf16>, %y: tensor<4xi8>) -> tensor<4xf16> {
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%x, %y : tensor<4xf16>, tensor<4xi8>) {
  ^bb0(%a: f16, %b: f16, %c: i8, %d: i8):
    %1 = arith.cmpi slt, %d, %c : i8
    iree_linalg_ext.yield %1 : i1
  } -> tensor<4xf16>, tensor<4xi8>
  return %0#0 : tensor<4xf16>
}

// -----

// Of a fill only what is better than it takes a place.
// CHECK-LABEL: func.func @topk
// CHECK: %[[V:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3xf32>)
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3xi32>)
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

// Anything else is left to loops: lengths that are not known, elements of 64 bits, other comparators,
// positions that are given, a comparator that prefers the last of equal ones, outputs with contents.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: iree_linalg_ext.sort
// CHECK-COUNT-3: iree_linalg_ext.topk
func.func @others(%x: tensor<?xi32>, %y: tensor<8xi64>, %z: tensor<8xi32>, %f: tensor<8xf32>, %v: tensor<3xf32>, %p: tensor<3xi32>) {
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<?xi32>
  %1 = iree_linalg_ext.sort dimension(0) outs(%y : tensor<8xi64>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.cmpi slt, %a, %b : i64
    iree_linalg_ext.yield %c : i1
  } -> tensor<8xi64>
  %2 = iree_linalg_ext.sort dimension(0) outs(%z : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi ult, %a, %b : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<8xi32>
  %e = tensor.empty() : tensor<3xf32>
  %3:2 = iree_linalg_ext.topk dimension(0) ins(%f, %z : tensor<8xf32>, tensor<8xi32>) outs(%e, %p : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<3xf32>, tensor<3xi32>
  %4:2 = iree_linalg_ext.topk dimension(0) ins(%f : tensor<8xf32>) outs(%e, %p : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf oge, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<3xf32>, tensor<3xi32>
  %5:2 = iree_linalg_ext.topk dimension(0) ins(%f : tensor<8xf32>) outs(%v, %p : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<3xf32>, tensor<3xi32>
  return
}
