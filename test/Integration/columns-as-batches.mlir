// The columns of a product are heads times elements of each, or elements times heads, which are then batches of the product that reads them: of those the array
// has one column at a time.

// RUN: npu-run --check --target=npu-v1:dramBytesPerCycle=1 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4 %s | FileCheck %s
// RUN: npu-run --check --target=npu-tiny:sramBytes=16384 %s | FileCheck %s
// CHECK: {{^}}matches host

func.func @main(%a0: tensor<64x16xf16>, %a1: tensor<16x128xf16>, %a2: tensor<4x64x64xf16>) -> tensor<4x64x32xf32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<64x128xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v4 = linalg.matmul ins(%a0, %a1 : tensor<64x16xf16>, tensor<16x128xf16>) outs(%v3 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %v5 = tensor.empty() : tensor<64x128xf16>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0,d1) -> (d0,d1)>, affine_map<(d0,d1) -> (d0,d1)>], iterator_types = ["parallel", "parallel"]} ins(%v4 : tensor<64x128xf32>) outs(%v5 : tensor<64x128xf16>) {
  ^bb0(%i0: f32, %o: f16):
    %r = arith.truncf %i0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<64x128xf16>
  %v7 = tensor.expand_shape %v6 [[0], [1, 2]] output_shape [64, 32, 4] : tensor<64x128xf16> into tensor<64x32x4xf16>
  %v8 = arith.constant 0.0 : f32
  %v9 = tensor.empty() : tensor<4x64x32xf32>
  %v10 = linalg.fill ins(%v8 : f32) outs(%v9 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %v11 = linalg.generic {indexing_maps = [affine_map<(d0,d1,d2,d3) -> (d0,d1,d3)>, affine_map<(d0,d1,d2,d3) -> (d3,d2,d0)>, affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a2, %v7 : tensor<4x64x64xf16>, tensor<64x32x4xf16>) outs(%v10 : tensor<4x64x32xf32>) {
  ^bb0(%i0: f16, %i1: f16, %o: f32):
    %x = arith.extf %i0 : f16 to f32
    %y = arith.extf %i1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<4x64x32xf32>
  return %v11 : tensor<4x64x32xf32>
}
