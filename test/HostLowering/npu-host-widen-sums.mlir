// Sums of many terms of f32 accumulate in f64; contractions and short sums stay.

// RUN: npu-opt --npu-host-widen-sums --split-input-file %s | FileCheck %s

#id = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i)>

// The maximum is the same for all terms of a row. Terms are computed as they were.
// CHECK-LABEL: func.func @exponentials
// CHECK-SAME:      %[[X:.*]]: tensor<4x129xf32>, %[[MAX:.*]]: tensor<4xf32>, %[[INIT:.*]]: tensor<4xf32>
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : tensor<4xf32>)
// CHECK:           arith.extf
// CHECK:         %[[SUM:.*]] = linalg.generic
// CHECK-SAME:        iterator_types = ["parallel", "reduction"]
// CHECK-SAME:        ins(%[[X]], %[[MAX]] : tensor<4x129xf32>, tensor<4xf32>) outs(%[[WIDE]] : tensor<4xf64>)
// CHECK-NEXT:      ^bb0(%[[IN:.*]]: f32, %[[M:.*]]: f32, %[[ACC:.*]]: f64):
// CHECK-NEXT:        %[[DIFFERENCE:.*]] = arith.subf %[[IN]], %[[M]] : f32
// CHECK-NEXT:        %[[TERM:.*]] = math.exp %[[DIFFERENCE]] : f32
// CHECK-NEXT:        %[[WIDE_TERM:.*]] = arith.extf %[[TERM]] : f32 to f64
// CHECK-NEXT:        %[[TOTAL:.*]] = arith.addf %[[ACC]], %[[WIDE_TERM]] : f64
// CHECK-NEXT:        linalg.yield %[[TOTAL]] : f64
// CHECK:         %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<4xf64>)
// CHECK:           arith.truncf
// CHECK:         return %[[RESULT]]
func.func @exponentials(%x: tensor<4x129xf32>, %max: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %max : tensor<4x129xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %m: f32, %acc: f32):
    %1 = arith.subf %in, %m : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %acc : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#id = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i)>

// CHECK-LABEL: func.func @short
// CHECK-NOT:     f64
func.func @short(%x: tensor<4x128xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x128xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %1 = arith.addf %acc, %in : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#all = affine_map<(i, j, k) -> (i, j, k)>
#none = affine_map<(i, j, k) -> (i)>

// All reductions count, and only data tells how many terms there are.
// CHECK-LABEL: func.func @several
// CHECK:         tensor.dim
// CHECK:         outs(%{{.*}} : tensor<?xf64>)
// CHECK:         outs(%{{.*}} : tensor<?xf64>)
// CHECK:         outs(%{{.*}} : tensor<?xf32>)
func.func @several(%x: tensor<?x2x?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<?x2x?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %1 = arith.addf %acc, %in : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

// CHECK-LABEL: func.func @contraction
// CHECK-NOT:     f64
func.func @contraction(%a: tensor<4x512xf32>, %b: tensor<512x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x512xf32>, tensor<512x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

#in = affine_map<(c, y, k) -> (c, y * 256 + k)>
#window = affine_map<(c, y, k) -> (k)>
#out = affine_map<(c, y, k) -> (c, y)>

// The window of a pooling gives a shape and no values.
// CHECK-LABEL: func.func @pooling
// CHECK:         outs(%{{.*}} : tensor<4x2xf64>)
func.func @pooling(%x: tensor<4x512xf32>, %window: tensor<256xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : tensor<4x512xf32>, tensor<256xf32>) outs(%init : tensor<4x2xf32>) {
  ^bb0(%in: f32, %unused: f32, %acc: f32):
    %1 = arith.addf %acc, %in : f32
    linalg.yield %1 : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

#id = affine_map<(k) -> (k)>
#none = affine_map<(k) -> ()>

// Not sums of f32: a maximum, a sum of f16, and one whose terms depend on what was summed.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     f64
func.func @others(%x: tensor<512xf32>, %h: tensor<512xf16>, %init: tensor<f32>, %half: tensor<f16>)
    -> (tensor<f32>, tensor<f16>, tensor<f32>) {
  %0 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%x : tensor<512xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %3 = arith.maximumf %acc, %in : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%h : tensor<512xf16>) outs(%half : tensor<f16>) {
  ^bb0(%in: f16, %acc: f16):
    %3 = arith.addf %acc, %in : f16
    linalg.yield %3 : f16
  } -> tensor<f16>
  %2 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%x : tensor<512xf32>) outs(%init : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %3 = arith.mulf %acc, %in : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f16>, tensor<f32>
}
