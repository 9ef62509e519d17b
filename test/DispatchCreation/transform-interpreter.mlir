// RUN: npu-opt --transform-interpreter %s --split-input-file | FileCheck %s

// A script in the module tiles a matmul, by upstream's pass.
// CHECK:       #map = affine_map<(d0) -> (d0 * 8)>
// CHECK:       module attributes {transform.with_named_sequence} {
// CHECK-NEXT:    func.func @top(%arg0: tensor<32x12xf32>, %arg1: tensor<12x20xf32>, %arg2: tensor<32x20xf32>) -> tensor<32x20xf32> {
// CHECK-NEXT:      %[[V0:.*]] = scf.forall (%arg3) in (4) shared_outs(%arg4 = %arg2) -> (tensor<32x20xf32>) {
// CHECK-NEXT:        %[[V1:.*]] = affine.apply #map(%arg3)
// CHECK-NEXT:        %[[V2:.*]] = tensor.extract_slice %arg0[%[[V1]], 0] [8, 12] [1, 1] : tensor<32x12xf32> to tensor<8x12xf32>
// CHECK-NEXT:        %[[V3:.*]] = tensor.extract_slice %arg1[0, 0] [12, 20] [1, 1] : tensor<12x20xf32> to tensor<12x20xf32>
// CHECK-NEXT:        %[[V4:.*]] = tensor.extract_slice %arg4[%[[V1]], 0] [8, 20] [1, 1] : tensor<32x20xf32> to tensor<8x20xf32>
// CHECK-NEXT:        %[[V5:.*]] = linalg.matmul ins(%[[V2]], %[[V3]] : tensor<8x12xf32>, tensor<12x20xf32>) outs(%[[V4]] : tensor<8x20xf32>) -> tensor<8x20xf32>
// CHECK-NEXT:        scf.forall.in_parallel {
// CHECK-NEXT:          tensor.parallel_insert_slice %[[V5]] into %arg4[%[[V1]], 0] [8, 20] [1, 1] : tensor<8x20xf32> into tensor<32x20xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      return %[[V0]] : tensor<32x20xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
// CHECK-NEXT:      %[[V6:.*]] = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:      %[[V7:.*]], %[[V8:.*]] = transform.structured.tile_using_forall %[[V6]] tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:      transform.yield
// CHECK-NEXT:    }
// CHECK-NEXT:  }
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
