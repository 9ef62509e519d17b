// topk_v2 is compiled as topk.

// RUN: npu-opt %s > %t.mlir && npu-opt %t.mlir | diff %t.mlir - && FileCheck %s < %t.mlir
// RUN: npu-opt %s --pass-pipeline='builtin.module(util.func(npu-linalg-ext-generalize-ops))' | FileCheck %s --check-prefix=TOPK
// RUN: npu-run %s --function=f --check --input='random(1)' | FileCheck %s --check-prefix=RAN
// RUN: npu-run %s --function=f --input='1x4xf32=3 9 5 7' --expected_output='1x2xf32=9 7' --expected_output='1x2xi32=1 3'
// RUN: npu-run %s --function=values --input='1x4xf32=3 9 5 7' --expected_output='1x2xf32=9 7'
// RUN: npu-run %s --function=indices --input='1x4xf32=3 9 5 7' --input='1x4xi64=30 90 50 70' --expected_output='1x2xf32=9 7' --expected_output='1x2xi64=90 70'

// RAN: matches host

// CHECK-LABEL: @f
// CHECK: iree_linalg_ext.topk_v2 dimension(1) is_sorted ins(%arg0 : tensor<1x4xf32>) outs(%0, %1 : tensor<1x2xf32>, tensor<1x2xi32>) {
// TOPK-LABEL: @f
// TOPK: iree_linalg_ext.topk dimension(1) ins(%arg0 : tensor<1x4xf32>) outs(%0, %1 : tensor<1x2xf32>, tensor<1x2xi32>) {
util.func public @f(%x: tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xi32>) {
  %v = tensor.empty() : tensor<1x2xf32>
  %i = tensor.empty() : tensor<1x2xi32>
  %0:2 = iree_linalg_ext.topk_v2 dimension(1) is_sorted ins(%x : tensor<1x4xf32>) outs(%v, %i : tensor<1x2xf32>, tensor<1x2xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<1x2xf32>, tensor<1x2xi32>
  util.return %0#0, %0#1 : tensor<1x2xf32>, tensor<1x2xi32>
}

// CHECK-LABEL: @values
// CHECK: iree_linalg_ext.topk_v2 dimension(1) ins(%arg0 : tensor<1x4xf32>) outs(%1 : tensor<1x2xf32>) {
// TOPK-LABEL: @values
// TOPK: linalg.fill ins(%c0_i32 : i32)
// TOPK: iree_linalg_ext.topk dimension(1) ins(%arg0 : tensor<1x4xf32>) outs(%1, %{{.*}} : tensor<1x2xf32>, tensor<1x2xi32>) {
util.func public @values(%x: tensor<1x4xf32>) -> tensor<1x2xf32> {
  %cst = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x2xf32>
  %v = linalg.fill ins(%cst : f32) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  %0 = iree_linalg_ext.topk_v2 dimension(1) ins(%x : tensor<1x4xf32>) outs(%v : tensor<1x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<1x2xf32>
  util.return %0 : tensor<1x2xf32>
}

// CHECK-LABEL: @indices
util.func public @indices(%x: tensor<1x4xf32>, %i: tensor<1x4xi64>) -> (tensor<1x2xf32>, tensor<1x2xi64>) {
  %v = tensor.empty() : tensor<1x2xf32>
  %p = tensor.empty() : tensor<1x2xi64>
  // CHECK: iree_linalg_ext.topk_v2 dimension(1) ins(%arg0, %arg1 : tensor<1x4xf32>, tensor<1x4xi64>)
  %0:2 = iree_linalg_ext.topk_v2 dimension(1) ins(%x, %i : tensor<1x4xf32>, tensor<1x4xi64>) outs(%v, %p : tensor<1x2xf32>, tensor<1x2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<1x2xf32>, tensor<1x2xi64>
  util.return %0#0, %0#1 : tensor<1x2xf32>, tensor<1x2xi64>
}
