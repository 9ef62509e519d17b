// RUN: npu-opt %s --npu-onnx-pipeline | FileCheck %s

module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // Unsigned numbers are signed ones moved by half the range, until the end.
  // CHECK-LABEL: func @quantize
  // CHECK: %[[Q:.*]] = arith.divf %{{.*}}, %{{.*}} : f32
  // CHECK: %[[R:.*]] = math.roundeven %[[Q]]
  // CHECK: %[[Z:.*]] = arith.addf %[[R]], %{{.*}}
  // CHECK: %[[L:.*]] = arith.maximumf %[[Z]]
  // CHECK: %[[H:.*]] = arith.minimumf %[[L]]
  // CHECK: %[[I:.*]] = arith.fptosi %[[H]] : f32 to i8
  // CHECK: arith.xori %[[I]]
  func.func @quantize(%x: tensor<4xf32>) -> !onnx.unknown {
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<120> : tensor<ui8>
    %0 = onnx.node "QuantizeLinear"(%x, %s, %z) : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // CHECK-LABEL: func @dequantize
  // CHECK: arith.extui
  // CHECK: arith.subi
  // CHECK: arith.sitofp
  // CHECK: arith.mulf
  func.func @dequantize(%x: tensor<4xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> !onnx.unknown {
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // The right side takes in its zero point, the left one's is a summand: 8 * (1 + 2), 8 * (3 + 4).
  // CHECK-LABEL: func @matmul_constant
  // CHECK-DAG: %[[B:.*]] = arith.constant dense<{{\[}}[1, 3], [2, 4]]> : tensor<2x2xi8>
  // CHECK-DAG: %[[S:.*]] = arith.constant dense<{{\[}}[24, 56]]> : tensor<1x2xi32>
  // CHECK: arith.xori
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<3x2xi8>, tensor<2x2xi8>)
  // CHECK: arith.extsi
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[S]]
  // CHECK: arith.addi
  func.func @matmul_constant(%a: tensor<3x2xui8>) -> !onnx.unknown {
    %b = onnx.constant dense<[[201, 203], [202, 204]]> : tensor<2x2xui8>
    %z = onnx.constant dense<120> : tensor<ui8>
    %y = onnx.constant dense<200> : tensor<ui8>
    %0 = onnx.node "MatMulInteger"(%a, %b, %z, %y) : (tensor<3x2xui8>, tensor<2x2xui8>, tensor<ui8>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // Zero points of the input's padding and of each filter's scale.
  // CHECK-LABEL: func @conv
  // CHECK: %[[PADDING:.*]] = arith.constant 3 : i8
  // CHECK: tensor.yield %[[PADDING]]
  // CHECK: linalg.conv_2d_nchw_fchw {{.*}} -> tensor<1x2x4x4xi32>
  // CHECK: %[[SCALES:.*]] = arith.constant dense<{{\[\[}}[5.000000e-01]], {{\[}}[1.000000e+00]]]> : tensor<2x1x1xf32>
  // CHECK: %[[SCALES:.*]] = arith.constant dense<{{\[\[}}[5.000000e-01]], {{\[}}[1.000000e+00]]]> : tensor<2x1x1xf32>
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SCALES]]
  // CHECK: math.roundeven
  func.func @conv(%x: tensor<1x1x4x4xi8>) -> !onnx.unknown {
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<3> : tensor<i8>
    %w = onnx.constant dense<1> : tensor<2x1x3x3xi8>
    %ws = onnx.constant dense<[0.5, 1.0]> : tensor<2xf32>
    %0 = onnx.node "QLinearConv"(%x, %s, %z, %w, %ws, %z, %s, %z) {pads = array<i64: 1, 1, 1, 1>}
      : (tensor<1x1x4x4xi8>, tensor<f32>, tensor<i8>, tensor<2x1x3x3xi8>, tensor<2xf32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // What is not known before is summed up then.
  // CHECK-LABEL: func @matmul_computed
  // CHECK: arith.xori
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<3x2xi8>, tensor<2x2xi8>) outs(%{{.*}} : tensor<3x2xi32>)
  // CHECK: linalg.reduce ins(%{{.*}} : tensor<2x2xi8>) outs(%{{.*}} : tensor<2xi32>) dimensions = [0]
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<3x2xi32>, tensor<1x2xi32>, tensor<3x1xi8>)
  // CHECK: arith.extui
  // CHECK: arith.muli
  // CHECK: arith.subi
  func.func @matmul_computed(%a: tensor<3x2xui8>, %b: tensor<2x2xi8>, %z: tensor<3xui8>) -> !onnx.unknown {
    %0 = onnx.node "MatMulInteger"(%a, %b, %z) : (tensor<3x2xui8>, tensor<2x2xi8>, tensor<3xui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // So it is for convolutions. Filters are summed up if they are computed, too.
  // CHECK-LABEL: func @conv_computed
  // CHECK: arith.xori
  // CHECK: linalg.conv_2d_nchw_fchw {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x1x1x4xi8>, tensor<1x1x1x2xi8>)
  // CHECK: linalg.reduce ins(%{{.*}} : tensor<1x1x2xi8>) outs(%{{.*}} : tensor<1xi32>) dimensions = [1, 2]
  // CHECK: arith.muli
  // CHECK: arith.subi
  func.func @conv_computed(%x: tensor<1x1x4xui8>, %w: tensor<1x1x2xi8>, %z: tensor<ui8>) -> !onnx.unknown {
    %0 = onnx.node "ConvInteger"(%x, %w, %z) : (tensor<1x1x4xui8>, tensor<1x1x2xi8>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // The image is surrounded by its zero point, so that the term is the same for all windows. Of bytes without a sign, whose zero point does not make
  // them fit, the ones of a filter sum up what the windows hold.
  // CHECK-LABEL: func @conv_padded
  // CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 1, 1] [1, 1, 4, 4] [1, 1, 1, 1] : tensor<1x1x4x4xi8> into tensor<1x1x6x6xi8>
  // CHECK: linalg.conv_2d_nchw_fchw {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x1x6x6xi8>, tensor<2x1x3x3xi8>)
  // CHECK: dense<1> : tensor<1x1x3x3xi8>
  // CHECK: linalg.conv_2d_nchw_fchw {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x1x6x6xi8>, tensor<1x1x3x3xi8>)
  // CHECK: dense<[{{\[\[}}-207]], {{\[\[}}1143]]]> : tensor<2x1x1xi32>
  func.func @conv_padded(%x: tensor<1x1x4x4xui8>, %z: tensor<ui8>) -> !onnx.unknown {
    %w = onnx.constant dense<[[[[100, 101, 102], [103, 104, 105], [106, 107, 117]]], [[[255, 255, 255], [255, 255, 255], [255, 255, 255]]]]> : tensor<2x1x3x3xui8>
    %wz = onnx.constant dense<3> : tensor<ui8>
    %0 = onnx.node "ConvInteger"(%x, %w, %z, %wz) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x4x4xui8>, tensor<2x1x3x3xui8>, tensor<ui8>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}
