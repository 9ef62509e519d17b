// Residual additions in f16: products are rounded and biased in the tile of the sum before what is added is read, so they get a tile of their own. Each sum
// takes the place of what it is added to: 401408 bytes, of which the memory has no room for two.
// RUN: npu-run --check --target=npu-v1:sramBytes=786432 %s | FileCheck %s
// RUN: npu-run --check --target=npu-v1-x4:sramBytes=229376 %s | FileCheck %s
// RUN: npu-run --timing-only --target=npu-v1:sramBytes=786432 %s | FileCheck %s --check-prefix=TRAFFIC

// CHECK: matches host

// Weights and a bias alone: what the second addition adds, and its sum, are on chip.
// TRAFFIC: Dispatch #4:
// TRAFFIC: DRAM: 132096 bytes read, 0 written
// TRAFFIC: Dispatch #5:
// TRAFFIC: DRAM: 262144 bytes read, 401408 written

func.func @main(%x: tensor<392x512xf16>, %a: tensor<512x128xf16>, %b: tensor<128x512xf16>, %bias: tensor<512xf16>, %c: tensor<512x128xf16>, %d: tensor<128x512xf16>, %e: tensor<512x512xf16>) -> tensor<392x512xf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant 0.0 : f16
  %wide = tensor.empty() : tensor<392x512xf32>
  %narrow = tensor.empty() : tensor<392x128xf32>
  %wide0 = linalg.fill ins(%zero : f32) outs(%wide : tensor<392x512xf32>) -> tensor<392x512xf32>
  %narrow0 = linalg.fill ins(%zero : f32) outs(%narrow : tensor<392x128xf32>) -> tensor<392x128xf32>
  %h = tensor.empty() : tensor<392x128xf16>
  %y = tensor.empty() : tensor<392x512xf16>
  %p0 = linalg.matmul ins(%x, %e : tensor<392x512xf16>, tensor<512x512xf16>) outs(%wide0 : tensor<392x512xf32>) -> tensor<392x512xf32>
  %x0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p0 : tensor<392x512xf32>) outs(%y : tensor<392x512xf16>) {
  ^bb0(%p: f32, %q: f16):
    %t = arith.truncf %p : f32 to f16
    %m = arith.maximumf %t, %z : f16
    linalg.yield %m : f16
  } -> tensor<392x512xf16>
  %p1 = linalg.matmul ins(%x0, %a : tensor<392x512xf16>, tensor<512x128xf16>) outs(%narrow0 : tensor<392x128xf32>) -> tensor<392x128xf32>
  %h1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p1 : tensor<392x128xf32>) outs(%h : tensor<392x128xf16>) {
  ^bb0(%p: f32, %q: f16):
    %t = arith.truncf %p : f32 to f16
    %m = arith.maximumf %t, %z : f16
    linalg.yield %m : f16
  } -> tensor<392x128xf16>
  %p2 = linalg.matmul ins(%h1, %b : tensor<392x128xf16>, tensor<128x512xf16>) outs(%wide0 : tensor<392x512xf32>) -> tensor<392x512xf32>
  %x1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p2, %bias, %x0 : tensor<392x512xf32>, tensor<512xf16>, tensor<392x512xf16>) outs(%y : tensor<392x512xf16>) {
  ^bb0(%p: f32, %k: f16, %r: f16, %q: f16):
    %t = arith.truncf %p : f32 to f16
    %u = arith.addf %t, %k : f16
    %v = arith.addf %u, %r : f16
    %m = arith.maximumf %v, %z : f16
    linalg.yield %m : f16
  } -> tensor<392x512xf16>
  %p3 = linalg.matmul ins(%x1, %c : tensor<392x512xf16>, tensor<512x128xf16>) outs(%narrow0 : tensor<392x128xf32>) -> tensor<392x128xf32>
  %h3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p3 : tensor<392x128xf32>) outs(%h : tensor<392x128xf16>) {
  ^bb0(%p: f32, %q: f16):
    %t = arith.truncf %p : f32 to f16
    %m = arith.maximumf %t, %z : f16
    linalg.yield %m : f16
  } -> tensor<392x128xf16>
  %p4 = linalg.matmul ins(%h3, %d : tensor<392x128xf16>, tensor<128x512xf16>) outs(%wide0 : tensor<392x512xf32>) -> tensor<392x512xf32>
  %x2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p4, %bias, %x1 : tensor<392x512xf32>, tensor<512xf16>, tensor<392x512xf16>) outs(%y : tensor<392x512xf16>) {
  ^bb0(%p: f32, %k: f16, %r: f16, %q: f16):
    %t = arith.truncf %p : f32 to f16
    %u = arith.addf %t, %k : f16
    %v = arith.addf %u, %r : f16
    %m = arith.maximumf %v, %z : f16
    linalg.yield %m : f16
  } -> tensor<392x512xf16>
  %p5 = linalg.matmul ins(%x2, %a : tensor<392x512xf16>, tensor<512x128xf16>) outs(%narrow0 : tensor<392x128xf32>) -> tensor<392x128xf32>
  %h5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p5 : tensor<392x128xf32>) outs(%h : tensor<392x128xf16>) {
  ^bb0(%p: f32, %q: f16):
    %t = arith.truncf %p : f32 to f16
    %m = arith.maximumf %t, %z : f16
    linalg.yield %m : f16
  } -> tensor<392x128xf16>
  %p6 = linalg.matmul ins(%h5, %d : tensor<392x128xf16>, tensor<128x512xf16>) outs(%wide0 : tensor<392x512xf32>) -> tensor<392x512xf32>
  %x3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p6 : tensor<392x512xf32>) outs(%y : tensor<392x512xf16>) {
  ^bb0(%p: f32, %q: f16):
    %t = arith.truncf %p : f32 to f16
    %m = arith.maximumf %t, %z : f16
    linalg.yield %m : f16
  } -> tensor<392x512xf16>
  return %x3 : tensor<392x512xf16>
}
