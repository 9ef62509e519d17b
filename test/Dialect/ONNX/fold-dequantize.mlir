// RUN: npu-opt %s --npu-onnx-infer-shapes --npu-onnx-fold-dequantize | FileCheck %s
// RUN: npu-opt %s --npu-onnx-infer-shapes --npu-onnx-fold-dequantize="max-bytes=23" | FileCheck %s --check-prefix=LIMIT
// The bits are those that the node computes.
// RUN: npu-opt %s --npu-onnx-infer-shapes --convert-onnx-to-linalg | npu-run - --function=all --output=@%t.computed.npy
// RUN: npu-opt %s --npu-onnx-infer-shapes --npu-onnx-fold-dequantize --convert-onnx-to-linalg | npu-run - --function=all --expected_output=@%t.computed.npy --equality_mode=exact

module attributes {onnx.opset = {ai.onnx = 21 : i64}} {
  // Unsigned bytes, one scale.
  // CHECK-LABEL: @tensor
  // CHECK-NEXT: %[[C:.*]] = onnx.constant dense<[-6.400000e+01, 0.000000e+00, 6.350000e+01]> : tensor<3xf32>
  // CHECK-NEXT: return %[[C]]
  // LIMIT-LABEL: @tensor
  // LIMIT-NOT: DequantizeLinear
  func.func private @tensor() -> !onnx.unknown {
    %x = onnx.constant dense<[0, 128, 255]> : tensor<3xui8>
    %s = onnx.constant dense<0.5> : tensor<f32>
    %z = onnx.constant dense<128> : tensor<ui8>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) : (tensor<3xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // Signed bytes, scales and zero points along the middle dimension. The limit is for all constants together.
  // CHECK-LABEL: @axis
  // CHECK-NEXT: %[[C:.*]] = onnx.constant dense<{{\[}}{{\[}}[5.000000e-01, 1.000000e+00], [0.000000e+00, 2.000000e+00]{{\]}}, {{\[}}[-6.400000e+01, 6.350000e+01], [-1.400000e+01, -1.600000e+01{{\]}}{{\]}}{{\]}}> : tensor<2x2x2xf32>
  // LIMIT-LABEL: @axis
  // LIMIT: DequantizeLinear
  func.func private @axis() -> !onnx.unknown {
    %x = onnx.constant dense<[[[1, 2], [3, 4]], [[-128, 127], [-4, -5]]]> : tensor<2x2x2xi8>
    %s = onnx.constant dense<[0.5, 2.0]> : tensor<2xf32>
    %z = onnx.constant dense<[0, 3]> : tensor<2xi8>
    %0 = onnx.node "DequantizeLinear"(%x, %s, %z) {axis = -2 : i64} : (tensor<2x2x2xi8>, tensor<2xf32>, tensor<2xi8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // CHECK-LABEL: @wide
  // CHECK-DAG: onnx.constant dense<[-3.276800e+04, 3.276800e+04]> : tensor<2xf16>
  // CHECK-DAG: onnx.constant dense<[-2.000000e+00, 6.553300e+04]> : tensor<2xf32>
  // CHECK-DAG: onnx.constant dense<2.147480e+09> : tensor<2xbf16>
  // LIMIT-LABEL: @wide
  func.func private @wide() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %i16 = onnx.constant dense<[-32768, 32767]> : tensor<2xi16>
    %u16 = onnx.constant dense<[0, 65535]> : tensor<2xui16>
    %i32 = onnx.constant dense<2147483647> : tensor<2xi32>
    %half = onnx.constant dense<1.0> : tensor<f16>
    %s = onnx.constant dense<1.0> : tensor<f32>
    %b = onnx.constant dense<1.0> : tensor<bf16>
    %z = onnx.constant dense<2> : tensor<ui16>
    %0 = onnx.node "DequantizeLinear"(%i16, %half) : (tensor<2xi16>, tensor<f16>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%u16, %s, %z) : (tensor<2xui16>, tensor<f32>, tensor<ui16>) -> !onnx.unknown
    %2 = onnx.node "DequantizeLinear"(%i32, %b) : (tensor<2xi32>, tensor<bf16>) -> !onnx.unknown
    return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  // One number has no memory for each element.
  // CHECK-LABEL: @splat
  // CHECK-NEXT: onnx.constant dense<1.500000e+00> : tensor<200000000xf32>
  func.func private @splat() -> !onnx.unknown {
    %x = onnx.constant dense<3> : tensor<200000000xi8>
    %s = onnx.constant dense<0.5> : tensor<f32>
    %0 = onnx.node "DequantizeLinear"(%x, %s) : (tensor<200000000xi8>, tensor<f32>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }

  // What is computed, and a scale that is.
  // CHECK-LABEL: @computed
  // CHECK-COUNT-2: onnx.node "DequantizeLinear"
  // LIMIT-LABEL: @computed
  func.func private @computed(%x: tensor<3xi8>, %t: tensor<f32>) -> (!onnx.unknown, !onnx.unknown) {
    %c = onnx.constant dense<[0, 1, 2]> : tensor<3xi8>
    %s = onnx.constant dense<0.5> : tensor<f32>
    %0 = onnx.node "DequantizeLinear"(%x, %s) : (tensor<3xi8>, tensor<f32>) -> !onnx.unknown
    %1 = onnx.node "DequantizeLinear"(%c, %t) : (tensor<3xi8>, tensor<f32>) -> !onnx.unknown
    return %0, %1 : !onnx.unknown, !onnx.unknown
  }

  // Weights of products of matrices stay integers, but not where something else reads them, too.
  // CHECK-LABEL: @products
  // CHECK: onnx.node "DequantizeLinear"
  // CHECK: onnx.node "DequantizeLinear"
  // CHECK-NOT: DequantizeLinear
  // CHECK: return
  func.func private @products(%x: tensor<3x4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c = onnx.constant dense<[[0, 1], [2, 3], [4, 5], [6, 7]]> : tensor<4x2xi8>
    %d = onnx.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi8>
    %e = onnx.constant dense<[[1, 2, 3]]> : tensor<1x3xi8>
    %s = onnx.constant dense<[0.5, 0.25]> : tensor<2xf32>
    %t = onnx.constant dense<0.5> : tensor<f32>
    %0 = onnx.node "DequantizeLinear"(%c, %s) {axis = 1 : i64} : (tensor<4x2xi8>, tensor<2xf32>) -> !onnx.unknown
    %1 = onnx.node "MatMul"(%x, %0) : (tensor<3x4xf32>, !onnx.unknown) -> !onnx.unknown
    %2 = onnx.node "DequantizeLinear"(%d, %s) {axis = 0 : i64} : (tensor<2x4xi8>, tensor<2xf32>) -> !onnx.unknown
    %3 = onnx.node "Gemm"(%x, %2) {transB = 1 : i64} : (tensor<3x4xf32>, !onnx.unknown) -> !onnx.unknown
    %4 = onnx.node "DequantizeLinear"(%c, %t) : (tensor<4x2xi8>, tensor<f32>) -> !onnx.unknown
    %5 = onnx.node "MatMul"(%x, %4) : (tensor<3x4xf32>, !onnx.unknown) -> !onnx.unknown
    %6 = onnx.node "DequantizeLinear"(%e, %t) : (tensor<1x3xi8>, tensor<f32>) -> !onnx.unknown
    %7 = onnx.node "MatMul"(%6, %x) : (!onnx.unknown, tensor<3x4xf32>) -> !onnx.unknown
    return %1, %3, %4, %7 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  // So do filters of 8 bits, which come right before the convolution; not those in groups, of f16, of 16 bits, read twice, of a transposed convolution,
  // or with fewer elements than the images that are read and written.
  // CHECK-LABEL: @filters
  // CHECK: onnx.node "Relu"
  // CHECK-NEXT: %[[F:.*]] = onnx.node "DequantizeLinear"
  // CHECK-NEXT: onnx.node "Conv"{{.*}}, %[[F]])
  // CHECK-NOT: DequantizeLinear
  // CHECK: return
  func.func private @filters(%x: tensor<1x2x1x1xf32>, %h: tensor<1x2x1x1xf16>, %large: tensor<1x2x2x1xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
    %c = onnx.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xui8>
    %g = onnx.constant dense<3> : tensor<2x1x3x3xi8>
    %w = onnx.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi16>
    %s = onnx.constant dense<[0.5, 0.25]> : tensor<2xf32>
    %half = onnx.constant dense<0.5> : tensor<f16>
    %z = onnx.constant dense<[3, 4]> : tensor<2xui8>
    %0 = onnx.node "DequantizeLinear"(%c, %s, %z) {axis = 0 : i64} : (tensor<2x2x1x1xui8>, tensor<2xf32>, tensor<2xui8>) -> !onnx.unknown
    %r = onnx.node "Relu"(%x) : (tensor<1x2x1x1xf32>) -> !onnx.unknown
    %1 = onnx.node "Conv"(%r, %0) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %2 = onnx.node "DequantizeLinear"(%g, %s) {axis = 0 : i64} : (tensor<2x1x3x3xi8>, tensor<2xf32>) -> !onnx.unknown
    %3 = onnx.node "Conv"(%x, %2) {group = 2 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x1x1xf32>, !onnx.unknown) -> !onnx.unknown
    %4 = onnx.node "DequantizeLinear"(%c, %half) : (tensor<2x2x1x1xui8>, tensor<f16>) -> !onnx.unknown
    %5 = onnx.node "Conv"(%h, %4) : (tensor<1x2x1x1xf16>, !onnx.unknown) -> !onnx.unknown
    %6 = onnx.node "DequantizeLinear"(%w, %s) {axis = 0 : i64} : (tensor<2x2x1x1xi16>, tensor<2xf32>) -> !onnx.unknown
    %7 = onnx.node "Conv"(%x, %6) : (tensor<1x2x1x1xf32>, !onnx.unknown) -> !onnx.unknown
    %8 = onnx.node "DequantizeLinear"(%c, %s) {axis = 0 : i64} : (tensor<2x2x1x1xui8>, tensor<2xf32>) -> !onnx.unknown
    %9 = onnx.node "Conv"(%x, %8) : (tensor<1x2x1x1xf32>, !onnx.unknown) -> !onnx.unknown
    %10 = onnx.node "Conv"(%1, %8) : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %11 = onnx.node "DequantizeLinear"(%c, %s) {axis = 1 : i64} : (tensor<2x2x1x1xui8>, tensor<2xf32>) -> !onnx.unknown
    %12 = onnx.node "ConvTranspose"(%x, %11) : (tensor<1x2x1x1xf32>, !onnx.unknown) -> !onnx.unknown
    %13 = onnx.node "DequantizeLinear"(%c, %s) {axis = 0 : i64} : (tensor<2x2x1x1xui8>, tensor<2xf32>) -> !onnx.unknown
    %14 = onnx.node "Conv"(%large, %13) : (tensor<1x2x2x1xf32>, !onnx.unknown) -> !onnx.unknown
    return %1, %3, %5, %7, %9, %10, %12, %14 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
  }

  // Numbers that are rounded, large enough for a resource.
  // CHECK-LABEL: @all
  // CHECK: onnx.constant dense_resource<dequantized
  // CHECK-NOT: DequantizeLinear
  // LIMIT-LABEL: @all
  // LIMIT: DequantizeLinear
  func.func @all() -> !onnx.unknown {
    %r = onnx.constant dense_resource<weights> : tensor<4x80xi8>
    %s = onnx.constant dense<[0.1, 0.013, 1.7e-3, 33.3]> : tensor<4xf32>
    %z = onnx.constant dense<[0, 3, -100, 77]> : tensor<4xi8>
    %0 = onnx.node "DequantizeLinear"(%r, %s, %z) {axis = 0 : i64} : (tensor<4x80xi8>, tensor<4xf32>, tensor<4xi8>) -> !onnx.unknown
    return %0 : !onnx.unknown
  }
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x010000004420823CFDE6F1C26B30F90EC7DD01E4887534A20F0B0D04C36ED80E71E0FD77B07670EB940BD5335F973DAAD8619B91FFC911F57CCED458BBBF2CE03753C9BDFA0FF0169DC9575674066676CFB0B4EB8902C44269DA1CF6BA66D3F8B6D4B100A9EA0E755A5C2E8210242A08E7078F7F89385EB09423555182568B96E8A4FEF23A0C9FC5AFD7608437816BDD0A7309CB4A1252E4DA70E6720FCAA4DA1E98406C189C24279E9851D5814204136FEB5713C166B13269DD63FC35C797FF08A6CD90095066A745ADDB6D8831C2B0F87821142B4456556D89AA82BCADAE3A9578FA4535A414D025C24B40AE3AC127722988BA973AEA8D37179706072ED33A14607AD7523BE6557B5134DEC19681F4A1336AA2140D0597A3E6C8A0CC2020A2E939806EF0B6845D6A9D657EB8298F2DE52EAD74C79D15A75FA29B7DAB332F7D700A7CCD"
    }
  }
#-}
