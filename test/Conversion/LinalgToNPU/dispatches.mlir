func.func @matmul_bias_relu(%a: tensor<130x300xf16>, %b: tensor<300x257xf16>, %bias: tensor<257xf16>) -> tensor<130x257xf16> {
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
func.func @conv_requant(%a: tensor<16x34x34xi8>, %b: tensor<32x16x3x3xi8>, %bias: tensor<32xi32>) -> tensor<32x32x32xi8> {
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
func.func @named(%a: tensor<1x33x33x16xf32>, %f: tensor<3x3x16x32xf32>) -> tensor<1x16x16x32xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %1 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%a, %f : tensor<1x33x33x16xf32>, tensor<3x3x16x32xf32>) outs(%0 : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %1 : tensor<1x16x16x32xf32>
}
func.func @pointwise(%a: tensor<64x56x56xf16>, %b: tensor<128x64xf16>) -> tensor<128x56x56xf32> {
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
