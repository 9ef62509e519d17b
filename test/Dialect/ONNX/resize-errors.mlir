// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file --verify-diagnostics %s

module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  func.func @attributes(%x0: tensor<1x4xf32>, %x1: tensor<1x4xi8>, %long: tensor<1x67108864xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    %c1 = onnx.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %few = onnx.constant dense<[1.0, 9.5367431640625e-07]> : tensor<2xf32>
    %c2 = onnx.constant dense<[1, 2]> : tensor<2xi64>
    %c3 = onnx.constant dense<[2.0]> : tensor<1xf32>
    // expected-error @+1 {{node (Resize of opset 19): expected mode to be one of nearest, linear, cubic, bilinear, found 'area'}}
    %0 = onnx.node "Resize"(%x0, %none, %c1) {mode = "area"} : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected coordinate_transformation_mode to be one of half_pixel, half_pixel_symmetric, pytorch_half_pixel, align_corners, asymmetric, tf_half_pixel_for_nn, tf_crop_and_resize, found 'centers'}}
    %1 = onnx.node "Resize"(%x0, %none, %c1) {coordinate_transformation_mode = "centers"} : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected nearest_mode to be one of round_prefer_floor, round_prefer_ceil, floor, ceil, found 'round'}}
    %2 = onnx.node "Resize"(%x0, %none, %c1) {nearest_mode = "round"} : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected at most 67108864 elements that are read for one dimension, found 2097152 for each of 64}}
    %3 = onnx.node "Resize"(%long, %none, %few) {antialias = 1 : i64, mode = "linear"} : (tensor<1x67108864xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected a finite cubic_coeff_a}}
    %4 = onnx.node "Resize"(%x0, %none, %c1) {mode = "cubic", cubic_coeff_a = 0x7F800000 : f32} : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected floats to interpolate, found 'i8'}}
    %5 = onnx.node "Resize"(%x1, %none, %c1) {mode = "linear"} : (tensor<1x4xi8>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected keep_aspect_ratio_policy to be stretch, not_larger or not_smaller, found 'crop'}}
    %6 = onnx.node "Resize"(%x0, %none, %none, %c2) {keep_aspect_ratio_policy = "crop"} : (tensor<1x4xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected an axis from -2 to 1, found 2}}
    %7 = onnx.node "Resize"(%x0, %none, %c3) {axes = array<i64: 2>} : (tensor<1x4xf32>, none, tensor<1xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  func.func @scales_and_sizes(%x0: tensor<1x4xf32>, %x1: tensor<9x1xf32>, %x2: tensor<0x4xf32>, %x3: tensor<2xf32>, %x4: tensor<1x1x1xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    %c1 = onnx.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %c2 = onnx.constant dense<[1, 8]> : tensor<2xi64>
    %c3 = onnx.constant dense<[2.0]> : tensor<1xf32>
    %c4 = onnx.constant dense<2> : tensor<2xi64>
    %c5 = onnx.constant dense<[1.0, -1.0]> : tensor<2xf32>
    %c6 = onnx.constant dense<[1.0, 1.0e6]> : tensor<2xf32>
    %c7 = onnx.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
    %c8 = onnx.constant dense<[1]> : tensor<1xi64>
    %c9 = onnx.constant dense<[1, -1]> : tensor<2xi64>
    %c10 = onnx.constant dense<[1125899906842624, 4]> : tensor<2xi64>
    %c11 = onnx.constant dense<[1, 1048576]> : tensor<2xi64>
    %c12 = onnx.constant dense<[1048576, 1048576, 1048576]> : tensor<3xi64>
    %c13 = onnx.constant dense<[0.0, 1.0]> : tensor<2xf32>
    // expected-error @+1 {{node (Resize of opset 19): expected either scales or sizes as constants, found none}}
    %0 = onnx.node "Resize"(%x0) : (tensor<1x4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected either scales or sizes as constants, found both}}
    %1 = onnx.node "Resize"(%x0, %none, %c1, %c2) : (tensor<1x4xf32>, none, tensor<2xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected 2 scales, found 1}}
    %2 = onnx.node "Resize"(%x0, %none, %c3) : (tensor<1x4xf32>, none, tensor<1xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected scales to be a constant of f32 or f64, found 'tensor<2xi64>'}}
    %3 = onnx.node "Resize"(%x0, %none, %c4) : (tensor<1x4xf32>, none, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected positive scales that leave 0 to 1048576 elements, found -1.000000e+00 for 4}}
    %4 = onnx.node "Resize"(%x0, %none, %c5) : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected positive scales that leave 0 to 1048576 elements, found 1.000000e+06 for 4}}
    %5 = onnx.node "Resize"(%x0, %none, %c6) : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected positive scales that leave 0 to 1048576 elements, found nan for 4}}
    %6 = onnx.node "Resize"(%x0, %none, %c7) : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected 2 sizes, found 1}}
    %7 = onnx.node "Resize"(%x0, %none, %none, %c8) : (tensor<1x4xf32>, none, none, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected sizes from 0 to 1048576, found -1}}
    %8 = onnx.node "Resize"(%x0, %none, %none, %c9) : (tensor<1x4xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected sizes from 0 to 1048576, found 1125899906842624}}
    %9 = onnx.node "Resize"(%x0, %none, %none, %c10) : (tensor<1x4xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected sizes from 0 to 1048576, found 9.437184e+06}}
    %10 = onnx.node "Resize"(%x1, %none, %none, %c11) {keep_aspect_ratio_policy = "not_smaller"} : (tensor<9x1xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected elements to compute the result from, found 'tensor<0x4xf32>'}}
    %11 = onnx.node "Resize"(%x2, %none, %none, %c2) : (tensor<0x4xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected input 2 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %12 = onnx.node "Resize"(%x0, %none, %x3) : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected a smaller result}}
    %13 = onnx.node "Resize"(%x4, %none, %none, %c12) : (tensor<1x1x1xf32>, none, none, tensor<3xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected roi to be within 1e6 sizes of the input}}
    %14 = onnx.node "Resize"(%x0, %none, %c1) {coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Resize of opset 19): expected 4 roi, found 2}}
    %15 = onnx.node "Resize"(%x0, %c13, %c1) {coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<1x4xf32>, tensor<2xf32>, tensor<2xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @ambiguous_corners(%x: tensor<1x4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    %scales = onnx.constant dense<[1.0, 0.6]> : tensor<2xf32>
    %sizes = onnx.constant dense<[1, 2]> : tensor<2xi64>
    // expected-error @+1 {{node (Resize of opset 13): expected scales that give whole sizes to align corners, as opset 13 does not say what happens else, found 6.000000e-01 for 4; give sizes instead}}
    %0 = onnx.node "Resize"(%x, %none, %scales) {coordinate_transformation_mode = "align_corners", mode = "linear"}
        : (tensor<1x4xf32>, none, tensor<2xf32>) -> !onnx.unknown
    %1 = onnx.node "Resize"(%x, %none, %none, %sizes) {coordinate_transformation_mode = "align_corners", mode = "linear"}
        : (tensor<1x4xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  func.func @long(%x: tensor<3000000000xf32>) -> !onnx.unknown {
    %none = onnx.none : none
    %scales = onnx.constant dense<0.5> : tensor<1xf32>
    // expected-error @+1 {{node (Resize of opset 19): expected at most 2147483647 elements in each dimension to resize, found 'tensor<3000000000xf32>'}}
    %0 = onnx.node "Resize"(%x, %none, %scales) : (tensor<3000000000xf32>, none, tensor<1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
