// RUN: npu-opt --pass-pipeline='builtin.module(util.func(npu-global-opt-raise-special-ops))' %s --split-input-file | FileCheck %s

// CHECK-LABEL: util.func public @softmax(%arg0: tensor<4x8x16xf32>)
// CHECK:         %[[R:.*]] = linalg.softmax dimension(1) ins(%arg0 : tensor<4x8x16xf32>) outs(%{{.*}} : tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
// CHECK-NEXT:    util.return %[[R]]
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d2)>
util.func public @softmax(%x: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<4x16xf32>
  %full = tensor.empty() : tensor<4x8x16xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%row : tensor<4x16xf32>) -> tensor<4x16xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<4x8x16xf32>) outs(%m0 : tensor<4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %sub = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %max : tensor<4x8x16xf32>, tensor<4x16xf32>) outs(%full : tensor<4x8x16xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.subf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x8x16xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sub : tensor<4x8x16xf32>) outs(%full : tensor<4x8x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x8x16xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%row : tensor<4x16xf32>) -> tensor<4x16xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction", "parallel"]} ins(%exp : tensor<4x8x16xf32>) outs(%s0 : tensor<4x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4x16xf32>
  %div = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<4x8x16xf32>, tensor<4x16xf32>) outs(%full : tensor<4x8x16xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.divf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x8x16xf32>
  util.return %div : tensor<4x8x16xf32>
}

// -----

// The form of tosa: a multiplication by the reciprocal, from the lowest finite number.
// CHECK-LABEL: util.func public @reciprocal
// CHECK:         linalg.softmax dimension(0) ins(%arg0 : tensor<10xf32>)
#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>
#none = affine_map<() -> ()>
util.func public @reciprocal(%x: tensor<10xf32>) -> tensor<10xf32> {
  %lowest = arith.constant -3.40282347E+38 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %row = tensor.empty() : tensor<f32>
  %full = tensor.empty() : tensor<10xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%row : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%x : tensor<10xf32>) outs(%m0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %sub = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]} ins(%x, %max : tensor<10xf32>, tensor<f32>) outs(%full : tensor<10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.subf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<10xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sub : tensor<10xf32>) outs(%full : tensor<10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<10xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%row : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%exp : tensor<10xf32>) outs(%s0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %rec = linalg.generic {indexing_maps = [#none, #none], iterator_types = []} ins(%sum : tensor<f32>) outs(%row : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %one, %in : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %mul = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]} ins(%exp, %rec : tensor<10xf32>, tensor<f32>) outs(%full : tensor<10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.mulf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<10xf32>
  util.return %mul : tensor<10xf32>
}

// -----

// The sum starts from one, so this is no softmax.
// CHECK-LABEL: util.func public @shifted
// CHECK-NOT:     linalg.softmax
#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>
util.func public @shifted(%x: tensor<10xf32>) -> tensor<10xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %row = tensor.empty() : tensor<f32>
  %full = tensor.empty() : tensor<10xf32>
  %m0 = linalg.fill ins(%lowest : f32) outs(%row : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%x : tensor<10xf32>) outs(%m0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %sub = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]} ins(%x, %max : tensor<10xf32>, tensor<f32>) outs(%full : tensor<10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.subf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<10xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sub : tensor<10xf32>) outs(%full : tensor<10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<10xf32>
  %s0 = linalg.fill ins(%one : f32) outs(%row : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%exp : tensor<10xf32>) outs(%s0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %div = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel"]} ins(%exp, %sum : tensor<10xf32>, tensor<f32>) outs(%full : tensor<10xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.divf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<10xf32>
  util.return %div : tensor<10xf32>
}
