// Convolutions and matrix products of numbers with zero points, as TFLite and torch write them, on the array: what constants decide is part of the bias.

// RUN: npu-run %s --check --function=conv --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=conv --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=conv --target=npu-tiny | FileCheck %s
// RUN: npu-run %s --check --function=conv_arguments --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=conv_both --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=conv_both --target=npu-v1-x4 | FileCheck %s
// RUN: npu-run %s --check --function=weight_only --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=depthwise --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=depthwise_both --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=batches --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=volumes --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=channels_first --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=channels_first_both --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=groups --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=groups_last --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=requantized --target=npu-v1 | FileCheck %s
// RUN: npu-run %s --check --function=requantized --target=npu-tiny | FileCheck %s

// CHECK: on the host: none
// CHECK: matches host

// The sums of a constant filter cost nothing: one dispatch, with the bias where the sums start.
// RUN: npu-run %s --timing-only --function=requantized | FileCheck %s --check-prefix=ONE
// RUN: npu-run %s --timing-only --function=conv | FileCheck %s --check-prefix=ONE
// ONE: on the NPU: 1 of 1 dispatches

// A filter and a bias that are constants, with padding.
func.func @conv(%x: tensor<1x9x11x5xi8>) -> tensor<1x5x6x4xi32> {
  %zx = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %w = "tosa.const"() <{values = dense<[[[[32, -62, 62, -36, 76], [49, 114, 88, 62, 39], [109, 8, -120, 88, -8]], [[71, 114, -64, 39, -114], [103, -87, -99, -32, -7], [95, -64, -30, 12, -101]], [[19, -64, -124, 60, -72], [-23, -56, -81, 107, 95], [69, -28, -87, 68, 77]]], [[[-109, -92, 31, 31, -14], [-95, -94, -127, 121, 96], [-126, -74, 71, -72, 118]], [[124, -85, 96, -85, -53], [-47, 119, -77, 11, 97], [46, 33, -75, -81, 113]], [[120, 49, -77, 120, 120], [101, -29, -51, -122, -35], [-21, -85, 112, -90, -60]]], [[[-111, -43, -50, 82, 27], [23, -127, 25, 46, 54], [-41, -111, -48, -37, 82]], [[-49, -4, 51, -47, -80], [-4, -7, 53, -82, -113], [-62, 122, 113, -122, 116]], [[64, -36, 89, -24, -123], [13, 74, -20, -34, -31], [21, 88, -125, -12, -116]]], [[[54, -81, 32, 117, 117], [-77, -97, 66, -65, 110], [82, 114, -9, -39, 4]], [[-37, 101, 7, -63, 71], [-9, -100, 23, 64, 72], [77, -33, 93, -52, -118]], [[-17, 115, 123, -104, -74], [-40, 4, 29, -35, 108], [-90, -40, -57, 109, 52]]]]> : tensor<4x3x3x5xi8>}> : () -> tensor<4x3x3x5xi8>
  %b = "tosa.const"() <{values = dense<[1000, -2000, 3, 40000]> : tensor<4xi32>}> : () -> tensor<4xi32>
  %y = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x11x5xi8>, tensor<4x3x3x5xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x6x4xi32>
  return %y : tensor<1x5x6x4xi32>
}

// The sums of a filter that is an argument are computed.
func.func @conv_arguments(%x: tensor<1x9x11x5xi8>, %w: tensor<4x3x3x5xi8>, %b: tensor<4xi32>) -> tensor<1x9x11x4xi32> {
  %zx = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x9x11x5xi8>, tensor<4x3x3x5xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x11x4xi32>
  return %y : tensor<1x9x11x4xi32>
}

// With a zero point of the filter, windows of the input are added up as well.
func.func @conv_both(%x: tensor<1x12x11x5xi8>, %w: tensor<4x3x2x5xi8>, %b: tensor<4xi32>) -> tensor<1x8x10x4xi32> {
  %zx = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 2, 1>} : (tensor<1x12x11x5xi8>, tensor<4x3x2x5xi8>, tensor<4xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x8x10x4xi32>
  return %y : tensor<1x8x10x4xi32>
}

func.func @weight_only(%x: tensor<1x6x7x8xi8>, %w: tensor<16x1x1x8xi8>, %b: tensor<16xi32>) -> tensor<1x6x7x16xi32> {
  %zx = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x6x7x8xi8>, tensor<16x1x1x8xi8>, tensor<16xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x7x16xi32>
  return %y : tensor<1x6x7x16xi32>
}

