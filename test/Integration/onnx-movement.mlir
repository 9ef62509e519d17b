// What ONNX's own tests do not have: corners of operators that move data, on the host.

// RUN: npu-run %s --function=backwards --input="7xf32=0 1 2 3 4 5 6" --expected_output="3xf32=6 3 0"
// RUN: npu-run %s --function=wrap --input="4xi8=1 2 3 4" --expected_output="6xi8=2 3 4 2 3 4"
// RUN: npu-run %s --function=outside --input="4xf32=1 2 3 4" --input="3xi64=7 -9 -1" --expected_output="3xf32=4 1 4"
// RUN: npu-run %s --function=one_hot --input="2xi32=-1 5" --expected_output="2x3xf32=0 0 9 0 0 0"
// RUN: npu-run %s --function=twice --input="4xi64=1 2 3 4" --input="3x1xi64=1 1 -1" --expected_output="4xi64=1 32 3 34"
// RUN: npu-run %s --function=ties --input="4xf32=2 nan 1 1" --expected_output="3xf32=1 1 2" --expected_output="3xi64=2 3 0" --expected_output="2xf32=nan 2" --expected_output="2xi64=1 0"
// RUN: npu-run %s --function=crop --input="4xf32=0 1 2 3" --expected_output="4xf32=1.5 2.5 9 9"
// RUN: npu-run %s --function=symmetric --input="4xf16=0 3 6 9" --expected_output="2xf16=2 7"
// RUN: npu-run %s --function=ratio --input="1x2x4xf32=0 1 2 3 4 5 6 7" --expected_output="1x1x2xf32=0 2"

module attributes {onnx.opset = {ai.onnx = 19 : i64}} {
  func.func @backwards(%x: tensor<7xf32>) -> !onnx.unknown {
    %start = onnx.constant dense<-1> : tensor<1xi64>
    %end = onnx.constant dense<-100> : tensor<1xi64>
    %axis = onnx.constant dense<0> : tensor<1xi64>
    %step = onnx.constant dense<-3> : tensor<1xi64>
    %0 = onnx.node "Slice"(%x, %start, %end, %axis, %step) : (tensor<7xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @wrap(%x: tensor<4xi8>) -> !onnx.unknown {
    %pads = onnx.constant dense<[-1, 3]> : tensor<2xi64>
    %0 = onnx.node "Pad"(%x, %pads) {mode = "wrap"} : (tensor<4xi8>, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @outside(%x: tensor<4xf32>, %i: tensor<3xi64>) -> !onnx.unknown {
    %0 = onnx.node "Gather"(%x, %i) : (tensor<4xf32>, tensor<3xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @one_hot(%i: tensor<2xi32>) -> !onnx.unknown {
    %depth = onnx.constant dense<3.0> : tensor<f32>
    %values = onnx.constant dense<[0.0, 9.0]> : tensor<2xf32>
    %0 = onnx.node "OneHot"(%i, %depth, %values) : (tensor<2xi32>, tensor<f32>, tensor<2xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @twice(%x: tensor<4xi64>, %i: tensor<3x1xi64>) -> !onnx.unknown {
    %updates = onnx.constant dense<[10, 20, 30]> : tensor<3xi64>
    %0 = onnx.node "ScatterND"(%x, %i, %updates) {reduction = "add"} : (tensor<4xi64>, tensor<3x1xi64>, tensor<3xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // Of equal elements the first one comes first; NaN is the largest.
  func.func @ties(%x: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %three = onnx.constant dense<3> : tensor<1xi64>
    %two = onnx.constant dense<2> : tensor<1xi64>
    %0:2 = onnx.node "TopK"(%x, %three) {largest = 0 : i64} : (tensor<4xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
    %1:2 = onnx.node "TopK"(%x, %two) : (tensor<4xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
    return %0#0, %0#1, %1#0, %1#1 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @crop(%x: tensor<4xf32>) -> !onnx.unknown {
    %roi = onnx.constant dense<[0.5, 1.5]> : tensor<2xf32>
    %none = onnx.none : none
    %sizes = onnx.constant dense<4> : tensor<1xi64>
    %0 = onnx.node "Resize"(%x, %roi, %none, %sizes) {mode = "linear", coordinate_transformation_mode = "tf_crop_and_resize", extrapolation_value = 9.0 : f32} : (tensor<4xf32>, tensor<2xf32>, none, tensor<1xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // 2.4 elements are rounded to 2, around the same center: at 2/3 and 7/3.
  func.func @symmetric(%x: tensor<4xf16>) -> !onnx.unknown {
    %none = onnx.none : none
    %scale = onnx.constant dense<0.6> : tensor<1xf32>
    %0 = onnx.node "Resize"(%x, %none, %scale) {mode = "linear", coordinate_transformation_mode = "half_pixel_symmetric"} : (tensor<4xf16>, none, tensor<1xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  func.func @ratio(%x: tensor<1x2x4xf32>) -> !onnx.unknown {
    %none = onnx.none : none
    %sizes = onnx.constant dense<2> : tensor<2xi64>
    %0 = onnx.node "Resize"(%x, %none, %none, %sizes) {axes = array<i64: 1, 2>, keep_aspect_ratio_policy = "not_larger", coordinate_transformation_mode = "asymmetric"} : (tensor<1x2x4xf32>, none, none, tensor<2xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
