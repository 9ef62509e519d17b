// RUN: npu-opt %s --npu-detach-elementwise-from-windows --canonicalize | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#input = affine_map<(d0, d1, d2) -> (d0 * 2 + d2, d1)>
#filter = affine_map<(d0, d1, d2) -> (d2)>
#output = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[INPUT:.*]] = affine_map<(d0, d1, d2) -> (d0 * 2 + d2, d1)>
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-DAG: #[[OUTPUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// The squares of what is not padding; padding becomes the square of it, by its own op.
// CHECK-LABEL: func.func @padded
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<8x16xf16>
func.func @padded(%x: tensor<8x16xf16>, %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK-DAG: %[[NINE:.*]] = arith.constant 9.000000e+00 : f32
  // CHECK: %[[SQUARES:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]]], iterator_types = ["parallel", "parallel"]} ins(%[[X]] : tensor<8x16xf16>) outs(%{{.*}} : tensor<8x16xf32>)
  // CHECK: ^bb0(%[[A:.*]]: f16, %{{.*}}: f32):
  // CHECK: %[[WIDE:.*]] = arith.extf %[[A]] : f16 to f32
  // CHECK: %[[SQUARE:.*]] = arith.mulf %[[WIDE]], %[[WIDE]] : f32
  // CHECK: linalg.yield %[[SQUARE]]
  // CHECK: %[[PADDED:.*]] = tensor.pad %[[SQUARES]] low[1, 0] high[0, 0]
  // CHECK: tensor.yield %[[NINE]] : f32
  // CHECK: linalg.generic {indexing_maps = [#[[INPUT]], #[[WINDOW]], #[[OUTPUT]]], {{.*}} ins(%[[PADDED]], %{{.*}} : tensor<9x16xf32>, tensor<3xf32>)
  // CHECK: ^bb0(%[[B:.*]]: f32, %{{.*}}: f32, %[[SUM:.*]]: f32):
  // CHECK-NEXT: %[[R:.*]] = arith.addf %[[SUM]], %[[B]] : f32
  // CHECK-NEXT: linalg.yield %[[R]] : f32
  %three = arith.constant 3.0 : f16
  %window = tensor.empty() : tensor<3xf32>
  %padded = tensor.pad %x low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %three : f16
  } : tensor<8x16xf16> to tensor<9x16xf16>
  %0 = linalg.generic {indexing_maps = [#input, #filter, #output], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %window : tensor<9x16xf16>, tensor<3xf32>) outs(%init : tensor<4x16xf32>) {
  ^bb0(%a: f16, %b: f32, %sum: f32):
    %wide = arith.extf %a : f16 to f32
    %square = arith.mulf %wide, %wide : f32
    %1 = arith.addf %sum, %square : f32
    linalg.yield %1 : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// Two inputs with the same windows, a constant, and a maximum that compares and selects.
// CHECK-LABEL: func.func @differences
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<9x16xf32>, %[[Y:[a-z0-9]+]]: tensor<9x16xf32>
func.func @differences(%x: tensor<9x16xf32>, %y: tensor<9x16xf32>, %window: tensor<3xf32>, %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK: %[[D:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]]], {{.*}} ins(%[[X]], %[[Y]] :
  // CHECK: arith.subf
  // CHECK: arith.mulf
  // CHECK: linalg.generic {indexing_maps = [#[[WINDOW]], #[[INPUT]], #[[OUTPUT]]], {{.*}} ins(%{{.*}}, %[[D]] :
  // CHECK: ^bb0(%{{.*}}: f32, %[[B:.*]]: f32, %[[MAX:.*]]: f32):
  // CHECK-NEXT: arith.cmpf ogt, %[[B]], %[[MAX]] : f32
  // CHECK-NEXT: arith.select
  // CHECK-NEXT: linalg.yield
  %half = arith.constant 0.5 : f32
  %0 = linalg.generic {indexing_maps = [#filter, #input, #input, #output], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%window, %x, %y : tensor<3xf32>, tensor<9x16xf32>, tensor<9x16xf32>) outs(%init : tensor<4x16xf32>) {
  ^bb0(%w: f32, %a: f32, %b: f32, %max: f32):
    %1 = arith.subf %a, %b : f32
    %2 = arith.mulf %1, %half : f32
    %3 = arith.cmpf ogt, %2, %max : f32
    %4 = arith.select %3, %2, %max : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// Products with weights, extensions, counters, and sums over whole dimensions stay.
// CHECK-LABEL: func.func @others
func.func @others(%x: tensor<9x16xf32>, %h: tensor<9x16xf16>, %w: tensor<3xf32>, %init: tensor<4x16xf32>, %row: tensor<9xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<9xf32>) {
  // CHECK-COUNT-4: linalg.generic
  // CHECK-NOT: linalg.generic
  %0 = linalg.generic {indexing_maps = [#input, #filter, #output], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x16xf32>, tensor<3xf32>) outs(%init : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %second = linalg.generic {indexing_maps = [#input, #filter, #output], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %w : tensor<9x16xf16>, tensor<3xf32>) outs(%init : tensor<4x16xf32>) {
  ^bb0(%a: f16, %b: f32, %sum: f32):
    %1 = arith.extf %a : f16 to f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  %third = linalg.generic {indexing_maps = [#input, #filter, #output], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x16xf32>, tensor<3xf32>) outs(%init : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %i = linalg.index 2 : index
    %1 = arith.index_cast %i : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %a, %2 : f32
    %4 = arith.addf %sum, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x16xf32>
  %fourth = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<9x16xf32>) outs(%row : tensor<9xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %1 = arith.mulf %a, %a : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<9xf32>
  return %0, %second, %third, %fourth : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<9xf32>
}

// Inputs of which the windows end at different places have no shape in common. Dead code that reads what the term is computed of needs that.
// CHECK-LABEL: func.func @different_ends
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @different_ends(%x: tensor<9x16xf32>, %y: tensor<10x16xf32>, %w: tensor<3xf32>, %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.generic {indexing_maps = [#input, #input, #filter, #output], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y, %w : tensor<9x16xf32>, tensor<10x16xf32>, tensor<3xf32>) outs(%init : tensor<4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %sum: f32):
    %1 = arith.subf %a, %b : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// CHECK-LABEL: func.func @dead_code
// CHECK: linalg.generic
// CHECK: return
func.func @dead_code(%x: tensor<9x16xf32>, %w: tensor<3xf32>, %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.generic {indexing_maps = [#input, #filter, #output], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x16xf32>, tensor<3xf32>) outs(%init : tensor<4x16xf32>) {
  ^bb0(%a: f32, %c: f32, %sum: f32):
    %1 = arith.mulf %a, %a : f32
    %dead = arith.addf %1, %a : f32
    %2 = arith.mulf %1, %a : f32
    %3 = arith.addf %sum, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