func.func @depthwise(%x: tensor<1x9x8x6xi8>) -> tensor<1x9x8x12xi32> {
  %zx = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %w = "tosa.const"() <{values = dense<[[[[12, -104], [-48, 48], [-46, -49], [-82, 77], [-107, 33], [-89, 57]], [[49, -48], [-4, -86], [57, -115], [-107, 125], [26, 9], [109, -24]], [[-119, -67], [62, 25], [-39, 84], [-63, -11], [39, -20], [-90, -113]]], [[[123, 107], [36, -119], [78, -1], [-42, 87], [-74, -94], [124, 60]], [[17, 116], [-94, 34], [102, 74], [-22, -100], [-84, -16], [-32, -89]], [[-112, 89], [-20, -52], [-91, -11], [109, 31], [91, -84], [122, 6]]], [[[-11, 118], [-3, 49], [59, -46], [-5, -57], [-53, -7], [-24, 103]], [[-90, -99], [-31, 83], [126, 9], [118, -82], [33, 112], [0, 95]], [[-41, -81], [-105, -2], [-58, 4], [73, 13], [95, 1], [-35, -111]]]]> : tensor<3x3x6x2xi8>}> : () -> tensor<3x3x6x2xi8>
  %b = "tosa.const"() <{values = dense<[2655, -7876, 1017, 2908, 202, 6914, -322, 628, 2143, -3147, -8621, 6541]> : tensor<12xi32>}> : () -> tensor<12xi32>
  %y = tosa.depthwise_conv2d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x9x8x6xi8>, tensor<3x3x6x2xi8>, tensor<12xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x9x8x12xi32>
  return %y : tensor<1x9x8x12xi32>
}

func.func @depthwise_both(%x: tensor<1x9x7x6xi8>, %w: tensor<3x3x6x1xi8>, %b: tensor<6xi32>) -> tensor<1x4x3x6xi32> {
  %zx = "tosa.const"() <{values = dense<100> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<-100> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.depthwise_conv2d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>} : (tensor<1x9x7x6xi8>, tensor<3x3x6x1xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x3x6xi32>
  return %y : tensor<1x4x3x6xi32>
}

func.func @batches(%x: tensor<3x8x16xi8>, %w: tensor<3x16x12xi8>) -> tensor<3x8x12xi32> {
  %zx = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<9> : tensor<1xi8>}> : () -> tensor<1xi8>
  %y = tosa.matmul %x, %w, %zx, %zw : (tensor<3x8x16xi8>, tensor<3x16x12xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<3x8x12xi32>
  return %y : tensor<3x8x12xi32>
}

func.func @volumes(%x: tensor<1x5x6x7x3xi8>) -> tensor<1x4x5x6x2xi32> {
  %zx = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %w = "tosa.const"() <{values = dense<[[[[[13, 71, -63], [-44, 44, -57]], [[-9, -54, 82], [1, 38, 45]]], [[[77, -36, -38], [-57, 37, -39]], [[61, 113, 85], [-23, -38, 109]]]], [[[[88, -83, 95], [94, 49, -12]], [[122, -34, 117], [-42, 5, -91]]], [[[8, 123, -85], [-77, 87, -35]], [[112, 91, -5], [-55, 50, -107]]]]]> : tensor<2x2x2x2x3xi8>}> : () -> tensor<2x2x2x2x3xi8>
  %b = "tosa.const"() <{values = dense<[5, -6]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %y = tosa.conv3d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x5x6x7x3xi8>, tensor<2x2x2x2x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x5x6x2xi32>
  return %y : tensor<1x4x5x6x2xi32>
}

func.func @channels_first(%x: tensor<1x5x8x9xi8>) -> tensor<1x6x6x7xi32> {
  %zx = arith.constant 13 : i32
  %zw = arith.constant 0 : i32
  %zero = arith.constant 0 : i32
  %w = arith.constant dense<[[[[57, 44, 59], [-21, -84, 30], [72, 112, 21]], [[5, 43, 112], [-20, -50, 32], [14, 71, 94]], [[36, -58, 57], [127, -120, -77], [-87, 23, -15]], [[32, 39, -81], [-71, 67, 48], [-81, 34, 56]], [[-117, 125, -7], [123, -70, -85], [-114, 101, -93]]], [[[-99, -46, 120], [-81, -4, -78], [13, -118, -21]], [[-8, -38, -30], [42, 29, -109], [24, -75, -67]], [[56, 104, -32], [-127, -38, -24], [116, -56, 92]], [[-23, 94, -98], [49, 85, 13], [-32, 119, -118]], [[13, 30, -50], [-103, -52, 12], [4, -41, 116]]], [[[21, -52, 118], [-37, 82, -94], [-20, -23, 81]], [[17, 37, 10], [-33, -8, -91], [-87, 25, -30]], [[17, -5, 118], [-77, 120, -93], [28, -104, -38]], [[83, 101, 42], [-127, -30, -100], [-44, 17, 107]], [[30, 11, -91], [-44, 34, 97], [101, 17, -31]]], [[[-18, -17, 123], [-70, -1, -53], [-5, 121, 54]], [[-30, -29, 119], [91, 106, -87], [25, 25, -61]], [[62, 124, -50], [0, -63, -21], [-122, -46, 114]], [[124, -49, -2], [110, -54, -91], [-5, -121, -96]], [[41, 32, 118], [-14, -65, -52], [-117, 73, -93]]], [[[84, -27, -124], [-5, 9, 16], [-57, -65, 112]], [[-6, 73, -118], [-65, -2, -59], [89, -88, 57]], [[126, -54, -52], [-1, 28, 127], [-6, 5, 38]], [[94, 27, 98], [63, 102, -97], [-123, 67, -95]], [[-51, -55, 9], [54, -41, 30], [-52, 60, 8]]], [[[-121, -9, -38], [-35, 47, 63], [81, 24, -94]], [[-118, -127, -63], [14, -11, 48], [107, -100, 100]], [[48, 12, -79], [-124, -18, 72], [79, -18, 25]], [[20, 49, 54], [117, 34, 39], [-4, 92, 106]], [[88, -29, -6], [-27, 47, 91], [57, -77, 103]]]]> : tensor<6x5x3x3xi8>
  %e = tensor.empty() : tensor<1x6x6x7xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x6x6x7xi32>) -> tensor<1x6x6x7xi32>
  %y = linalg.conv_2d_nchw_fchw_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %zx, %zw : tensor<1x5x8x9xi8>, tensor<6x5x3x3xi8>, i32, i32) outs(%f : tensor<1x6x6x7xi32>) -> tensor<1x6x6x7xi32>
  return %y : tensor<1x6x6x7xi32>
}

