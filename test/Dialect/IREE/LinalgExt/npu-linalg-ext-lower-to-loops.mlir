// RUN: npu-opt %s --npu-linalg-ext-lower-to-loops --split-input-file --canonicalize | FileCheck %s

// Runs of 1, 2, 4 elements: three passes over five elements, each merged beside the row and copied back.
// CHECK-LABEL: func.func @sort
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x5xi32>, %[[Y:[a-z0-9]+]]: tensor<2x5xf32>
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[PASSES:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[LENGTH:.*]] = arith.constant 5 : index
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %[[ROWS]] {{.*}} iter_args(%{{.*}} = %[[X]], %{{.*}} = %[[Y]])
// CHECK:   scf.for %[[PASS:.*]] = %{{.*}} to %[[PASSES]] step %{{.*}} iter_args(%[[XS:.*]] = %{{.*}}, %[[YS:.*]] = %{{.*}})
// CHECK:     %[[WIDTH:.*]] = arith.shli %{{.*}}, %[[PASS]] : index
// CHECK:     scf.for %[[I:.*]] = %{{.*}} to %[[LENGTH]]
// CHECK:       %[[A:.*]] = tensor.extract %[[XS]][%[[ROW]], %{{.*}}] : tensor<2x5xi32>
// CHECK:       %[[B:.*]] = tensor.extract %[[XS]][%[[ROW]], %{{.*}}] : tensor<2x5xi32>
// CHECK:       %[[LESS:.*]] = arith.cmpi slt, %[[B]], %[[A]] : i32
// CHECK:       tensor.insert %{{.*}} into %{{.*}}[%[[I]]] : tensor<5xi32>
// CHECK:       tensor.insert %{{.*}} into %{{.*}}[%[[I]]] : tensor<5xf32>
// CHECK:     scf.for %[[J:.*]] = %{{.*}} to %[[LENGTH]]
// CHECK:       tensor.insert %{{.*}} into %{{.*}}[%[[ROW]], %[[J]]] : tensor<2x5xi32>
func.func @sort(%x: tensor<2x5xi32>, %y: tensor<2x5xf32>) -> (tensor<2x5xi32>, tensor<2x5xf32>) {
  %0:2 = iree_linalg_ext.sort dimension(1) outs(%x, %y : tensor<2x5xi32>, tensor<2x5xf32>) {
  ^bb0(%a: i32, %b: i32, %c: f32, %d: f32):
    %1 = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<2x5xi32>, tensor<2x5xf32>
  return %0#0, %0#1 : tensor<2x5xi32>, tensor<2x5xf32>
}

// -----

// As many passes as the length has digits.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[LENGTH:.*]] = tensor.dim
// CHECK: math.ctlz
func.func @dynamic(%x: tensor<?xi32>) -> tensor<?xi32> {
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32):
    %1 = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// Each element goes along the best so far.
// CHECK-LABEL: func.func @topk
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[V:[a-z0-9]+]]: tensor<3xf32>, %[[P:[a-z0-9]+]]: tensor<3xi64>
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[VS:.*]] = %[[V]], %[[PS:.*]] = %[[P]])
// CHECK:   %[[E:.*]] = tensor.extract %[[X]][%[[I]]] : tensor<8xf32>
// CHECK:   %[[W:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK:   scf.for %{{.*}} iter_args(%{{.*}} = %[[VS]], %{{.*}} = %[[PS]], %[[CV:.*]] = %[[E]], %[[CP:.*]] = %[[W]])
// CHECK:     %[[GREATER:.*]] = arith.cmpf ogt, %[[CV]], %[[KEPT:.*]] : f32
// NaNs come last.
// CHECK:     %[[ISNUMBER:.*]] = arith.cmpf oeq, %[[CV]], %[[CV]] : f32
// CHECK:     %[[ISNAN:.*]] = arith.cmpf une, %[[KEPT]], %[[KEPT]] : f32
// CHECK:     %[[LAST:.*]] = arith.andi %[[ISNUMBER]], %[[ISNAN]] : i1
// CHECK:     %[[BETTER:.*]] = arith.ori %[[GREATER]], %[[LAST]] : i1
// CHECK:     arith.cmpf ogt, %[[KEPT]], %[[CV]] : f32
// CHECK:     %[[WORSE:.*]] = arith.ori
// CHECK:     %[[SAME:.*]] = arith.cmpi eq, %[[BETTER]], %[[WORSE]] : i1
// CHECK:     %[[BEFORE:.*]] = arith.cmpi slt, %[[CP]], %{{.*}} : i64
// CHECK:     %[[TIE:.*]] = arith.andi %[[SAME]], %[[BEFORE]] : i1
// CHECK:     %[[MOVES:.*]] = arith.ori %[[BETTER]], %[[TIE]] : i1
// CHECK:     arith.select %[[MOVES]], %[[CV]], %[[KEPT]] : f32
func.func @topk(%x: tensor<8xf32>, %v: tensor<3xf32>, %p: tensor<3xi64>) -> (tensor<3xf32>, tensor<3xi64>) {
  %0:2 = iree_linalg_ext.topk dimension(0) ins(%x : tensor<8xf32>) outs(%v, %p : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<3xf32>, tensor<3xi64>
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi64>
}

// -----

// A place without contents is free.
// CHECK-LABEL: func.func @empty
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args
// CHECK:   scf.for %[[J:.*]] = {{.*}} iter_args
// CHECK:     %[[FREE:.*]] = arith.cmpi sge, %[[J]], %[[I]] : index
// CHECK:     arith.ori %{{.*}}, %[[FREE]] : i1
func.func @empty(%x: tensor<8xf32>, %i: tensor<8xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %v = tensor.empty() : tensor<3xf32>
  %p = tensor.empty() : tensor<3xi32>
  %0:2 = iree_linalg_ext.topk dimension(0) ins(%x, %i : tensor<8xf32>, tensor<8xi32>) outs(%v, %p : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %1 : i1
  } -> tensor<3xf32>, tensor<3xi32>
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}

// -----

// CHECK-LABEL: func.func @scatter
// CHECK-SAME: %[[U:[a-z0-9]+]]: tensor<3x2xi32>, %[[I:[a-z0-9]+]]: tensor<3x1xi32>, %[[M:[a-z0-9]+]]: tensor<3xi1>, %[[O:[a-z0-9]+]]: tensor<5x2xi32>
// CHECK: scf.for %[[N:.*]] = {{.*}} iter_args
// CHECK:   scf.for %[[J:.*]] = {{.*}} iter_args(%[[NOW:.*]] =
// CHECK:     %[[C:.*]] = tensor.extract %[[I]][%[[N]], %{{.*}}] : tensor<3x1xi32>
// CHECK:     %[[ROW:.*]] = arith.index_cast %[[C]] : i32 to index
// CHECK:     %[[OLD:.*]] = tensor.extract %[[NOW]][%[[ROW]], %[[J]]] : tensor<5x2xi32>
// CHECK:     %[[NEW:.*]] = tensor.extract %[[U]][%[[N]], %[[J]]] : tensor<3x2xi32>
// CHECK:     %[[SUM:.*]] = arith.addi %[[NEW]], %[[OLD]] : i32
// CHECK:     %[[SET:.*]] = tensor.extract %[[M]][%[[N]]] : tensor<3xi1>
// CHECK:     %[[NEXT:.*]] = arith.select %[[SET]], %[[SUM]], %[[OLD]] : i32
// CHECK:     tensor.insert %[[NEXT]] into %[[NOW]][%[[ROW]], %[[J]]] : tensor<5x2xi32>
func.func @scatter(%u: tensor<3x2xi32>, %i: tensor<3x1xi32>, %m: tensor<3xi1>, %o: tensor<5x2xi32>) -> tensor<5x2xi32> {
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i, %m : tensor<3x2xi32>, tensor<3x1xi32>, tensor<3xi1>) outs(%o : tensor<5x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %1 = arith.addi %a, %b : i32
    iree_linalg_ext.yield %1 : i32
  } -> tensor<5x2xi32>
  return %0 : tensor<5x2xi32>
}

// -----

// Coordinates go where the dimension map says.
// CHECK-LABEL: func.func @coordinates
// CHECK: %[[FIRST:.*]] = arith.index_cast
// CHECK: %[[SECOND:.*]] = arith.index_cast
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[SECOND]], %[[FIRST]]] : tensor<5x2xi32>
func.func @coordinates(%u: tensor<3xi32>, %i: tensor<3x2xi32>, %o: tensor<5x2xi32>) -> tensor<5x2xi32> {
  %0 = iree_linalg_ext.scatter dimension_map = [1, 0] unique_indices(true) ins(%u, %i : tensor<3xi32>, tensor<3x2xi32>) outs(%o : tensor<5x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    iree_linalg_ext.yield %a : i32
  } -> tensor<5x2xi32>
  return %0 : tensor<5x2xi32>
}
