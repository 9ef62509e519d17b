// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file --verify-diagnostics %s

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @gather(%x0: tensor<2x3xf32>, %x1: tensor<2xf32>, %x2: tensor<2xi8>, %x3: tensor<0x3xf32>, %x4: tensor<2xi64>, %x5: tensor<3x1xi64>, %x6: tensor<2x3xi64>, %x7: tensor<2x1xi64>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<[-4]> : tensor<1xi64>
    %c1 = onnx.constant dense<[0]> : tensor<1xi64>
    %c2 = onnx.constant dense<[[0, 3]]> : tensor<1x2xi64>
    // expected-error @+1 {{node (Gather of opset 13): expected indices of i32 or i64, found 'f32'}}
    %0 = onnx.node "Gather"(%x0, %x1) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Gather of opset 13): expected indices of i32 or i64, found 'i8'}}
    %1 = onnx.node "Gather"(%x0, %x2) : (tensor<2x3xf32>, tensor<2xi8>) -> !onnx.unknown
    // expected-error @+1 {{node (Gather of opset 13): expected indices from -3 to 2, found -4}}
    %2 = onnx.node "Gather"(%x0, %c0) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Gather of opset 13): expected an axis from -2 to 1, found 2}}
    %3 = onnx.node "Gather"(%x0, %c1) {axis = 2 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Gather of opset 13): expected elements to index, found 'tensor<0x3xf32>'}}
    %4 = onnx.node "Gather"(%x3, %x4) : (tensor<0x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (GatherElements of opset 13): expected indices that are no larger than 'tensor<2x3xf32>' but along axis 1, found 'tensor<3x1xi64>'}}
    %5 = onnx.node "GatherElements"(%x0, %x5) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3x1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (GatherElements of opset 13): expected indices that are no larger than 'tensor<2x3xf32>' but along axis 0, found 'tensor<2xi64>'}}
    %6 = onnx.node "GatherElements"(%x0, %x4) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (GatherND of opset 13): expected rows of 1 to 2 indices, found 3}}
    %7 = onnx.node "GatherND"(%x0, %x6) : (tensor<2x3xf32>, tensor<2x3xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (GatherND of opset 13): expected inputs with the same 2 batch dimensions and more, found 'tensor<2x3xf32>' and 'tensor<2x1xi64>'}}
    %8 = onnx.node "GatherND"(%x0, %x7) {batch_dims = 2 : i64} : (tensor<2x3xf32>, tensor<2x1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (GatherND of opset 13): expected inputs with the same 1 batch dimensions and more, found 'tensor<2x3xf32>' and 'tensor<3x1xi64>'}}
    %9 = onnx.node "GatherND"(%x0, %x5) {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<3x1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (GatherND of opset 13): expected indices from -3 to 2, found 3}}
    %10 = onnx.node "GatherND"(%x0, %c2) : (tensor<2x3xf32>, tensor<1x2xi64>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @scatter(%x0: tensor<2x3xf32>, %x1: tensor<1x3xi64>, %x2: tensor<1x3xf32>, %x3: tensor<2x3xi64>, %x4: tensor<2xf32>, %x5: tensor<2x1xi64>, %x6: tensor<2x3xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (ScatterElements of opset 18): expected updates of shape [1, 3] and type 'f32', found 'tensor<2x3xf32>'}}
    %0 = onnx.node "ScatterElements"(%x0, %x1, %x0) : (tensor<2x3xf32>, tensor<1x3xi64>, tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (ScatterElements of opset 18): expected reduction to be none, add, mul, min or max, found 'div'}}
    %1 = onnx.node "ScatterElements"(%x0, %x1, %x2) {reduction = "div"} : (tensor<2x3xf32>, tensor<1x3xi64>, tensor<1x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (ScatterND of opset 18): expected rows of 1 to 2 indices, found 'tensor<2x3xi64>'}}
    %2 = onnx.node "ScatterND"(%x0, %x3, %x4) : (tensor<2x3xf32>, tensor<2x3xi64>, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (ScatterND of opset 18): expected updates of shape [2, 3] and type 'f32', found 'tensor<2x3xf16>'}}
    %3 = onnx.node "ScatterND"(%x0, %x5, %x6) : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x3xf16>) -> !onnx.unknown
    return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @others(%x0: tensor<2xi64>, %x1: tensor<2xf32>, %x2: tensor<3xf32>, %x3: tensor<i64>, %x4: tensor<2x3xf32>, %x5: tensor<4xi1>, %x6: tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<0> : tensor<i64>
    %c1 = onnx.constant dense<[1, 2]> : tensor<2xi64>
    %c2 = onnx.constant dense<3> : tensor<i64>
    %c3 = onnx.constant dense<true> : tensor<4xi1>
    %c4 = onnx.constant dense<true> : tensor<1xi1>
    %c5 = onnx.constant dense<[4]> : tensor<1xi64>
    %c6 = onnx.constant dense<[1]> : tensor<1xi64>
    // expected-error @+1 {{node (OneHot of opset 18): expected a depth from 1 to 2147483647, found 0.000000e+00}}
    %0 = onnx.node "OneHot"(%x0, %c0, %x1) : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (OneHot of opset 18): expected one number as depth, found 'tensor<2xi64>'}}
    %1 = onnx.node "OneHot"(%x0, %c1, %x1) : (tensor<2xi64>, tensor<2xi64>, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (OneHot of opset 18): expected the values off and on, found 'tensor<3xf32>'}}
    %2 = onnx.node "OneHot"(%x0, %c2, %x2) : (tensor<2xi64>, tensor<i64>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (OneHot of opset 18): expected an axis from -2 to 1, found 2}}
    %3 = onnx.node "OneHot"(%x0, %c2, %x1) {axis = 2 : i64} : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (OneHot of opset 18): expected input 1 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %4 = onnx.node "OneHot"(%x0, %x3, %x1) : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Compress of opset 18): expected at most 3 conditions of i1, found 'tensor<4xi1>'}}
    %5 = onnx.node "Compress"(%x4, %c3) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<4xi1>) -> !onnx.unknown
    // expected-error @+1 {{node (Compress of opset 18): expected an axis from -2 to 1, found 2}}
    %6 = onnx.node "Compress"(%x4, %c4) {axis = 2 : i64} : (tensor<2x3xf32>, tensor<1xi1>) -> !onnx.unknown
    // expected-error @+1 {{node (Compress of opset 18): expected input 1 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %7 = onnx.node "Compress"(%x4, %x5) : (tensor<2x3xf32>, tensor<4xi1>) -> !onnx.unknown
    // expected-error @+1 {{node (ReverseSequence of opset 18): expected 0 and 1 as batch_axis and time_axis of at least two dimensions, found 1 and 1 of 'tensor<2x3xf32>'}}
    %8 = onnx.node "ReverseSequence"(%x4, %x0) {time_axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (ReverseSequence of opset 18): expected 3 lengths of i64, found 'tensor<2xi64>'}}
    %9 = onnx.node "ReverseSequence"(%x4, %x0) : (tensor<2x3xf32>, tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (TopK of opset 18): expected k from 0 to 3, found 4}}
    %10:2 = onnx.node "TopK"(%x4, %c5) : (tensor<2x3xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
    // expected-error @+1 {{node (TopK of opset 18): expected an axis from -2 to 1, found 2}}
    %11:2 = onnx.node "TopK"(%x4, %c6) {axis = 2 : i64} : (tensor<2x3xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
    // expected-error @+1 {{node (TopK of opset 18): expected 'k' (input 1) to be one number, found 2}}
    %12:2 = onnx.node "TopK"(%x4, %c1) : (tensor<2x3xf32>, tensor<2xi64>) -> (!onnx.unknown, !onnx.unknown)
    // expected-error @+1 {{node (TopK of opset 18): expected input 1 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %13:2 = onnx.node "TopK"(%x4, %x6) : (tensor<2x3xf32>, tensor<1xi64>) -> (!onnx.unknown, !onnx.unknown)
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10#0, %11#0, %12#0, %13#0 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @generators(%x0: tensor<2xi64>, %x1: tensor<2xf32>, %x2: tensor<2x2xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c0 = onnx.constant dense<[-1]> : tensor<1xi64>
    %c1 = onnx.constant dense<[2]> : tensor<1xi64>
    %c2 = onnx.constant dense<0> : tensor<i64>
    %c3 = onnx.constant dense<4> : tensor<i64>
    %c4 = onnx.constant dense<[4, 5]> : tensor<2xi64>
    %c5 = onnx.constant dense<1> : tensor<i64>
    %c6 = onnx.constant dense<0.0> : tensor<f16>
    %c7 = onnx.constant dense<0xFE00> : tensor<f16>
    %c8 = onnx.constant dense<1.0> : tensor<f16>
    %c9 = onnx.constant dense<9223372036854775807> : tensor<i64>
    %r10 = onnx.constant dense_resource<somewhere> : tensor<f16>
    %r11 = onnx.constant dense_resource<somewhere> : tensor<f16>
    %r12 = onnx.constant dense_resource<somewhere> : tensor<f16>
    %r13 = onnx.constant dense_resource<somewhere> : tensor<1xf16>
    // expected-error @+1 {{node (ConstantOfShape of opset 18): expected output 0 to have at most 137438953472 elements in 32 dimensions, found the shape [-1]}}
    %0 = onnx.node "ConstantOfShape"(%c0) : (tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (ConstantOfShape of opset 18): expected a value of one number}}
    %1 = onnx.node "ConstantOfShape"(%c1) {value = dense<1> : tensor<2xi64>} : (tensor<1xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (ConstantOfShape of opset 18): expected input 0 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %2 = onnx.node "ConstantOfShape"(%x0) : (tensor<2xi64>) -> !onnx.unknown
    // expected-error @+1 {{node (Range of opset 18): expected finite numbers and a delta other than 0}}
    %3 = onnx.node "Range"(%c2, %c3, %c2) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
    // expected-error @+1 {{node (Range of opset 18): expected three numbers of one type, found input 1 to be 'tensor<2xi64>'}}
    %4 = onnx.node "Range"(%c2, %c4, %c5) : (tensor<i64>, tensor<2xi64>, tensor<i64>) -> !onnx.unknown
    // expected-error @+1 {{node (Range of opset 18): expected finite numbers and a delta other than 0}}
    %5 = onnx.node "Range"(%c6, %c7, %c8) : (tensor<f16>, tensor<f16>, tensor<f16>) -> !onnx.unknown
    // expected-error @+1 {{node (Range of opset 18): expected output 0 to have at most 137438953472 elements in 32 dimensions, found the shape [1152921504606846976]}}
    %6 = onnx.node "Range"(%c2, %c9, %c5) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
    // expected-error @+1 {{node (Range of opset 18): expected three numbers, found 'tensor<f16>'}}
    %7 = onnx.node "Range"(%r10, %r11, %r12) : (tensor<f16>, tensor<f16>, tensor<f16>) -> !onnx.unknown
    // expected-error @+1 {{node (NonZero of opset 18): expected input 0 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %8 = onnx.node "NonZero"(%x1) : (tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (NonZero of opset 18): expected at least one dimension, found none}}
    %9 = onnx.node "NonZero"(%c5) : (tensor<i64>) -> !onnx.unknown
    // expected-error @+1 {{node (NonZero of opset 18): expected a constant of integers, f32 or f64, found 'tensor<1xf16>'}}
    %10 = onnx.node "NonZero"(%r13) : (tensor<1xf16>) -> !onnx.unknown
    // expected-error @+1 {{node (EyeLike of opset 18): expected a matrix, found 'tensor<2xf32>'}}
    %11 = onnx.node "EyeLike"(%x1) : (tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (EyeLike of opset 18): expected 'dtype' to be a type of integers, Booleans or floats of 16 to 64 bits, found STRING}}
    %12 = onnx.node "EyeLike"(%x2) {dtype = 8 : i64} : (tensor<2x2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Trilu of opset 18): expected matrices, found 'tensor<2xf32>'}}
    %13 = onnx.node "Trilu"(%x1) : (tensor<2xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Trilu of opset 18): expected one i64 as diagonal, found 'tensor<2xi64>'}}
    %14 = onnx.node "Trilu"(%x2, %x0) : (tensor<2x2xf32>, tensor<2xi64>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
