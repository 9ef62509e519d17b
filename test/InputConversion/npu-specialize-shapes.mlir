// RUN: npu-opt %s --npu-specialize-shapes="function=network shapes=2x3x10x12,4x5" | FileCheck %s
// RUN: npu-opt %s --npu-specialize-shapes="function=tosa shapes=2x8x8x4" | FileCheck %s --check-prefix=TOSA
// RUN: npu-opt %s --npu-specialize-shapes="function=open shapes=4x8" | FileCheck %s --check-prefix=OPEN
// RUN: npu-opt %s --npu-specialize-shapes="function=branches shapes=4,4" | FileCheck %s --check-prefix=BRANCHES
// RUN: npu-opt %s --npu-specialize-shapes="function=same shapes=4x4" | FileCheck %s --check-prefix=SAME
// RUN: npu-opt %s --npu-specialize-shapes="function=static" | FileCheck %s --check-prefix=STATIC

// Padded sizes, concatenations, elementwise ops on tensors and what is computed from sizes.
// CHECK-LABEL: func.func @network(%arg0: tensor<2x3x10x12xf32>, %arg1: tensor<8x3x3x3xf32>, %arg2: tensor<4x5xf32>) -> (tensor<2x8x10x12xf32>, tensor<8x5xf32>, index) {
// CHECK-NOT:     ?
// CHECK:         %[[C48:.*]] = arith.constant 48 : index
// CHECK-NOT:     ?
// CHECK:         tensor.pad %arg0 {{.*}}
// CHECK:         } : tensor<2x3x10x12xf32> to tensor<2x3x12x14xf32>
// CHECK-NOT:     ?
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK-NOT:     ?
// CHECK:         arith.addf %arg2, %arg2 : tensor<4x5xf32>
// CHECK:         tensor.concat dim(0) {{.*}} : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
// CHECK-NOT:     ?
// CHECK:         return %{{.*}}, %{{.*}}, %[[C48]]
// CHECK:       func.func @tosa
func.func @network(%x: tensor<?x3x?x?xf32>, %w: tensor<8x3x3x3xf32>, %y: tensor<?x5xf32>) -> (tensor<?x8x?x?xf32>, tensor<?x5xf32>, index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<?x3x?x?xf32> to tensor<?x3x?x?xf32>
  %n = tensor.dim %x, %c0 : tensor<?x3x?x?xf32>
  %h = tensor.dim %x, %c2 : tensor<?x3x?x?xf32>
  %ww = tensor.dim %x, %c3 : tensor<?x3x?x?xf32>
  %e = tensor.empty(%n, %h, %ww) : tensor<?x8x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%p, %w : tensor<?x3x?x?xf32>, tensor<8x3x3x3xf32>) outs(%f : tensor<?x8x?x?xf32>) -> tensor<?x8x?x?xf32>
  %sum = arith.addf %y, %y : tensor<?x5xf32>
  %both = tensor.concat dim(0) %sum, %y : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  %d = tensor.dim %sum, %c0 : tensor<?x5xf32>
  %size = arith.muli %d, %ww : index
  return %c, %both, %size : tensor<?x8x?x?xf32>, tensor<?x5xf32>, index
}

// TOSA: func.func @tosa(%arg0: tensor<2x8x8x4xf32>, %arg1: tensor<8x3x3x4xf32>, %arg2: tensor<8xf32>) -> tensor<2x8x8x8xf32> {
// TOSA:   tosa.clamp {{.*}} -> tensor<2x8x8x8xf32>
func.func @tosa(%a: tensor<?x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>) -> tensor<?x8x8x8xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %a, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x8x8x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x8x8x8xf32>
  %1 = tosa.clamp %0 {max_val = 6.0 : f32, min_val = 0.0 : f32} : (tensor<?x8x8x8xf32>) -> tensor<?x8x8x8xf32>
  return %1 : tensor<?x8x8x8xf32>
}

// What is known only when the model runs stays dynamic.
// OPEN: func.func @open(%arg0: tensor<4x8xf32>, %arg1: index) -> tensor<?x8xf32> {
// OPEN:   tensor.extract_slice %arg0[0, 0] [%arg1, 8] [1, 1] : tensor<4x8xf32> to tensor<?x8xf32>
func.func @open(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %0 = tensor.extract_slice %x[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// STATIC: func.func @static(%arg0: tensor<4xf32>) -> tensor<4xf32> {
func.func @static(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// What all ways yield in one shape has that shape; the second result has it on one way only.
// BRANCHES-LABEL: func.func @branches
// BRANCHES-SAME:    -> (tensor<4xf32>, tensor<?xf32>) {
// BRANCHES:         scf.if {{.*}} -> (tensor<4xf32>, tensor<?xf32>) {
// BRANCHES:           scf.yield %arg0, %{{.*}} : tensor<4xf32>, tensor<?xf32>
// BRANCHES:         scf.index_switch {{.*}} -> tensor<4xf32>
// BRANCHES:           scf.yield %{{.*}}#0 : tensor<4xf32>
// BRANCHES:         math.exp %{{.*}} : tensor<4xf32>
func.func @branches(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %0:2 = scf.if %c -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %x, %y : tensor<?xf32>, tensor<?xf32>
  } else {
    %1 = tensor.extract_slice %y[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
    %2 = math.exp %x : tensor<?xf32>
    scf.yield %2, %1 : tensor<?xf32>, tensor<?xf32>
  }
  %3 = scf.index_switch %n -> tensor<?xf32>
  case 1 {
    scf.yield %0#0 : tensor<?xf32>
  }
  default {
    scf.yield %y : tensor<?xf32>
  }
  %4 = math.exp %3 : tensor<?xf32>
  return %4, %0#1 : tensor<?xf32>, tensor<?xf32>
}

// A transposition that changes nothing, beside one that does.
// SAME: func.func @same(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
// SAME:   arith.addf %arg0, %arg0 : tensor<4x4xf32>
// SAME:   %[[T:.*]] = linalg.transpose ins(%arg0 : tensor<4x4xf32>) {{.*}} permutation = [1, 0]
// SAME:   arith.addf %{{.*}}, %[[T]] : tensor<4x4xf32>
func.func @same(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [0, 1]
  %1 = arith.addf %0, %0 : tensor<?x?xf32>
  %2 = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %3 = arith.addf %1, %2 : tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}
