// RUN: npu-opt %s --npu-dispatch-creation-elementwise-op-fusion --npu-dispatch-creation-fold-unit-extent-dims --npu-dispatch-creation-tensor-pad-to-tensor-insert-slice | FileCheck %s

// Fusion, the folding of unit dimensions and that of pads leave alone what is in a dispatch already.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @dispatch
// CHECK:         flow.dispatch.region
// CHECK-NEXT:      tensor.empty
// CHECK-NEXT:      linalg.generic {{.*}} ins(%arg0 : tensor<1x4xf32>)
// CHECK:             arith.negf
// CHECK-NEXT:        linalg.yield
// CHECK:           linalg.generic {{.*}} : tensor<1x4xf32>)
// CHECK:             math.exp
// CHECK:           tensor.pad {{.*}} low[0, 1] high[0, 2]
// CHECK:           flow.return
util.func public @dispatch(%a: tensor<1x4xf32>, %c: f32) -> tensor<1x7xf32> {
  %r = flow.dispatch.region -> (tensor<1x7xf32>) {
    %e = tensor.empty() : tensor<1x4xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = arith.negf %x : f32
      linalg.yield %s : f32
    } -> tensor<1x4xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
    ^bb0(%x: f32, %o: f32):
      %s = math.exp %x : f32
      linalg.yield %s : f32
    } -> tensor<1x4xf32>
    %2 = tensor.pad %1 low[0, 1] high[0, 2] {
    ^bb0(%i: index, %j: index):
      tensor.yield %c : f32
    } : tensor<1x4xf32> to tensor<1x7xf32>
    flow.return %2 : tensor<1x7xf32>
  }
  util.return %r : tensor<1x7xf32>
}
