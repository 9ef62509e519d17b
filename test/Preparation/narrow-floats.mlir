// RUN: npu-opt %s --pass-pipeline='builtin.module(func.func(npu-narrow-floats))' | FileCheck %s

#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>
#id = affine_map<(i) -> (i)>

// A mean in f64, as torch-mlir writes it, and what is computed of it.
// CHECK-LABEL: func.func @variance
// CHECK: linalg.fill ins(%{{.*}} : f32)
// CHECK: ^bb0(%[[X:.*]]: f32, %[[O:.*]]: f32):
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[O]] : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
// CHECK: math.sqrt %{{.*}} : f32
// CHECK-NOT: f64
// CHECK: return
func.func @variance(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f64
  %count = arith.constant 8.0 : f64
  %we = tensor.empty() : tensor<4x8xf64>
  %w = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%we : tensor<4x8xf64>) {
  ^bb0(%in: f32, %o: f64):
    %2 = arith.extf %in : f32 to f64
    linalg.yield %2 : f64
  } -> tensor<4x8xf64>
  %e = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %0 = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<4x8xf64>) outs(%f : tensor<4xf64>) {
  ^bb0(%in: f64, %o: f64):
    %2 = arith.addf %in, %o : f64
    linalg.yield %2 : f64
  } -> tensor<4xf64>
  %out = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<4xf64>) outs(%out : tensor<4xf32>) {
  ^bb0(%in: f64, %o: f32):
    %2 = arith.divf %in, %count : f64
    %3 = math.sqrt %2 : f64
    %4 = arith.truncf %3 : f64 to f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// From f16 and to f16, one conversion each stays.
// CHECK-LABEL: func.func @half
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @half(%x: tensor<4xf16>) -> tensor<4xf16> {
  %e = tensor.empty() : tensor<4xf16>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf16>) outs(%e : tensor<4xf16>) {
  ^bb0(%in: f16, %o: f16):
    %1 = arith.extf %in : f16 to f64
    %2 = arith.mulf %1, %1 : f64
    %3 = arith.truncf %2 : f64 to f16
    linalg.yield %3 : f16
  } -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// What the model takes or gives as f64 stays, and so does what is connected with it: here through the second operand of the sum.
// CHECK-LABEL: func.func @argument
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
func.func @argument(%x: tensor<4xf32>, %y: tensor<4xf64>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<4xf32>, tensor<4xf64>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %b: f64, %o: f32):
    %1 = arith.extf %in : f32 to f64
    %2 = arith.addf %1, %b : f64
    %3 = arith.truncf %2 : f64 to f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// So does what is compared or rounded down, as rounding may change it by one, and what a constant of f32 cannot stand for.
// CHECK-LABEL: func.func @jumps
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: math.floor %{{.*}} : f64
// CHECK-LABEL: func.func @large
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK-LABEL: func.func @tiny
// CHECK: arith.addf %{{.*}}, %{{.*}} : f64
// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} -> (f64)
func.func @jumps(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 0.1 : f64
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %1 = arith.extf %in : f32 to f64
    %2 = arith.mulf %1, %c : f64
    %3 = math.floor %2 : f64
    %4 = arith.truncf %3 : f64 to f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @large(%x: f32) -> f32 {
  %c = arith.constant 1.0e+300 : f64
  %0 = arith.extf %x : f32 to f64
  %1 = arith.mulf %0, %c : f64
  %2 = arith.truncf %1 : f64 to f32
  return %2 : f32
}
func.func @tiny(%x: f32) -> f32 {
  %c = arith.constant 1.0e-300 : f64
  %0 = arith.extf %x : f32 to f64
  %1 = arith.addf %0, %c : f64
  %2 = arith.truncf %1 : f64 to f32
  return %2 : f32
}
func.func @loop(%x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.extf %x : f32 to f64
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (f64) {
    %3 = arith.addf %a, %a : f64
    scf.yield %3 : f64
  }
  %2 = arith.truncf %1 : f64 to f32
  return %2 : f32
}