func.func @channels_first_both(%x: tensor<1x5x8x9xi8>, %w: tensor<6x5x3x3xi8>) -> tensor<1x6x6x7xi32> {
  %zx = arith.constant 13 : i32
  %zw = arith.constant -2 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x6x6x7xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x6x6x7xi32>) -> tensor<1x6x6x7xi32>
  %y = linalg.conv_2d_nchw_fchw_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %zx, %zw : tensor<1x5x8x9xi8>, tensor<6x5x3x3xi8>, i32, i32) outs(%f : tensor<1x6x6x7xi32>) -> tensor<1x6x6x7xi32>
  return %y : tensor<1x6x6x7xi32>
}

func.func @groups(%x: tensor<1x2x3x8x9xi8>) -> tensor<1x2x4x6x7xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %zero = arith.constant 0 : i32
  %w = arith.constant dense<[[[[[-52, -8, 85], [67, -111, -50], [87, -127, 50]], [[72, -17, 22], [-54, 38, 72], [-7, 106, -48]], [[-91, -85, -5], [50, 13, 100], [0, 122, -43]]], [[[10, -88, -19], [22, 11, 80], [-115, -110, 60]], [[-69, -59, 82], [-106, 75, -111], [42, 114, -121]], [[-42, 57, -18], [123, -110, -24], [52, -3, -115]]], [[[-96, 88, -96], [-71, 30, 38], [84, 116, -99]], [[55, 102, -93], [127, -53, 53], [108, -15, -89]], [[-81, 29, -80], [-22, 78, -86], [-110, 32, -73]]], [[[-116, 15, -100], [42, -30, 63], [-109, -56, -113]], [[19, 20, -97], [63, -25, 97], [32, -93, -125]], [[-17, -104, -47], [48, 26, -2], [-2, -37, 113]]]], [[[[40, -32, 107], [-113, -92, 51], [-52, -89, 18]], [[34, 46, 2], [-53, 106, 114], [15, 13, 31]], [[-71, -60, -111], [14, -67, -62], [86, 65, -55]]], [[[5, 122, -93], [79, -67, 94], [-32, -11, 61]], [[-28, -82, -94], [55, -123, 40], [-40, -106, 19]], [[43, -118, -104], [94, -96, 2], [25, -11, -66]]], [[[-28, 97, -9], [-5, 119, -45], [-100, 76, 8]], [[-120, 11, 58], [-29, -114, 90], [-89, 114, 116]], [[-18, 47, 76], [-70, 64, -98], [-106, 122, 106]]], [[[43, -2, 83], [-73, -92, 52], [32, -31, -37]], [[86, -67, -53], [-42, 111, 30], [53, -38, 76]], [[-29, -31, -93], [58, 85, -36], [38, -52, 78]]]]]> : tensor<2x4x3x3x3xi8>
  %e = tensor.empty() : tensor<1x2x4x6x7xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x2x4x6x7xi32>) -> tensor<1x2x4x6x7xi32>
  %y = linalg.conv_2d_ngchw_gfchw_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %zx, %zw : tensor<1x2x3x8x9xi8>, tensor<2x4x3x3x3xi8>, i32, i32) outs(%f : tensor<1x2x4x6x7xi32>) -> tensor<1x2x4x6x7xi32>
  return %y : tensor<1x2x4x6x7xi32>
}

