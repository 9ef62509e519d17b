// RUN: npu-opt --npu-onnx-pipeline --split-input-file %s | FileCheck %s

// One op of the math dialect for one operator.
// CHECK-LABEL: func.func @functions
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @functions(%f: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: linalg.generic
    // CHECK: math.acos 
    // CHECK: linalg.yield
    %0 = onnx.node "Acos"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.acosh 
    // CHECK: linalg.yield
    %1 = onnx.node "Acosh"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.asin 
    // CHECK: linalg.yield
    %2 = onnx.node "Asin"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.asinh 
    // CHECK: linalg.yield
    %3 = onnx.node "Asinh"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.atan 
    // CHECK: linalg.yield
    %4 = onnx.node "Atan"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.atanh 
    // CHECK: linalg.yield
    %5 = onnx.node "Atanh"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.ceil 
    // CHECK: linalg.yield
    %6 = onnx.node "Ceil"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.cos 
    // CHECK: linalg.yield
    %7 = onnx.node "Cos"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.cosh 
    // CHECK: linalg.yield
    %8 = onnx.node "Cosh"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.erf 
    // CHECK: linalg.yield
    %9 = onnx.node "Erf"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.exp 
    // CHECK: linalg.yield
    %10 = onnx.node "Exp"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.floor 
    // CHECK: linalg.yield
    %11 = onnx.node "Floor"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.log 
    // CHECK: linalg.yield
    %12 = onnx.node "Log"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.roundeven 
    // CHECK: linalg.yield
    %13 = onnx.node "Round"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.sin 
    // CHECK: linalg.yield
    %14 = onnx.node "Sin"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.sinh 
    // CHECK: linalg.yield
    %15 = onnx.node "Sinh"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.sqrt 
    // CHECK: linalg.yield
    %16 = onnx.node "Sqrt"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.tan 
    // CHECK: linalg.yield
    %17 = onnx.node "Tan"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.tanh 
    // CHECK: linalg.yield
    %18 = onnx.node "Tanh"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.absf 
    // CHECK: linalg.yield
    %19 = onnx.node "Abs"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.negf 
    // CHECK: linalg.yield
    %20 = onnx.node "Neg"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.divf %{{.*}}, %{{.*}} : f32
    // CHECK: linalg.yield
    %21 = onnx.node "Reciprocal"(%f) : (tensor<4xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Unsigned numbers have no sign; not is exclusive or with all bits set.
// CHECK-LABEL: func.func @integers
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @integers(%i: tensor<4xi32>, %u: tensor<4xui8>, %b: tensor<4xi1>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: linalg.generic
    // CHECK: math.absi 
    // CHECK: linalg.yield
    %0 = onnx.node "Abs"(%i) : (tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.subi 
    // CHECK: linalg.yield
    %1 = onnx.node "Neg"(%i) : (tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpi slt
    // CHECK: arith.cmpi sgt
    // CHECK: arith.select
    // CHECK: arith.select
    // CHECK: linalg.yield
    %2 = onnx.node "Sign"(%i) : (tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.minui
    // CHECK: linalg.yield
    %3 = onnx.node "Sign"(%u) : (tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.xori %{{.*}}, %true
    // CHECK: linalg.yield
    %4 = onnx.node "Not"(%b) : (tensor<4xi1>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.xori %{{.*}}, %c-1_i8
    // CHECK: linalg.yield
    %5 = onnx.node "BitwiseNot"(%u) : (tensor<4xui8>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// What changes nothing is left out.
// CHECK-LABEL: func.func @unsigned
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @unsigned(%u: tensor<4xui8>) -> (!onnx.unknown, !onnx.unknown) {
    %0 = onnx.node "Abs"(%u) : (tensor<4xui8>) -> !onnx.unknown
    // CHECK-NOT: linalg.generic
    // CHECK: return %[[U:.*]], %[[U]]
    %1 = onnx.node "Relu"(%u) : (tensor<4xui8>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

// NaN is what differs from itself.
// CHECK-LABEL: func.func @tests
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @tests(%f: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: linalg.generic
    // CHECK: arith.cmpf une, %[[X:.*]], %[[X]]
    // CHECK: linalg.yield
    %0 = onnx.node "IsNaN"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: math.absf
    // CHECK: arith.cmpf oeq
    // CHECK: linalg.yield
    %1 = onnx.node "IsInf"(%f) : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
    // CHECK: linalg.yield
    %2 = onnx.node "IsInf"(%f) {detect_negative = 0 : i64} : (tensor<4xf32>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}
