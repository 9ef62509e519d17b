// For an NPU, what follows a contraction stays with it rather than with a reduction behind it, which
// then is a kernel of its own.
// RUN: npu-opt %s --npu-dispatch-creation-elementwise-op-fusion | FileCheck %s --check-prefix=FUSED
// RUN: npu-opt %s --npu-dispatch-creation-elementwise-op-fusion="keep-tails=true" | FileCheck %s --check-prefix=KEPT
// RUN: npu-opt %s --npu-front-half | FileCheck %s --check-prefix=WITH
// RUN: npu-opt %s --npu-front-half="mode=iree" | FileCheck %s --check-prefix=WITHOUT
// RUN: npu-run --check %s | FileCheck %s --check-prefix=CHECKED

// FUSED-LABEL: @mean_of_relu
// FUSED:         linalg.matmul
// FUSED:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// FUSED:           arith.maximumf
// FUSED:           arith.addf
// FUSED-NOT:     linalg.generic
// FUSED:       @sum_of_exp
// KEPT-LABEL: @mean_of_relu
// KEPT:         linalg.matmul
// KEPT:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// KEPT:           arith.maximumf
// KEPT:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// KEPT:           arith.addf

// Without a contraction there is no tail.
// KEPT-LABEL: @sum_of_exp
// KEPT:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// KEPT:           math.exp
// KEPT-NOT:     linalg.generic

// WITH-LABEL:    flow.executable private @mean_of_relu_dispatch_0
// WITH:            linalg.matmul
// WITH:            arith.maximumf
// WITH-LABEL:    flow.executable private @mean_of_relu_dispatch_1
// WITH-NOT:        arith.maximumf
// WITHOUT-LABEL: flow.executable private @mean_of_relu_dispatch_0
// WITHOUT:         linalg.matmul
// WITHOUT-NOT:     arith.maximumf
// WITHOUT-LABEL: flow.executable private @mean_of_relu_dispatch_1
// WITHOUT:         arith.maximumf
// CHECKED: matches host

func.func @mean_of_relu(%a: tensor<16x32xf32>, %b: tensor<32x64xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %m = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x64xf32>) outs(%f : tensor<16x64xf32>) -> tensor<16x64xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<16x64xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%relu : tensor<16x64xf32>) outs(%f1 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  return %sum : tensor<16xf32>
}

func.func private @sum_of_exp(%a: tensor<16x64xf32>) -> tensor<16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<16x64xf32>) outs(%e : tensor<16x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<16x64xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<16x64xf32>) outs(%f1 : tensor<16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  return %sum : tensor<16xf32>
}
