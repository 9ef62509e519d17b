// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file --verify-diagnostics %s

module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @elements(%f: tensor<4xf32>, %d: tensor<4xf64>, %i: tensor<4xi32>, %b: tensor<4xi1>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (Exp of opset 24): expected elements of input 0 that are floats, found 'i32'}}
    %0 = onnx.node "Exp"(%i) : (tensor<4xi32>) -> !onnx.unknown
    // expected-error @+1 {{node (Relu of opset 24): expected elements of input 0 that are numbers, found 'i1'}}
    %1 = onnx.node "Relu"(%b) : (tensor<4xi1>) -> !onnx.unknown
    // expected-error @+1 {{node (BitwiseNot of opset 24): expected elements of input 0 that are integers, found 'f32'}}
    %2 = onnx.node "BitwiseNot"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Not of opset 24): expected elements of input 0 that are Booleans, found 'i32'}}
    %3 = onnx.node "Not"(%i) : (tensor<4xi32>) -> !onnx.unknown
    // expected-error @+1 {{node (BitShift of opset 24): expected elements of input 0 that are unsigned integers, found 'i32'}}
    %4 = onnx.node "BitShift"(%i, %i) {direction = "LEFT"} : (tensor<4xi32>, tensor<4xi32>) -> !onnx.unknown
    // expected-error @+1 {{node (Add of opset 24): expected inputs of one element type, found 'f32' and 'f64'}}
    %5 = onnx.node "Add"(%f, %d) : (tensor<4xf32>, tensor<4xf64>) -> !onnx.unknown
    // expected-error @+1 {{node (Where of opset 24): expected elements of input 0 that are Booleans, found 'f32'}}
    %6 = onnx.node "Where"(%f, %f, %f) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Pow of opset 24): expected elements of input 1 that are numbers, found 'i1'}}
    %7 = onnx.node "Pow"(%f, %b) : (tensor<4xf32>, tensor<4xi1>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @shapes(%x: tensor<2x3xf32>, %y: tensor<4xf32>, %s: tensor<2xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (Sum of opset 24): expected shapes that broadcast, found 'tensor<2x3xf32>' and 'tensor<4xf32>'}}
    %0 = onnx.node "Sum"(%x, %y) : (tensor<2x3xf32>, tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (PRelu of opset 24): expected slopes that broadcast to 'tensor<4xf32>', found 'tensor<2x3xf32>'}}
    %1 = onnx.node "PRelu"(%y, %x) : (tensor<4xf32>, tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Clip of opset 24): expected a limit of one element, found 'tensor<2xf32>'}}
    %2 = onnx.node "Clip"(%x, %s) : (tensor<2x3xf32>, tensor<2xf32>) -> !onnx.unknown
    %none = onnx.none : none
    // expected-error @+1 {{node (Max of opset 24): expected input 1, found none}}
    %3 = onnx.node "Max"(%x, %none, %x) : (tensor<2x3xf32>, none, tensor<2x3xf32>) -> !onnx.unknown
    return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @attributes(%f: tensor<4xf32>, %u: tensor<4xui8>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (Gelu of opset 24): expected approximate to be none or tanh, found 'sigmoid'}}
    %0 = onnx.node "Gelu"(%f) {approximate = "sigmoid"} : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (BitShift of opset 24): expected direction to be LEFT or RIGHT, found ''}}
    %1 = onnx.node "BitShift"(%u, %u) : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
    // expected-error @+1 {{node (Mod of opset 24): expected fmod to be 1 for floats, found 0}}
    %2 = onnx.node "Mod"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Clip of opset 24): expected an input instead of the attribute min from opset 11 on}}
    %3 = onnx.node "Clip"(%f) {min = 0.0 : f32} : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Mul of opset 24): expected axis and broadcast before opset 7 only, as shapes broadcast by themselves since}}
    %4 = onnx.node "Mul"(%f, %f) {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Cast of opset 24): expected 'to' to be a type of integers, Booleans or floats of 16 to 64 bits, found STRING}}
    %5 = onnx.node "Cast"(%f) {to = 8 : i64} : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected 'to' to be a type of integers, Booleans or floats of 16 to 64 bits, found FLOAT8E4M3FN}}
    %6 = onnx.node "Cast"(%f) {to = 17 : i64} : (tensor<4xf32>) -> !onnx.unknown
    // expected-error @+1 {{expected 'to' to be a type of integers, Booleans or floats of 16 to 64 bits, found 'float'}}
    %7 = onnx.node "Cast"(%f) {to = "float"} : (tensor<4xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @dropout(%x: tensor<4xf32>, %m: tensor<i1>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %none = onnx.none : none
    %true = onnx.constant dense<true> : tensor<i1>
    %modes = onnx.constant dense<true> : tensor<2xi1>
    // expected-error @+1 {{node (Dropout of opset 24): expected inference or a constant ratio of 0, found training, whose results are random; export the model for inference}}
    %0 = onnx.node "Dropout"(%x, %none, %true) : (tensor<4xf32>, none, tensor<i1>) -> !onnx.unknown
    // expected-error @+1 {{node (Dropout of opset 24): expected a training_mode that is one Boolean, found 'tensor<2xi1>'}}
    %1 = onnx.node "Dropout"(%x, %none, %modes) : (tensor<4xf32>, none, tensor<2xi1>) -> !onnx.unknown
    // expected-error @+1 {{node (Dropout of opset 24): expected input 2 to be a constant, as shapes depend on it; bind the graph's input with --onnx-bind-input}}
    %2 = onnx.node "Dropout"(%x, %none, %m) : (tensor<4xf32>, none, tensor<i1>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 6 : i64}} {
  func.func @old(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (Add of opset 6): expected an axis from -2 to 2, found 3}}
    %0 = onnx.node "Add"(%x, %y) {axis = 3 : i64, broadcast = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Add of opset 6): expected input 1 to have at most 0 dimensions behind axis 2, found 1}}
    %1 = onnx.node "Add"(%x, %y) {axis = 2 : i64, broadcast = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Clip of opset 6): expected 1 input and the attributes max, min before opset 11, found 2 inputs}}
    %2 = onnx.node "Clip"(%y, %y) : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Dropout of opset 6): expected inference or a constant ratio of 0, found training, whose results are random; export the model for inference}}
    %3 = onnx.node "Dropout"(%y) : (tensor<3xf32>) -> !onnx.unknown
    return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  func.func @old_shapes(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // expected-error @+1 {{node (Mul of opset 6): expected inputs of one shape, as this opset does not broadcast by itself, found 'tensor<2x3xf32>' and 'tensor<3xf32>'; convert the model to opset 8}}
    %0 = onnx.node "Mul"(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Sub of opset 6): expected inputs of one shape, as this opset does not broadcast by itself}}
    %1 = onnx.node "Sub"(%x, %y) {broadcast = 0 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Div of opset 6): expected input 1 to broadcast to 'tensor<3xf32>', found 'tensor<2x3xf32>'}}
    %2 = onnx.node "Div"(%y, %x) {broadcast = 1 : i64} : (tensor<3xf32>, tensor<2x3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Sum of opset 6): expected inputs of one shape, as this opset does not broadcast by itself}}
    %3 = onnx.node "Sum"(%x, %x, %y) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

module attributes {onnx.opset = {ai.onnx = 7 : i64}} {
  func.func @variadic(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "Add"(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    // expected-error @+1 {{node (Max of opset 7): expected inputs of one shape, as this opset does not broadcast by itself, found 'tensor<2x3xf32>' and 'tensor<3xf32>'; convert the model to opset 8}}
    %1 = onnx.node "Max"(%x, %y) : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}
