// RUN: npu-opt --split-input-file --pass-pipeline='builtin.module(func.func(linalg-detensorize{aggressive-mode}))' %s | FileCheck %s --match-full-lines --strict-whitespace

// 13.1 Scalar add in tensor clothing, aggressive mode.
//      CHECK:module {
// CHECK-NEXT:  func.func @tick(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
// CHECK-NEXT:    %extracted = tensor.extract %arg1[] : tensor<i32>
// CHECK-NEXT:    %extracted_0 = tensor.extract %arg0[] : tensor<i32>
// CHECK-NEXT:    %0 = arith.subi %extracted_0, %extracted : i32
// CHECK-NEXT:    %from_elements = tensor.from_elements %0 : tensor<i32>
// CHECK-NEXT:    return %from_elements : tensor<i32>
// CHECK-NEXT:  }
// CHECK-NEXT:}
#map = affine_map<() -> ()>
func.func @tick(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
  %0 = tensor.empty() : tensor<i32>
  %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%arg0, %arg1 : tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %2 = arith.subi %in, %in_0 : i32
    linalg.yield %2 : i32
  } -> tensor<i32>
  return %1 : tensor<i32>
}
