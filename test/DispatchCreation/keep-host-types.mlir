// For an NPU, what computes with types that a kernel has no elements of stays outside of the dispatches of contractions, and so do widening casts of
// what they multiply.
// RUN: npu-opt %s --npu-dispatch-creation-elementwise-op-fusion="keep-tails=true" | FileCheck %s --check-prefix=KEPT
// RUN: npu-opt %s --npu-front-half --remarks-filter=npu-fusion -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: npu-opt %s --npu-front-half --npu-import-dispatches --npu-partition-report -o /dev/null | FileCheck %s --check-prefix=SPLIT
// RUN: npu-opt %s --npu-front-half="mode=iree" --npu-import-dispatches --npu-partition-report -o /dev/null | FileCheck %s --check-prefix=FUSED
// RUN: npu-run --check %s --function=mask | FileCheck %s --check-prefix=MASK
// RUN: npu-run --check %s --function=widened | FileCheck %s --check-prefix=WIDENED
// RUN: npu-run --check %s --function=tail_to_f64 | FileCheck %s --check-prefix=TAIL
// RUN: npu-run --check %s --function=padded | FileCheck %s --check-prefix=PADDED

// KEPT-LABEL: @mask
// KEPT:         linalg.matmul
// KEPT:         linalg.generic
// KEPT:           arith.cmpi
// KEPT-NOT:       arith.select
// KEPT:         linalg.generic
// KEPT:           arith.select
// KEPT-NOT:     linalg.generic
// KEPT-LABEL: @widened

// REMARK: Reason="the consumer computes with f64, which a kernel has no elements of"

// SPLIT: on the NPU: 7 of 8 dispatches, 1504 of 1504 MACs
// FUSED: on the NPU: 5 of 6 dispatches, 1312 of 1504 MACs

// The mask is smaller than what it is for.
// MASK: on the NPU: 2 of 2 dispatches, [[M:[1-9][0-9]*]] of [[M]] MACs
// MASK: matches host
func.func @mask(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %mask: tensor<6xi64>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1.0e9 : f32
  %i0 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %eb = tensor.empty() : tensor<6xi1>
  %c = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> (j)>], iterator_types = ["parallel"]}
      ins(%mask : tensor<6xi64>) outs(%eb : tensor<6xi1>) {
  ^bb0(%in: i64, %out: i1):
    %0 = arith.cmpi eq, %in, %i0 : i64
    linalg.yield %0 : i1
  } -> tensor<6xi1>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c, %m : tensor<6xi1>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%cond: i1, %in: f32, %out: f32):
    %0 = arith.select %cond, %none, %in : f32
    linalg.yield %0 : f32
  } -> tensor<4x6xf32>
  return %w : tensor<4x6xf32>
}

// A widening cast that both an operand of a contraction and its tail read.
// WIDENED: on the NPU: 2 of 2 dispatches, [[M:[1-9][0-9]*]] of [[M]] MACs
// WIDENED: matches host
func.func @widened(%a: tensor<4x8xf16>, %b: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = linalg.matmul ins(%x, %b : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%lhs: f32, %rhs: f32, %out: f32):
    %0 = arith.addf %lhs, %rhs : f32
    linalg.yield %0 : f32
  } -> tensor<4x8xf32>
  return %w : tensor<4x8xf32>
}

// TAIL: on the NPU: 1 of 2 dispatches, [[M:[1-9][0-9]*]] of [[M]] MACs
// TAIL: matches host
func.func @tail_to_f64(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %d: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %ed = tensor.empty() : tensor<4x6xf64>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%m, %d : tensor<4x6xf32>, tensor<4x6xf64>) outs(%ed : tensor<4x6xf64>) {
  ^bb0(%in: f32, %wide: f64, %out: f64):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.addf %0, %wide : f64
    linalg.yield %1 : f64
  } -> tensor<4x6xf64>
  return %w : tensor<4x6xf64>
}

// Between the cast and the convolution is a pad, which is part of the kernel.
// PADDED: on the NPU: 2 of 2 dispatches, [[M:[1-9][0-9]*]] of [[M]] MACs
// PADDED: matches host
func.func @padded(%a: tensor<1x2x4x4xi8>, %k: tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x4x4xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a : tensor<1x2x4x4xi8>) outs(%e : tensor<1x2x4x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<1x2x4x4xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x2x4x4xf32> to tensor<1x2x6x6xf32>
  %ef = tensor.empty() : tensor<1x3x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ef : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%p, %k : tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) outs(%f : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %y : tensor<1x3x4x4xf32>
}
