// RUN: npu-opt %s --npu-slice-operands | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[INPUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>

// Backwards along both dimensions, every other row; only the operand that is read so changes.
// CHECK-LABEL: func.func @map
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<8x16xf32>, %[[Y:[a-z0-9]+]]: tensor<4x16xf32>
func.func @map(%x: tensor<8x16xf32>, %y: tensor<4x16xf32>, %out: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][7, 15] [4, 16] [-2, -1] : tensor<8x16xf32> to tensor<4x16xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]]], {{.*}} ins(%[[S]], %[[Y]] :
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * -2 + 7, 15 - d1)>, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8x16xf32>, tensor<4x16xf32>) outs(%out : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// A coordinate that is constant is no dimension of the slice.
// CHECK-LABEL: func.func @row
func.func @row(%x: tensor<8x16xf32>, %out: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[5, 15] [1, 16] [1, -1] : tensor<8x16xf32> to tensor<16xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[COLUMN]], #[[ID]]], {{.*}} ins(%[[S]] : tensor<16xf32>)
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (5, 15 - d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%out : tensor<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// torch.flip: an element by indices that are computed of counters, here of i64.
// CHECK-LABEL: func.func @extract
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4x16xf32>
func.func @extract(%x: tensor<4x16xf32>, %out: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %last = arith.constant 15 : i64
  // CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][0, 15] [4, 16] [1, -1]
  // CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<4x16xf32>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %{{.*}}: f32):
  // CHECK-NOT: tensor.extract
  // CHECK: linalg.yield %[[A]]
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<4x16xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i64
    %r = arith.subi %last, %w : i64
    %c = arith.index_cast %r : i64 to index
    %a = tensor.extract %x[%i, %c] : tensor<4x16xf32>
    linalg.yield %a : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// The slice of a slice is one slice.
// CHECK-LABEL: func.func @slice_of_slice
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<3x20x16xf32>
func.func @slice_of_slice(%x: tensor<3x20x16xf32>, %out: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %s = tensor.extract_slice %x[2, 1, 0] [1, 8, 16] [1, 2, 1] : tensor<3x20x16xf32> to tensor<8x16xf32>
  // CHECK: tensor.extract_slice %[[X]][2, 15, 0] [1, 4, 16] [1, -4, 1] : tensor<3x20x16xf32> to tensor<4x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * -2 + 7, d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<8x16xf32>) outs(%out : tensor<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// A convolution with a flipped kernel reads the kernel backwards.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<2x10x4xf32>, %[[W:[a-z0-9]+]]: tensor<4x3xf32>
func.func @convolution(%x: tensor<2x10x4xf32>, %w: tensor<4x3xf32>, %out: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  // CHECK: %[[S:.*]] = tensor.extract_slice %[[W]][0, 2] [4, 3] [1, -1] : tensor<4x3xf32> to tensor<4x3xf32>
  // CHECK: linalg.generic {indexing_maps = [#[[INPUT]], #[[FILTER]], {{.*}} ins(%[[X]], %[[S]] :
  %0 = linalg.generic {indexing_maps = [affine_map<(n, h, c, k) -> (n, h - k + 2, c)>, affine_map<(n, h, c, k) -> (c, k)>, affine_map<(n, h, c, k) -> (n, h, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x10x4xf32>, tensor<4x3xf32>) outs(%out : tensor<2x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x8x4xf32>
  return %0 : tensor<2x8x4xf32>
}

// What is no slice stays: a diagonal, indices that come from data, indices that may lie outside, and narrow integers, which wrap.
// CHECK-LABEL: func.func @others
// CHECK-NOT: tensor.extract_slice
func.func @others(%x: tensor<16x16xf32>, %y: tensor<16xf32>, %n: tensor<4x16xi32>, %out: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %last = arith.constant 16 : index
  %byte = arith.constant 15 : i8
  // CHECK: linalg.generic
  // CHECK-COUNT-3: tensor.extract %
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, 15 - d1)>, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %n : tensor<16x16xf32>, tensor<4x16xi32>) outs(%out : tensor<4x16xf32>) {
  ^bb0(%a: f32, %i: i32, %o: f32):
    %c = arith.index_cast %i : i32 to index
    %b = tensor.extract %y[%c] : tensor<16xf32>
    %j = linalg.index 1 : index
    %r = arith.subi %last, %j : index
    %d = tensor.extract %y[%r] : tensor<16xf32>
    %t = arith.index_cast %j : index to i8
    %u = arith.subi %byte, %t : i8
    %v = arith.index_cast %u : i8 to index
    %e = tensor.extract %y[%v] : tensor<16xf32>
    %s = arith.addf %a, %b : f32
    %p = arith.addf %s, %d : f32
    %q = arith.addf %p, %e : f32
    linalg.yield %q : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// A crop, whose unit dimension is dropped, and then every other element of what is left.
// CHECK-LABEL: func.func @crop_and_stride
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[0, 1, 2, 0] [1, 3, 3, 4] [1, 2, 2, 1] : tensor<1x8x8x4xi8> to tensor<3x3x4xi8>
// CHECK-NEXT: return %[[S]]
func.func @crop_and_stride(%x: tensor<1x8x8x4xi8>) -> tensor<3x3x4xi8> {
  %0 = tensor.extract_slice %x[0, 1, 0, 0] [1, 7, 8, 4] [1, 1, 1, 1] : tensor<1x8x8x4xi8> to tensor<7x8x4xi8>
  %1 = tensor.extract_slice %0[0, 2, 0] [5, 5, 4] [1, 1, 1] : tensor<7x8x4xi8> to tensor<5x5x4xi8>
  %2 = tensor.extract_slice %1[0, 0, 0] [3, 3, 4] [2, 2, 1] : tensor<5x5x4xi8> to tensor<3x3x4xi8>
  return %2 : tensor<3x3x4xi8>
}
