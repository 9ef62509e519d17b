// RUN: npu-opt %s --npu-linalg-ext-generalize-ops --split-input-file --mlir-print-local-scope | FileCheck %s

// A sum starts with 0, whatever is in the accumulator. Its steps and the last one are both results.
// CHECK-LABEL: func.func @inclusive
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[O:[a-z0-9]+]]: tensor<4x8xf32>, %{{.*}}: tensor<4xf32>
// CHECK: %[[ZERO:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK: %[[START:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<4xf32>)
// CHECK: %[[R:.*]]:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<4x8xf32>) outs(%[[O]], %[[START]] : tensor<4x8xf32>, tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT:   %[[NEXT:.*]] = arith.addf %[[SUM]], %[[A]] : f32
// CHECK-NEXT:   linalg.yield %[[NEXT]], %[[NEXT]] : f32, f32
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @inclusive(%x: tensor<4x8xf32>, %o: tensor<4x8xf32>, %a: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %0:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<4x8xf32>) outs(%o, %a : tensor<4x8xf32>, tensor<4xf32>) {
  ^bb0(%sum: f32, %element: f32):
    %1 = arith.addf %sum, %element : f32
    iree_linalg_ext.yield %1 : f32
  } -> tensor<4x8xf32>, tensor<4xf32>
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4xf32>
}

// -----

// An exclusive scan behind a constant: the input moves by one element.
// CHECK-LABEL: func.func @exclusive
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xi32>
// CHECK: %[[C:.*]] = arith.constant 7 : i32
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[X]][0, 0] [3, 8] [1, 1] : tensor<4x8xi32> to tensor<3x8xi32>
// CHECK: %[[SHIFTED:.*]] = tensor.pad %[[SLICE]] low[1, 0] high[0, 0]
// CHECK: tensor.yield %[[C]] : i32
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%[[SHIFTED]] : tensor<4x8xi32>)
func.func @exclusive(%x: tensor<4x8xi32>, %o: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %c = arith.constant 7 : i32
  %e = tensor.empty() : tensor<8xi32>
  %a = linalg.fill ins(%c : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(false) ins(%x : tensor<4x8xi32>) outs(%o, %a : tensor<4x8xi32>, tensor<8xi32>) {
  ^bb0(%sum: i32, %element: i32):
    %1 = arith.muli %sum, %element : i32
    iree_linalg_ext.yield %1 : i32
  } -> tensor<4x8xi32>, tensor<8xi32>
  return %0#0 : tensor<4x8xi32>
}

// -----

// Behind anything else it yields what it has before it takes the element, and the last of these.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[O:[a-z0-9]+]]: tensor<?xf32>, %[[A:[a-z0-9]+]]: tensor<f32>
// CHECK: %[[R:.*]]:3 = linalg.generic {{.*}} ins(%[[X]] : tensor<?xf32>) outs(%[[O]], %[[A]], %[[A]] : tensor<?xf32>, tensor<f32>, tensor<f32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32, %[[SUM:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:   %[[NEXT:.*]] = arith.addf %[[SUM]], %[[IN]] : f32
// CHECK-NEXT:   linalg.yield %[[SUM]], %[[NEXT]], %[[SUM]] : f32, f32, f32
// CHECK: return %[[R]]#0, %[[R]]#2
func.func @dynamic(%x: tensor<?xf32>, %o: tensor<?xf32>, %a: tensor<f32>) -> (tensor<?xf32>, tensor<f32>) {
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(false) ins(%x : tensor<?xf32>) outs(%o, %a : tensor<?xf32>, tensor<f32>) {
  ^bb0(%sum: f32, %element: f32):
    %1 = arith.addf %sum, %element : f32
    iree_linalg_ext.yield %1 : f32
  } -> tensor<?xf32>, tensor<f32>
  return %0#0, %0#1 : tensor<?xf32>, tensor<f32>
}

// -----

// Without a neutral element the first step is the first element.
// CHECK-LABEL: func.func @any
// CHECK: %[[NEXT:.*]] = arith.addf
// CHECK: %[[I:.*]] = linalg.index 0 : index
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[I]], %{{.*}} : index
// CHECK: %[[STEP:.*]] = arith.select %[[FIRST]], %{{.*}}, %[[NEXT]] : f32
// CHECK: linalg.yield %[[STEP]], %[[STEP]]
func.func @any(%x: tensor<8xf32>, %o: tensor<8xf32>, %a: tensor<f32>) -> tensor<8xf32> {
  %0:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%x : tensor<8xf32>) outs(%o, %a : tensor<8xf32>, tensor<f32>) {
  ^bb0(%sum: f32, %element: f32):
    %1 = arith.mulf %sum, %sum : f32
    %2 = arith.addf %1, %element : f32
    iree_linalg_ext.yield %2 : f32
  } -> tensor<8xf32>, tensor<f32>
  return %0#0 : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @arg_compare
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[V:[a-z0-9]+]]: tensor<4xf32>, %[[P:[a-z0-9]+]]: tensor<4xi64>, %[[BASE:[a-z0-9]+]]: index
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<4x8xf32>) outs(%[[V]], %[[P]] : tensor<4xf32>, tensor<4xi64>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[M:.*]]: f32, %[[W:.*]]: i64):
// CHECK-NEXT:   %[[WINS:.*]] = arith.cmpf ogt, %[[A]], %[[M]] : f32
// CHECK-NEXT:   %[[I:.*]] = linalg.index 1 : index
// CHECK-NEXT:   %[[AT:.*]] = arith.addi %[[I]], %[[BASE]] : index
// CHECK-NEXT:   %[[POSITION:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK-NEXT:   %[[VALUE:.*]] = arith.select %[[WINS]], %[[A]], %[[M]] : f32
// CHECK-NEXT:   %[[WHERE:.*]] = arith.select %[[WINS]], %[[POSITION]], %[[W]] : i64
// CHECK-NEXT:   linalg.yield %[[VALUE]], %[[WHERE]]
func.func @arg_compare(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %p: tensor<4xi64>, %base: index) -> (tensor<4xf32>, tensor<4xi64>) {
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<4x8xf32>) outs(%v, %p : tensor<4xf32>, tensor<4xi64>) index_base(%base : index) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<4xf32>, tensor<4xi64>
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi64>
}

