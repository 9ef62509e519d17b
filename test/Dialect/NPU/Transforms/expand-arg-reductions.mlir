// RUN: npu-opt %s --npu-expand-arg-reductions --npu-verify-tensor-form --npu-check-fit | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$NONE:.*]] = affine_map<(d0, d1) -> ()>

// Rows that fit stay whole.
// CHECK-LABEL: npu.kernel @short
// CHECK: npu.arg_reduce
npu.kernel @short(%x: tensor<2x100xf32>) -> tensor<2xi32> attributes {target = #npu.target<"npu-v1:sramBytes=1024">} {
  %e = tensor.empty() : tensor<2xi32>
  %0 = npu.arg_reduce argmax %x -> %e {dimension = 1, indexing_maps = [#id, #row]} : tensor<2x100xf32> -> tensor<2xi32>
  npu.return %0 : tensor<2xi32>
}

// A NaN is found as well: the extreme of a row that has one is a NaN.
// CHECK-LABEL: npu.kernel @long
// CHECK-SAME: (%[[X:.*]]: tensor<2x1000xf32>)
// CHECK: %[[M:.*]] = npu.reduce max %[[X]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$ROW]]]} : tensor<2x1000xf32> -> tensor<2xf32>
// CHECK: %[[EQ:.*]] = npu.binary cmpeq %[[X]], %[[M]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$ID]]]}
// CHECK: %[[NAN:.*]] = npu.binary cmpne %[[X]], %[[X]]
// CHECK: %[[FOUND:.*]] = npu.binary or %[[EQ]], %[[NAN]]
// CHECK: %[[P:.*]] = arith.constant dense<"0x{{.*}}"> : tensor<1000xi32>
// CHECK: %[[N:.*]] = arith.constant dense<1000> : tensor<i32>
// CHECK: %[[S:.*]] = npu.select %[[FOUND]], %[[P]], %[[N]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$COLUMN]], #[[$NONE]], #[[$ID]]]}
// CHECK: %[[R:.*]] = npu.reduce min %[[S]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$ROW]]]} : tensor<2x1000xi32> -> tensor<2xi32>
// CHECK: npu.return %[[R]]
npu.kernel @long(%x: tensor<2x1000xf32>) -> tensor<2xi32> attributes {target = #npu.target<"npu-v1:sramBytes=1024">} {
  %e = tensor.empty() : tensor<2xi32>
  %0 = npu.arg_reduce argmax %x -> %e {dimension = 1, indexing_maps = [#id, #row]} : tensor<2x1000xf32> -> tensor<2xi32>
  npu.return %0 : tensor<2xi32>
}

// The maps of the op may name dimensions in another order than the input has them.
// CHECK-LABEL: npu.kernel @columns
// CHECK-SAME: (%[[X:.*]]: tensor<1000x2xi16>)
// CHECK: npu.reduce min %[[X]] -> %{{.*}} {indexing_maps = [#[[$ID]], #[[$COLUMN]]]} : tensor<1000x2xi16> -> tensor<2xi16>
// CHECK-NOT: cmpne
// CHECK: npu.select %{{.*}} {indexing_maps = [#[[$ID]], #[[$ROW]], #[[$NONE]], #[[$ID]]]}
// CHECK: npu.reduce min %{{.*}} : tensor<1000x2xi32> -> tensor<2xi16>
npu.kernel @columns(%x: tensor<1000x2xi16>) -> tensor<2xi16> attributes {target = #npu.target<"npu-v1:sramBytes=1024">} {
  %e = tensor.empty() : tensor<2xi16>
  %0 = npu.arg_reduce argmin %x -> %e {dimension = 1, indexing_maps = [affine_map<(i, j) -> (j, i)>, #row]} : tensor<1000x2xi16> -> tensor<2xi16>
  npu.return %0 : tensor<2xi16>
}
