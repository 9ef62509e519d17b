// RUN: npu-opt %s --pass-pipeline="builtin.module(util.func(npu-dispatch-creation-fold-unit-extent-dims))" | FileCheck %s

#input = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y, w + x)>
#filter = affine_map<(n, f, h, w, c, y, x) -> (f, c, y, x)>
#output = affine_map<(n, f, h, w, c, y, x) -> (n, f, h, w)>

// The only output channel stays, as without it the array would have no columns.
// CHECK-LABEL: util.func public @convolution
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<3x8x8xf32>, tensor<1x3x3x3xf32>) outs(%{{.*}} : tensor<1x6x6xf32>)
util.func public @convolution(%input: tensor<1x3x8x8xf32>, %filter: tensor<1x3x3x3xf32>, %init: tensor<1x1x6x6xf32>)
    -> tensor<1x1x6x6xf32> {
  %0 = linalg.generic {indexing_maps = [#input, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x3x8x8xf32>, tensor<1x3x3x3xf32>) outs(%init : tensor<1x1x6x6xf32>) {
  ^bb0(%x: f32, %w: f32, %y: f32):
    %p = arith.mulf %x, %w : f32
    %q = arith.addf %y, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x1x6x6xf32>
  util.return %0 : tensor<1x1x6x6xf32>
}

#grouped_input = affine_map<(g, f, h, w, c, y, x) -> (g, c, h + y, w + x)>
#grouped_filter = affine_map<(g, f, h, w, c, y, x) -> (g, f, c, y, x)>
#grouped_output = affine_map<(g, f, h, w, c, y, x) -> (g, f, h, w)>

// Where each channel is a group, the groups are what the array has instead.
// CHECK-LABEL: util.func public @depthwise
// CHECK: ins(%{{.*}}, %{{.*}} : tensor<4x8x8xf32>, tensor<4x3x3xf32>) outs(%{{.*}} : tensor<4x6x6xf32>)
util.func public @depthwise(%input: tensor<4x1x8x8xf32>, %filter: tensor<4x1x1x3x3xf32>, %init: tensor<4x1x6x6xf32>)
    -> tensor<4x1x6x6xf32> {
  %0 = linalg.generic {indexing_maps = [#grouped_input, #grouped_filter, #grouped_output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<4x1x8x8xf32>, tensor<4x1x1x3x3xf32>) outs(%init : tensor<4x1x6x6xf32>) {
  ^bb0(%x: f32, %w: f32, %y: f32):
    %p = arith.mulf %x, %w : f32
    %q = arith.addf %y, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x1x6x6xf32>
  util.return %0 : tensor<4x1x6x6xf32>
}

#tall = affine_map<(n, f, h, w, c, y, x) -> (n, c, h * 4 + y, w + x)>

// One row of windows over more rows than a window has: without the loop over the output's rows the
// kernel's rows would have to be the input's.
// CHECK-LABEL: util.func public @one_row_of_windows
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<2x5x6xi8>, tensor<3x2x3x2xi8>) outs(%{{.*}} : tensor<3x1x5xi32>)
util.func public @one_row_of_windows(%input: tensor<1x2x5x6xi8>, %filter: tensor<3x2x3x2xi8>, %init: tensor<1x3x1x5xi32>)
    -> tensor<1x3x1x5xi32> {
  %0 = linalg.generic {indexing_maps = [#tall, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x2x5x6xi8>, tensor<3x2x3x2xi8>) outs(%init : tensor<1x3x1x5xi32>) {
  ^bb0(%x: i8, %w: i8, %y: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %w : i8 to i32
    %p = arith.muli %a, %b : i32
    %q = arith.addi %y, %p : i32
    linalg.yield %q : i32
  } -> tensor<1x3x1x5xi32>
  util.return %0 : tensor<1x3x1x5xi32>
}

// Windows that cover their input go with the loop.
// CHECK-LABEL: util.func public @one_row_of_whole_windows
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<2x3x6xi8>, tensor<3x2x3x2xi8>) outs(%{{.*}} : tensor<3x5xi32>)
util.func public @one_row_of_whole_windows(%input: tensor<1x2x3x6xi8>, %filter: tensor<3x2x3x2xi8>, %init: tensor<1x3x1x5xi32>)
    -> tensor<1x3x1x5xi32> {
  %0 = linalg.generic {indexing_maps = [#tall, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x2x3x6xi8>, tensor<3x2x3x2xi8>) outs(%init : tensor<1x3x1x5xi32>) {
  ^bb0(%x: i8, %w: i8, %y: i32):
    %a = arith.extsi %x : i8 to i32
    %b = arith.extsi %w : i8 to i32
    %p = arith.muli %a, %b : i32
    %q = arith.addi %y, %p : i32
    linalg.yield %q : i32
  } -> tensor<1x3x1x5xi32>
  util.return %0 : tensor<1x3x1x5xi32>
}

#pooled = affine_map<(h, y) -> (h + y)>
#window = affine_map<(h, y) -> (y)>
#pool = affine_map<(h, y) -> (h)>

// A window of one element may skip the end of what it slides over, and one at a single position may
// be as small. A dynamic size may be larger than the window.
// CHECK-LABEL: util.func public @windows_of_one_element
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: tensor<5xf32>, tensor<1xf32>) outs(%{{.*}} : tensor<3xf32>)
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: tensor<5xf32>, tensor<1xf32>) outs(%{{.*}} : tensor<1xf32>)
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: tensor<?xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<1xf32>)
util.func public @windows_of_one_element(%input: tensor<5xf32>, %one: tensor<1xf32>, %long: tensor<3xf32>, %short: tensor<1xf32>,
    %dynamic: tensor<?xf32>, %four: tensor<4xf32>) -> (tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) {
  %0 = linalg.generic {indexing_maps = [#pooled, #window, #pool], iterator_types = ["parallel", "reduction"]}
      ins(%input, %one : tensor<5xf32>, tensor<1xf32>) outs(%long : tensor<3xf32>) {
  ^bb0(%x: f32, %w: f32, %y: f32):
    %m = arith.maximumf %x, %y : f32
    linalg.yield %m : f32
  } -> tensor<3xf32>
  %1 = linalg.generic {indexing_maps = [#pooled, #window, #pool], iterator_types = ["parallel", "reduction"]}
      ins(%input, %one : tensor<5xf32>, tensor<1xf32>) outs(%short : tensor<1xf32>) {
  ^bb0(%x: f32, %w: f32, %y: f32):
    %m = arith.maximumf %x, %y : f32
    linalg.yield %m : f32
  } -> tensor<1xf32>
  %2 = linalg.generic {indexing_maps = [#pooled, #window, #pool], iterator_types = ["parallel", "reduction"]}
      ins(%dynamic, %four : tensor<?xf32>, tensor<4xf32>) outs(%short : tensor<1xf32>) {
  ^bb0(%x: f32, %w: f32, %y: f32):
    %m = arith.maximumf %x, %y : f32
    linalg.yield %m : f32
  } -> tensor<1xf32>
  util.return %0, %1, %2 : tensor<3xf32>, tensor<1xf32>, tensor<1xf32>
}

#dilated = affine_map<(n, f, h, w, c, y, x) -> (n, c, h + y * 2, w + x)>

// A dilated window at one position stays one, or its rows would be a sum over every other element.
// CHECK-LABEL: util.func public @one_row_of_dilated_windows
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<2x5x6xf32>, tensor<3x2x3x2xf32>) outs(%{{.*}} : tensor<3x1x5xf32>)
util.func public @one_row_of_dilated_windows(%input: tensor<1x2x5x6xf32>, %filter: tensor<3x2x3x2xf32>, %init: tensor<1x3x1x5xf32>)
    -> tensor<1x3x1x5xf32> {
  %0 = linalg.generic {indexing_maps = [#dilated, #filter, #output],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%input, %filter : tensor<1x2x5x6xf32>, tensor<3x2x3x2xf32>) outs(%init : tensor<1x3x1x5xf32>) {
  ^bb0(%x: f32, %w: f32, %y: f32):
    %p = arith.mulf %x, %w : f32
    %q = arith.addf %y, %p : f32
    linalg.yield %q : f32
  } -> tensor<1x3x1x5xf32>
  util.return %0 : tensor<1x3x1x5xf32>
}
