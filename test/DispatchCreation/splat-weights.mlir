// RUN: npu-opt --npu-front-half %s | FileCheck %s
// RUN: npu-opt --pass-pipeline='builtin.module(func.func(npu-dispatch-creation-elementwise-op-fusion))' %s | FileCheck %s --check-prefix=FUSED

// A contraction with weights of one value, as test models have them, stays one: a sum would not run on the array.
// CHECK-LABEL: @main_dispatch_0
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<256x64xf32>, tensor<64x3136xf32>)
// CHECK: arith.mulf %in, %in
// FUSED-NOT: compute_barrier
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<64x3136xf32>) -> tensor<256x3136xf32> {
  %w = arith.constant dense<0.05> : tensor<256x64xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x3136xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256x3136xf32>) -> tensor<256x3136xf32>
  %c = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%w, %x : tensor<256x64xf32>, tensor<64x3136xf32>) outs(%f : tensor<256x3136xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<256x3136xf32>
  // The scale of one value moves into the body.
  // FUSED: arith.mulf %{{.*}}, %cst
  %scale = arith.constant dense<2.0> : tensor<256x3136xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%c, %scale : tensor<256x3136xf32>, tensor<256x3136xf32>) outs(%e : tensor<256x3136xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<256x3136xf32>
  return %r : tensor<256x3136xf32>
}
