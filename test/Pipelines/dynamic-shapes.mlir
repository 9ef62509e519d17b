// A dispatch of dynamic shape, from linalg to the flow level: the size is read off the input once,
// and is the dispatch's workload.
// RUN: npu-opt %s --npu-front-half | FileCheck %s
// RUN: npu-opt %s --npu-front-half="mode=iree" | FileCheck %s
// RUN: npu-opt %s --npu-classic-pipeline | FileCheck %s
// RUN: npu-opt %s --npu-front-half --npu-import-dispatches --npu-partition-report -o /dev/null | FileCheck %s --check-prefix=REPORT

// CHECK-LABEL: flow.executable.export public @mm_dispatch_0_matmul_Dx32x64_f32 workgroups(%{{.*}}: index) -> (index, index, index) {
// CHECK:       func.func @mm_dispatch_0_matmul_Dx32x64_f32(%[[SIZE:.*]]: index, %[[X:.*]]: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>, %{{.*}}: !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>, %{{.*}}: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xf32>>, %[[Y:.*]]: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x32xf32>>) {
// CHECK-DAG:     %[[TIEDX:.*]] = flow.dispatch.tie_shape %[[X]] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x64xf32>>{%[[SIZE]]}
// CHECK-DAG:     %[[TIEDY:.*]] = flow.dispatch.tie_shape %[[Y]] : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x32xf32>>{%[[SIZE]]}
// CHECK-DAG:     %[[D:.*]] = iree_tensor_ext.dispatch.workload.ordinal %[[SIZE]], 0 : index
// CHECK:         iree_tensor_ext.dispatch.tensor.load %[[TIEDX]], offsets = [0, 0], sizes = [%[[D]], 64], strides = [1, 1]
// CHECK:         tensor.empty(%[[D]]) : tensor<?x32xf32>
// CHECK:         linalg.matmul
// CHECK:         linalg.generic
// CHECK:         iree_tensor_ext.dispatch.tensor.store %{{.*}}, %[[TIEDY]], offsets = [0, 0], sizes = [%[[D]], 32], strides = [1, 1]

// CHECK-LABEL: util.func public @mm
// CHECK:         %[[DIM:.*]] = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
// CHECK:         %[[IN:.*]] = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<?x64xf32>{%[[DIM]]}
// CHECK:         %[[OUT:.*]] = flow.dispatch @mm_dispatch_0::@mm_dispatch_0_matmul_Dx32x64_f32[%[[DIM]]](%[[DIM]], %[[IN]], %{{.*}}, %{{.*}}) : (index, tensor<?x64xf32>{%[[DIM]]}, tensor<64x32xf32>, tensor<32xf32>) -> tensor<?x32xf32>{%[[DIM]]}
// CHECK-NOT:     tensor.dim
// CHECK:         hal.tensor.export %[[OUT]] "output0" : tensor<?x32xf32>{%[[DIM]]} -> !hal.buffer_view

// REPORT: #0        host            ?  op: linalg.matmul M=? N=32 K=64 dtype: f32
// REPORT-NEXT:      dynamic shape (tensor<?x64xf32>, argument 1), expected static shapes; compile with static shapes, see npu-specialize-shapes
func.func @mm(%a: tensor<?x64xf32>, %b: tensor<64x32xf32>, %bias: tensor<32xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %d = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%d) : tensor<?x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %m = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x32xf32>) outs(%i : tensor<?x32xf32>) -> tensor<?x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m, %bias : tensor<?x32xf32>, tensor<32xf32>) outs(%e : tensor<?x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.maximumf %s, %z : f32
    linalg.yield %t : f32
  } -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}
