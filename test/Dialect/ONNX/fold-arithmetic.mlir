// RUN: npu-opt --npu-onnx-infer-shapes --split-input-file %s | FileCheck %s

// Integers wrap around as their types do.
// CHECK-LABEL: func.func @integers
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @integers() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %a = onnx.constant dense<[[7], [-7]]> : tensor<2x1xi64>
    %b = onnx.constant dense<[2, -2]> : tensor<2xi64>
    %u = onnx.constant dense<[200, 100]> : tensor<2xui8>
    %m = onnx.constant dense<-9223372036854775808> : tensor<i64>
    %n = onnx.constant dense<-1> : tensor<i64>
    // CHECK-DAG: %[[ADD:.*]] = onnx.constant dense<{{\[\[}}9, 5], [-5, -9]]> : tensor<2x2xi64>
    %add = onnx.node "Add"(%a, %b) : (tensor<2x1xi64>, tensor<2xi64>) -> !onnx.unknown
    // CHECK-DAG: %[[DIV:.*]] = onnx.constant dense<{{\[\[}}3, -3], [-3, 3]]> : tensor<2x2xi64>
    %div = onnx.node "Div"(%a, %b) : (tensor<2x1xi64>, tensor<2xi64>) -> !onnx.unknown
    // CHECK-DAG: %[[MOD:.*]] = onnx.constant dense<{{\[\[}}1, -1], [1, -1]]> : tensor<2x2xi64>
    %mod = onnx.node "Mod"(%a, %b) : (tensor<2x1xi64>, tensor<2xi64>) -> !onnx.unknown
    // CHECK-DAG: %[[SUM:.*]] = onnx.constant dense<[144, 200]> : tensor<2xui8>
    %sum = onnx.node "Add"(%u, %u) : (tensor<2xui8>, tensor<2xui8>) -> !onnx.unknown
    // CHECK-DAG: %[[LEAST:.*]] = onnx.constant dense<-9223372036854775808> : tensor<i64>
    %least = onnx.node "Div"(%m, %n) : (tensor<i64>, tensor<i64>) -> !onnx.unknown
    // CHECK-DAG: %[[MAX:.*]] = onnx.constant dense<{{\[\[}}7, 7], [2, -2]]> : tensor<2x2xi64>
    %max = onnx.node "Max"(%a, %b, %m) : (tensor<2x1xi64>, tensor<2xi64>, tensor<i64>) -> !onnx.unknown
    // CHECK-DAG: %[[PROD:.*]] = onnx.constant dense<-4> : tensor<1xi64>
    %prod = onnx.node "ReduceProd"(%b) : (tensor<2xi64>) -> !onnx.unknown
    // CHECK-DAG: %[[MIN:.*]] = onnx.constant dense<-7> : tensor<i64>
    %min = onnx.node "ReduceMin"(%a) {keepdims = 0 : i64} : (tensor<2x1xi64>) -> !onnx.unknown
    // CHECK-DAG: %[[NEG:.*]] = onnx.constant dense<[-2, 2]> : tensor<2xi64>
    %neg = onnx.node "Neg"(%b) : (tensor<2xi64>) -> !onnx.unknown
    // CHECK-DAG: %[[SUB:.*]] = onnx.constant dense<[0, 156]> : tensor<2xui8>
    %first = onnx.constant dense<200> : tensor<ui8>
    %sub = onnx.node "Sub"(%u, %first) : (tensor<2xui8>, tensor<ui8>) -> !onnx.unknown
    // CHECK: return %[[ADD]], %[[DIV]], %[[MOD]], %[[SUM]], %[[LEAST]], %[[MAX]], %[[PROD]], %[[MIN]], %[[NEG]], %[[SUB]]
    return %add, %div, %mod, %sum, %least, %max, %prod, %min, %neg, %sub : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// CHECK-LABEL: func.func @floats_and_booleans
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @floats_and_booleans() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %f = onnx.constant dense<[1.5, -2.5, 0x7FC00000]> : tensor<3xf32>
    %one = onnx.constant dense<1.0> : tensor<f32>
    %i = onnx.constant dense<[0, 3, -1]> : tensor<3xi32>
    // CHECK-DAG: %[[DIV:.*]] = onnx.constant dense<[1.500000e+00, -2.500000e+00, 0x7FC00000]> : tensor<3xf32>
    %div = onnx.node "Div"(%f, %one) : (tensor<3xf32>, tensor<f32>) -> !onnx.unknown
    // CHECK-DAG: %[[MAX:.*]] = onnx.constant dense<[1.500000e+00, 1.000000e+00, 0x7FC00000]> : tensor<3xf32>
    %max = onnx.node "Max"(%one, %f) : (tensor<f32>, tensor<3xf32>) -> !onnx.unknown
    // CHECK-DAG: %[[LESS:.*]] = onnx.constant dense<[false, true, false]> : tensor<3xi1>
    %less = onnx.node "Less"(%f, %one) : (tensor<3xf32>, tensor<f32>) -> !onnx.unknown
    // CHECK-DAG: %[[NOT:.*]] = onnx.constant dense<[true, false, true]> : tensor<3xi1>
    %not = onnx.node "Not"(%less) : (!onnx.unknown) -> !onnx.unknown
    // CHECK-DAG: %[[WHERE:.*]] = onnx.constant dense<[0, 3, 1]> : tensor<3xi32>
    %ones = onnx.constant dense<1> : tensor<i32>
    %negative = onnx.constant dense<[false, false, true]> : tensor<3xi1>
    %where = onnx.node "Where"(%negative, %ones, %i) : (tensor<3xi1>, tensor<i32>, tensor<3xi32>) -> !onnx.unknown
    // CHECK-DAG: %[[BOOL:.*]] = onnx.constant dense<[false, true, true]> : tensor<3xi1>
    %bool = onnx.node "Cast"(%i) {to = 9 : i64} : (tensor<3xi32>) -> !onnx.unknown
    // CHECK-DAG: %[[WRAPPED:.*]] = onnx.constant dense<[0, 3, 255]> : tensor<3xui8>
    %wrapped = onnx.node "Cast"(%i) {to = 2 : i64} : (tensor<3xi32>) -> !onnx.unknown
    // CHECK-DAG: %[[HALF:.*]] = onnx.constant dense<[0.000000e+00, 3.000000e+00, -1.000000e+00]> : tensor<3xf16>
    %half = onnx.node "Cast"(%i) {to = 10 : i64} : (tensor<3xi32>) -> !onnx.unknown
    // CHECK: return %[[DIV]], %[[MAX]], %[[LESS]], %[[NOT]], %[[WHERE]], %[[BOOL]], %[[WRAPPED]], %[[HALF]]
    return %div, %max, %less, %not, %where, %bool, %wrapped, %half : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// What is not defined, or large, is left to the compiler; nothing has no elements to combine.