// -----

// Positions that are given are operands like the values.
// CHECK-LABEL: func.func @explicit
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<4x8xindex>) outs(%{{.*}} : tensor<4xf32>, tensor<4xindex>)
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[I:.*]]: index, %{{.*}}: f32, %[[W:.*]]: index):
// CHECK: arith.select %{{.*}}, %[[I]], %[[W]] : index
func.func @explicit(%x: tensor<4x8xf32>, %i: tensor<4x8xindex>, %v: tensor<4xf32>, %p: tensor<4xindex>) -> tensor<4xindex> {
  %0:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x, %i : tensor<4x8xf32>, tensor<4x8xindex>) outs(%v, %p : tensor<4xf32>, tensor<4xindex>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<4xf32>, tensor<4xindex>
  return %0#1 : tensor<4xindex>
}

// -----

// One coordinate: indices without a dimension for it.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<100x16xf32>, %[[I:[a-z0-9]+]]: tensor<2x3x1xi64>
// CHECK: %[[J:.*]] = tensor.collapse_shape %[[I]] {{\[\[}}0], [1, 2]] : tensor<2x3x1xi64> into tensor<2x3xi64>
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%[[J]] : tensor<2x3xi64>)
// CHECK:   %[[ROW:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK:   %[[COLUMN:.*]] = linalg.index 2 : index
// CHECK:   %[[E:.*]] = tensor.extract %[[X]][%[[ROW]], %[[COLUMN]]] : tensor<100x16xf32>
// CHECK:   linalg.yield %[[E]] : f32
func.func @gather(%x: tensor<100x16xf32>, %i: tensor<2x3x1xi64>, %o: tensor<2x3x16xf32>) -> tensor<2x3x16xf32> {
  %0 = iree_linalg_ext.gather dimension_map = [0] ins(%x, %i : tensor<100x16xf32>, tensor<2x3x1xi64>) outs(%o : tensor<2x3x16xf32>) -> tensor<2x3x16xf32>
  return %0 : tensor<2x3x16xf32>
}

// -----

// The dimension map says where the coordinates go; what the mask leaves out is as it was.
// CHECK-LABEL: func.func @coordinates
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<10x20x4xf32>, %[[I:[a-z0-9]+]]: tensor<?x2xindex>, %[[M:[a-z0-9]+]]: tensor<?xi8>, %[[O:[a-z0-9]+]]: tensor<?x4xf32>
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], {{.*}} ins(%[[I]], %[[I]], %[[M]] : {{.*}}) outs(%[[O]] : tensor<?x4xf32>)
// CHECK-NEXT: ^bb0(%[[FIRST:.*]]: index, %[[SECOND:.*]]: index, %[[SET:.*]]: i8, %[[OLD:.*]]: f32):
// CHECK:   %[[E:.*]] = tensor.extract %[[X]][%[[SECOND]], %[[FIRST]], %{{.*}}] : tensor<10x20x4xf32>
// CHECK:   %[[IS:.*]] = arith.cmpi ne, %[[SET]], %{{.*}} : i8
// CHECK:   arith.select %[[IS]], %[[E]], %[[OLD]] : f32
func.func @coordinates(%x: tensor<10x20x4xf32>, %i: tensor<?x2xindex>, %m: tensor<?xi8>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = iree_linalg_ext.gather dimension_map = [1, 0] ins(%x, %i, %m : tensor<10x20x4xf32>, tensor<?x2xindex>, tensor<?xi8>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
