// RUN: npu-opt --split-input-file --transform-interpreter %s | FileCheck %s --match-full-lines --strict-whitespace

// 15.1 A script that tiles a named op by 8 rows before formation.
// The blank behind `transform.yield` is of upstream's printer.
//      CHECK:#map = affine_map<(d0) -> (d0 * 8)>
// CHECK-NEXT:module attributes {transform.with_named_sequence} {
// CHECK-NEXT:  func.func @top(%arg0: tensor<32x12xf32>, %arg1: tensor<12x20xf32>, %arg2: tensor<32x20xf32>) -> tensor<32x20xf32> {
// CHECK-NEXT:    %0 = scf.forall (%arg3) in (4) shared_outs(%arg4 = %arg2) -> (tensor<32x20xf32>) {
// CHECK-NEXT:      %1 = affine.apply #map(%arg3)
// CHECK-NEXT:      %extracted_slice = tensor.extract_slice %arg0[%1, 0] [8, 12] [1, 1] : tensor<32x12xf32> to tensor<8x12xf32>
// CHECK-NEXT:      %extracted_slice_0 = tensor.extract_slice %arg1[0, 0] [12, 20] [1, 1] : tensor<12x20xf32> to tensor<12x20xf32>
// CHECK-NEXT:      %extracted_slice_1 = tensor.extract_slice %arg4[%1, 0] [8, 20] [1, 1] : tensor<32x20xf32> to tensor<8x20xf32>
// CHECK-NEXT:      %2 = linalg.matmul ins(%extracted_slice, %extracted_slice_0 : tensor<8x12xf32>, tensor<12x20xf32>) outs(%extracted_slice_1 : tensor<8x20xf32>) -> tensor<8x20xf32>
// CHECK-NEXT:      scf.forall.in_parallel {
// CHECK-NEXT:        tensor.parallel_insert_slice %2 into %arg4[%1, 0] [8, 20] [1, 1] : tensor<8x20xf32> into tensor<32x20xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return %0 : tensor<32x20xf32>
// CHECK-NEXT:  }
// CHECK-NEXT:  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
// CHECK-NEXT:    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:    %tiled_op, %forall_op = transform.structured.tile_using_forall %0 tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:    transform.yield{{ }}
// CHECK-NEXT:  }
// CHECK-NEXT:}
module attributes {transform.with_named_sequence} {
  func.func @top(%arg0: tensor<32x12xf32>, %arg1: tensor<12x20xf32>, %arg2: tensor<32x20xf32>) -> tensor<32x20xf32> {
    %0 = linalg.matmul ins(%arg0, %arg1 : tensor<32x12xf32>, tensor<12x20xf32>) outs(%arg2 : tensor<32x20xf32>) -> tensor<32x20xf32>
    return %0 : tensor<32x20xf32>
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %tiled_op, %forall_op = transform.structured.tile_using_forall %0 tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
