// Positions of extremes: npu.arg_reduce where rows fit, else two reductions, bit for bit as the host has them.

// RUN: npu-opt %s --npu-lower-tosa --npu-tensor-form-pipeline=target=npu-v1 | FileCheck %s --check-prefix=FORM
// FORM-COUNT-9: npu.arg_reduce
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

// As torch-mlir writes it: a NaN is the largest and stays it, and the position is that of the largest before it.
// RUN: npu-run %s --check --npu-fallback=error --function=torch_max "--input=6x4xf32=1 7 7 2 inf nan 3 nan -inf -inf -inf -inf nan nan nan nan -0.0 0 -0.0 0 2 5 nan 9" \
// RUN:   "--expected_output=6xf32=7 nan -inf nan 0 nan" "--expected_output=6xi64=1 0 0 0 0 1" --equality_mode=exact | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=torch_max "--input=6x4xf32=1 7 7 2 inf nan 3 nan -inf -inf -inf -inf nan nan nan nan -0.0 0 -0.0 0 2 5 nan 9" \
// RUN:   --target=npu-v1:sramBytes=2048,clusters=2 | FileCheck %s
// RUN: npu-run %s --check --npu-fallback=error --function=torch_min "--input=4x5xf32=1 7 -7 2 -7 nan nan 1 2 3 inf inf nan 0 0 4 3 2 1 nan" \
// RUN:   "--expected_output=5xi64=0 0 0 2 0" --equality_mode=exact | FileCheck %s
// RUN: npu-run %s --check --function=torch_integers "--input=4x3xi32=5 9 9 -128 -128 -128 127 126 127 -3 -2 -1" \
// RUN:   "--expected_output=4xi64=1 0 0 2" --equality_mode=exact --target=npu-tiny | FileCheck %s

// What is compared is computed in the same body, as behind a rescaling.
// RUN: npu-run %s --check --npu-fallback=error --function=of_sums "--input=3x4xi32=1 7 3 2 5 5 5 5 -9 -8 -7 -6" "--input=4xi32=0 -5 0 1" "--expected_output=3xi32=2 3 3" \
// RUN:   --equality_mode=exact | FileCheck %s

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

func.func @torch_max(%x: tensor<6x4xf32>) -> (tensor<6xf32>, tensor<6xi64>) {
  %least = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  %e = tensor.empty() : tensor<6xf32>
  %i = tensor.empty() : tensor<6xi64>
  %m = linalg.fill ins(%least : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %p = linalg.fill ins(%first : i64) outs(%i : tensor<6xi64>) -> tensor<6xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x4xf32>) outs(%m, %p : tensor<6xf32>, tensor<6xi64>) {
  ^bb0(%a: f32, %largest: f32, %place: i64):
    %n = linalg.index 1 : index
    %k = arith.index_cast %n : index to i64
    %1 = arith.maximumf %a, %largest : f32
    %2 = arith.cmpf ogt, %a, %largest : f32
    %3 = arith.select %2, %k, %place : i64
    linalg.yield %1, %3 : f32, i64
  } -> (tensor<6xf32>, tensor<6xi64>)
  return %0#0, %0#1 : tensor<6xf32>, tensor<6xi64>
}

func.func @torch_min(%x: tensor<4x5xf32>) -> tensor<5xi64> {
  %most = arith.constant 0x7F800000 : f32
  %first = arith.constant 0 : i64
  %e = tensor.empty() : tensor<5xf32>
  %i = tensor.empty() : tensor<5xi64>
  %m = linalg.fill ins(%most : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %p = linalg.fill ins(%first : i64) outs(%i : tensor<5xi64>) -> tensor<5xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<4x5xf32>) outs(%m, %p : tensor<5xf32>, tensor<5xi64>) {
  ^bb0(%a: f32, %least: f32, %place: i64):
    %n = linalg.index 0 : index
    %k = arith.index_cast %n : index to i64
    %1 = arith.minimumf %a, %least : f32
    %2 = arith.cmpf olt, %a, %least : f32
    %3 = arith.select %2, %k, %place : i64
    linalg.yield %1, %3 : f32, i64
  } -> (tensor<5xf32>, tensor<5xi64>)
  return %0#1 : tensor<5xi64>
}

func.func @torch_integers(%x: tensor<4x3xi32>) -> tensor<4xi64> {
  %least = arith.constant -2147483648 : i32
  %first = arith.constant 0 : i64
  %e = tensor.empty() : tensor<4xi32>
  %i = tensor.empty() : tensor<4xi64>
  %m = linalg.fill ins(%least : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %p = linalg.fill ins(%first : i64) outs(%i : tensor<4xi64>) -> tensor<4xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x3xi32>) outs(%m, %p : tensor<4xi32>, tensor<4xi64>) {
  ^bb0(%a: i32, %largest: i32, %place: i64):
    %n = linalg.index 1 : index
    %k = arith.index_cast %n : index to i64
    %1 = arith.maxsi %a, %largest : i32
    %2 = arith.cmpi sgt, %a, %largest : i32
    %3 = arith.select %2, %k, %place : i64
    linalg.yield %1, %3 : i32, i64
  } -> (tensor<4xi32>, tensor<4xi64>)
  return %0#1 : tensor<4xi64>
}

func.func @of_sums(%x: tensor<3x4xi32>, %y: tensor<4xi32>) -> tensor<3xi32> {
  %least = arith.constant -2147483648 : i32
  %first = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3xi32>
  %m = linalg.fill ins(%least : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  %p = linalg.fill ins(%first : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<3x4xi32>, tensor<4xi32>) outs(%p, %m : tensor<3xi32>, tensor<3xi32>) {
  ^bb0(%a: i32, %b: i32, %place: i32, %largest: i32):
    %sum = arith.addi %a, %b : i32
    %n = linalg.index 1 : index
    %k = arith.index_cast %n : index to i32
    %1 = arith.cmpi sgt, %sum, %largest : i32
    %2 = arith.select %1, %k, %place : i32
    %3 = arith.select %1, %sum, %largest : i32
    linalg.yield %2, %3 : i32, i32
  } -> (tensor<3xi32>, tensor<3xi32>)
  return %0#0 : tensor<3xi32>
}
