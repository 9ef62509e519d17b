// RUN: npu-opt --npu-host-order-loops %s | FileCheck %s

// Rows times columns: the columns, of unit stride in the second operand and the result, go innermost, the
// rows around them, the sum outside of both.
// CHECK-DAG:   #[[A:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG:   #[[B:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG:   #[[C:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func.func @matmul
// CHECK:         linalg.generic
// CHECK-SAME:        indexing_maps = [#[[A]], #[[B]], #[[C]]]
// CHECK-SAME:        iterator_types = ["reduction", "parallel", "parallel"]
// CHECK-SAME:        attrs = {npu_host.ordered}
func.func @matmul(%a: tensor<16x32xf32>, %b: tensor<32x64xf32>, %c: tensor<16x64xf32>)
    -> tensor<16x64xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<16x32xf32>, tensor<32x64xf32>) outs(%c : tensor<16x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// An operand whose columns are not its last dimension is transposed: it is read often enough.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME:      %{{.*}}: tensor<16x32xf32>, %[[B:.*]]: tensor<64x32xf32>
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<64x32xf32>) outs(%{{.*}} : tensor<32x64xf32>)
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[T]] : tensor<16x32xf32>, tensor<32x64xf32>)
// CHECK-SAME:        attrs = {npu_host.ordered}
func.func @transposed(%a: tensor<16x32xf32>, %b: tensor<64x32xf32>, %c: tensor<16x64xf32>)
    -> tensor<16x64xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<16x32xf32>, tensor<64x32xf32>) outs(%c : tensor<16x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// No parallel loop, no other order.
// CHECK-LABEL: func.func @sum
// CHECK:         linalg.generic
// CHECK-NOT:     npu_host.ordered
// CHECK:         return
func.func @sum(%x: tensor<32xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>],
      iterator_types = ["reduction"]}
      ins(%x : tensor<32xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %sum: f32):
    %next = arith.addf %sum, %a : f32
    linalg.yield %next : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
