// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-collapse-dimensions{keep-images=true}))' %s | FileCheck %s
// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-dispatch-creation-collapse-dimensions))' %s | FileCheck %s --check-prefix=ALL
// RUN: npu-opt --npu-dispatch-creation-pipeline --npu-flow-pipeline %s | FileCheck %s --check-prefix=NPU
// RUN: npu-opt --npu-dispatch-creation-pipeline=mode=iree --npu-flow-pipeline %s | FileCheck %s --check-prefix=IREE

// What is connected to a dispatch with windows keeps its dimensions, also by way of another one and of a slice; what is
// behind a reshape, or connected to nothing, does not.

// NPU: flow.dispatch @{{.*}}(%{{.*}}) : (tensor<8x6x4xf32>) -> tensor<8x6x4xf32>
// IREE: flow.dispatch @{{.*}}(%{{.*}}) : (tensor<192xf32>) -> tensor<192xf32>

#id = affine_map<(h, w, c) -> (h, w, c)>
// CHECK-LABEL: util.func public @image
// ALL-LABEL: util.func public @image
util.func public @image(%a: tensor<8x6x4xf32>, %k: tensor<3x3xf32>, %other: tensor<8x6x4xf32>) -> (tensor<4x4x4xf32>, tensor<192xf32>, tensor<8x6x4xf32>) {
  // CHECK:     flow.dispatch.region -> (tensor<8x6x4xf32>)
  // CHECK:     arith.negf
  // ALL:       flow.dispatch.region -> (tensor<192xf32>)
  // ALL:       arith.negf
  %0 = flow.dispatch.region -> (tensor<8x6x4xf32>) {
    %e = tensor.empty() : tensor<8x6x4xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<8x6x4xf32>) outs(%e : tensor<8x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = arith.negf %in : f32
      linalg.yield %n : f32
    } -> tensor<8x6x4xf32>
    flow.return %1 : tensor<8x6x4xf32>
  }
  // CHECK:     flow.dispatch.region -> (tensor<8x6x4xf32>)
  // CHECK:     math.absf
  // ALL:       flow.dispatch.region -> (tensor<192xf32>)
  // ALL:       math.absf
  %2 = flow.dispatch.region -> (tensor<8x6x4xf32>) {
    %e = tensor.empty() : tensor<8x6x4xf32>
    %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<8x6x4xf32>) outs(%e : tensor<8x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = math.absf %in : f32
      linalg.yield %n : f32
    } -> tensor<8x6x4xf32>
    flow.return %3 : tensor<8x6x4xf32>
  }
  %slice = tensor.extract_slice %2[2, 0, 0] [6, 6, 4] [1, 1, 1] : tensor<8x6x4xf32> to tensor<6x6x4xf32>
  %4 = flow.dispatch.region -> (tensor<4x4x4xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x4x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(h, w, c, y, x) -> (h + y, w + x, c)>, affine_map<(h, w, c, y, x) -> (y, x)>, affine_map<(h, w, c, y, x) -> (h, w, c)>],
                         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%slice, %k : tensor<6x6x4xf32>, tensor<3x3xf32>) outs(%f : tensor<4x4x4xf32>) {
    ^bb0(%in: f32, %unused: f32, %out: f32):
      %m = arith.maximumf %in, %out : f32
      linalg.yield %m : f32
    } -> tensor<4x4x4xf32>
    flow.return %5 : tensor<4x4x4xf32>
  }
  %flat = tensor.collapse_shape %2 [[0, 1, 2]] : tensor<8x6x4xf32> into tensor<192xf32>
  %square = tensor.expand_shape %flat [[0, 1]] output_shape [16, 12] : tensor<192xf32> into tensor<16x12xf32>
  // CHECK:     flow.dispatch.region -> (tensor<192xf32>)
  // CHECK:     math.exp
  %6 = flow.dispatch.region -> (tensor<16x12xf32>) {
    %e = tensor.empty() : tensor<16x12xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%square : tensor<16x12xf32>) outs(%e : tensor<16x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = math.exp %in : f32
      linalg.yield %n : f32
    } -> tensor<16x12xf32>
    flow.return %7 : tensor<16x12xf32>
  }
  %flat_exp = tensor.collapse_shape %6 [[0, 1]] : tensor<16x12xf32> into tensor<192xf32>
  // CHECK:     flow.dispatch.region -> (tensor<192xf32>)
  // CHECK:     math.floor
  %8 = flow.dispatch.region -> (tensor<8x6x4xf32>) {
    %e = tensor.empty() : tensor<8x6x4xf32>
    %9 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%other : tensor<8x6x4xf32>) outs(%e : tensor<8x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = math.floor %in : f32
      linalg.yield %n : f32
    } -> tensor<8x6x4xf32>
    flow.return %9 : tensor<8x6x4xf32>
  }
  util.return %4, %flat_exp, %8 : tensor<4x4x4xf32>, tensor<192xf32>, tensor<8x6x4xf32>
}
