// RUN: npu-opt %s --npu-widen-accumulators --convert-func-to-kernel --convert-linalg-to-npu \
// RUN:   --npu-verify-tensor-form --npu-check-target | FileCheck %s

// Bodies of dispatches as IREE forms them.

// A tail in f16 keeps its types: the accumulator is rounded first.
// CHECK-LABEL: npu.kernel @matmul_bias_relu
func.func @matmul_bias_relu(%a: tensor<130x300xf16>, %b: tensor<300x257xf16>, %bias: tensor<257xf16>) -> tensor<130x257xf16> {
  // CHECK: %[[C:.*]] = npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} : tensor<130x300xf16>, tensor<300x257xf16> -> tensor<130x257xf32>
  // CHECK: %[[R:.*]] = npu.cast truncf %[[C]] -> %{{.*}} : tensor<130x257xf32> -> tensor<130x257xf16>
  // CHECK: %[[S:.*]] = npu.binary add %[[R]], %{{.*}} : tensor<130x257xf16>, tensor<257xf16> -> tensor<130x257xf16>
  // CHECK: npu.binary max %[[S]] -> %{{.*}} {imm = 0.000000e+00 : f16} : tensor<130x257xf16> -> tensor<130x257xf16>
  %cst = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<130x257xf16>
  %0 = linalg.fill ins(%cst : f16) outs(%e : tensor<130x257xf16>) -> tensor<130x257xf16>
  %1 = linalg.matmul ins(%a, %b : tensor<130x300xf16>, tensor<300x257xf16>) outs(%0 : tensor<130x257xf16>) -> tensor<130x257xf16>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %bias : tensor<130x257xf16>, tensor<257xf16>) outs(%e : tensor<130x257xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %7 = arith.addf %in, %in_0 : f16
    %8 = arith.maximumf %7, %cst : f16
    linalg.yield %8 : f16
  } -> tensor<130x257xf16>
  return %2 : tensor<130x257xf16>
}
// CHECK-LABEL: npu.kernel @conv_requant
func.func @conv_requant(%a: tensor<16x34x34xi8>, %b: tensor<32x16x3x3xi8>, %bias: tensor<32xi32>) -> tensor<32x32x32xi8> {
  // CHECK: %[[C:.*]] = npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<fcyx>, layout_input = #npu.layout<chw>, layout_output = #npu.layout<fhw>} : tensor<16x34x34xi8>, tensor<32x16x3x3xi8> -> tensor<32x32x32xi32>
  // CHECK: %[[S:.*]] = npu.binary add %[[C]], %{{.*}} : tensor<32x32x32xi32>, tensor<32xi32> -> tensor<32x32x32xi32>
  // CHECK: %[[M:.*]] = npu.binary max %[[S]] -> %{{.*}} {imm = 0 : i32}
  // CHECK: npu.requantize %[[M]] -> %{{.*}} {hi = 127, lo = -128, scale = 1.230000e-02 : f32} : tensor<32x32x32xi32> -> tensor<32x32x32xi8>
        %cst = arith.constant 1.230000e-02 : f32
        %cst_0 = arith.constant -1.280000e+02 : f32
        %cst_1 = arith.constant 1.270000e+02 : f32
        %c0_i32 = arith.constant 0 : i32
        %3 = tensor.empty() : tensor<32x32x32xi8>
        %4 = tensor.empty() : tensor<32x32x32xi32>
        %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<32x32x32xi32>) -> tensor<32x32x32xi32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d1 + d4, d2 + d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%a, %b : tensor<16x34x34xi8>, tensor<32x16x3x3xi8>) outs(%5 : tensor<32x32x32xi32>) {
        ^bb0(%in: i8, %in_2: i8, %out: i32):
          %8 = arith.extsi %in : i8 to i32
          %9 = arith.extsi %in_2 : i8 to i32
          %10 = arith.muli %8, %9 : i32
          %11 = arith.addi %out, %10 : i32
          linalg.yield %11 : i32
        } -> tensor<32x32x32xi32>
        %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %bias : tensor<32x32x32xi32>, tensor<32xi32>) outs(%3 : tensor<32x32x32xi8>) {
        ^bb0(%in: i32, %in_2: i32, %out: i8):
          %8 = arith.addi %in, %in_2 : i32
          %9 = arith.maxsi %8, %c0_i32 : i32
          %10 = arith.sitofp %9 : i32 to f32
          %11 = arith.mulf %10, %cst : f32
          %12 = math.roundeven %11 : f32
          %13 = arith.maximumf %12, %cst_0 : f32
          %14 = arith.minimumf %13, %cst_1 : f32
          %15 = arith.fptosi %14 : f32 to i8
          linalg.yield %15 : i8
        } -> tensor<32x32x32xi8>
  return %7 : tensor<32x32x32xi8>
}
// CHECK-LABEL: npu.kernel @named
func.func @named(%a: tensor<1x33x33x16xf32>, %f: tensor<3x3x16x32xf32>) -> tensor<1x16x16x32xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {stride = array<i64: 2, 2>} : tensor<1x33x33x16xf32>, tensor<3x3x16x32xf32> -> tensor<1x16x16x32xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%a, %f : tensor<1x33x33x16xf32>, tensor<3x3x16x32xf32>) outs(%0 : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %1 : tensor<1x16x16x32xf32>
}
// CHECK-LABEL: npu.kernel @conv_pointwise_nchw_f16
func.func @conv_pointwise_nchw_f16(%a: tensor<64x56x56xf16>, %b: tensor<128x64xf16>) -> tensor<128x56x56xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<fcyx>, layout_input = #npu.layout<chw>, layout_output = #npu.layout<fhw>} : tensor<64x56x56xf16>, tensor<128x64x1x1xf16> -> tensor<128x56x56xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x56x56xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<128x56x56xf32>) -> tensor<128x56x56xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<64x56x56xf16>, tensor<128x64xf16>) outs(%0 : tensor<128x56x56xf32>) {
    ^bb0(%in: f16, %in_2: f16, %out: f32):
     %x = arith.extf %in : f16 to f32
     %y = arith.extf %in_2 : f16 to f32
     %m = arith.mulf %x, %y : f32
     %s = arith.addf %out, %m : f32
     linalg.yield %s : f32
  } -> tensor<128x56x56xf32>
  return %5 : tensor<128x56x56xf32>
}