// CHECK-LABEL: func.func @not_folded
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @not_folded() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %a = onnx.constant dense<[1, 0]> : tensor<2xi32>
    %f = onnx.constant dense<[1.0, 1.0e20]> : tensor<2xf32>
    %large = onnx.constant dense<1> : tensor<1048577xi32>
    %empty = onnx.constant dense<> : tensor<0xi32>
    // CHECK: onnx.node "Div"
    %0 = onnx.node "Div"(%a, %a) : (tensor<2xi32>, tensor<2xi32>) -> !onnx.unknown
    // CHECK: onnx.node "Cast"
    %1 = onnx.node "Cast"(%f) {to = 6 : i64} : (tensor<2xf32>) -> !onnx.unknown
    // CHECK: onnx.node "Neg"
    %2 = onnx.node "Neg"(%large) : (tensor<1048577xi32>) -> !onnx.unknown
    // CHECK: onnx.node "ReduceMax"
    %3 = onnx.node "ReduceMax"(%empty) : (tensor<0xi32>) -> !onnx.unknown
    // CHECK: onnx.constant dense<> : tensor<0xi32>
    %4 = onnx.node "Add"(%empty, %empty) : (tensor<0xi32>, tensor<0xi32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// What masks are made of.
// CHECK-LABEL: func.func @masks
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @masks() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %f = onnx.constant dense<-3.0e+38> : tensor<1x2x3xf32>
    %one = onnx.constant dense<1> : tensor<i64>
    %i = onnx.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
    %b = onnx.constant dense<true> : tensor<2x2xi1>
    // CHECK-DAG: %[[UPPER:.*]] = onnx.constant dense<{{\[\[\[}}0.000000e+00, -3.000000e+38, -3.000000e+38], [0.000000e+00, 0.000000e+00, -3.000000e+38]]]> : tensor<1x2x3xf32>
    %upper = onnx.node "Trilu"(%f, %one) : (tensor<1x2x3xf32>, tensor<i64>) -> !onnx.unknown
    // CHECK-DAG: %[[LOWER:.*]] = onnx.constant dense<{{\[\[}}1, 0], [3, 4], [5, 6]]> : tensor<3x2xi8>
    %lower = onnx.node "Trilu"(%i) {upper = 0 : i64} : (tensor<3x2xi8>) -> !onnx.unknown
    // CHECK-DAG: %[[BOOL:.*]] = onnx.constant dense<{{\[\[}}true, true], [false, true]]> : tensor<2x2xi1>
    %bool = onnx.node "Trilu"(%b) : (tensor<2x2xi1>) -> !onnx.unknown
    // CHECK-DAG: %[[EYE:.*]] = onnx.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00]]> : tensor<3x2xf16>
    %eye = onnx.node "EyeLike"(%i) {k = -1 : i64, dtype = 10 : i64} : (tensor<3x2xi8>) -> !onnx.unknown
    // CHECK-DAG: %[[XOR:.*]] = onnx.constant dense<{{\[\[}}false, false], [true, false]]> : tensor<2x2xi1>
    %xor = onnx.node "Xor"(%b, %bool) : (tensor<2x2xi1>, !onnx.unknown) -> !onnx.unknown
    // Positions that are not after each other: 64 x 128 of them.
    %zero = onnx.constant dense<0> : tensor<i64>
    %n = onnx.constant dense<128> : tensor<i64>
    %m = onnx.constant dense<64> : tensor<i64>
    %columns = onnx.node "Range"(%zero, %n, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
    %rows = onnx.node "Range"(%zero, %m, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> !onnx.unknown
    %axis = onnx.constant dense<1> : tensor<1xi64>
    %below = onnx.node "Unsqueeze"(%rows, %axis) : (!onnx.unknown, tensor<1xi64>) -> !onnx.unknown
    %later = onnx.node "Greater"(%columns, %below) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %low = onnx.constant dense<-1.0e9> : tensor<f32>
    %none = onnx.constant dense<0.0> : tensor<f32>
    // CHECK-DAG: %[[CAUSAL:.*]] = onnx.constant dense<{{.*}}> : tensor<64x128xf32>
    %causal = onnx.node "Where"(%later, %low, %none) : (!onnx.unknown, tensor<f32>, tensor<f32>) -> !onnx.unknown
    // CHECK: return %[[UPPER]], %[[LOWER]], %[[BOOL]], %[[EYE]], %[[XOR]], %[[CAUSAL]]
    return %upper, %lower, %bool, %eye, %xor, %causal : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
