// Positions of extremes: npu.arg_reduce where rows fit, else two reductions, bit for bit as the host has them.

// RUN: npu-opt %s --npu-lower-tosa --npu-tensor-form-pipeline=target=npu-v1 | FileCheck %s --check-prefix=FORM
// FORM-COUNT-5: npu.arg_reduce
// FORM-NOT: npu.arg_reduce

// Ties, a NaN behind the largest and before another, and rows of nothing but the least.
// RUN: npu-run %s --check --npu-fallback=error --function=real "--input=5x4xf32=1 7 7 2 inf nan 3 nan -inf -inf -inf -inf nan nan nan nan -0.0 0 -0.0 0" \
// RUN:   "--expected_output=5xi32=1 1 0 0 0" --equality_mode=exact | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=numbers "--input=5x4xf32=1 7 7 2 nan inf 3 nan -inf -inf -inf -inf nan nan nan nan nan -inf nan 0" \
// RUN:   "--expected_output=5xi32=1 1 0 0 3" --equality_mode=exact | FileCheck %s
// RUN: npu-run %s --check --function=bytes "--input=4x3xi8=5 9 9 -128 -128 -128 127 126 127 -3 -2 -1" \
// RUN:   "--expected_output=4xi32=1 0 0 2" --equality_mode=exact --target=npu-tiny | FileCheck %s
// RUN: npu-run %s --check --function=columns "--input=smallints(3)" --target=npu-tiny:sramBytes=2048,accBytes=1024 | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=half "--input=smallints(4)" | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=half "--input=smallints(4)" --target=npu-v1:sramBytes=4096,clusters=3 | FileCheck %s

// CHECK: on the NPU: 1 of 1 dispatches
// CHECK: matches host

func.func @real(%x: tensor<5x4xf32>) -> tensor<5xi32> {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<5x4xf32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

func.func @numbers(%x: tensor<5x4xf32>) -> tensor<5xi32> {
  %0 = tosa.argmax %x {axis = 1 : i32, nan_mode = IGNORE} : (tensor<5x4xf32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

func.func @bytes(%x: tensor<4x3xi8>) -> tensor<4xi32> {
  %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<4x3xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Along the outer dimension, of which tiles have all.
func.func @columns(%x: tensor<40x70xi16>) -> tensor<70xi32> {
  %0 = tosa.argmax %x {axis = 0 : i32} : (tensor<40x70xi16>) -> tensor<70xi32>
  return %0 : tensor<70xi32>
}

// The smallest of halves, and where it is; on small chips rows do not fit.
func.func @half(%x: tensor<6x3000xf16>) -> (tensor<6xf16>, tensor<6xi64>) {
  %least = arith.constant 0x7C00 : f16
  %zero = arith.constant 0 : i64
  %v = tensor.empty() : tensor<6xf16>
  %p = tensor.empty() : tensor<6xi64>
  %vf = linalg.fill ins(%least : f16) outs(%v : tensor<6xf16>) -> tensor<6xf16>
  %pf = linalg.fill ins(%zero : i64) outs(%p : tensor<6xi64>) -> tensor<6xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x3000xf16>) outs(%vf, %pf : tensor<6xf16>, tensor<6xi64>) {
  ^bb0(%a: f16, %m: f16, %w: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %c = arith.cmpf olt, %a, %m : f16
    %t = arith.select %c, %a, %m : f16
    %u = arith.select %c, %k, %w : i64
    linalg.yield %t, %u : f16, i64
  } -> (tensor<6xf16>, tensor<6xi64>)
  return %0#0, %0#1 : tensor<6xf16>, tensor<6xi64>
}
