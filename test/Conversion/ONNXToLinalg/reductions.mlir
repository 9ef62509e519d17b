// RUN: npu-opt --npu-onnx-pipeline --split-input-file %s | FileCheck %s

// Halves are summed up in f32, with one rounding at the end; dimensions are kept by a reshape.
// CHECK-LABEL: func.func @halves
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @halves(%x: tensor<2x3xf16>) -> !onnx.unknown {
    %axes = onnx.constant dense<-1> : tensor<1xi64>
    // CHECK: arith.extf %{{.*}} : f16 to f32
    // CHECK: linalg.reduce ins(%{{.*}} : tensor<2x3xf32>) outs(%{{.*}} : tensor<2xf32>) dimensions = [1]
    // CHECK: arith.addf
    // CHECK: tensor.expand_shape %{{.*}} output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
    // CHECK: arith.truncf %{{.*}} : f32 to f16
    %0 = onnx.node "ReduceSum"(%x, %axes) : (tensor<2x3xf16>, tensor<1xi64>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

// -----

// What is computed of the elements and of the result.
// CHECK-LABEL: func.func @floats
module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  func.func @floats(%x: tensor<2x3xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: math.absf
    // CHECK: linalg.reduce
    // CHECK: arith.addf
    %0 = onnx.node "ReduceL1"(%x) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // CHECK: arith.mulf
    // CHECK: linalg.reduce
    // CHECK: arith.addf
    // CHECK: math.sqrt
    %1 = onnx.node "ReduceL2"(%x) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // CHECK: arith.mulf
    // CHECK: linalg.reduce
    // CHECK: arith.addf
    %2 = onnx.node "ReduceSumSquare"(%x) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // CHECK: linalg.reduce
    // CHECK: arith.addf
    // CHECK: math.log
    %3 = onnx.node "ReduceLogSum"(%x) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // CHECK: linalg.reduce
    // CHECK: arith.addf
    // CHECK: %[[COUNT:.*]] = arith.constant 6.000000e+00
    // CHECK: arith.divf %{{.*}}, %[[COUNT]]
    %4 = onnx.node "ReduceMean"(%x) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // CHECK: arith.constant 0xFF800000 : f32
    // CHECK: linalg.reduce { arith.maximumf }
    %5 = onnx.node "ReduceMax"(%x) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // CHECK: arith.constant 0x7F800000 : f32
    // CHECK: linalg.reduce { arith.minimumf }
    %6 = onnx.node "ReduceMin"(%x) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // CHECK: linalg.reduce { arith.mulf }
    %7 = onnx.node "ReduceProd"(%x) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // The maximum, without infinities, is subtracted from the exponents.
    // CHECK: arith.maximumf
    // CHECK: math.absf
    // CHECK: arith.cmpf olt
    // CHECK: arith.select
    // CHECK: arith.subf
    // CHECK: math.exp
    // CHECK: arith.addf
    // CHECK: math.log
    // CHECK: arith.addf
    %8 = onnx.node "ReduceLogSumExp"(%x) {keepdims = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// Integers stay integers where the result is one; Booleans are bits.
// CHECK-LABEL: func.func @integers
module attributes {onnx.opset = {ai.onnx = 20 : i64}} {
  func.func @integers(%i: tensor<2x3xi32>, %u: tensor<2x3xui8>, %b: tensor<2x3xi1>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    // CHECK: math.absi
    // CHECK: arith.addi
    %0 = onnx.node "ReduceL1"(%i) : (tensor<2x3xi32>) -> !onnx.unknown
    // CHECK: arith.sitofp %{{.*}} : i32 to f64
    // CHECK: arith.addf
    // CHECK: arith.divf
    // CHECK: arith.fptosi %{{.*}} : f64 to i32
    %1 = onnx.node "ReduceMean"(%i) : (tensor<2x3xi32>) -> !onnx.unknown
    // CHECK: arith.constant 0 : i8
    // CHECK: arith.maxui
    %2 = onnx.node "ReduceMax"(%u) : (tensor<2x3xui8>) -> !onnx.unknown
    // CHECK: arith.constant 2147483647 : i32
    // CHECK: arith.minsi
    %3 = onnx.node "ReduceMin"(%i) : (tensor<2x3xi32>) -> !onnx.unknown
    // CHECK: arith.constant true
    // CHECK: arith.minui
    %4 = onnx.node "ReduceMin"(%b) : (tensor<2x3xi1>) -> !onnx.unknown
    return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }
}

// -----

// One op finds the extremum and its place. The first NaN is the extremum; of equal elements, the
// last one if that is asked for.
// CHECK-LABEL: func.func @places
module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  func.func @places(%x: tensor<2x3xf32>, %u: tensor<2x3xui8>) -> (!onnx.unknown, !onnx.unknown) {
    // CHECK: %[[MAX:.*]]:2 = linalg.generic
    // CHECK-SAME: iterator_types = ["parallel", "reduction"]
    // CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<2xf32>, tensor<2xi64>)
    // CHECK-NEXT: (%[[X:.*]]: f32, %[[BEST:.*]]: f32, %[[PLACE:.*]]: i64)
    // CHECK: %[[INDEX:.*]] = linalg.index 1
    // CHECK: %[[HERE:.*]] = arith.index_cast %[[INDEX]] : index to i64
    // CHECK: arith.cmpf ogt, %[[X]], %[[BEST]]
    // CHECK: arith.cmpf une, %[[X]], %[[X]]
    // CHECK: arith.cmpf oeq, %[[BEST]], %[[BEST]]
    // CHECK: arith.select %{{.*}}, %[[X]], %[[BEST]]
    // CHECK: arith.select %{{.*}}, %[[HERE]], %[[PLACE]]
    // CHECK: tensor.expand_shape %[[MAX]]#1
    %0 = onnx.node "ArgMax"(%x) {axis = 1 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
    // CHECK: linalg.generic
    // CHECK: arith.cmpi ule
    %1 = onnx.node "ArgMin"(%u) {select_last_index = 1 : i64} : (tensor<2x3xui8>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}

// -----

// Sums of 1, 2 and 4 elements: what lies before comes in by a slice and a padding. Without its own
// element, a sum starts one element later.
// CHECK-LABEL: func.func @scan
module attributes {onnx.opset = {ai.onnx = 14 : i64}} {
  func.func @scan(%x: tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown) {
    %axis = onnx.constant dense<0> : tensor<i32>
    // CHECK: tensor.extract_slice %{{.*}}[0] [3] [1]
    // CHECK: tensor.pad %{{.*}} low[1] high[0]
    // CHECK: arith.addf
    // CHECK: tensor.extract_slice %{{.*}}[0] [2] [1]
    // CHECK: tensor.pad %{{.*}} low[2] high[0]
    // CHECK: arith.addf
    %0 = onnx.node "CumSum"(%x, %axis) : (tensor<4xf32>, tensor<i32>) -> !onnx.unknown
    // CHECK: tensor.extract_slice %{{.*}}[1] [3] [1]
    // CHECK: tensor.pad %{{.*}} low[0] high[1]
    // CHECK: tensor.extract_slice %{{.*}}[1] [3] [1]
    // CHECK: tensor.pad %{{.*}} low[0] high[1]
    // CHECK: arith.addf
    // CHECK: tensor.extract_slice %{{.*}}[2] [2] [1]
    // CHECK: tensor.pad %{{.*}} low[0] high[2]
    // CHECK: arith.addf
    %1 = onnx.node "CumSum"(%x, %axis) {exclusive = 1 : i64, reverse = 1 : i64} : (tensor<4xf32>, tensor<i32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }
}