func.func @groups_last(%x: tensor<1x8x9x2x3xi8>, %w: tensor<2x4x3x3x3xi8>) -> tensor<1x6x7x2x4xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x6x7x2x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x6x7x2x4xi32>) -> tensor<1x6x7x2x4xi32>
  %y = linalg.conv_2d_nhwgc_gfhwc_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %zx, %zw : tensor<1x8x9x2x3xi8>, tensor<2x4x3x3x3xi8>, i32, i32) outs(%f : tensor<1x6x7x2x4xi32>) -> tensor<1x6x7x2x4xi32>
  return %y : tensor<1x6x7x2x4xi32>
}

// As TFLite writes a layer: products, and one rescaling to bytes.
func.func @requantized(%x: tensor<1x14x14x16xi8>) -> tensor<1x14x14x8xi8> {
  %zx = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %zy = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %w = "tosa.const"() <{values = dense<[[[[34, -17, 119, 91, -35, 5, -118, 24, 127, 19, -72, 62, -81, -26, -111, -103]]], [[[-118, -119, -80, -76, -77, -117, -2, 100, 112, -4, 42, 67, -38, -127, -18, -7]]], [[[-51, 100, 112, 31, 108, -18, -45, -8, -9, -102, -78, -88, 40, -87, -109, -32]]], [[[95, -29, 95, 98, -7, -89, 14, -62, -99, -56, 82, -86, 65, -54, 45, -67]]], [[[-119, -4, 102, -119, -39, 109, 65, -33, -47, 113, -112, 49, -122, 45, -11, -7]]], [[[90, 115, -88, -97, 74, 44, -44, -53, -11, 45, -66, 59, 127, -86, -119, -76]]], [[[55, -121, 20, -68, 41, -107, 31, -25, 106, 122, 53, -34, 47, -48, -80, -8]]], [[[-35, -55, -110, 60, 127, 56, -8, -86, 71, -66, -83, 45, -74, 113, -116, 38]]]]> : tensor<8x1x1x16xi8>}> : () -> tensor<8x1x1x16xi8>
  %b = "tosa.const"() <{values = dense<[1986, 527, 2950, -783, -2949, 784, -2502, 711]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %m = "tosa.const"() <{values = dense<[1936727613, 1831569560, 1540415401, 1282275652, 1148262896, 1135723021, 1688857491, 1997152445]> : tensor<8xi32>}> : () -> tensor<8xi32>
  %s = "tosa.const"() <{values = dense<39> : tensor<8xi8>}> : () -> tensor<8xi8>
  %0 = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x14x14x16xi8>, tensor<8x1x1x16xi8>, tensor<8xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x14x14x8xi32>
  %y = tosa.rescale %0, %m, %s, %z32, %zy {rounding_mode = DOUBLE_ROUND, scale32 = true, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<1x14x14x8xi32>, tensor<8xi32>, tensor<8xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x14x14x8xi8>
  return %y : tensor<1x14x14x8xi8>
}
