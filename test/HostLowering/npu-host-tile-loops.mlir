// RUN: npu-opt --npu-host-tile-loops %s | FileCheck %s

// 16 KiB of accumulators: 1024 columns at a time, four rows of them.
// CHECK-LABEL: func.func @ordered
// CHECK-DAG:     %[[ROWS:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[COLUMNS:.*]] = arith.constant 1024 : index
// CHECK:         scf.for {{.*}} step %[[ROWS]]
// CHECK:           scf.for {{.*}} step %[[COLUMNS]]
// CHECK:             linalg.generic
// CHECK-NOT:         npu_host.ordered
func.func @ordered(%a: memref<64x16xf32>, %b: memref<64x4096xf32>, %c: memref<16x4096xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(k, m, n) -> (k, m)>, affine_map<(k, m, n) -> (k, n)>,
                       affine_map<(k, m, n) -> (m, n)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%a, %b : memref<64x16xf32>, memref<64x4096xf32>) outs(%c : memref<16x4096xf32>)
      attrs = {npu_host.ordered} {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }
  return
}

// What npu-host-order-loops did not order stays as it is.
// CHECK-LABEL: func.func @other
// CHECK-NOT:     scf.for
// CHECK:         linalg.generic
func.func @other(%a: memref<64x4096xf32>, %c: memref<64x4096xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<64x4096xf32>) outs(%c : memref<64x4096xf32>) {
  ^bb0(%x: f32, %out: f32):
    linalg.yield %x : f32
  }
  return
}
