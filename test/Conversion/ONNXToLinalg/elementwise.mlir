// RUN: npu-opt --npu-onnx-pipeline --split-input-file %s | FileCheck %s

// Floats, signed and unsigned integers.
// CHECK-LABEL: func.func @arithmetic
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @arithmetic(%f: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: linalg.generic
    // CHECK: arith.addf
    // CHECK: linalg.yield
    %0 = onnx.node "Add"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.subi
    // CHECK: linalg.yield
    %1 = onnx.node "Sub"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.muli
    // CHECK: linalg.yield
    %2 = onnx.node "Mul"(%u, %u) : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.divf
    // CHECK: linalg.yield
    %3 = onnx.node "Div"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.divsi
    // CHECK: linalg.yield
    %4 = onnx.node "Div"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.divui
    // CHECK: linalg.yield
    %5 = onnx.node "Div"(%u, %u) : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.addf
    // CHECK: arith.addf
    // CHECK: linalg.yield
    %6 = onnx.node "Sum"(%f, %f, %f) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.addf
    // CHECK: arith.divf
    // CHECK: linalg.yield
    %7 = onnx.node "Mean"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.maximumf
    // CHECK: linalg.yield
    %8 = onnx.node "Max"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.maxui
    // CHECK: linalg.yield
    %9 = onnx.node "Max"(%u, %u) : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.minimumf
    // CHECK: linalg.yield
    %10 = onnx.node "Min"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.minsi
    // CHECK: linalg.yield
    %11 = onnx.node "Min"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.remf
    // CHECK: linalg.yield
    %12 = onnx.node "Mod"(%f, %f) {fmod = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.remui
    // CHECK: linalg.yield
    %13 = onnx.node "Mod"(%u, %u) : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: %[[REM:.*]] = arith.remsi
    // CHECK-NEXT: linalg.yield %[[REM]]
    %14 = onnx.node "Mod"(%i, %i) {fmod = 1 : i64} : (tensor<4xi32>, tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.remsi
    // CHECK: arith.cmpi ne
    // CHECK: arith.xori
    // CHECK: arith.cmpi slt
    // CHECK: arith.andi
    // CHECK: arith.addi
    // CHECK: arith.select
    // CHECK: linalg.yield
    %15 = onnx.node "Mod"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Comparisons are ordered.
// CHECK-LABEL: func.func @bits_and_comparisons
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @bits_and_comparisons(%f: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>, %b: tensor<4xi1>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: linalg.generic
    // CHECK: arith.andi
    // CHECK: linalg.yield
    %0 = onnx.node "And"(%b, %b) : (tensor<4xi1>, tensor<4xi1>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.ori
    // CHECK: linalg.yield
    %1 = onnx.node "BitwiseOr"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.xori
    // CHECK: linalg.yield
    %2 = onnx.node "Xor"(%b, %b) : (tensor<4xi1>, tensor<4xi1>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.shli
    // CHECK: linalg.yield
    %3 = onnx.node "BitShift"(%u, %u) {direction = "LEFT"} : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.shrui
    // CHECK: linalg.yield
    %4 = onnx.node "BitShift"(%u, %u) {direction = "RIGHT"} : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpf oeq
    // CHECK: linalg.yield
    %5 = onnx.node "Equal"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpi eq
    // CHECK: linalg.yield
    %6 = onnx.node "Equal"(%b, %b) : (tensor<4xi1>, tensor<4xi1>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpf ogt
    // CHECK: linalg.yield
    %7 = onnx.node "Greater"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpi sge
    // CHECK: linalg.yield
    %8 = onnx.node "GreaterOrEqual"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpi ult
    // CHECK: linalg.yield
    %9 = onnx.node "Less"(%u, %u) : (tensor<4xui8>, tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpf ole
    // CHECK: linalg.yield
    %10 = onnx.node "LessOrEqual"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.select
    // CHECK: linalg.yield
    %11 = onnx.node "Where"(%b, %f, %f) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// f16 becomes bf16 by way of f32, small unsigned integers are cut off i32.
// CHECK-LABEL: func.func @casts
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @casts(%f: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>, %b: tensor<4xi1>, %h: tensor<4xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: linalg.generic
    // CHECK: arith.truncf %{{.*}} : f32 to f16
    // CHECK: linalg.yield
    %0 = onnx.node "Cast"(%f) {to = 10 : i64} : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.extf %{{.*}} : f32 to f64
    // CHECK: linalg.yield
    %1 = onnx.node "Cast"(%f) {to = 11 : i64} : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.extf %{{.*}} : f16 to f32
    // CHECK: arith.truncf %{{.*}} : f32 to bf16
    // CHECK: linalg.yield
    %2 = onnx.node "Cast"(%h) {to = 16 : i64} : (tensor<4xf16>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpf une
    // CHECK: linalg.yield
    %3 = onnx.node "Cast"(%f) {to = 9 : i64} : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.fptosi %{{.*}} : f32 to i8
    // CHECK: linalg.yield
    %4 = onnx.node "Cast"(%f) {to = 3 : i64} : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.fptosi %{{.*}} : f32 to i32
    // CHECK: arith.trunci %{{.*}} : i32 to i8
    // CHECK: linalg.yield
    %5 = onnx.node "Cast"(%f) {to = 2 : i64} : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.fptoui %{{.*}} : f32 to i64
    // CHECK: linalg.yield
    %6 = onnx.node "Cast"(%f) {to = 13 : i64} : (tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.sitofp
    // CHECK: linalg.yield
    %7 = onnx.node "Cast"(%i) {to = 1 : i64} : (tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.uitofp
    // CHECK: linalg.yield
    %8 = onnx.node "Cast"(%u) {to = 1 : i64} : (tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.uitofp
    // CHECK: linalg.yield
    %9 = onnx.node "Cast"(%b) {to = 1 : i64} : (tensor<4xi1>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.extui %{{.*}} : i8 to i32
    // CHECK: linalg.yield
    %10 = onnx.node "Cast"(%u) {to = 6 : i64} : (tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.extui %{{.*}} : i1 to i32
    // CHECK: linalg.yield
    %11 = onnx.node "Cast"(%b) {to = 6 : i64} : (tensor<4xi1>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.extsi %{{.*}} : i32 to i64
    // CHECK: linalg.yield
    %12 = onnx.node "Cast"(%i) {to = 13 : i64} : (tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.trunci %{{.*}} : i32 to i16
    // CHECK: linalg.yield
    %13 = onnx.node "Cast"(%i) {to = 5 : i64} : (tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpi ne
    // CHECK: linalg.yield
    %14 = onnx.node "Cast"(%i) {to = 9 : i64} : (tensor<4xi32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Mixed types meet in f64, integers in i64.
// CHECK-LABEL: func.func @powers
module attributes {onnx.opset = {ai.onnx = 24 : i64}} {
  func.func @powers(%f: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>, %h: tensor<4xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: linalg.generic
    // CHECK: math.powf %{{.*}} : f32
    // CHECK: linalg.yield
    %0 = onnx.node "Pow"(%f, %f) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.extf
    // CHECK: arith.sitofp %{{.*}} : i32 to f64
    // CHECK: math.powf %{{.*}} : f64
    // CHECK: arith.truncf
    // CHECK: linalg.yield
    %1 = onnx.node "Pow"(%f, %i) : (tensor<4xf32>, tensor<4xi32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.extsi
    // CHECK: arith.extui
    // CHECK: arith.minui
    // CHECK: math.ipowi %{{.*}} : i64
    // CHECK: arith.trunci
    // CHECK: linalg.yield
    %2 = onnx.node "Pow"(%i, %u) : (tensor<4xi32>, tensor<4xui8>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.uitofp
    // CHECK: arith.extf
    // CHECK: math.powf %{{.*}} : f64
    // CHECK: arith.fptosi %{{.*}} : f64 to i32
    // CHECK: arith.trunci
    // CHECK: linalg.yield
    %3 = onnx.node "Pow"(%u, %f) : (tensor<4xui8>, tensor<4xf32>) -> !onnx.unknown
    return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Constant exponents of few steps.
// CHECK-LABEL: func.func @known_powers
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @known_powers(%f: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %two = onnx.constant dense<2> : tensor<i64>
    %inverse = onnx.constant dense<-1.0> : tensor<1xf32>
    %half = onnx.constant dense<0.5> : tensor<f32>
    // CHECK: linalg.generic
    // CHECK: arith.mulf %[[X:.*]], %[[X]]
    %0 = onnx.node "Pow"(%f, %two) : (tensor<4xf32>, tensor<i64>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.divf
    %1 = onnx.node "Pow"(%f, %inverse) : (tensor<4xf32>, tensor<1xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: %[[LOWEST:.*]] = arith.cmpf oeq
    // CHECK: math.sqrt
    // CHECK: arith.select %[[LOWEST]]
    // CHECK-NOT: math.powf
    %2 = onnx.node "Pow"(%f, %half) : (tensor<4xf32>, tensor<f32>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Shapes broadcast from the last dimension on; before opset 7, from an axis on.
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d1, 0)>
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @axis
module attributes {onnx.opset = {ai.onnx = 6 : i64}} {
  func.func @axis(%x: tensor<2x3x4xf32>, %c: tensor<3xf32>) -> !onnx.unknown {
    // CHECK: %[[C:.*]] = tensor.expand_shape %{{.*}} output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
    // CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[ROWS]], #[[ALL]]]
    // CHECK-SAME: ins(%{{.*}}, %[[C]] : tensor<2x3x4xf32>, tensor<3x1xf32>)
    %0 = onnx.node "Mul"(%x, %c) {axis = 1 : i64, broadcast = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// Inference drops nothing, and says so.
// CHECK-LABEL: func.func @dropout(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32>
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @dropout(%x: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    // CHECK: %[[MASK:.*]] = arith.constant dense<true> : tensor<4xi1>
    // CHECK: return %[[X]], %[[MASK]]
    %0:2 = onnx.node "Dropout"(%x) : (tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown)
    return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
  }
}