// CHECK-LABEL: npu.kernel @tosa_conv_rescale
func.func @tosa_conv_rescale(%arg0: tensor<34x34x16xi8>, %arg1: tensor<32x3x3x16xi8>, %arg2: tensor<32xi32>) -> tensor<32x32x32xi8> {
  // CHECK: %[[C:.*]] = npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<fyxc>, layout_input = #npu.layout<hwc>, layout_output = #npu.layout<hwf>}
  // CHECK: %[[S:.*]] = npu.binary add %[[C]], %{{.*}}
  // CHECK: npu.rescale %[[S]] -> %{{.*}} {hi = 127, lo = 0, multiplier = 1431655765, shift = 40} : tensor<32x32x32xi32> -> tensor<32x32x32xi8>
  // CHECK-NEXT: npu.return
  %c0_i32 = arith.constant 0 : i32
  %c1431655765_i32 = arith.constant 1431655765 : i32
  %c40_i8 = arith.constant 40 : i8
  %c-128_i32 = arith.constant -128 : i32
  %c127_i32 = arith.constant 127 : i32
  %c0_i8 = arith.constant 0 : i8
  %0 = tensor.empty() : tensor<32x32x32xi8>
  %1 = tensor.empty() : tensor<32x32x32xi32>
  %2 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<32x32x32xi32>) -> tensor<32x32x32xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 + d3, d1 + d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<34x34x16xi8>, tensor<32x3x3x16xi8>) outs(%2 : tensor<32x32x32xi32>) {
  ^bb0(%in: i8, %in_0: i8, %out: i32):
    %5 = arith.extsi %in : i8 to i32
    %6 = arith.extsi %in_0 : i8 to i32
    %7 = arith.muli %5, %6 : i32
    %8 = arith.addi %out, %7 : i32
    linalg.yield %8 : i32
  } -> tensor<32x32x32xi32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %arg2 : tensor<32x32x32xi32>, tensor<32xi32>) outs(%0 : tensor<32x32x32xi8>) {
  ^bb0(%in: i32, %in_0: i32, %out: i8):
    %5 = arith.addi %in, %in_0 : i32
    %6 = tosa.apply_scale %5, %c1431655765_i32, %c40_i8 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %7 = arith.maxsi %6, %c-128_i32 : i32
    %8 = arith.minsi %7, %c127_i32 : i32
    %9 = arith.trunci %8 : i32 to i8
    %10 = arith.maxsi %9, %c0_i8 : i8
    linalg.yield %10 : i8
  } -> tensor<32x32x32xi8>
  return %4 : tensor<32x32x32xi8>
}
// CHECK-LABEL: npu.kernel @depthwise
func.func @depthwise(%arg0: tensor<34x34x16xf32>, %arg1: tensor<3x3x16xf32>, %arg2: tensor<16xf32>) -> tensor<32x32x16xf32> {
  // CHECK: npu.conv %{{.*}}, %{{.*}} -> %{{.*}} {layout_filter = #npu.layout<yxg>, layout_input = #npu.layout<hwg>, layout_output = #npu.layout<hwg>}
  // CHECK: npu.binary add
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<32x32x16xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32x32x16xf32>) -> tensor<32x32x16xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0 + d3, d1 + d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<34x34x16xf32>, tensor<3x3x16xf32>) outs(%1 : tensor<32x32x16xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %4 = arith.mulf %in, %in_0 : f32
    %5 = arith.addf %out, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<32x32x16xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %arg2 : tensor<32x32x16xf32>, tensor<16xf32>) outs(%0 : tensor<32x32x16xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %4 = arith.addf %in, %in_0 : f32
    linalg.yield %4 : f32
  } -> tensor<32x32x16xf32>
  return %3 : tensor<32x32x16xf32>
}
// CHECK-LABEL: npu.kernel @quantized
func.func @quantized(%arg0: tensor<128x256xi8>, %arg1: tensor<256x512xi8>, %arg2: tensor<128xi32>, %arg3: tensor<512xi32>) -> tensor<128x512xi32> {
  // CHECK: npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} : tensor<128x256xi8>, tensor<256x512xi8> -> tensor<128x512xi32>
  // CHECK: npu.binary mul %{{.*}} -> %{{.*}} {imm = -7 : i32} : tensor<128xi32> -> tensor<128xi32>
  // CHECK: npu.binary sub
  // CHECK: npu.binary mul %{{.*}} -> %{{.*}} {imm = 3 : i32} : tensor<512xi32> -> tensor<512xi32>
  // CHECK: npu.binary sub
  // CHECK: npu.binary add %{{.*}} -> %{{.*}} {imm = -5376 : i32}
  %c0_i32 = arith.constant 0 : i32
  %c-7_i32 = arith.constant -7 : i32
  %c3_i32 = arith.constant 3 : i32
  %c-5376_i32 = arith.constant -5376 : i32
  %0 = tensor.empty() : tensor<128x512xi32>
  %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<128x512xi32>) -> tensor<128x512xi32>
  %2 = linalg.matmul ins(%arg0, %arg1 : tensor<128x256xi8>, tensor<256x512xi8>) outs(%1 : tensor<128x512xi32>) -> tensor<128x512xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2, %arg3 : tensor<128x512xi32>, tensor<128xi32>, tensor<512xi32>) outs(%0 : tensor<128x512xi32>) {
  ^bb0(%in: i32, %in_0: i32, %in_1: i32, %out: i32):
    %4 = arith.muli %in_0, %c-7_i32 : i32
    %5 = arith.subi %in, %4 : i32
    %6 = arith.muli %in_1, %c3_i32 : i32
    %7 = arith.subi %5, %6 : i32
    %8 = arith.addi %7, %c-5376_i32 : i32
    linalg.yield %8 : i32
  } -> tensor<128x512xi32>
  return %3 : tensor<128x512xi32>
}
// CHECK-LABEL: npu.kernel @residual
func.func @residual(%arg0: tensor<64x3136xf16>, %arg1: tensor<256x64xf16>, %arg2: tensor<256xf16>, %arg3: tensor<256x3136xf16>, %arg4: tensor<256xf16>) -> tensor<256x3136xf16> {
  // CHECK: %[[C:.*]] = npu.matmul %{{.*}}, %{{.*}} -> %{{.*}} {layout_a = #npu.layout<km>, layout_b = #npu.layout<nk>, layout_c = #npu.layout<nm>}
  // CHECK: npu.cast truncf %[[C]] -> %{{.*}} : tensor<256x3136xf32> -> tensor<256x3136xf16>
  // CHECK-COUNT-2: npu.binary add
  // CHECK: npu.binary max %{{.*}} -> %{{.*}} {imm = 0.000000e+00 : f16}
  %cst = arith.constant 0.000000e+00 : f16
  %0 = tensor.empty() : tensor<256x3136xf16>
  %1 = linalg.fill ins(%cst : f16) outs(%0 : tensor<256x3136xf16>) -> tensor<256x3136xf16>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<64x3136xf16>, tensor<256x64xf16>) outs(%1 : tensor<256x3136xf16>) {
  ^bb0(%in: f16, %in_0: f16, %out: f16):
    %4 = arith.mulf %in, %in_0 : f16
    %5 = arith.addf %out, %4 : f16
    linalg.yield %5 : f16
  } -> tensor<256x3136xf16>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2, %arg3, %arg4 : tensor<256x3136xf16>, tensor<256xf16>, tensor<256x3136xf16>, tensor<256xf16>) outs(%0 : tensor<256x3136xf16>) {
  ^bb0(%in: f16, %in_0: f16, %in_1: f16, %in_2: f16, %out: f16):
    %4 = arith.addf %in_1, %in_2 : f16
    %5 = arith.addf %in, %in_0 : f16
    %6 = arith.addf %5, %4 : f16
    %7 = arith.maximumf %6, %cst : f16
    linalg.yield %7 : f16
  } -> tensor<256x3136xf16>
  return %3 : tensor<256x3136xf16>
}
