// RUN: npu-opt %s --npu-widen-accumulators | FileCheck %s

// A zero fill becomes an f32 zero fill, and the result is rounded once.
// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<4x16xf16>, %b: tensor<16x8xf16>) -> tensor<4x8xf16> {
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[INIT:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: %[[WIDE:.*]] = linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<4x16xf16>, tensor<16x8xf16>) outs(%[[INIT]] : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: %[[RESULT:.*]] = linalg.generic {{.*}} ins(%[[WIDE]] : tensor<4x8xf32>) outs(%{{.*}} : tensor<4x8xf16>)
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  // CHECK-NOT: tensor<4x8xf16>, tensor<4x8xf16>
  // CHECK: return %[[RESULT]]
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<4x8xf16>
  %0 = linalg.fill ins(%zero : f16) outs(%e : tensor<4x8xf16>) -> tensor<4x8xf16>
  %1 = linalg.matmul ins(%a, %b : tensor<4x16xf16>, tensor<16x8xf16>) outs(%0 : tensor<4x8xf16>) -> tensor<4x8xf16>
  return %1 : tensor<4x8xf16>
}

// Any other initial value is extended.
// CHECK-LABEL: func.func @init
func.func @init(%a: tensor<4x16xbf16>, %b: tensor<16x8xbf16>, %c: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  // CHECK: %[[INIT:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<4x8xbf16>) outs(%{{.*}} : tensor<4x8xf32>)
  // CHECK: arith.extf %{{.*}} : bf16 to f32
  // CHECK: linalg.matmul {{.*}} outs(%[[INIT]] : tensor<4x8xf32>)
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %0 = linalg.matmul ins(%a, %b : tensor<4x16xbf16>, tensor<16x8xbf16>) outs(%c : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// Generic convolutions and dynamic shapes are widened too, in any function.
// CHECK-LABEL: func.func @generic_conv
func.func @generic_conv(%i: tensor<?x8xf16>, %f: tensor<3x8x16xf16>, %o: tensor<?x16xf16>) -> tensor<?x16xf16> {
  // CHECK: tensor.empty(%{{.*}}) : tensor<?x16xf32>
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<?x8xf16>, tensor<3x8x16xf16>) outs(%{{.*}} : tensor<?x16xf32>)
  // CHECK-NEXT: ^bb0(%[[I:.*]]: f16, %[[F:.*]]: f16, %[[O:.*]]: f32)
  // CHECK-NEXT: %[[IE:.*]] = arith.extf %[[I]] : f16 to f32
  // CHECK-NEXT: %[[FE:.*]] = arith.extf %[[F]] : f16 to f32
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[IE]], %[[FE]] : f32
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[O]], %[[P]] : f32
  // CHECK-NEXT: linalg.yield %[[S]] : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%i, %f : tensor<?x8xf16>, tensor<3x8x16xf16>) outs(%o : tensor<?x16xf16>) {
  ^bb0(%x: f16, %y: f16, %z: f16):
    %1 = arith.mulf %x, %y : f16
    %2 = arith.addf %z, %1 : f16
    linalg.yield %2 : f16
  } -> tensor<?x16xf16>
  return %0 : tensor<?x16xf16>
}

// A named convolution keeps its name.
// CHECK-LABEL: func.func @conv
func.func @conv(%i: tensor<1x9x9x4xf16>, %f: tensor<3x3x4x8xf16>, %o: tensor<1x4x4x8xf16>) -> tensor<1x4x4x8xf16> {
  // CHECK: linalg.conv_2d_nhwc_hwcf {{.*}}strides = dense<2> : tensor<2xi64>{{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x9x9x4xf16>, tensor<3x3x4x8xf16>) outs(%{{.*}} : tensor<1x4x4x8xf32>)
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%i, %f : tensor<1x9x9x4xf16>, tensor<3x3x4x8xf16>) outs(%o : tensor<1x4x4x8xf16>) -> tensor<1x4x4x8xf16>
  return %0 : tensor<1x4x4x8xf16>
}

// Wide accumulators, maxima and element-wise ops stay as they are.
// CHECK-LABEL: func.func @unchanged
func.func @unchanged(%a: tensor<4x16xf16>, %b: tensor<16x8xf16>, %c: tensor<4x8xf32>, %m: tensor<4xf16>) -> (tensor<4x8xf32>, tensor<4xf16>) {
  // CHECK-NOT: truncf
  // CHECK-NOT: extf
  // CHECK: linalg.matmul
  %0 = linalg.matmul ins(%a, %b : tensor<4x16xf16>, tensor<16x8xf16>) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: linalg.reduce
  %1 = linalg.reduce {arith.maximumf} ins(%a : tensor<4x16xf16>) outs(%m : tensor<4xf16>) dimensions = [1]
  return %0, %1 : tensor<4x8xf32>, tensor<4xf16>
}

// A sum, of a user's body and of a name's.
// CHECK-LABEL: func.func @sum
func.func @sum(%x: tensor<8x64xf16>, %init: tensor<8xf16>) -> tensor<8xf16> {
  // CHECK: linalg.reduce ins(%{{.*}} : tensor<8x64xf16>) outs(%{{.*}} : tensor<8xf32>) dimensions = [1]
  // CHECK-NEXT: (%[[IN:.*]]: f16, %[[OUT:.*]]: f32) {
  // CHECK-NEXT:   %[[WIDE:.*]] = arith.extf %[[IN]] : f16 to f32
  // CHECK-NEXT:   arith.addf %[[OUT]], %[[WIDE]] : f32
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<8x64xf16>) outs(%init : tensor<8xf16>) dimensions = [1]
  return %0 : tensor<8xf16>
}

// CHECK-LABEL: func.func @pooling
func.func @pooling(%x: tensor<1x8x8x16xbf16>, %o: tensor<1x4x4x16xbf16>) -> tensor<1x4x4x16xbf16> {
  // CHECK: linalg.pooling_nhwc_sum {{.*}} outs(%{{.*}} : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %w = tensor.empty() : tensor<2x2xbf16>
  %0 = linalg.pooling_nhwc_sum {strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x8x8x16xbf16>, tensor<2x2xbf16>) outs(%o : tensor<1x4x4x16xbf16>) -> tensor<1x4x4x16xbf16>
  return %0 : tensor<1x4x4x16xbf16>
}
